//! `Answer`: documents verbatim, data in full, composed text within a budget.

use rmcp::model::{CallToolResult, ContentBlock, MetaObject};
use serde::Serialize;
use serde_json::Value;

use crate::failure::Failure;
use crate::text;

/// Characters of a composed answer: what clients pass on to the model without cutting it
/// themselves.
pub const RESULT_BUDGET: usize = 40_000;

/// What a tool returns.
///
/// ```
/// use mcp_core::server::Answer;
///
/// let found = serde_json::json!({ "files": ["a.md", "b.md"] });
/// let answer = Answer::data(&found)?
///     .shorten("files")
///     .narrow("Name a directory with `path`.");
/// # Ok::<(), mcp_core::failure::Failure>(())
/// ```
#[derive(Debug)]
pub struct Answer {
    content: Content,
    is_error: bool,
    found_wanting: bool,
    narrow: Option<String>,
    meta: Option<MetaObject>,
}

#[derive(Debug)]
enum Content {
    Document(String),
    Text(String),
    Data {
        value: Value,
        text: Option<String>,
        list: Option<&'static str>,
        /// How many the list would hold, where it holds only the first of them.
        total: usize,
    },
    Blocks(Vec<ContentBlock>),
}

impl Answer {
    fn new(content: Content) -> Self {
        Self { content, is_error: false, found_wanting: false, narrow: None, meta: None }
    }

    /// A document: passed on byte for byte, whatever it holds and however long it is.
    pub fn document(text: impl Into<String>) -> Self {
        Self::new(Content::Document(text.into()))
    }

    /// Composed text: made harmless and kept within the budget.
    pub fn text(text: impl Into<String>) -> Self {
        Self::new(Content::Text(text.into()))
    }

    /// Data, complete in itself, because most clients show the model nothing else. Its text is the
    /// same as JSON.
    pub fn data(value: &impl Serialize) -> Result<Self, Failure> {
        let value = serde_json::to_value(value).map_err(|error| {
            Failure::new(
                Failure::INTERNAL,
                format!("the answer cannot be written as JSON: {error}"),
            )
        })?;
        Ok(Self::new(Content::Data { value, text: None, list: None, total: 0 }))
    }

    /// Content blocks of other kinds: images, audio, embedded resources, links.
    pub fn blocks(blocks: Vec<ContentBlock>) -> Self {
        Self::new(Content::Blocks(blocks))
    }

    /// The text that goes with data where it is not its JSON.
    #[must_use]
    pub fn with_text(mut self, words: impl Into<String>) -> Self {
        if let Content::Data { text, .. } = &mut self.content {
            *text = Some(words.into());
        }
        self
    }

    /// Which list of the data may be shortened when it is too long: `truncated`, `total` and `next`
    /// beside it say so.
    #[must_use]
    pub fn shorten(mut self, field: &'static str) -> Self {
        if let Content::Data { list, .. } = &mut self.content {
            *list = Some(field);
        }
        self
    }

    /// Like [`Self::shorten`], for a list that holds only the first of so many: there is no use in
    /// writing down what cannot be shown.
    #[must_use]
    pub fn shorten_first_of(mut self, field: &'static str, total: usize) -> Self {
        if let Content::Data { list, total: all, .. } = &mut self.content {
            (*list, *all) = (Some(field), total);
        }
        self
    }

    /// How to ask for less, or for the rest: shown when the answer had to be cut.
    #[must_use]
    pub fn narrow(mut self, how: impl Into<String>) -> Self {
        self.narrow = Some(how.into());
        self
    }

    /// Marks the answer as the report of a failure.
    #[must_use]
    pub fn failed(mut self) -> Self {
        self.is_error = true;
        self
    }

    /// A check that did its work and found something wrong: an ordinary answer for a client, and
    /// the exit code in the shell.
    #[must_use]
    pub fn found_wanting(mut self) -> Self {
        self.found_wanting = true;
        self
    }

