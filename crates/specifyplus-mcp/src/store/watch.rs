//! The watcher: announces that the list of commands has changed, once per burst of changes.
//!
//! It looks at the files every second anyway; what the system reports only makes it look sooner.
//! So a file system without notifications, or a watch that came loose, costs a second and no more.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use mcp_core::watch::Bell;

use crate::store::library::{Library, Snapshot};

/// Short of a second, so that a change is announced within one.
const POLL: Duration = Duration::from_millis(900);

/// Where looking takes long, it is done less often: this many times its duration apart.
const IDLE_FOR_EACH_LOOK: u32 = 100;

/// Changes are promised to be seen within five seconds, whatever is reported.
const LONGEST_POLL: Duration = Duration::from_secs(4);

/// A burst of changes has ended when nothing happened for this long.
const QUIET: Duration = Duration::from_millis(100);

/// A burst that does not end is announced in the middle.
const LONGEST_BURST: Duration = Duration::from_millis(600);

/// Systems have room for some thousands of watches; what lies beyond is found by looking.
const MAX_WATCHED: usize = 512;

/// Looks at the library in a thread of its own until the library is dropped, and calls `announce`
/// whenever clients should list again.
pub(crate) fn start(library: &Arc<Library>, announce: impl Fn() + Send + 'static) {
    let library = Arc::downgrade(library);
    let thread = std::thread::Builder::new().name("commands".to_owned());
    if let Err(error) = thread.spawn(move || run(&library, announce)) {
        tracing::warn!("changes of command files are not announced: {error}");
    }
}

fn run(library: &Weak<Library>, announce: impl Fn()) {
    let (sender, events) = sync_channel(1);
    let Some(first) = library.upgrade() else { return };
    let mut bell = FolderBell::new(sender);
    bell.renew(&first.places(&Snapshot::default()));
    // A client may have listed before this thread began; what changed since is news to it.
    let mut announced = first.first_look();
    bell.renew(&first.places(&announced));
    say_how_many(&announced, &first);
    drop(first);
    let mut wait = Duration::ZERO;
    loop {
        let reported = wait_for_burst(&events, wait);
        let Some(library) = library.upgrade() else { return };
        let started = Instant::now();
        let current = library.refresh();
        wait = (started.elapsed() * IDLE_FOR_EACH_LOOK).clamp(POLL, LONGEST_POLL);
        if Arc::ptr_eq(&current, &announced) {
            continue;
        }
        if !current.catalog.is_listed_like(&announced.catalog) {
            announce();
            say_how_many(&current, &library);
        }
        announced = current;
        // A change that nobody reported: a directory is another one than we watch.
        bell.keep_up(&library.places(&announced), !reported);
    }
}

fn say_how_many(snapshot: &Snapshot, library: &Library) {
    match snapshot.catalog.commands().count() {
        0 => {
            let places: Vec<&str> = library.folders().iter().map(|it| it.label.as_str()).collect();
            let others = if library.projects().is_empty() { "" } else { ", nor in other folders" };
            tracing::info!("serving no commands: there are none in {}{others}", places.join(", "));
        }
        1 => tracing::info!("serving 1 command"),
        count => tracing::info!("serving {count} commands"),
    }
}

/// Whether something was reported, as opposed to the time having run out.
fn wait_for_burst(events: &Receiver<()>, wait: Duration) -> bool {
    match events.recv_timeout(wait) {
        Ok(()) => {}
        Err(RecvTimeoutError::Timeout) => return false,
        Err(RecvTimeoutError::Disconnected) => {
            std::thread::sleep(wait);
            return false;
        }
    }
    let started = Instant::now();
    while started.elapsed() < LONGEST_BURST && events.recv_timeout(QUIET).is_ok() {}
    true
}

/// The bell for all places, where the system has one.
struct FolderBell {
    bell: Option<Bell>,
    watched: BTreeSet<PathBuf>,
}

impl FolderBell {
    fn new(sender: SyncSender<()>) -> Self {
        // One token is enough to wake up, however many events there are.
        let bell = Bell::new(move || sender.try_send(()).unwrap_or_default());
        if let Err(error) = &bell {
            tracing::info!("command files are looked at every second: {error}");
        }
        Self { bell: bell.ok(), watched: BTreeSet::new() }
    }

    fn renew(&mut self, places: &[PathBuf]) {
        let Some(bell) = &mut self.bell else { return };
        for place in places.iter().take(MAX_WATCHED) {
            // A place that is not there is found again by looking.
            if bell.watch(place).is_ok() {
                self.watched.insert(place.clone());
            }
        }
    }

    /// Watches what is new, and all of it again where watches may have come loose.
    fn keep_up(&mut self, places: &[PathBuf], anew: bool) {
        let new: Vec<PathBuf> =
            places.iter().filter(|it| anew || !self.watched.contains(*it)).cloned().collect();
        self.renew(&new);
    }
}
