//! Files, moves and names: what happens between files rather than inside one.

use super::*;

#[test]
fn the_same_name_in_two_files_is_two_symbols() {
    let both = "//- src/a.ts\nexport function f(a: string) {}\n//- src/b.ts\nexport function f(a: number) {}";
    let one = "//- src/a.ts\nexport function f(a: string) {}\n//- src/b.ts\nexport const z = 1;";
    let found = drift(both, one);
    assert_eq!(told(&found), ["HIGH f", "LOW z"]);
    assert_eq!(found.items[0].location.to_string(), "src/b.ts:1");
}

#[test]
fn a_symbol_that_moved_to_another_file_is_told_as_such() {
    let found = drift(
        "//- src/a.ts\nexport function f(a: string) { return a; }\nexport const x = 1;\n//- src/b.ts\nexport const y = 1;",
        "//- src/a.ts\nexport const x = 1;\n//- src/b.ts\nexport const y = 1;\nexport function f(a: string) { return a; }",
    );
    assert_eq!(told(&found), ["LOW f"]);
    assert_eq!(found.items[0].description, "`f` moved from src/a.ts to src/b.ts");
}

#[test]
fn a_symbol_that_moved_and_changed_is_told_both() {
    let found = drift(
        "//- src/a.ts\nexport function f(a: string) { return a; }\nexport const x = 1;",
        "//- src/a.ts\nexport const x = 1;\n//- src/b.ts\nexport function f(a: number) { return a; }",
    );
    assert_eq!(told(&found), ["MEDIUM f", "LOW f"]);
}

#[test]
fn a_renamed_file_is_a_move_of_everything_in_it() {
    let text = "export class C { m() { return 1; } }\nexport type T = string[];";
    let found = drift(&format!("//- a.ts\n{text}"), &format!("//- b.ts\n{text}"));
    assert_eq!(told(&found), ["LOW C", "LOW T"]);
}

#[test]
fn a_new_name_is_one_item_that_names_both() {
    let found = drift(
        "//- a.ts\nexport function first(a: string) { return go(a); }",
        "//- a.ts\nexport function second(a: string) { return go(a); }",
    );
    assert_eq!(told(&found), ["HIGH first"]);
    assert_eq!(found.items[0].description, "`first` is now called `second`");
}

#[test]
fn a_file_that_is_gone_takes_its_exports_with_it() {
    let found = drift(
        "//- src/a.ts\nexport const a = 1;\nexport const b = [2];\n//- src/c.ts\nexport const c = 3;",
        "//- src/c.ts\nexport const c = 3;",
    );
    assert_eq!(told(&found), ["HIGH a", "HIGH b"]);
}

#[test]
fn a_file_without_declarations_that_is_gone_is_told_by_its_path() {
    let found = drift(
        "//- src/setup.ts\nimport './polyfill';\n//- src/c.ts\nexport const c = 3;",
        "//- src/c.ts\nexport const c = 3;",
    );
    assert_eq!(told(&found), ["HIGH src/setup.ts"]);
}

#[test]
fn what_a_program_holds_is_compared_too() {
    let found = drift(
        "//- main.rs\nfn main() { run() }\nfn run() {}\nfn helper(a: u8) {}",
        "//- main.rs\nfn main() { run() }\nfn run() {}",
    );
    assert_eq!(told(&found), ["HIGH helper"]);
    assert_eq!(found.items[0].description, "The function `helper` is gone");
    let found = drift(
        "//- main.go\npackage main\nfunc main() {}\n",
        "//- main.go\npackage main\nfunc main() { run() }\nfunc run() {}\n",
    );
    assert_eq!(told(&found), ["LOW main", "LOW run"]);
}

#[test]
fn what_is_internal_to_a_module_with_exports_is_nobody_elses() {
    let found = drift(
        "//- src/a.ts\nexport const a = 1;\n//- src/setup.ts\nconst x = 1;\nfunction go() {}",
        "//- src/a.ts\nexport const a = 1;\n//- src/setup.ts\nfunction run(now: boolean) {}",
    );
    assert_eq!(told(&found), Vec::<String>::new());
    let found = drift(
        "//- src/a.ts\nexport const a = 1;\n//- src/setup.ts\nconst x = 1;",
        "//- src/b.ts\nconst y = 1;",
    );
    assert_eq!(told(&found), ["HIGH a", "HIGH src/setup.ts"]);
    assert_eq!(found.items[0].description, "The exported const `a` is gone");
}

