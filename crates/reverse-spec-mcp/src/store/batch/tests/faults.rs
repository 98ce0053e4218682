//! Every step of a batch made to fail, or to be the last: specifications are whole, and the next
//! run completes them.

use mcp_core::sandbox::fault::{Plan, everywhere};

use super::*;
use crate::domain::baseline::Baseline;
use crate::error::Error;

fn attempt(fixture: &Fixture) -> Result<BatchResult, Error> {
    let wishes = Wishes { force: false, out_of_time: &|| false };
    let places =
        Places { working_directory: fixture.path().to_owned(), roots: Vec::new(), confined: false };
    let batch = Batch::read(places.project(".")?, false, &Work::endless())?;
    batch.run(style(Writer::Off, &clock()), wishes, &Work::endless())
}

fn specifications(fixture: &Fixture) -> BTreeMap<String, String> {
    fixture.files().into_iter().filter(|(path, _)| path.starts_with("specs/")).collect()
}

#[test]
fn a_batch_that_fails_or_dies_at_any_step_is_completed_by_the_next() {
    let whole = {
        let fixture = Fixture::new(LAYERS);
        attempt(&fixture).unwrap();
        specifications(&fixture)
    };
    let check = |fixture: &Fixture, plan: Plan, _: Result<BatchResult, Error>| {
        for (path, text) in specifications(fixture) {
            let is_other = path.contains("/_") || path.contains("/.");
            assert!(is_other || Baseline::read(&text).is_ok(), "{plan:?}: {path} is not whole");
        }
        attempt(fixture).unwrap();
        let after = specifications(fixture);
        assert!(whole.keys().all(|it| after.contains_key(it)), "{plan:?}: something is missing");
        // A folder that could not be looked at may have been cut otherwise; nothing else is there.
        let foreign = after.keys().find(|it| !it.contains(".md"));
        assert_eq!(foreign, None, "{plan:?}: something is left over");
    };
    everywhere(|| Fixture::new(LAYERS), attempt, check);
}
