//! Every step of `init` made to fail, or to be the last: each file is whole or absent.

use mcp_core::doors;
use mcp_core::failure::Failure;
use mcp_core::sandbox::State;
use mcp_core::sandbox::fault::{Plan, everywhere};
use plumbline_tests::Fixture;

use crate::cli::init::lay_down;
use crate::domain::builtin;

fn lay(fixture: &Fixture) -> Result<String, Failure> {
    let root = doors::named_by_person(&fixture.path().join("commands"))?;
    lay_down(Some(&root), "commands", false, &State::at(fixture.path().join("state")))
}

#[test]
fn an_init_that_fails_or_dies_at_any_step_can_be_run_again() {
    let check = |fixture: &Fixture, plan: Plan, done: Result<String, Failure>| {
        lay(fixture).unwrap();
        let files = fixture.files().into_keys();
        let laid = files.filter(|it| it.starts_with("commands/")).count();
        // And the file that was there before.
        assert_eq!(laid, builtin::commands().len() + 1, "{plan:?}: something is left over");
        assert!(done.is_ok() || plan != Plan::Count);
    };
    everywhere(|| Fixture::new("//- commands/own.md\nmine\n"), lay, check);
}
