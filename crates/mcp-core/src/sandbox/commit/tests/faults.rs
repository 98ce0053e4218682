//! Every operation of a commit made to fail, or to be the last before the process dies.

use super::*;
use crate::sandbox::fault::{Plan, during};

fn before(directory: &Path) -> Root {
    fs::create_dir(directory.join("sub")).unwrap();
    fs::write(directory.join("old"), "old").unwrap();
    fs::write(directory.join("sub/gone"), "gone").unwrap();
    doors::start(directory).unwrap()
}

fn changes() -> [Change; 3] {
    [put("old", "new"), create("deep/er/file", "made"), Change::Remove { path: rel("sub/gone") }]
}

fn commit(directory: &Path, root: &Root) -> Result<(), Error> {
    journal_in(directory).lock(root, &Work::endless())?.apply(&changes())
}

/// The files alone: a directory may stay behind where somebody else could have used it.
fn files(directory: &Path) -> Vec<(String, String)> {
    tree(directory).into_iter().filter(|(name, _)| !name.ends_with('/')).collect()
}

#[test]
fn a_commit_that_fails_or_dies_at_any_operation_is_whole_or_not_at_all() {
    let (old, new, operations) = {
        let directory = tempfile::tempdir().unwrap();
        let root = before(directory.path());
        let old = files(directory.path());
        let (done, counted) = during(Plan::Count, || commit(directory.path(), &root));
        done.unwrap();
        (old, files(directory.path()), counted)
    };
    assert!(operations.writing > 10, "{operations:?}");
    let mut outcomes = BTreeSet::new();
    for n in 0..operations.all {
        for plan in [Plan::FailAt(n), Plan::DieBefore(n)] {
            let directory = tempfile::tempdir().unwrap();
            let root = before(directory.path());
            let (done, _) = during(plan, || commit(directory.path(), &root));
            let journal = journal_in(directory.path());
            let frozen = tree(directory.path());
            let view = journal.view(&root, &Work::endless()).unwrap();
            let seen = view.read_text_if_any(&rel("old")).unwrap();
            drop(view);
            assert_eq!(tree(directory.path()), frozen, "{plan:?}: a view writes nothing");
            drop(journal.lock(&root, &Work::endless()).unwrap());
            let left = files(directory.path());
            assert!(left == old || left == new, "{plan:?}: {left:?}");
            assert_eq!(seen.as_deref() == Some("new"), left == new, "{plan:?}: seen otherwise");
            assert!(done.is_err() || left == new, "{plan:?}: said to be done");
            outcomes.insert(left == new);
            // And the next one works.
            journal.lock(&root, &Work::endless()).unwrap().apply(&[put("old", "next")]).unwrap();
        }
    }
    assert_eq!(outcomes.len(), 2, "some stay as they were, some are carried out");
}

#[test]
fn a_view_counts_no_operation_that_writes() {
    let directory = tempfile::tempdir().unwrap();
    let root = before(directory.path());
    commit(directory.path(), &root).unwrap();
    let journal = journal_in(directory.path());
    let ((), counted) = during(Plan::Count, || {
        let view = journal.view(&root, &Work::endless()).unwrap();
        view.read_text(&rel("old")).unwrap();
        view.list(None).unwrap();
    });
    assert_eq!(counted.writing, 0);
}
