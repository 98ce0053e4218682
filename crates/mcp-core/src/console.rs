//! Text for a person: answers on stdout, remarks and progress on stderr.

use std::io::{IsTerminal as _, Write as _};

use crate::text;

/// As shells know a program that an interrupt ended.
const INTERRUPTED: i32 = 130;

/// Prints an answer that we put together, without what a terminal would obey. A reader that has
/// gone away (`| head`) is no error.
pub fn print(text: &str) {
    print_verbatim(&text::harmless(text));
}

/// Prints an answer that is a document: to the byte into a file or a pipe, harmless on a terminal.
pub(crate) fn print_document(text: &str) {
    if std::io::stdout().is_terminal() {
        print(text);
    } else {
        print_verbatim(text);
    }
}

/// Prints an answer with its colours; whoever makes it keeps strangers' escapes out.
pub(crate) fn print_verbatim(text: &str) {
    let mut stdout = std::io::stdout().lock();
    drop(stdout.write_all(text.as_bytes()));
    if !text.ends_with('\n') {
        drop(stdout.write_all(b"\n"));
    }
}

/// Prints a remark, without what a terminal would obey.
pub fn note(text: &str) {
    drop(writeln!(std::io::stderr().lock(), "{}", text::harmless(text)));
}

/// Says something before an interrupt ends the process, where a person is asked and nothing is lost.
pub fn on_interrupt(words: &'static str) {
    let (ready, listening) = std::sync::mpsc::channel();
    let wait = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let Ok(runtime) = runtime else { return };
        let interrupted = runtime.block_on(async {
            let mut interrupt = std::pin::pin!(tokio::signal::ctrl_c());
            std::future::poll_fn(|context| {
                let polled = interrupt.as_mut().poll(context);
                // The first look makes it listen. Later nobody waits for this any more.
                ready.send(()).ok();
                polled
            })
            .await
        });
        if interrupted.is_ok() {
            note(&format!("\n{words}"));
            #[expect(clippy::exit, reason = "the other thread waits for a line that never comes")]
            std::process::exit(INTERRUPTED);
        }
    };
    // Without the thread an interrupt ends the process as ever, without a word.
    if std::thread::Builder::new().name("interrupt".to_owned()).spawn(wait).is_ok() {
        listening.recv().ok();
    }
}

/// Shows how far a long call is, over the line before, on a terminal only.
pub(crate) fn show_progress(done: f64, total: Option<f64>, message: &str) {
    const WIDTH: usize = 24;
    let share = total.filter(|total| *total > 0.0).map(|total| (done / total).clamp(0.0, 1.0));
    let bar = match share {
        Some(share) => {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                clippy::cast_precision_loss,
                reason = "a share between 0 and 1 of a small width"
            )]
            let full = (share * WIDTH as f64).round() as usize;
            format!("[{}{}]", "#".repeat(full), ".".repeat(WIDTH - full))
        }
        None => format!("{done}"),
    };
    let message = text::one_line(text::cut(message, 60));
    let mut stderr = std::io::stderr().lock();
    drop(write!(stderr, "\r\u{1b}[2K{bar} {message}"));
    drop(stderr.flush());
}

/// Wipes the progress line away.
pub(crate) fn end_progress() {
    let mut stderr = std::io::stderr().lock();
    drop(write!(stderr, "\r\u{1b}[2K"));
    drop(stderr.flush());
}
