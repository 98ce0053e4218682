//! The flags of this server alone.

use clap::builder::FalseyValueParser;
use clap::{Arg, ArgAction};

pub(crate) const COMMANDS_DIR: &str = "commands-dir";
pub(crate) const SOURCES: &str = "sources";
pub(crate) const WITH_TOOLS: &str = "with-tools";
pub(crate) const BUILTIN: &str = "builtin";

pub(crate) fn flags() -> Vec<Arg> {
    vec![
        Arg::new(COMMANDS_DIR)
            .long(COMMANDS_DIR)
            .env("COMMANDS_DIR")
            .value_name("DIR")
            .action(ArgAction::Append)
            .help("A directory of command files, relative to the root; given several times, the first one with a command of a name counts instead of the folders of --sources"),
        Arg::new(SOURCES)
            .long(SOURCES)
            .env("SPECIFYPLUS_SOURCES")
            .value_name("WHICH")
            .value_parser(["all", "claude"])
            .help("Which folders hold commands: those of all agents (.claude, .agents, .github, .gemini, …), or the files directly in .claude/commands alone [default: all]"),
        switch(
            WITH_TOOLS,
            "SPECIFYPLUS_WITH_TOOLS",
            "Also offer the commands as the tools list_commands and get_command",
        ),
        switch(
            BUILTIN,
            "SPECIFYPLUS_BUILTIN",
            "Also offer the 13 commands that come with the server; a file of the same name counts instead",
        ),
    ]
}

fn switch(name: &'static str, env: &'static str, help: &'static str) -> Arg {
    let arg = Arg::new(name).long(name).action(ArgAction::SetTrue).help(help);
    arg.env(env).value_parser(FalseyValueParser::new())
}
