//! The protocol's own types that a server meets: what it offers, and what it hands back.
//!
//! A server imports these from here, so that the protocol library is known to this crate alone.

pub use rmcp::model::{
    AudioContent, CallToolResult, ContentBlock, ErrorCode, ErrorData, GetPromptResult,
    ImageContent, MetaObject, Prompt, PromptArgument, PromptMessage, Resource, ResourceContents,
    ResourceTemplate, Role,
};
