//! What is selected, and what is left alone.

use plumbline_tests::Fixture;

use super::*;

fn scanned(fixture: &Fixture, config: &str) -> Vec<String> {
    let config = Config::read(&[(crate::domain::config::CONFIG_FILE, config)]).unwrap();
    let root = mcp_core::doors::start(fixture.path()).unwrap();
    let walk = Scan::new(&config).walk(&crate::tests::view(&root), &Work::endless()).unwrap();
    walk.files.iter().map(|(path, role)| format!("{} {path}", role.as_str())).collect()
}

#[test]
fn without_a_configuration_the_usual_places_are_read() {
    let fixture = Fixture::new(
        "//- spec/a.md\nx\n//- spec/deep/b.md\nx\n//- spec/README.md\nx\n//- spec/c.txt\nx\n//- docs/d.md\nx\n\
         //- src/a.py\nx\n//- src/test_a.py\nx\n//- crates/x/src/lib.rs\nx\n//- tests/all.rs\nx\n\
         //- src/node_modules/x.js\nx\n//- src/gone.py\nx\n//- .gitignore\nsrc/gone.py\n//- .results/run.xml\n<x/>\n",
    );
    assert_eq!(
        scanned(&fixture, ""),
        [
            "results .results/run.xml",
            "code crates/x/src/lib.rs",
            "spec spec/a.md",
            "spec spec/deep/b.md",
            "code src/a.py",
            "test src/test_a.py",
            "test tests/all.rs",
        ]
    );
}

#[test]
fn configured_directories_patterns_and_exceptions_count() {
    let fixture = Fixture::new(
        "//- reqs/a.md\nx\n//- reqs/notes.md\nx\n//- reqs/old/b.md\nx\n//- spec/c.md\nx\n//- lib/a.rs\nx\n//- tools/x.py\nx\n//- tools/y.py\nx\n",
    );
    let config = "[scanning.spec]\ndirectories = [\"reqs\"]\nskip_files = [\"notes.md\"]\nskip_dirs = [\"old\"]\n[scanning.code]\ndirectories = [\"lib\"]\nfile_patterns = [\"tools/x.py\"]\n";
    assert_eq!(scanned(&fixture, config), ["code lib/a.rs", "spec reqs/a.md", "code tools/x.py"]);
}

#[test]
fn a_narrower_pattern_for_specs_is_not_widened_by_journeys() {
    let fixture = Fixture::new("//- spec/a.req.md\nx\n//- spec/notes.md\nx\n");
    let config = "[scanning.spec]\nfile_patterns = [\"*.req.md\"]\n";
    assert_eq!(scanned(&fixture, config), ["spec spec/a.req.md"]);
    let both = format!("{config}[scanning.journey]\nfile_patterns = [\"notes.md\"]\n");
    assert_eq!(scanned(&fixture, &both), ["spec spec/a.req.md", "spec spec/notes.md"]);
}

#[test]
fn rules_of_a_directory_between_the_root_and_the_specs_are_kept() {
    let fixture =
        Fixture::new("//- a/.gitignore\nb/drafts/\n//- a/b/x.md\nx\n//- a/b/drafts/y.md\nx\n");
    assert_eq!(scanned(&fixture, "[spec]\ndirectories = [\"a/b\"]\n"), ["spec a/b/x.md"]);
}

#[test]
fn a_directory_that_is_missing_or_leads_out_selects_nothing() {
    let fixture = Fixture::new("//- x/a.md\nx\n");
    assert!(
        scanned(&fixture, "[spec]\ndirectories = [\"nowhere\", \"../x\", \"/etc\"]\n").is_empty()
    );
}

#[test]
fn the_older_generation_names_patterns_on_top_of_directories_and_directories_by_pattern() {
    let fixture = Fixture::new(
        "//- apps/a/lib/x.dart\nx\n//- apps/a/test/y_test.dart\nx\n//- apps/build/z.dart\nx\n//- db/s.sql\nx\n//- other/o.py\nx\n",
    );
    let config = "[directories]\ncode = [\"apps\"]\nignore = [\"build\"]\n[traceability]\nscan_patterns = [\"db/**/*.sql\"]\n[testing]\ntest_dirs = [\"apps/**/test\"]\npatterns = [\"*_test.dart\"]\n";
    assert_eq!(
        scanned(&fixture, config),
        ["code apps/a/lib/x.dart", "test apps/a/test/y_test.dart", "code db/s.sql"]
    );
}
