//! What a library offers, and by which names.

use std::collections::BTreeSet;

use crate::domain::baseline::Baseline;
use crate::domain::diff;
use crate::domain::extract::Extractor;
use crate::domain::languages::{self, ProjectFiles, Scope};
use crate::domain::skeleton::CodeSkeleton;

/// The skeletons of files that are written one after the other behind `//- path`, manifests included.
fn read(files: &str) -> Vec<CodeSkeleton> {
    let parts = files.split("//- ").skip(1).map(|it| it.split_once('\n').unwrap());
    let parts: Vec<(&str, &str)> = parts.collect();
    let sources: Vec<&(&str, &str)> =
        parts.iter().filter(|it| languages::id_of_path(it.0).is_some()).collect();
    let mut offers = Vec::new();
    for language in languages::all() {
        let id = language.about().id();
        if !sources.iter().any(|it| languages::id_of_path(it.0) == Some(id)) {
            continue;
        }
        for manifest in language.manifests() {
            for (path, text) in parts.iter().filter(|it| it.0 == manifest.file) {
                let _: &str = path;
                let offer = manifest.offer.and_then(|offer| offer(text));
                offers.extend(offer.map(|it| (String::new(), id, it)));
            }
        }
    }
    let paths: BTreeSet<String> = sources.iter().map(|it| it.0.to_owned()).collect();
    let files = ProjectFiles::new(paths, Vec::new()).offering(offers);
    let mut skeletons: Vec<CodeSkeleton> = sources
        .iter()
        .map(|(path, text)| {
            let scope = Scope::WithInternals;
            Extractor::new().extract_bytes(path, text.as_bytes(), scope).unwrap()
        })
        .collect();
    for skeleton in &mut skeletons {
        crate::domain::resolve::resolve(&files, skeleton);
    }
    super::tell(&files, &mut skeletons);
    skeletons
}

/// `file name: paths`, one line for each export.
fn names(files: &str) -> String {
    let mut lines = Vec::new();
    for skeleton in read(files) {
        for symbol in &skeleton.exports {
            let paths = symbol.paths.as_ref().map_or_else(|| "?".to_owned(), |it| it.join(" "));
            lines.push(format!("{} {}: {paths}", skeleton.file_path, symbol.name));
        }
    }
    lines.join("\n")
}

fn drift(before: &str, after: &str) -> Vec<String> {
    let found = diff::compare(&Baseline::of(&read(before)), &read(after));
    let line = |it: diff::DriftItem| format!("{:?} {}", it.severity, it.description);
    found.items.into_iter().map(line).collect()
}

#[test]
fn a_crate_offers_what_its_first_file_leads_to() {
    let files = "//- src/lib.rs\nmod hidden;\npub mod map;\npub use hidden::Shown;\npub use map::iter::*;\n//- src/hidden.rs\npub struct Shown;\npub struct Kept;\n//- src/map.rs\npub mod iter;\npub struct Map;\n//- src/map/iter.rs\npub struct Iter;\n//- src/main.rs\npub fn run() {}\n";
    assert_eq!(
        names(files),
        "src/lib.rs map: map\nsrc/lib.rs Shown: Shown\nsrc/lib.rs *: \nsrc/hidden.rs Shown: Shown\nsrc/hidden.rs Kept: \nsrc/map.rs iter: map::iter\nsrc/map.rs Map: map::Map\nsrc/map/iter.rs Iter: Iter map::iter::Iter\nsrc/main.rs run: ?"
    );
}

#[test]
fn a_package_of_python_offers_modules_without_an_underscore() {
    let files = "//- web/__init__.py\nfrom ._api import *\nfrom .core import Core\n__all__ = [\"get\", \"Core\"]\n//- web/_api.py\ndef get(): pass\ndef post(): pass\n//- web/core.py\nclass Core(_Base): pass\n//- web/_base.py\nclass Hidden: pass\n//- setup.py\ndef main(): pass\n";
    let found = names(files);
    assert!(found.contains("web/_api.py get: web.get\nweb/_api.py post: \n"), "{found}");
    assert!(found.contains("web/core.py Core: web.Core web.core.Core"), "{found}");
    assert!(found.contains("setup.py main: ?"), "{found}");
}

#[test]
fn a_package_of_scripts_offers_what_its_manifest_names() {
    let files = "//- package.json\n{\"types\": \"dist/index.d.ts\", \"exports\": {\".\": \"./dist/index.js\", \"./extra\": {\"import\": \"./dist/extra/index.mjs\"}}}\n//- src/index.ts\nexport { Client as Web } from './client';\nexport * as tools from './tools';\n//- src/client.ts\nexport class Client extends Base {}\nexport class Base { ping() {} }\nexport function inner() {}\n//- src/tools.ts\nexport const one = 1;\n//- src/extra/index.ts\nexport const two = 2;\n";
    assert_eq!(
        names(files),
        "src/index.ts Web: Web\nsrc/index.ts tools: tools\nsrc/client.ts Client: Web\nsrc/client.ts Base: <Client>\nsrc/client.ts inner: \nsrc/tools.ts one: tools.one\nsrc/extra/index.ts two: extra#two"
    );
}

