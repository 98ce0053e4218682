//! Architecture, task and records as resources, for clients that let their users pick them.

use std::pin::Pin;
use std::sync::Arc;

use mcp_core::failure::Failure;
use mcp_core::model::{Resource, ResourceContents, ResourceTemplate};
use mcp_core::server::{Call, Completion, Halt, ResourceSource};
use mcp_core::work::Work;

use crate::domain::adr;
use crate::domain::bank::Bank;
use crate::domain::projection;
use crate::domain::task;
use crate::domain::uid::Uid;
use crate::error::Error;
use crate::store::service::Service;

const ARCHITECTURE: &str = "preflights://architecture";
const TASK: &str = "preflights://task";
const CATEGORIES: &str = "preflights://categories";
const RECORDS: &str = "preflights://adr/";
const TEMPLATE: &str = "preflights://adr/{uid}";
const MARKDOWN: &str = "text/markdown";
/// The newest records are listed; the others are reached by the template.
const MAX_LISTED: usize = 200;

pub(crate) struct Resources {
    service: Arc<Service>,
}

impl Resources {
    pub(crate) fn new(service: Arc<Service>) -> Self {
        Self { service }
    }

    fn text(service: &Service, uri: &str, work: &Work) -> Result<Option<String>, Error> {
        match uri {
            ARCHITECTURE => {
                let ledger = service.picture(None, work)?.ledger;
                Ok(ledger.newest().map(|(uid, _)| projection::render(uid, &ledger.architecture)))
            }
            CATEGORIES => Ok(Some(categories())),
            TASK => service.document(task::PATH, work),
            _ => {
                let Some(uid) = uri.strip_prefix(RECORDS).and_then(Uid::parse) else {
                    return Ok(None);
                };
                let ledger = service.picture(None, work)?.ledger;
                match ledger.file_of(&uid) {
                    Some(file) => service.document(&format!("{}/{file}", adr::DIRECTORY), work),
                    None => Ok(None),
                }
            }
        }
    }

    /// Newest first; nothing where there is no repository or its records cannot be read.
    fn records(&self) -> Vec<(Uid, String)> {
        let Ok(picture) = self.service.picture(None, &Work::endless()) else { return Vec::new() };
        let records = picture.ledger.records.iter().rev();
        records.map(|(uid, record)| (uid.clone(), record.file.clone())).collect()
    }
}

/// The bank as an agent needs it for a reading.
fn categories() -> String {
    let mut text = "# Categories\n".to_owned();
    for category in &Bank::embedded().categories {
        text.extend(["\n## ", &category.name, "\n\n"]);
        for question in &category.questions {
            let options = question.options.join(", ");
            text.extend(["- `", &question.id, "` (", &question.field, "): ", &options, "\n"]);
        }
    }
    text
}

impl ResourceSource for Resources {
    fn list(&self) -> Result<Vec<Resource>, Failure> {
        let mut listed = Vec::new();
        let records = self.records();
        if !records.is_empty() {
            listed.push(
                Resource::new(ARCHITECTURE, "architecture")
                    .with_title("Architecture so far")
                    .with_description("Everything that has been decided, by category and field.")
                    .with_mime_type(MARKDOWN),
            );
        }
        if matches!(self.service.document(task::PATH, &Work::endless()), Ok(Some(_))) {
            listed.push(
                Resource::new(TASK, "task")
                    .with_title("Current task")
                    .with_description(
                        "What is to be done now, where, and how one knows it is done.",
                    )
                    .with_mime_type(MARKDOWN),
            );
        }
        listed.push(
            Resource::new(CATEGORIES, "categories")
                .with_title("Categories and fields")
                .with_description("What a reading can name: categories, fields and usual values.")
                .with_mime_type(MARKDOWN),
        );
        for (uid, file) in records.into_iter().take(MAX_LISTED) {
            listed.push(Resource::new(format!("{RECORDS}{uid}"), file).with_mime_type(MARKDOWN));
        }
        Ok(listed)
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        vec![
            ResourceTemplate::new(TEMPLATE, "adr")
                .with_title("Decision record")
                .with_description("An architecture decision record, by its UID.")
                .with_mime_type(MARKDOWN),
        ]
    }

    fn read<'a>(
        &'a self,
        call: Call,
        uri: &'a str,
    ) -> Pin<Box<dyn Future<Output = Result<Option<Vec<ResourceContents>>, Halt>> + Send + 'a>>
    {
        let (service, wanted) = (self.service.clone(), uri.to_owned());
        Box::pin(async move {
            let text =
                call.blocking(move |call| Self::text(&service, &wanted, call.work())).await?;
            let contents = |text| ResourceContents::text(text, uri).with_mime_type(MARKDOWN);
            Ok(text.map(|text| vec![contents(text)]))
        })
    }

    fn can_complete(&self) -> bool {
        true
    }

    fn complete(&self, completion: &Completion<'_>) -> Vec<String> {
        if completion.of != TEMPLATE {
            return Vec::new();
        }
        let uids = self.records().into_iter().map(|(uid, _)| uid.to_string());
        uids.filter(|it| it.starts_with(completion.typed)).collect()
    }
}
