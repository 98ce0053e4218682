//! Searching the knowledge base.

use std::sync::Arc;

use mcp_core::server::{Answer, Tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::MakeTool;
use super::arguments::object;
use crate::domain::knowledge::{self, Found, Hit};
use crate::store::articles;
use crate::store::surroundings::Surroundings;

pub(super) const TOOLS: &[MakeTool] = &[query_knowledge];

/// An article is passed on whole, twice: in the text and in the data.
const BUDGET: usize = 250_000;

#[derive(Serialize, JsonSchema)]
struct KnowledgeList {
    /// How many entries fit.
    total: usize,
    /// Best first, at most 20.
    entries: Vec<KnowledgeEntry>,
    /// The whole first entry, when the query is its name or title or nothing else fits.
    #[serde(skip_serializing_if = "Option::is_none")]
    article: Option<String>,
    /// What there is, when nothing fits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    available: Vec<String>,
    /// Entries that could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct KnowledgeEntry {
    name: String,
    title: String,
    /// Where the query was found.
    snippet: String,
    /// The file, or the resource to read.
    path: String,
}

#[derive(Deserialize, JsonSchema)]
struct QueryKnowledgeParams {
    /// Search term or topic
    query: String,
}

fn query_knowledge(surroundings: Arc<Surroundings>) -> Tool {
    Tool::read_only(
        "query_knowledge",
        "Search ACM knowledge base entries by topic. Simple text match across KB article titles and content. Use for finding process learnings and design patterns. For rich semantic search, use the Knowledge Base MCP server (when available). A query that is an entry's name or title returns the whole entry.",
    )
    .title("Search the knowledge base")
    .output::<KnowledgeList>()
    .document()
    .budget(BUDGET)
    .aliases(&[("topic", "query"), ("search", "query"), ("keyword", "query")])
    .objecting(object)
    .run_blocking(move |_, params: QueryKnowledgeParams| {
        let found = articles::search(&surroundings.process()?, &params.query)?;
        let text = render(&found);
        Ok(Answer::data(&list(found))?.with_text(text))
    })
}

fn list(found: Found) -> KnowledgeList {
    let entry = |it: Hit| KnowledgeEntry {
        name: it.name,
        title: it.title,
        snippet: it.snippet,
        path: it.path,
    };
    KnowledgeList {
        total: found.total,
        entries: found.hits.into_iter().map(entry).collect(),
        article: found.article,
        available: found.offered,
        notes: found.notes,
    }
}

fn render(found: &Found) -> String {
    let head = match (found.total, found.offered.is_empty()) {
        (0, true) => "The knowledge base has no entries.\n".to_owned(),
        (0, false) => {
            format!("No knowledge base entries matched. There are: {}.\n", found.offered.join("; "))
        }
        (1, _) => format!("Found 1 of {} KB entries:\n\n", found.all),
        (total, _) if total > knowledge::SHOWN => {
            format!("Found {total} KB entries, the best {} are shown:\n\n", knowledge::SHOWN)
        }
        (total, _) => format!("Found {total} KB entries:\n\n"),
    };
    let hits: String = found.hits.iter().map(render_one).collect();
    let notes: Vec<String> =
        found.notes.iter().map(|note| format!("\nSkipped: {note}\n")).collect();
    let article = found.article.as_ref().map(|it| format!("\n---\n\n{it}")).unwrap_or_default();
    format!("{head}{hits}{}{article}", notes.concat())
}

fn render_one(hit: &Hit) -> String {
    let mut lines = vec![format!("- **{}**", hit.title)];
    if !hit.snippet.is_empty() {
        lines.push(format!("  > {}", hit.snippet));
    }
    lines.extend([format!("  Path: {}", hit.path), String::new()]);
    lines.join("\n")
}
