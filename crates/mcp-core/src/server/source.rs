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
    /// The name of the prompt's argument or the template's variable.
    pub argument: &'a str,
    /// What has been typed so far.
    pub typed: &'a str,
    /// Other arguments that have been filled in already.
    pub context: &'a HashMap<String, String>,
}

/// Implemented by a server that offers prompts.
pub trait PromptSource: Send + Sync {
    /// Lists all prompts, in the order in which clients see them.
    fn list(&self) -> Result<Vec<Prompt>, Failure>;

    /// Fills in a prompt; a name that is not listed is a failure.
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

    /// Tells whether [`Self::complete`] has anything to say, as clients are told at the start.
    fn can_complete(&self) -> bool {
        false
    }

    /// All values that fit; the core cuts and counts them.
    fn complete(&self, _completion: &Completion<'_>) -> Vec<String> {
        Vec::new()
    }
}

/// Implemented by a server that offers resources.
pub trait ResourceSource: Send + Sync {
    /// Lists the resources that have a URI of their own, in the order in which clients see them.
    fn list(&self) -> Result<Vec<Resource>, Failure>;

    /// Lists the patterns of URIs that can be read without being listed; none unless overridden.
    fn templates(&self) -> Vec<ResourceTemplate> {
        Vec::new()
    }

    /// `None` when there is no such resource.
    fn read<'a>(
        &'a self,
        call: Call,
        uri: &'a str,
    ) -> BoxFuture<'a, Result<Option<Vec<ResourceContents>>, Halt>>;

    /// Tells whether the list changes while clients are connected.
    fn list_changes(&self) -> bool {
        false
    }

    /// Whether a client can ask to be told when one resource changes.
    fn can_subscribe(&self) -> bool {
        false
    }

    /// Tells whether [`Self::complete`] has anything to say, as clients are told at the start.
    fn can_complete(&self) -> bool {
        false
    }

    /// Gives all values that fit; the core cuts and counts them.
    fn complete(&self, _completion: &Completion<'_>) -> Vec<String> {
        Vec::new()
    }
}
