//! Every step of writing a specification made to fail, or to be the last.

use mcp_core::sandbox::fault::{Plan, everywhere};

use super::*;
use crate::domain::baseline::Baseline;

const SPEC: &str = "specs/src__cart.spec.md";

#[test]
fn a_specification_is_the_old_one_or_the_new_one_whatever_fails() {
    let old = {
        let fixture = Fixture::new(PROJECT);
        generate(&fixture, "src/cart", Writer::Off).unwrap();
        fixture.read(SPEC)
    };
    let changed = || {
        let fixture = Fixture::new(PROJECT);
        fixture.write(SPEC, &old);
        fixture.write("src/cart/more.ts", "export const more = 1;\n");
        fixture
    };
    let new = {
        let fixture = changed();
        generate(&fixture, "src/cart", Writer::Off).unwrap();
        fixture.read(SPEC)
    };
    assert_ne!(old, new);
    let files: Vec<String> = changed().files().into_keys().collect();
    let check = |fixture: &Fixture, plan: Plan, done: Result<Generated, Error>| {
        let text = fixture.read(SPEC);
        match done {
            Err(_) => assert!(text == old || text == new, "{plan:?}: neither old nor new"),
            // Where a file of the code could not be looked at, the rest is written, whole.
            Ok(_) => assert!(Baseline::read(&text).is_ok(), "{plan:?}: not whole"),
        }
        generate(fixture, "src/cart", Writer::Off).unwrap();
        let says = |text: &str| Baseline::read(text).unwrap().comment();
        assert_eq!(says(&fixture.read(SPEC)), says(&new), "{plan:?}");
        let left = fixture.files().into_keys().find(|it| !files.contains(it));
        assert_eq!(left, None, "{plan:?}: something is left over");
    };
    everywhere(changed, |fixture| generate(fixture, "src/cart", Writer::Off), check);
}
