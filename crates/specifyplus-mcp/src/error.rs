//! What can go wrong for somebody who asks for a command.

use mcp_core::failure::DomainError;
use mcp_core::text;

/// Names beyond these are counted, not listed.
const LISTED_NAMES: usize = 30;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Error {
    /// Word for word what is promised to users, without a hint behind it.
    #[error("Input exceeds maximum allowed size of 100KB")]
    InputTooLarge,
    #[error(
        "the command with this input in {n_places} places would have {size} bytes, and 4194304 are answered at most"
    )]
    AnswerTooLarge { size: usize, n_places: usize },
    #[error("no command is named `{name}`")]
    UnknownCommand { name: String, nearest: Option<String>, known: Vec<String> },
    #[error("`{name}` may stand for {}", text::list_of_names(candidates.iter().map(String::as_str)))]
    AmbiguousCommand { name: String, candidates: Vec<String> },
    #[error("the command `{name}` cannot be used: {file}:{line}: {reason}")]
    SkippedCommand { name: String, file: String, line: usize, reason: String },
    #[error("a command has no argument `{name}`")]
    UnknownArgument { name: String, declared: Vec<String> },
    #[error("the argument `{name}` is not text")]
    ArgumentNotText { name: String },
    #[error("the input was given twice, as `{first}` and as `{second}`")]
    InputTwice { first: String, second: String },
}

impl DomainError for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::InputTooLarge => "input_too_large",
            Self::AnswerTooLarge { .. } => "answer_too_large",
            Self::UnknownCommand { .. } => "unknown_command",
            Self::AmbiguousCommand { .. } => "ambiguous_command",
            Self::SkippedCommand { .. } => "skipped_command",
            Self::UnknownArgument { .. } => "unknown_argument",
            Self::ArgumentNotText { .. } => "argument_not_text",
            Self::InputTwice { .. } => "input_twice",
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::InputTooLarge => None,
            Self::AnswerTooLarge { .. } => Some(
                "Give a shorter input, or have the command file name $ARGUMENTS less often."
                    .to_owned(),
            ),
            Self::UnknownCommand { nearest, known, .. } => {
                Some(what_there_is(nearest.as_ref(), known))
            }
            Self::AmbiguousCommand { .. } => Some("Write the name as it is listed.".to_owned()),
            Self::SkippedCommand { .. } => {
                Some("Correct the file; it is read again with the next request.".to_owned())
            }
            Self::UnknownArgument { declared, .. } if !declared.is_empty() => {
                let names = text::list_of_names(declared.iter().map(String::as_str));
                Some(format!("Give {names}, or the whole input as `arguments`."))
            }
            Self::UnknownArgument { .. } | Self::InputTwice { .. } => {
                Some("Give the whole input as the one argument `arguments`.".to_owned())
            }
            Self::ArgumentNotText { .. } => Some("Give a string.".to_owned()),
        }
    }
}

fn what_there_is(nearest: Option<&String>, known: &[String]) -> String {
    let listed = text::list_of_names(known.iter().take(LISTED_NAMES).map(String::as_str));
    let listed = match known.len() {
        0 => "There are no commands.".to_owned(),
        1 => format!("There is {listed}."),
        2..=LISTED_NAMES => format!("There are {listed}."),
        more => format!("There are {listed}, and {} more.", more - LISTED_NAMES),
    };
    match nearest {
        Some(near) => format!("Did you mean `{near}`? {listed}"),
        None => listed,
    }
}
