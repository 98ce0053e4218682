//! elspais from outside: what it leaves alone, and what its check says to a script.

mod checking;
mod reading;

use std::process::{Command, Output, Stdio};

use plumbline_tests::{Client, Fixture, bins};

const VERSION: &str = "2025-11-25";

/// Two requirements, code that cites one of them, and a test.
const PROJECT: &str = "\
//- spec/login.md
# REQ-p00001: Signing in
**Level**: PRD | **Status**: Active

## Assertions

A. The name SHALL be asked for.
B. The password SHALL be asked for.

*End* *Signing in* | **Hash**: ________

# REQ-d00001: Form
**Level**: DEV | **Status**: Active | **Implements**: REQ-p00001-A

*End* *Form* | **Hash**: ________
//- src/form.py
# Implements: REQ-p00001-A
def form():
    pass
";

/// Runs it to its end, with nothing on standard input.
fn run(project: &Fixture, args: &[&str]) -> Output {
    let mut command = Command::new(bins::server("elspais-mcp"));
    command.args(args).current_dir(project.path()).stdin(Stdio::null());
    command.output().expect("the executable can be started")
}

fn spawn(project: &Fixture, args: &[&str], env: &[(&str, &str)]) -> Client {
    Client::spawn(&bins::server("elspais-mcp"), args, env, project.path())
}

fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("what is printed is text")
}
