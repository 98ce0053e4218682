//! Where imports lead.

use plumbline_tests::Fixture;

use crate::store::analysis::{Analysis, Depth};
use mcp_core::work::Work;
use crate::store::project::Places;

/// `file: import -> file` for every import that leads somewhere.
fn resolved(text: &str) -> Vec<String> {
    let fixture = Fixture::new(text);
    let places =
        Places { working_directory: fixture.path().to_owned(), roots: Vec::new(), confined: false };
    let target = places.target(".").unwrap();
    let analysis = Analysis::of(&target, Depth::default(), &Work::endless()).unwrap();
    let mut found = Vec::new();
    for skeleton in analysis.skeletons.iter().chain(&analysis.tests) {
        for import in &skeleton.imports {
            if let Some(path) = &import.resolved_path {
                found
                    .push(format!("{}: {} -> {path}", skeleton.file_path, import.module_specifier));
            }
        }
    }
    found
}

#[test]
fn scripts_leave_out_endings_and_write_js_for_ts() {
    let found = resolved(
        "//- src/a.ts\nimport './b';\nimport './c.js';\nimport './dir';\nimport '../lib/d.mjs';\nimport 'react';\nimport './missing';\nexport * from './e';\n//- src/b.ts\nx\n//- src/c.ts\nx\n//- src/dir/index.tsx\nx\n//- lib/d.mjs\nx\n//- src/e.d.ts\nx\n",
    );
    assert_eq!(
        found,
        [
            "src/a.ts: ./b -> src/b.ts",
            "src/a.ts: ./c.js -> src/c.ts",
            "src/a.ts: ./dir -> src/dir/index.tsx",
            "src/a.ts: ../lib/d.mjs -> lib/d.mjs",
            "src/a.ts: ./e -> src/e.d.ts",
        ]
    );
}

#[test]
fn rust_modules_are_found_by_their_path_in_the_crate() {
    let found = resolved(
        "//- x/src/lib.rs\nmod a;\npub mod b;\nuse crate::a::inner::Thing;\n//- x/src/a.rs\nmod inner;\nuse super::b::B;\nuse std::fmt;\n//- x/src/a/inner.rs\nuse crate::b::{B, C};\nuse super::super::b;\n//- x/src/b/mod.rs\npub struct B;\n",
    );
    assert_eq!(
        found,
        [
            "x/src/a.rs: inner -> x/src/a/inner.rs",
            "x/src/a.rs: super::b -> x/src/b/mod.rs",
            "x/src/a/inner.rs: crate::b -> x/src/b/mod.rs",
            "x/src/a/inner.rs: super::super -> x/src/b/mod.rs",
            "x/src/lib.rs: a -> x/src/a.rs",
            "x/src/lib.rs: b -> x/src/b/mod.rs",
            "x/src/lib.rs: crate::a::inner -> x/src/a/inner.rs",
        ]
    );
}

#[test]
fn python_names_are_relative_or_begin_at_a_directory_above() {
    let found = resolved(
        "//- pkg/__init__.py\nfrom .core import run\n//- pkg/core.py\nfrom . import helper\nfrom ..other import x\nimport pkg.sub.deep\nimport os\n//- pkg/helper.py\nx = 1\n//- pkg/sub/deep.py\nfrom pkg.core import run\n//- tests/test_core.py\nfrom pkg.core import run\n",
    );
    assert_eq!(
        found,
        [
            "pkg/__init__.py: .core -> pkg/core.py",
            "pkg/core.py: . -> pkg/helper.py",
            "pkg/core.py: pkg.sub.deep -> pkg/sub/deep.py",
            "pkg/sub/deep.py: pkg.core -> pkg/core.py",
            "tests/test_core.py: pkg.core -> pkg/core.py",
        ]
    );
}

#[test]
fn go_packages_are_found_by_the_module_path() {
    let found = resolved(
        "//- go.mod\nmodule example.org/app\n\ngo 1.22\n//- main.go\npackage main\nimport (\n\t\"fmt\"\n\t\"example.org/app/store\"\n)\n//- store/a.go\npackage store\n//- store/b.go\npackage store\n",
    );
    assert_eq!(found, ["main.go: example.org/app/store -> store/a.go"]);
}

#[test]
fn java_types_are_found_by_their_package() {
    let found = resolved(
        "//- src/main/java/org/x/A.java\npackage org.x;\nimport org.x.sub.B;\nimport java.util.List;\npublic class A {}\n//- src/main/java/org/x/sub/B.java\npackage org.x.sub;\npublic class B {}\n",
    );
    assert_eq!(
        found,
        ["src/main/java/org/x/A.java: org.x.sub.B -> src/main/java/org/x/sub/B.java"]
    );
}

#[test]
fn declarations_are_found_by_the_name_of_their_source() {
    let found = resolved(
        "//- a.d.ts\nimport type { B } from './b.ts';\nimport './c.js';\nimport '.';\n//- b.d.ts\nx\n//- c.d.ts\nx\n//- index.d.ts\nx\n//- e/f.d.cts\nimport '../b.ts';\nimport './g.cjs';\nimport './';\n//- e/g.d.cts\nx\n//- e/index.d.ts\nx\n",
    );
    assert_eq!(
        found,
        [
            "a.d.ts: ./b.ts -> b.d.ts",
            "a.d.ts: ./c.js -> c.d.ts",
            "a.d.ts: . -> index.d.ts",
            "e/f.d.cts: ../b.ts -> b.d.ts",
            "e/f.d.cts: ./g.cjs -> e/g.d.cts",
            "e/f.d.cts: ./ -> e/index.d.ts",
        ]
    );
}

#[test]
fn each_module_that_is_imported_by_name_is_found() {
    let found = resolved(
        "//- p/__init__.py\nfrom . import a, b, Other\n//- p/a.py\nfrom p import b, name\nfrom p.q import c\n//- p/b.py\nx = 1\n//- p/q/__init__.py\nc = 1\n",
    );
    assert_eq!(
        found,
        [
            "p/__init__.py: . -> p/a.py",
            "p/__init__.py: . -> p/b.py",
            "p/__init__.py: . -> p/__init__.py",
            "p/a.py: p -> p/b.py",
            "p/a.py: p -> p/__init__.py",
            "p/a.py: p.q -> p/q/__init__.py",
        ]
    );
    let found = resolved(
        "//- src/lib.rs\nmod a;\nmod b;\nmod c;\n//- src/a.rs\nuse crate::{b, c, Thing, run};\n//- src/b.rs\npub fn f() {}\n//- src/c.rs\npub fn f() {}\n",
    );
    assert_eq!(
        found[..2],
        ["src/a.rs: crate -> src/b.rs".to_owned(), "src/a.rs: crate -> src/c.rs".to_owned()]
    );
}
