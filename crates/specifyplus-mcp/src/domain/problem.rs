//! A problem of a command file: what the loader tolerates, and `lint` reports.

/// What is wrong; the code is what a CI job may look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    FrontMatter,
    Malformed,
    Encoding,
    TooLarge,
    NotAFile,
    Outside,
    Unreadable,
    Vanished,
    FileName,
    NoDescription,
    BadField,
    BadHandoff,
    DanglingHandoff,
    NoDirectory,
    PassedOver,
    ShellLine,
    FileMention,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) kind: Kind,
    /// The line of the file, counted from 1.
    pub(crate) line: usize,
    pub(crate) message: String,
}

impl Kind {
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::FrontMatter => "malformed_front_matter",
            Self::Malformed => "malformed_file",
            Self::Encoding => "not_utf8",
            Self::TooLarge => "too_large",
            Self::NotAFile => "not_a_file",
            Self::Outside => "leads_outside",
            Self::Unreadable => "unreadable",
            Self::Vanished => "vanished",
            Self::FileName => "bad_file_name",
            Self::NoDescription => "missing_description",
            Self::BadField => "bad_field",
            Self::BadHandoff => "bad_handoff",
            Self::DanglingHandoff => "dangling_handoff",
            Self::NoDirectory => "missing_directory",
            Self::PassedOver => "passed_over",
            Self::ShellLine => "shell_line",
            Self::FileMention => "file_mention",
        }
    }

    /// Whether the command is lost, rather than served with something missing.
    pub(crate) fn loses_command(self) -> bool {
        match self {
            Self::FrontMatter
            | Self::Malformed
            | Self::Encoding
            | Self::TooLarge
            | Self::NotAFile
            | Self::Outside
            | Self::Unreadable
            | Self::Vanished
            | Self::FileName
            | Self::NoDirectory => true,
            Self::NoDescription
            | Self::BadField
            | Self::BadHandoff
            | Self::DanglingHandoff
            | Self::PassedOver
            | Self::ShellLine
            | Self::FileMention => false,
        }
    }

    /// Whether it is worth knowing without being wrong.
    pub(crate) fn is_remark(self) -> bool {
        matches!(self, Self::PassedOver | Self::ShellLine | Self::FileMention)
    }
}

impl Problem {
    pub(crate) fn new(kind: Kind, line: usize, message: impl Into<String>) -> Self {
        Self { kind, line, message: message.into() }
    }
}
