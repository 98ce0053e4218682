//! Handlers of Go that are put around a router: `return withLimits(withAuth(mux))`.

use super::Routers;
use crate::domain::facts::code::Call;
use crate::domain::facts::found::Found;
use crate::domain::facts::tokens::Dialect;
use crate::domain::skeleton::EntryKind;

impl<'a> Routers<'a, '_> {
    /// What every request goes through that a router with addresses of its own answers.
    pub(super) fn wrapped(&self, found: &mut Found<'_>) {
        let (code, tokens) = (self.code, &self.code.tokens);
        if tokens.dialect != Dialect::Go {
            return;
        }
        let adds = |it: &&Call<'a>| {
            matches!(it.name(), "Handle" | "HandleFunc") && tokens.is_text(it.open + 1)
        };
        let mut routers: Vec<&str> = code.calls.iter().filter(adds).map(Call::root).collect();
        routers.retain(|it| !it.is_empty());
        for innermost in &code.calls {
            let is_lone = innermost.open + 2 == tokens.mate(innermost.open);
            if !is_lone || !routers.contains(&tokens.word(innermost.open + 1)) {
                continue;
            }
            let mut around = vec![innermost];
            let mut outermost = innermost;
            while let Some(outer) = outermost.start.checked_sub(1).and_then(|it| code.call_of(it))
                && tokens.mate(outer.open) == tokens.mate(outermost.open) + 1
            {
                around.push(outer);
                outermost = outer;
            }
            // A call by itself, or one that makes something, only hands the router on.
            let before = outermost.start.checked_sub(1).map_or("", |it| tokens.word(it));
            let is_used = matches!(before, "return" | "=" | ":=" | "," | "(" | ":");
            if !is_used || around.iter().any(|it| it.name().to_lowercase().starts_with("new")) {
                continue;
            }
            for wrapper in around.iter().rev() {
                let line = tokens.line(wrapper.open);
                let entry = found.entry(EntryKind::Middleware, wrapper.path(), line);
                found.push(entry);
            }
        }
    }
}
