//! What can go wrong, in sentences an agent can act on: each names what is valid or what to do.

use mcp_core::failure::DomainError;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("{problem}")]
    Argument { problem: String },
    #[error("{problem}")]
    RootUnavailable { problem: String, fix: String },
    #[error("`{path}` {problem} in {place}.")]
    File { path: String, problem: String, place: String, fix: Option<String> },
    #[error("{problem}")]
    Project { problem: String, fix: String },
    #[error("No section '{wanted}' in {file}. Sections: {sections}.")]
    Section { wanted: String, file: String, sections: String },
    #[error("{problem}")]
    Inventory { problem: String, fix: String },
    #[error("{problem}")]
    Capability { problem: String, fix: String },
    #[error("{problem}")]
    Install { problem: String, fix: String },
}

impl DomainError for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::Argument { .. } => "invalid_arguments",
            Self::RootUnavailable { .. } => "root_unavailable",
            Self::File { .. } => "file_unavailable",
            Self::Project { .. } => "project_unavailable",
            Self::Section { .. } => "unknown_section",
            Self::Inventory { .. } => "inventory_unreadable",
            Self::Capability { .. } => "capability_not_found",
            Self::Install { .. } => "not_written",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::RootUnavailable { fix, .. }
            | Self::Project { fix, .. }
            | Self::Inventory { fix, .. }
            | Self::Capability { fix, .. }
            | Self::Install { fix, .. } => Some(fix.clone()),
            Self::File { fix, .. } => fix.clone(),
            Self::Argument { .. } | Self::Section { .. } => None,
        }
    }
}

/// Why the sandbox did not give us a file, without the words of the operating system.
pub(crate) fn reason(error: &mcp_core::sandbox::Error) -> String {
    use mcp_core::sandbox::Error as Sandbox;
    match error {
        Sandbox::Missing { .. } => "is missing".to_owned(),
        Sandbox::Escape { .. } => "is a link that leads outside".to_owned(),
        Sandbox::Path { reason, .. } => format!("is not a usable path: {reason}"),
        Sandbox::Exists { .. } => "exists already".to_owned(),
        Sandbox::WrongKind { actual, required, .. } => {
            format!("is {actual}, {required} is required")
        }
        Sandbox::TooLarge { size, limit, .. } => {
            format!("has {size} bytes, {limit} are read at most,")
        }
        Sandbox::Encoding { offset, .. } => format!("is not valid UTF-8 (byte {offset})"),
        // The kind has words of its own; the error would add the number of the system.
        Sandbox::Io { source, .. } => format!("cannot be used: {}", source.kind()),
        Sandbox::Root { problem, .. } => problem.to_string(),
        Sandbox::Journal { reason, .. } => reason.clone(),
        other => format!("cannot be used: {other}"),
    }
}
