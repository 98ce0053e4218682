//! What this server is called and what it offers.

use std::sync::Arc;

use clap::builder::FalseyValueParser;
use clap::{Arg, ArgAction};
use mcp_core::clock::Clock;
use mcp_core::failure::Failure;
use mcp_core::server::{Answer, Identity, Server};
use mcp_core::settings::Settings;

use crate::domain::context::DEFAULT_BUDGET;
use crate::domain::spec::Words;
use crate::error;
use crate::store::model::Llm;
use crate::store::project::Places;
use crate::tools::{self, Setting};

const SEMANTIC: &str = "semantic";

pub(crate) const IDENTITY: Identity = Identity {
    name: "reverse-spec",
    title: "Reverse Spec",
    version: env!("CARGO_PKG_VERSION"),
    instructions: "Reverse Spec keeps specifications true to what the code really is. To understand code, call prepare with a file or a directory: it returns the declarations of every file and a context that fits. To write a specification of a module call generate, of a whole project call batch. After code was changed, call diff with a specification and its source: it reports what has drifted apart, how badly, and what to update.",
};

/// The flags of this server alone.
pub(crate) fn flags() -> Vec<Arg> {
    let semantic = Arg::new(SEMANTIC).long(SEMANTIC).action(ArgAction::SetTrue);
    let semantic = semantic.env("REVERSE_SPEC_SEMANTIC").value_parser(FalseyValueParser::new());
    vec![semantic.help(
        "Let diff ask the configured language model whether words of a specification still hold where a body changed",
    )]
}

pub(crate) fn build(settings: &Settings) -> Result<Server, Failure> {
    let setting = setting(settings)?;
    if settings.is_serving() {
        tracing::info!("{}", setting.who_is_asked());
    }
    Ok(assemble(setting))
}

pub(crate) fn setting(settings: &Settings) -> Result<Setting, Failure> {
    let budget = settings.variable("REVERSE_SPEC_TOKEN_BUDGET");
    let token_budget = match budget.as_deref().map(str::trim).map(str::parse::<usize>) {
        None => DEFAULT_BUDGET,
        Some(Ok(tokens)) if tokens > 0 => tokens,
        Some(_) => {
            let message = "REVERSE_SPEC_TOKEN_BUDGET is not a number of tokens";
            return Err(Failure::new("invalid_setting", message)
                .hint("Set it to a number such as 100000, or leave it unset."));
        }
    };
    // Found further up, the project is as good as named.
    let is_known = settings.root_was_given() || settings.root() != settings.working_directory();
    let roots = if is_known { settings.roots().to_vec() } else { Vec::new() };
    let confined = settings.is_confined();
    Ok(Setting {
        places: Places {
            working_directory: settings.working_directory().to_owned(),
            roots: if confined { settings.roots().to_vec() } else { roots },
            confined,
        },
        clock: Clock::system(),
        read_only: settings.is_read_only(),
        token_budget,
        words: Words::of(settings.variable("REVERSE_SPEC_LANG").as_deref()),
        semantic: settings.flag(SEMANTIC),
        llm: Llm::of(&|name| settings.variable(name))?,
        call_timeout: settings.call_timeout(),
    })
}

pub(crate) fn assemble(setting: Setting) -> Server {
    let setting = Arc::new(setting);
    Server::new(IDENTITY)
        .tools(tools::all(&setting))
        .page_beside("diff", tools::report(setting))
        .render_failure(|tool, failure| {
            Answer::text(error::rendered(tool.name(), failure)).failed()
        })
}