#[test]
fn descriptions_say_what_became_of_it() {
    for (before, after, expected) in [
        (
            "export class C { m() {} }",
            "export class C { static m() {} }",
            "`C.m` was a member of each instance and is a static member",
        ),
        (
            "export class C { x = 1; }",
            "export class C { x: number = 1; }",
            "The type of `C.x` is written out now: `number`",
        ),
        (
            "export function f(): void {}",
            "export function f() {}",
            "The type of what `f` returns is no longer written out",
        ),
        (
            "export function f(a) {}",
            "export function f(a: string) {}",
            "The type of `a` in `f` is written out now: `string`",
        ),
    ] {
        let found = drift(&format!("//- a.ts\n{before}\n"), &format!("//- a.ts\n{after}\n"));
        let told: Vec<&str> = found.items.iter().map(|it| it.description.as_str()).collect();
        assert_eq!(told, [expected]);
    }
}

#[test]
fn the_first_export_of_a_script_removes_nothing() {
    let found = drift(
        "//- a.ts\nfunction a() {}\nfunction b() { return [1]; }",
        "//- a.ts\nfunction a() {}\nexport function b() { return [1]; }",
    );
    assert_eq!(told(&found), Vec::<String>::new());
}

#[test]
fn members_given_in_another_file_stay_with_their_type() {
    let found = drift(
        "//- src/a.rs\npub struct S;\n//- src/b.rs\nimpl S { pub fn m(&self) {} }",
        "//- src/a.rs\npub struct S;\nimpl S { pub fn m(&self) {} }\n//- src/b.rs\nuse crate::S;",
    );
    assert_eq!(told(&found), Vec::<String>::new());
}

#[test]
fn a_member_is_found_in_the_file_that_gives_it() {
    let files = |first: &str, second: &str| {
        format!(
            "//- a.go\npackage a\ntype S struct{{}}\n\n//- b.go\npackage a\n\n{first}\n//- c.go\npackage a\n\n{second}\n"
        )
    };
    let before = files("func (s S) M() { run(1) }", "func (s S) N(a int) {}\nfunc (s S) O() {}");
    let after = files("func (s S) M() { run(2) }", "func (s S) N(a string) {}");
    let found = drift(&before, &after);
    let places: Vec<_> =
        found.items.iter().map(|it| (it.symbol_name.as_str(), it.location.to_string())).collect();
    let told: Vec<_> = places.iter().map(|(name, place)| format!("{name} {place}")).collect();
    assert_eq!(told, ["S.O c.go:4", "S.N c.go:3", "S.M b.go:3"]);
    assert_eq!(found.items[2].body, Some((3, 3)));
}

#[test]
fn lines_are_in_the_order_of_numbers() {
    let function = |at: usize| format!("export function f{at}() {{ return 1; }}\n");
    let before = format!("//- a.ts\n{}", (0..12).map(function).collect::<String>());
    let found = drift(&before, &before.replace("return 1", "return 2"));
    let places: Vec<_> = found.items.iter().map(|it| it.location.to_string()).collect();
    let expected: Vec<_> = (1..=12).map(|line| format!("a.ts:{line}")).collect();
    assert_eq!(places, expected);
}

#[test]
fn the_order_of_items_is_the_same_every_time() {
    let before = "//- a.ts\nexport const a = 1;\nexport function f(x: string) {}\nexport interface I { z: string }";
    let after =
        "//- a.ts\nexport const a = 2;\nexport function f(x: number) {}\nexport interface I {}";
    let first = drift(before, after);
    let severities: Vec<_> = first.items.iter().map(|it| it.severity).collect();
    assert!(severities.is_sorted());
    assert_eq!(first.items[0].id, "drift-1");
    for _ in 0..5 {
        assert_eq!(drift(before, after).items, first.items);
    }
}

#[test]
fn a_file_beside_a_module_of_the_same_name_takes_nothing_with_it() {
    let module = "//- p/a.py\nclass A:\n    def m(self) -> int: return 1\n";
    let stub = "//- p/a.pyi\nclass A:\n    def m(self) -> int: ...\ndef only() -> int: ...\n";
    let found = drift(&format!("{module}{stub}"), module);
    assert_eq!(told(&found), ["HIGH only"]);
    let other = "//- p/a.b.py\nclass A:\n    def m(self) -> int: return 1\n";
    let found = drift(&format!("{module}{other}"), other);
    assert_eq!(told(&found), ["HIGH A"]);
}
