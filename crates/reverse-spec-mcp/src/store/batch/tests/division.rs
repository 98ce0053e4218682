//! Which modules a project falls into, and what stays on the pages about them.

use plumbline_tests::Fixture;

use super::*;

#[test]
fn a_folder_around_packages_is_no_module() {
    let fixture = Fixture::new(
        "//- package.json\n{ \"workspaces\": [\"packages/*\", \"!packages/skip\"] }\n\
         //- packages/x/package.json\n{ \"name\": \"x\" }\n//- packages/x/i.ts\nexport const x = 1;\n\
         //- packages/skip/package.json\n{}\n//- packages/skip/s.ts\nexport const s = 1;\n\
         //- packages/own.ts\nexport const own = 1;\n",
    );
    assert_eq!(order(&fixture), ["packages/own.ts", "packages/skip", "packages/x"]);
}

#[test]
fn packages_of_java_are_modules_and_the_way_to_them_is_none() {
    let fixture = Fixture::new(
        "//- .git/HEAD\nx\n\
         //- src/main/java/com/x/model/Item.java\npackage com.x.model;\npublic record Item(int n) {}\n\
         //- src/main/java/com/x/shop/Shop.java\npackage com.x.shop;\nimport com.x.model.Item;\npublic class Shop { public Item buy() { return null; } }\n\
         //- src/test/java/com/x/shop/ShopTest.java\npackage com.x.shop;\npublic class ShopTest { @Test public void buys() { new Shop().buy(); } }\n",
    );
    assert_eq!(order(&fixture), ["src/main/java/com/x/model", "src/main/java/com/x/shop"]);
}

#[test]
fn an_application_of_several_packages_is_one_module_for_each() {
    use std::fmt::Write as _;
    let mut files = "//- .git/HEAD\nx\n".to_owned();
    let add = |files: &mut String, package: &str, class: &str| {
        let path = package.replace('.', "/");
        let text = format!("package {package};\npublic class {class} {{ }}");
        write!(files, "//- src/main/java/{path}/{class}.java\n{text}\n").unwrap();
    };
    add(&mut files, "com.x", "Application");
    for package in ["owner", "vet", "system"] {
        for class in ["One", "Two", "Three", "Four"] {
            add(&mut files, &format!("com.x.{package}"), class);
        }
    }
    let base = "src/main/java/com/x";
    let all = ["Application.java", "owner", "system", "vet"].map(|it| format!("{base}/{it}"));
    assert_eq!(order(&Fixture::new(&files)), all);
    // A package with many files of its own stays what it is, and so does a small one.
    for class in ["A", "B", "C"] {
        add(&mut files, "com.x", class);
    }
    assert_eq!(order(&Fixture::new(&files)), [base]);
}

#[test]
fn tests_are_a_module_where_there_is_nothing_else_and_nothing_readable_is_an_error() {
    let fixture = Fixture::new("//- .git/HEAD\nx\n//- tests/test_a.py\ndef test_a(): ...\n");
    assert_eq!(run(&fixture, false).successful, ["tests"]);
    let fixture = Fixture::new("//- .git/HEAD\nx\n//- a.ts\n// @generated\n");
    let places =
        Places { working_directory: fixture.path().to_owned(), roots: Vec::new(), confined: false };
    let error = Batch::read(places.project(".").unwrap(), false, &Work::endless()).err().unwrap();
    assert_eq!(error.to_string(), "AST 解析失败，建议使用 --deep 模式");
}

#[test]
fn what_is_written_by_hand_stays_on_both_pages() {
    let fixture = Fixture::new(LAYERS);
    run(&fixture, false);
    let note = "<!-- keep -->\n## Who to ask\n\nThe warehouse.\n<!-- /keep -->";
    for (page, heading) in
        [("specs/_index.spec.md", None), ("specs/_architecture.md", Some("## Level 1"))]
    {
        let text = fixture.read(page);
        let edited = match heading {
            Some(heading) => text.replace(heading, &format!("{note}\n\n{heading}")),
            None => format!("{text}\n{note}\n"),
        };
        fixture.write(page, &edited);
    }
    std::fs::remove_dir_all(fixture.path().join("src/zoo")).unwrap();
    run(&fixture, false);
    let index = fixture.read("specs/_index.spec.md");
    assert!(index.starts_with("---\ntype: project-index\n---\n\n# "), "{index}");
    assert!(index.contains(note) && index.contains("(gone)"), "{index}");
    let architecture = fixture.read("specs/_architecture.md");
    assert!(architecture.contains(&format!("{note}\n\n## Level 1")), "{architecture}");
    let before = (index, architecture);
    run(&fixture, false);
    let after = (fixture.read("specs/_index.spec.md"), fixture.read("specs/_architecture.md"));
    assert_eq!(before, after);
}

#[test]
fn a_model_that_comes_later_is_told_what_it_did_not_write() {
    let fixture = Fixture::new(LAYERS);
    run(&fixture, false);
    let model = Scripted::new(vec![Ok(prose(&whole_answer()))]);
    let told = |result: &BatchResult| {
        let mut warnings = result.warnings.iter();
        warnings.any(|it| it.contains("written from the code alone: 4; call batch with force"))
    };
    let result = run_with(&fixture, false, Writer::Model(&model), &|| false);
    assert!(result.skipped.len() == 4 && told(&result), "{:?}", result.warnings);
    run_with(&fixture, true, Writer::Model(&model), &|| false);
    let result = run_with(&fixture, false, Writer::Model(&model), &|| false);
    assert!(result.skipped.len() == 4 && result.warnings.is_empty(), "{:?}", result.warnings);
}
