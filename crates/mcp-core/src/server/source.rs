//! Where prompts and resources come from: each server that has them implements one of these.

use std::collections::HashMap;

use futures_util::future::BoxFuture;
use rmcp::model::{GetPromptResult, Prompt, Resource, ResourceContents, ResourceTemplate};

use super::call::{Call, Halt};
use crate::failure::Failure;
use crate::schema::JsonObject;

/// A variable that is being typed.
#[derive(Debug)]
pub struct Completion<'a> {
    /// The prompt's name or the resource template.
    pub of: &'a str,
    pub argument: &'a str,
    /// What has been typed so far.
    pub typed: &'a str,
    /// Other arguments that have been filled in already.
    pub context: &'a HashMap<String, String>,
}

pub trait PromptSource: Send + Sync {
    fn list(&self) -> Result<Vec<Prompt>, Failure>;

    fn get<'a>(
        &'a self,
        call: Call,
        name: &'a str,
        arguments: JsonObject,
    ) -> BoxFuture<'a, Result<GetPromptResult, Halt>>;

    /// Whether the list changes while clients are connected.
    fn list_changes(&self) -> bool {
        false
    }

    fn can_complete(&self) -> bool {
        false
    }

    /// All values that fit; the core cuts and counts them.
    fn complete(&self, _completion: &Completion<'_>) -> Vec<String> {
        Vec::new()
    }
}

pub trait ResourceSource: Send + Sync {
    fn list(&self) -> Result<Vec<Resource>, Failure>;

    fn templates(&self) -> Vec<ResourceTemplate> {
        Vec::new()
    }

    /// `None` when there is no such resource.
    fn read<'a>(
        &'a self,
        call: Call,
        uri: &'a str,
    ) -> BoxFuture<'a, Result<Option<Vec<ResourceContents>>, Halt>>;

    fn list_changes(&self) -> bool {
        false
    }

    /// Whether a client can ask to be told when one resource changes.
    fn can_subscribe(&self) -> bool {
        false
    }

    fn can_complete(&self) -> bool {
        false
    }

    fn complete(&self, _completion: &Completion<'_>) -> Vec<String> {
        Vec::new()
    }
}
