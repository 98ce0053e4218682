//! Every step of `init` made to fail, or to be the last: each file is whole or absent.

use mcp_core::sandbox::fault::{Plan, everywhere};
use plumbline_tests::Fixture;

use super::bare;
use crate::cli::init::install;
use crate::error::Error;
use crate::store::embedded;

#[test]
fn an_init_that_fails_or_dies_at_any_step_can_be_run_again() {
    let check = |fixture: &Fixture, plan: Plan, done: Result<String, Error>| {
        for (path, text) in fixture.files() {
            let own = embedded::SKILL.iter().find(|it| path.ends_with(it.0));
            assert!(own.is_none_or(|it| it.1 == text), "{plan:?}: {path} is neither old nor new");
        }
        install(&bare(fixture), None, Some("skills")).unwrap();
        for (name, text) in embedded::SKILL {
            assert_eq!(fixture.read(&format!("skills/acm-workflow/{name}")), *text, "{plan:?}");
        }
        let files = fixture.files().into_keys();
        let tree = files.filter(|it| it.starts_with("skills/")).count();
        assert_eq!(tree, embedded::SKILL.len(), "{plan:?}: something is left over");
        assert!(done.is_ok() || plan != Plan::Count);
    };
    let lay = |fixture: &Fixture| install(&bare(fixture), None, Some("skills"));
    everywhere(Fixture::empty, lay, check);
}
