//! Every way out that is known, and one race.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::*;
use crate::sandbox::{Error, RootProblem};

#[test]
fn a_path_that_climbs_or_is_absolute_is_no_relative_path() {
    for path in ["../x", "a/../../x", "/etc/passwd", "", ".", "a/\0b"] {
        assert!(matches!(RelPath::parse(path), Err(Error::Path { .. })), "{path:?}");
    }
    assert_eq!(rel("./a//b/./c").as_str(), "a/b/c");
}

#[test]
fn links_that_lead_out_are_refused_for_reading_and_writing() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret"), "secret").unwrap();
    let (directory, root) = temp_root();
    symlink(outside.path().join("secret"), directory.path().join("file")).unwrap();
    symlink(outside.path(), directory.path().join("dir")).unwrap();
    symlink("/proc/self/root", directory.path().join("proc")).unwrap();
    symlink("..", directory.path().join("up")).unwrap();

    for path in ["file", "dir/secret", "proc/etc/passwd", "up/x"] {
        let error = root.read(&rel(path)).unwrap_err();
        assert!(matches!(error, Error::Escape { .. }), "{path}: {error}");
    }
    for path in ["file", "dir/new", "proc/tmp/new", "up/new"] {
        assert!(root.append(&rel(path), b"x").is_err(), "{path}");
    }
    assert_eq!(fs::read_to_string(outside.path().join("secret")).unwrap(), "secret");
    for path in ["dir/new", "proc/tmp/new", "up/new"] {
        assert!(root.write(&rel(path), b"x").is_err(), "{path}");
        assert!(root.create_new(&rel(path), b"x").is_err(), "{path}");
    }
    assert!(matches!(root.list(Some(&rel("dir"))), Err(Error::Escape { .. })));
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
}

#[test]
fn writing_over_a_link_replaces_the_link_and_not_what_it_points_at() {
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret");
    fs::write(&secret, "secret").unwrap();
    let (directory, root) = temp_root();
    symlink(&secret, directory.path().join("file")).unwrap();
    root.write(&rel("file"), b"mine").unwrap();
    assert_eq!(fs::read_to_string(&secret).unwrap(), "secret");
    assert_eq!(root.read_text(&rel("file")).unwrap(), "mine");
}

#[test]
fn links_that_stay_inside_are_followed() {
    let (directory, root) = temp_root();
    root.write(&rel("real/file"), b"text").unwrap();
    symlink("real", directory.path().join("link")).unwrap();
    assert_eq!(root.read_text(&rel("link/file")).unwrap(), "text");
}

#[test]
fn a_link_swapped_in_while_we_read_never_leads_out() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("f"), "secret").unwrap();
    let (directory, root) = temp_root();
    fs::create_dir(directory.path().join("inside")).unwrap();
    fs::write(directory.path().join("inside/f"), "mine").unwrap();
    let stop = AtomicBool::new(false);
    let race = directory.path().join("race");
    let swap = directory.path().join("swap");
    let (mut read, mut refused) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                for target in [outside.path(), std::path::Path::new("inside")] {
                    drop(symlink(target, &swap));
                    drop(fs::rename(&swap, &race));
                }
            }
        });
        let deadline = Instant::now() + Duration::from_millis(600);
        while Instant::now() < deadline {
            match root.read(&rel("race/f")) {
                Ok(bytes) => {
                    assert_eq!(bytes, b"mine");
                    read += 1;
                }
                Err(_) => refused += 1,
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert!(read > 0 && refused > 0, "the race was not run: {read} read, {refused} refused");
}

#[test]
fn devices_and_pipes_are_refused_without_waiting() {
    let (directory, root) = temp_root();
    let pipe = directory.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let error = root.read(&rel("pipe")).unwrap_err();
    assert!(matches!(error, Error::WrongKind { .. }), "{error}");
    let error = root.append(&rel("pipe"), b"x").unwrap_err();
    assert!(matches!(error, Error::WrongKind { .. }), "{error}");
    let dev = crate::doors::start("/dev".as_ref()).unwrap();
    let error = dev.read(&rel("zero")).unwrap_err();
    assert!(matches!(error, Error::WrongKind { .. }), "{error}");
}

#[test]
fn a_root_that_is_a_link_works_and_one_replaced_while_serving_too() {
    let (directory, _) = temp_root();
    let real = directory.path().join("real");
    let link = directory.path().join("link");
    fs::create_dir(&real).unwrap();
    symlink(&real, &link).unwrap();
    crate::doors::start(&link).unwrap().write(&rel("a"), b"1").unwrap();
    fs::remove_dir_all(&real).unwrap();
    let error = crate::doors::start(&link).unwrap_err();
    assert!(matches!(&error, Error::Root { problem: RootProblem::Missing, .. }), "{error}");
    fs::create_dir(&real).unwrap();
    fs::write(real.join("a"), "2").unwrap();
    assert_eq!(crate::doors::start(&link).unwrap().read_text(&rel("a")).unwrap(), "2");
}