#[test]
fn a_program_offers_everything_it_exports() {
    let files = "//- package.json\n{\"main\": \"index.js\"}\n//- index.js\nmodule.exports = { go };\nfunction go() {}\n//- lib/a.js\nexports.a = 1;\n";
    assert!(names(files).lines().all(|it| it.ends_with('?')), "{}", names(files));
}

const HIDDEN: &str =
    "//- src/lib.rs\nmod hidden;\npub fn go() {}\n//- src/hidden.rs\npub fn inner(a: u8) {}\n";

#[test]
fn what_nobody_can_name_is_internal_and_low() {
    let after = HIDDEN.replace("pub fn inner(a: u8) {}", "pub fn other() {}");
    assert_eq!(
        drift(HIDDEN, &after),
        [
            "Low The exported function `inner` is gone (internal: no public name leads to it)",
            "Low The exported function `other` is new"
        ]
    );
}

const MOVED: &str = "//- src/lib.rs\npub mod map;\n//- src/map.rs\npub struct Iter { pub at: usize }\npub struct Map { pub size: usize }\n";

#[test]
fn what_moved_and_is_handed_on_under_its_name_is_silent() {
    let after = "//- src/lib.rs\npub mod map;\n//- src/map.rs\nmod iter;\npub use iter::Iter;\npub struct Map { pub size: usize }\n//- src/map/iter.rs\npub struct Iter { pub at: usize }\n";
    assert_eq!(drift(MOVED, after), ["Low The exported re_export `Iter` is new"]);
}

#[test]
fn what_moved_from_under_its_name_is_high() {
    let after = "//- src/lib.rs\npub mod map;\n//- src/map.rs\npub mod iter;\npub struct Map { pub size: usize }\n//- src/map/iter.rs\npub struct Iter { pub at: usize }\n";
    let found = drift(MOVED, after);
    assert_eq!(
        found[0],
        "High `Iter` is no longer reached as `map::Iter`, but as `map::iter::Iter`"
    );
}

#[test]
fn a_feature_that_is_gone_is_high() {
    let files = |features: &str| {
        format!(
            "//- Cargo.toml\n[package]\nname = \"a\"\n[features]\n{features}\n[dependencies]\nserde = {{ version = \"1\", optional = true }}\n//- src/lib.rs\npub fn go() {{}}\n"
        )
    };
    let found = drift(&files("std = []\nrayon = []"), &files("std = []\nfast = [\"dep:serde\"]"));
    assert_eq!(
        found,
        [
            "High The feature `rayon` of the package is gone",
            "High The feature `serde` of the package is gone",
            "Low The feature `fast` of the package is new"
        ]
    );
}

#[test]
fn what_a_module_of_python_still_imports_can_be_imported_from_it() {
    let before = "//- web/__init__.py\n//- web/core.py\ndef find(a):\n    return a\n";
    let after = "//- web/__init__.py\n//- web/core.py\nfrom .tools import find\n//- web/tools.py\ndef find(a):\n    return a\n";
    assert_eq!(drift(before, after), Vec::<String>::new());
}

#[test]
fn a_python_module_that_is_gone_is_told_once_with_what_it_held() {
    let before = "//- pack/__init__.py\nfrom .old import kept\n//- pack/old.py\ndef kept(): return 1\ndef gone(): return 2\nclass Lost: pass\n//- pack/more/__init__.py\n//- pack/more/deep.py\ndef inner(): return 3\n//- pack/more/wide.py\ndef outer(): return 4\n";
    let after =
        "//- pack/__init__.py\nfrom .new import kept\n//- pack/new.py\ndef kept(): return 1\n";
    assert_eq!(
        drift(before, after),
        [
            "High The module `pack.more` is gone, with `inner`, `outer`",
            "High The module `pack.old` is gone, with `gone`, `Lost`",
            "Low `kept` is re-exported from `from .new import kept` instead of `from .old import kept`",
        ]
    );
}

#[test]
fn a_python_module_that_others_are_left_of_is_told_by_its_members() {
    let before = "//- pack/__init__.py\n//- pack/old.py\ndef kept(): return 1\ndef gone(): return 2\n//- pack/other.py\ndef more(): return 1\n";
    let after = "//- pack/__init__.py\n//- pack/old.py\ndef kept(): return 1\n//- pack/other.py\ndef more(): return 1\n";
    assert_eq!(drift(before, after), ["High The exported function `gone` is gone"]);
}

#[test]
fn a_function_with_more_forms_is_held_against_the_one_that_fits() {
    let before = "//- pack/__init__.py\nfrom .glue import join\n//- pack/glue.py\ndef join(*parts): return parts\n";
    let after = "//- pack/__init__.py\nfrom .paste import join\n//- pack/paste.py\nfrom typing import overload\n@overload\ndef join() -> list: ...\n@overload\ndef join(*parts) -> list: ...\ndef join(*parts): return parts\n";
    let found = drift(before, after);
    assert_eq!(found[0], "High The module `pack.glue` is gone");
    assert!(found[1..].iter().all(|it| it.starts_with("Low")), "{found:#?}");
}
