//! Which tools are on: the user's choice by name and toolset, with read-only above everything.

use super::tool::Tool;
use crate::failure::Failure;
use crate::text;

/// Empty lists mean "no choice made".
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Switches off every tool that writes, whatever else is chosen.
    pub read_only: bool,
    /// Exactly these tools, whatever their toolset.
    pub tools: Vec<String>,
    /// Tools to switch off, even where another list names them.
    pub exclude: Vec<String>,
    /// Toolsets to switch on; `all` and `default` are understood.
    pub toolsets: Vec<String>,
}

type Toolsets = [(&'static str, bool)];

impl Selection {
    pub(super) fn is_on(&self, tool: &Tool, toolsets: &Toolsets) -> bool {
        self.why_off(tool, toolsets).is_none()
    }

    /// What keeps a tool off, as the sentence that says how to get it.
    pub(super) fn why_off(&self, tool: &Tool, toolsets: &Toolsets) -> Option<String> {
        let name = tool.name();
        if self.read_only && !tool.is_read_only() {
            return Some("Start the server without --read-only to use it.".to_owned());
        }
        if self.exclude.iter().any(|it| it == name) {
            return Some(format!("Start the server without --exclude-tools {name} to use it."));
        }
        if !self.tools.is_empty() {
            let named = self.tools.iter().any(|it| it == name);
            return (!named).then(|| format!("Add it to --tools: --tools {name} switches it on."));
        }
        let toolset = tool.toolset?;
        let on_by_default = toolsets.iter().any(|(it, on)| *it == toolset && *on);
        let chosen = if self.toolsets.is_empty() {
            on_by_default
        } else {
            self.toolsets
                .iter()
                .any(|it| it == toolset || it == "all" || (it == "default" && on_by_default))
        };
        (!chosen).then(|| {
            format!("It belongs to the toolset `{toolset}`: start the server with --toolsets default,{toolset}.")
        })
    }

    pub(super) fn check(&self, tools: &[Tool], toolsets: &Toolsets) -> Result<(), Failure> {
        let names: Vec<&str> = tools.iter().map(Tool::name).collect();
        for name in self.tools.iter().chain(&self.exclude) {
            if !names.contains(&name.as_str()) {
                return Err(unknown("tool", name, &names));
            }
        }
        let mut known: Vec<&str> = toolsets.iter().map(|(name, _)| *name).collect();
        known.extend(["all", "default"]);
        for name in &self.toolsets {
            if !known.contains(&name.as_str()) {
                return Err(unknown("toolset", name, &known));
            }
        }
        Ok(())
    }
}

pub(super) fn unknown(kind: &str, name: &str, known: &[&str]) -> Failure {
    let name = text::one_line(text::cut(name, 100));
    let listed = match known {
        [] => "There are none.".to_owned(),
        [only] => format!("There is only `{only}`."),
        known => format!("There are {}.", text::list_of_names(known.iter().copied())),
    };
    let hint = match text::nearest(&name, known.iter().copied()) {
        Some(near) => format!("Did you mean `{near}`? {listed}"),
        None => listed,
    };
    Failure::new("unknown_name", format!("no {kind} is named `{name}`")).hint(hint)
}
