//! Searching the knowledge base.

use std::sync::Arc;

use mcp_core::server::{Answer, Tool};
use schemars::JsonSchema;
use serde::Serialize;

use super::thorough;
use crate::arguments::{Parameter, schema};
use crate::knowledge::{self, Found, Hit};
use crate::surroundings::Surroundings;

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

pub(super) fn query_knowledge(surroundings: Arc<Surroundings>) -> Tool {
    let parameters = vec![Parameter::text("query", "Search term or topic").required()];
    Tool::read_only(
        "query_knowledge",
        "Search ACM knowledge base entries by topic. Simple text match across KB article titles and content. Use for finding process learnings and design patterns. For rich semantic search, use the Knowledge Base MCP server (when available). A query that is an entry's name or title returns the whole entry.",
    )
    .title("Search the knowledge base")
    .output::<KnowledgeList>()
    .document()
    .budget(BUDGET)
    .aliases(&[("topic", "query"), ("search", "query"), ("keyword", "query")])
    .run_raw(&schema(&parameters), thorough(parameters, move |_, given| {
        let found = knowledge::search(&surroundings.process()?, given.required("query"))?;
        let text = render(&found);
        Ok(Answer::data(&list(found))?.with_text(text))
    }))
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
    let mut text = match (found.total, found.offered.is_empty()) {
        (0, true) => "The knowledge base has no entries.\n".to_owned(),
        (0, false) => {
            format!("No knowledge base entries matched. There are: {}.\n", found.offered.join("; "))
        }
        (1, _) => "Found 1 KB entry:\n\n".to_owned(),
        (total, _) if total > knowledge::SHOWN => {
            format!("Found {total} KB entries, the best {} are shown:\n\n", knowledge::SHOWN)
        }
        (total, _) => format!("Found {total} KB entries:\n\n"),
    };
    for hit in &found.hits {
        text.push_str(&format!("- **{}**\n", hit.title));
        if !hit.snippet.is_empty() {
            text.push_str(&format!("  > {}\n", hit.snippet));
        }
        text.push_str(&format!("  Path: {}\n", hit.path));
    }
    for note in &found.notes {
        text.push_str(&format!("\nSkipped: {note}\n"));
    }
    if let Some(article) = &found.article {
        text.push_str(&format!("\n---\n\n{article}"));
    }
    text
}
