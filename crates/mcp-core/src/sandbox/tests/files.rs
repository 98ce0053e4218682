//! Single files: read within limits, written whole.

use std::fs;

use super::*;
use crate::sandbox::{EntryKind, Error, Stamp};

#[test]
fn a_written_file_is_read_back_and_its_directories_are_made() {
    let (_directory, root) = temp_root();
    root.write(&rel("a/b/c.md"), b"text").unwrap();
    assert_eq!(root.read_text(&rel("a/b/c.md")).unwrap(), "text");
    root.write(&rel("a/b/c.md"), b"other").unwrap();
    assert_eq!(root.read_text(&rel("a/b/c.md")).unwrap(), "other");
    let names: Vec<_> = root.list(Some(&rel("a/b"))).unwrap();
    assert_eq!(names.len(), 1, "no staged file is left: {names:?}");
}

#[test]
fn writing_keeps_the_permissions_of_the_file_it_replaces() {
    use std::os::unix::fs::PermissionsExt as _;
    let (directory, root) = temp_root();
    let path = directory.path().join("run.sh");
    fs::write(&path, "old").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    root.write(&rel("run.sh"), b"new").unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o755);
}

#[test]
fn what_is_appended_stands_at_the_end_and_a_file_is_made_for_it() {
    let (_directory, root) = temp_root();
    root.append(&rel("logs/new"), b"one\n").unwrap();
    root.append(&rel("logs/new"), b"two\n").unwrap();
    assert_eq!(root.read_text(&rel("logs/new")).unwrap(), "one\ntwo\n");
    assert!(matches!(root.append(&rel("logs"), b"x"), Err(Error::WrongKind { .. })));
}

#[test]
fn create_new_succeeds_once_even_when_many_try() {
    let (_directory, root) = temp_root();
    let made: usize = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..8)
            .map(|n| {
                let root = &root;
                scope
                    .spawn(move || root.create_new(&rel("once"), format!("{n}").as_bytes()).is_ok())
            })
            .collect();
        tries.into_iter().map(|one| usize::from(one.join().unwrap())).sum()
    });
    assert_eq!(made, 1);
    assert!(matches!(root.create_new(&rel("once"), b"x"), Err(Error::Exists { .. })));
    assert_eq!(root.list(None).unwrap().len(), 1);
}

#[test]
fn limits_encoding_and_kinds_are_told_apart() {
    let (directory, root) = temp_root();
    fs::write(directory.path().join("latin"), b"caf\xe9").unwrap();
    fs::write(directory.path().join("long"), b"12345").unwrap();
    fs::create_dir(directory.path().join("dir")).unwrap();
    assert!(matches!(root.read_text(&rel("latin")), Err(Error::Encoding { offset: 3, .. })));
    assert!(matches!(
        root.read_up_to(&rel("long"), 4),
        Err(Error::TooLarge { size: 5, limit: 4, .. })
    ));
    assert!(matches!(root.read(&rel("dir")), Err(Error::WrongKind { .. })));
    assert!(matches!(root.write(&rel("dir"), b""), Err(Error::WrongKind { .. })));
    assert!(matches!(root.read(&rel("none")), Err(Error::Missing { .. })));
    assert!(matches!(
        root.write(&rel("long/x"), b""),
        Err(Error::WrongKind { .. } | Error::Exists { .. })
    ));
    assert_eq!(root.kind(&rel("dir")).unwrap(), Some(EntryKind::Directory));
    assert_eq!(root.kind(&rel("long/x")).unwrap(), None);
    assert_eq!(root.read_text_if_any(&rel("none")).unwrap(), None);
}

#[test]
fn a_write_that_fails_on_the_way_leaves_the_old_file_and_nothing_else() {
    let (_directory, root) = temp_root();
    root.write(&rel("a"), b"old").unwrap();
    let failed = root.write_with(&rel("a"), |file| {
        file.write_all(b"half of it")?;
        Err(std::io::ErrorKind::StorageFull.into())
    });
    assert!(failed.is_err());
    assert_eq!(root.read_text(&rel("a")).unwrap(), "old");
    assert_eq!(root.list(None).unwrap().len(), 1);
}

#[test]
fn a_glance_sees_the_stamp_that_the_root_gives() {
    let (directory, root) = temp_root();
    root.write(&rel("a/b"), b"text").unwrap();
    let stamp = root.stamp(&rel("a/b")).unwrap();
    assert_eq!(Stamp::glance(directory.path(), &rel("a/b")), Some(stamp));
    root.write(&rel("a/b"), b"else").unwrap();
    assert_ne!(Stamp::glance(directory.path(), &rel("a/b")), Some(stamp));
    assert_eq!(Stamp::glance(directory.path(), &rel("a/c")), None);
}

#[test]
fn a_stamp_tells_a_replaced_or_touched_file_from_the_one_before() {
    let (directory, root) = temp_root();
    root.write(&rel("f"), b"one").unwrap();
    let first = root.stamp(&rel("f")).unwrap();
    assert_eq!(root.stamp(&rel("f")).unwrap(), first);
    assert_eq!(first.size, 3);
    root.write(&rel("f"), b"two").unwrap();
    let second = root.stamp(&rel("f")).unwrap();
    assert_ne!(second.inode, first.inode);
    std::thread::sleep(std::time::Duration::from_millis(20));
    let path = directory.path().join("f");
    fs::set_permissions(&path, fs::metadata(&path).unwrap().permissions()).unwrap();
    assert_ne!(root.stamp(&rel("f")).unwrap().changed, second.changed);
    assert!(matches!(root.stamp(&rel("none")), Err(Error::Missing { .. })));
}

#[test]
fn a_root_below_cannot_see_what_is_above() {
    let (_directory, root) = temp_root();
    root.write(&rel("secret"), b"x").unwrap();
    root.write(&rel("sub/file"), b"y").unwrap();
    std::os::unix::fs::symlink("../secret", root.path().join("sub/link")).unwrap();
    let below = root.below(&rel("sub")).unwrap();
    assert_eq!(below.read_text(&rel("file")).unwrap(), "y");
    assert!(matches!(below.read(&rel("link")), Err(Error::Escape { .. })));
    assert_eq!(root.read_text(&rel("sub/link")).unwrap(), "x");
}

#[test]
fn a_reader_never_sees_half_a_write() {
    let (_directory, root) = temp_root();
    let long = [b"a".repeat(200_000), b"b".repeat(200_000)];
    root.write(&rel("f"), &long[0]).unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for turn in 0..40 {
                root.write(&rel("f"), &long[turn % 2]).unwrap();
            }
        });
        while !writer.is_finished() {
            let seen = root.read(&rel("f")).unwrap();
            assert!(seen == long[0] || seen == long[1]);
        }
    });
}