    pub(super) fn passed(&self) -> bool {
        !self.is_error && !self.found_wanting
    }

    /// Adds an entry to the `_meta` of the result, which clients read and models do not.
    #[must_use]
    pub fn meta(mut self, key: &str, value: Value) -> Self {
        self.meta.get_or_insert_with(MetaObject::new).insert(key.to_owned(), value);
        self
    }

    /// The protocol's form of it. Fails only when data is too large and has no list to shorten.
    pub(super) fn finish(self, budget: usize) -> Result<CallToolResult, Failure> {
        let how = self.narrow.unwrap_or_else(|| "Ask for less at a time.".to_owned());
        let (content, structured) = match self.content {
            Content::Document(document) => (vec![ContentBlock::text(document)], None),
            Content::Blocks(blocks) => (blocks, None),
            Content::Text(words) => {
                (vec![ContentBlock::text(fit_text(&text::harmless(&words), budget, &how))], None)
            }
            Content::Data { mut value, text: words, list, total } => {
                make_harmless(&mut value);
                let json = fit_data(&mut value, list, total, budget, &how)?;
                let words = match words {
                    Some(words) => fit_text(&text::harmless(&words), budget, &how),
                    None => json,
                };
                (vec![ContentBlock::text(words)], Some(value))
            }
        };
        let mut result = CallToolResult::success(content);
        result.structured_content = structured;
        result.is_error = Some(self.is_error);
        result.meta = self.meta;
        Ok(result)
    }
}

fn fit_text(words: &str, budget: usize, how: &str) -> String {
    // Characters are never more than bytes, so most texts need no counting.
    if words.len() <= budget {
        return words.to_owned();
    }
    let total = words.chars().count();
    if total <= budget {
        return words.to_owned();
    }
    let shown = text::cut(words, budget);
    // Half a line reads like a whole one.
    let shown = shown.rfind('\n').map_or(shown, |end| &shown[..end]);
    let count = shown.chars().count();
    format!("{shown}\n\n[truncated: {count} of {total} characters are shown. {how}]")
}

fn fit_data(
    value: &mut Value,
    list: Option<&str>,
    total: usize,
    budget: usize,
    how: &str,
) -> Result<String, Failure> {
    let json = value.to_string();
    let listed = list.and_then(|it| value[it].as_array()).map_or(0, Vec::len);
    let is_whole = total <= listed;
    if is_whole && (json.len() <= budget || json.chars().count() <= budget) {
        return Ok(json);
    }
    let too_large = || {
        let message = format!("the answer has {} characters, {budget} are allowed", json.len());
        Failure::new(Failure::RESULT_TOO_LARGE, message).hint(how)
    };
    let Value::Object(object) = &mut *value else { return Err(too_large()) };
    let field = list.ok_or_else(too_large)?;
    let Some(Value::Array(items)) = object.get_mut(field) else { return Err(too_large()) };
    let total = total.max(items.len());
    let note = "truncated, total, next".len() + how.len() + 200;
    let sizes: Vec<usize> = items.iter().map(|item| item.to_string().len() + 1).collect();
    let rest = json.len() - sizes.iter().sum::<usize>();
    let room = budget.checked_sub(rest + note).ok_or_else(too_large)?;
    let kept = sizes
        .iter()
        .scan(0, |used, size| {
            *used += size;
            Some(*used)
        })
        .take_while(|used| *used <= room)
        .count();
    if kept == 0 {
        return Err(too_large());
    }
    items.truncate(kept);
    object.insert("truncated".to_owned(), true.into());
    object.insert("total".to_owned(), total.into());
    object.insert("next".to_owned(), format!("{kept} of {total} are shown. {how}").into());
    Ok(value.to_string())
}

fn make_harmless(value: &mut Value) {
    match value {
        Value::String(words) => {
            if let std::borrow::Cow::Owned(kept) = text::harmless(words) {
                *words = kept;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(make_harmless),
        Value::Object(fields) => fields.values_mut().for_each(make_harmless),
        _ => {}
    }
}
