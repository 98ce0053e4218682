//! What is drawn of a graph, and what is left out.

use super::*;
use crate::domain::batch::order::ordered;

/// Paths with what each of them uses.
fn picture(described: &[(&str, &[&str])]) -> Picture {
    let place = |path: &&str| described.iter().position(|it| it.0 == *path).unwrap();
    let module = |path: &str| Module { path: path.to_owned(), ..Module::default() };
    let modules: Vec<Module> = described.iter().map(|it| module(it.0)).collect();
    let uses = Uses { of: described.iter().map(|it| it.1.iter().map(place).collect()).collect() };
    let order = ordered(&modules, &uses);
    Picture::of(&modules, &uses, &order)
}

/// Each arrow by the first names at its ends.
fn arrows(picture: &Picture) -> BTreeSet<(&str, &str)> {
    let name = |group: usize| picture.groups[group][0].as_str();
    picture.arrows.iter().map(|(from, to)| (name(*from), name(*to))).collect()
}

#[test]
fn an_arrow_that_follows_from_others_is_left_out() {
    let picture = picture(&[
        ("app", &["core", "net", "log"]),
        ("core", &["log"]),
        ("net", &["core"]),
        ("log", &[]),
    ]);
    assert_eq!(arrows(&picture), [("app", "net"), ("core", "log"), ("net", "core")].into());
    assert!(!picture.has_folders);
}

#[test]
fn modules_that_use_each_other_share_a_box() {
    let picture =
        picture(&[("a", &["b"]), ("b", &["a", "base"]), ("base", &[]), ("top", &["a", "b"])]);
    assert!(picture.groups.contains(&vec!["a".to_owned(), "b".to_owned()]), "{picture:?}");
    assert_eq!(arrows(&picture), [("a", "base"), ("top", "a")].into());
}

#[test]
fn too_many_modules_are_drawn_by_folder() {
    let paths: Vec<String> = (0..200).map(|it| format!("part{}/m{it}", it % 5)).collect();
    let described: Vec<(&str, &[&str])> = paths
        .iter()
        .map(|it| (it.as_str(), if it == "part1/m1" { &["part2/m2"][..] } else { &[] }))
        .collect();
    let picture = picture(&described);
    assert!(picture.has_folders);
    assert_eq!(picture.groups.len(), 5);
    assert_eq!(arrows(&picture), [("part1", "part2")].into());
}

#[test]
fn what_has_no_room_even_by_folder_is_counted() {
    let paths: Vec<String> = (0..70).map(|it| format!("m{it:02}")).collect();
    let described: Vec<(&str, &[&str])> = paths.iter().map(|it| (it.as_str(), &[][..])).collect();
    let picture = picture(&described);
    assert_eq!((picture.groups.len(), picture.left_out, picture.has_folders), (60, 10, false));
}
