//! What the system knows of a process: memory, open files, threads, children.

use std::fmt;
use std::fs;

/// One look at a process; zeros where the system has no /proc.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Vitals {
    pub(super) resident_kb: u64,
    pub(super) files: usize,
    pub(super) threads: u64,
    pub(super) children: usize,
}

/// What allocators keep back between two looks is no leak.
const SLACK_KB: u64 = 8 * 1024;

/// How many threads the pools of a server hold together when they are full. How full they are at
/// some moment is chance, so that the second of two looks may well see more.
const MOST_THREADS: u64 = 40;

impl Vitals {
    pub(super) fn of(pid: u32) -> Self {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let number = |name: &str| {
            let line = status.lines().find_map(|it| it.strip_prefix(name));
            line.and_then(|it| it.split_whitespace().next()?.parse().ok()).unwrap_or_default()
        };
        let files = fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count);
        let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
        let children = children.map_or(0, |it| it.split_whitespace().count());
        Self { resident_kb: number("VmRSS:"), files, threads: number("Threads:"), children }
    }

    /// Whether nothing has grown since `before` but for what is no leak.
    pub(super) fn is_flat_since(&self, before: &Self) -> bool {
        self.resident_kb <= before.resident_kb + before.resident_kb / 5 + SLACK_KB
            && self.files <= before.files + 2
            && self.threads <= MOST_THREADS.max(before.threads)
            && self.children <= before.children
    }
}

impl fmt::Display for Vitals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { resident_kb, files, threads, children } = self;
        let megabytes = resident_kb / 1024;
        write!(f, "{megabytes} MB, {files} files, {threads} threads, {children} children")
    }
}
