//! What `doctor` says about the project and the specifications in it.

use crate::domain::languages::is_test;
use crate::error::Error;
use crate::store::drift::{self, Narrowing};
use crate::store::project::Places;
use mcp_core::work::Work;

/// One thing that was looked at, and how to fix it where something is wrong.
pub(crate) enum Remark {
    Fine(String),
    Worth(String, String),
    Wrong(String, String),
}

pub(crate) fn look(places: &Places) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let target = match places.target(".") {
        Ok(target) => target,
        Err(error) => {
            let fix = "Start the server in a directory that exists.".to_owned();
            return vec![Remark::Wrong(error.to_string(), fix)];
        }
    };
    remarks.push(Remark::Fine(format!("project root {}", target.project_root().display())));
    match target.scan(&Work::endless()) {
        Ok(scan) => {
            let tests = scan.files.iter().filter(|it| is_test(it.path.as_str())).count();
            let sources = scan.files.len() - tests;
            remarks
                .push(Remark::Fine(format!("{sources} source files and {tests} tests are read")));
            remarks.extend(
                scan.warnings.into_iter().map(|it| Remark::Worth(it.to_string(), String::new())),
            );
        }
        Err(error) => {
            let fix = "Name a directory that holds source code.".to_owned();
            remarks.push(Remark::Worth(error.to_string(), fix));
        }
    }
    remarks.push(match target.git(&Work::endless()) {
        Ok(_) => Remark::Fine("git answers: diff --since works".to_owned()),
        Err(error) => Remark::Worth(
            error.to_string(),
            "Only diff --since needs git; everything else works without.".to_owned(),
        ),
    });
    remarks.push(specifications(places));
    remarks
}

fn specifications(places: &Places) -> Remark {
    let clock = mcp_core::clock::Clock::system();
    match drift::check_all(places, &Narrowing::default(), &clock, &Work::endless()) {
        Ok(everything) => {
            let broken: Vec<&str> = everything
                .specs
                .iter()
                .filter(|it| it.problem.is_some())
                .map(|it| it.spec_path.as_str())
                .collect();
            let count = everything.specs.len();
            if broken.is_empty() {
                Remark::Fine(format!("{count} specifications can be compared with their code"))
            } else {
                Remark::Wrong(
                    format!(
                        "{} of {count} specifications cannot be compared: {}",
                        broken.len(),
                        broken.join(", ")
                    ),
                    "Write them anew with generate, or delete those whose code is gone.".to_owned(),
                )
            }
        }
        Err(Error::NothingChecked { .. }) => Remark::Worth(
            "there are no specifications under specs/".to_owned(),
            "Write them with generate or batch.".to_owned(),
        ),
        Err(error) => Remark::Worth(error.to_string(), String::new()),
    }
}
