//! Everything that can go wrong, with the texts of the contract and what to do about each.

use mcp_core::failure::{DomainError, Failure};
use mcp_core::git::GitError;
use mcp_core::sandbox;
use mcp_core::text;
use mcp_core::work::Cancelled;

/// What a text begins with where no model is configured, as the contract words it.
pub(crate) const NO_KEY: &str = "未检测到 ANTHROPIC_API_KEY";

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("目标路径不存在: {path}")]
    TargetMissing { path: String },
    #[error("AST 解析失败，建议使用 --deep 模式")]
    NothingParsed {
        reasons: Vec<String>,
        /// Whether there is a text that `deep` would show.
        is_text: bool,
    },
    #[error("不支持的文件类型: {path}")]
    Unsupported {
        path: String,
        /// Every extension that is read.
        readable: Vec<&'static str>,
    },
    #[error("目标路径中未找到源代码文件: {path}")]
    NoSources {
        path: String,
        /// Every extension that is read.
        readable: Vec<&'static str>,
    },
    #[error("目标路径不在允许的范围内: {path}")]
    OutsideRoots { path: String },
    #[error("目标路径不存在: {path}")]
    SpecMissing { path: String },
    #[error("Spec 文件中没有可读的基线: {path}")]
    NoBaseline { path: String, reason: String },
    #[error("Spec 不涵盖该源路径: {path}")]
    NotCovered { path: String, covers: String },
    #[error("没有可检查的 Spec: {path}")]
    NothingChecked { path: String },
    #[error("{0}")]
    Files(#[from] sandbox::Error),
    #[error("{0}")]
    Git(#[from] GitError),
    #[error("项目根目录不是目录: {path}")]
    NotADirectory { path: String },
    #[error("输出目录不在项目之内: {path}")]
    OutputOutside { path: String },
    #[error("输出目录不是目录: {path}")]
    OutputIsFile { path: String },
    #[error("{provider} API 返回 {status}: {}", status_words(*.status))]
    ModelStatus { provider: String, status: u16 },
    #[error("{provider} API 调用失败: {reason}")]
    ModelFailed { provider: String, reason: String },
    #[error("{}", NO_KEY)]
    NoCredentials,
    #[error("the call was cancelled")]
    Cancelled,
}

impl From<Cancelled> for Error {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl DomainError for Error {
    fn code(&self) -> &'static str {
        match self {
            Self::TargetMissing { .. } => "target_missing",
            Self::NothingParsed { .. } => "nothing_parsed",
            Self::Unsupported { .. } => "unsupported_file",
            Self::NoSources { .. } => "no_sources",
            Self::OutsideRoots { .. } => "outside_roots",
            Self::SpecMissing { .. } => "spec_missing",
            Self::NoBaseline { .. } => "no_baseline",
            Self::NotADirectory { .. } => "not_a_directory",
            Self::OutputOutside { .. } => "output_outside",
            Self::OutputIsFile { .. } => "output_is_file",
            Self::ModelStatus { .. } | Self::ModelFailed { .. } => "model_failed",
            Self::NoCredentials => "no_credentials",
            Self::NotCovered { .. } => "not_covered",
            Self::NothingChecked { .. } => "nothing_checked",
            Self::Files(error) => error.code(),
            Self::Git(error) => error.code(),
            Self::Cancelled => Failure::CANCELLED,
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::TargetMissing { .. } => {
                "The path does not exist. Give a file or a directory, absolute or relative to the working directory of the server.".to_owned()
            }
            Self::NothingParsed { reasons, is_text } => {
                let shown: Vec<&str> = reasons.iter().take(5).map(String::as_str).collect();
                let more = reasons.len().saturating_sub(shown.len());
                let more = if more == 0 { String::new() } else { format!(" … and {more} more") };
                let instead = if *is_text {
                    "Mend the source, or call prepare with deep: true to get the text itself."
                } else {
                    "Name a file that is source code, or a directory with others in it."
                };
                let shown = shown.join("; ");
                format!("Not one declaration could be read: {shown}{more}. {instead}")
            }
            Self::Unsupported { readable, .. } => format!(
                "This kind of file is not read. Readable extensions: {}.",
                readable.join(" ")
            ),
            Self::NoSources { readable, .. } => format!(
                "No source file was found there that git does not ignore. Readable extensions: {}.",
                readable.join(" ")
            ),
            Self::OutsideRoots { .. } => {
                "The path lies outside of what this server may read. Start it with --root naming a directory above it.".to_owned()
            }
            Self::SpecMissing { .. } => {
                "The specification does not exist. Write it with generate first, or give the path of an existing .spec.md file.".to_owned()
            }
            Self::NoBaseline { reason, .. } => format!(
                "There is nothing to compare with: {}. Write the specification anew with generate.",
                text::one_line(reason)
            ),
            Self::NotADirectory { .. } => {
                "The project root is a file. Give the directory that holds the project.".to_owned()
            }
            Self::OutputOutside { .. } => {
                "The output directory has to lie inside the project. Start the server with --root naming a directory above both to allow more.".to_owned()
            }
            Self::OutputIsFile { .. } => {
                "There is a file in the place of the output directory. Move it away, or let generate write into another outputDir.".to_owned()
            }
            Self::ModelStatus { status: 401 | 403, .. } => {
                "The service refused the key. Check ANTHROPIC_API_KEY where the server is started; nothing was written.".to_owned()
            }
            Self::ModelStatus { status: 404, .. } => {
                "The service knows no such model or address. Check REVERSE_SPEC_MODEL and the address of the service; nothing was written.".to_owned()
            }
            Self::ModelStatus { status: 400 | 413 | 422, .. } => {
                "The service did not take the request; nothing was written. If it was too large, set REVERSE_SPEC_TOKEN_BUDGET to a smaller number; if the model does not fit the service, set REVERSE_SPEC_MODEL.".to_owned()
            }
            Self::ModelStatus { .. } | Self::ModelFailed { .. } => {
                "Nothing was written. Try again later, or set REVERSE_SPEC_LLM=off to write the specification from the code alone.".to_owned()
            }
            Self::NoCredentials => {
                "REVERSE_SPEC_LLM=required asks for a language model and none is configured. Set ANTHROPIC_API_KEY, set REVERSE_SPEC_LLM_PROVIDER=claude to use the `claude` command line, or set REVERSE_SPEC_LLM=auto.".to_owned()
            }
            Self::NotCovered { covers, .. } => format!(
                "The specification is about `{covers}`, none of which lies in that source path. Give the path it was generated from."
            ),
            Self::NothingChecked { .. } => {
                "There is no .spec.md file in that directory of the project. Write some with generate or batch first.".to_owned()
            }
            Self::Files(error @ sandbox::Error::Io { .. }) => error.hint().unwrap_or_else(|| {
                "The system did not allow it. Check permissions and free space there, or name another place.".to_owned()
            }),
            Self::Files(error) => return error.hint(),
            Self::Git(error) => return error.hint(),
            Self::Cancelled => return None,
        };
        Some(hint)
    }
}

/// The words of the contract for a status.
fn status_words(status: u16) -> &'static str {
    match status {
        400 => "请求无效",
        401 => "认证失败",
        403 => "没有权限",
        404 => "模型或地址不存在",
        413 => "请求过大",
        429 => "速率限制",
        529 => "服务过载",
        500..=599 => "服务器错误",
        _ => "请求失败",
    }
}

/// The text of a failed call: the tool, what went wrong, and on the next line what to do.
pub(crate) fn rendered(tool: &str, failure: &Failure) -> String {
    let internal = if failure.code == Failure::INTERNAL { "内部错误: " } else { "" };
    format!("{tool} 失败: {internal}{}", failure.text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_begins_with_its_tool_and_ends_with_what_to_do() {
        let failure = Failure::from(Error::TargetMissing { path: "src/x".to_owned() });
        let text = rendered("batch", &failure);
        assert!(
            text.starts_with("batch 失败: 目标路径不存在: src/x\nThe path does not exist."),
            "{text}"
        );
    }

    #[test]
    fn a_bug_of_ours_is_told_as_internal_with_its_incident() {
        let failure =
            Failure::new(Failure::INTERNAL, "it broke (incident 7-1)").hint("See the log.");
        let expected = "prepare 失败: 内部错误: it broke (incident 7-1)\nSee the log.";
        assert_eq!(rendered("prepare", &failure), expected);
    }

    #[test]
    fn what_trying_again_would_not_help_is_not_to_be_tried_again() {
        let hint = |status| {
            Error::ModelStatus { provider: "Claude".to_owned(), status }.hint().unwrap_or_default()
        };
        assert!(hint(429).contains("Try again later"));
        assert!(hint(404).contains("REVERSE_SPEC_MODEL") && !hint(404).contains("again later"));
        assert!(hint(413).contains("REVERSE_SPEC_TOKEN_BUDGET"));
        assert!(hint(401).contains("ANTHROPIC_API_KEY"));
    }

    #[test]
    fn what_the_system_refuses_has_a_hint_too() {
        let source = std::io::ErrorKind::PermissionDenied.into();
        let error = sandbox::Error::Io { verb: "create", path: "specs".to_owned(), source };
        let text = rendered("generate", &Failure::from(Error::from(error)));
        assert!(text.starts_with("generate 失败: cannot create `specs`: "), "{text}");
        assert!(text.ends_with("Check permissions and free space there, or name another place."));
    }

    #[test]
    fn many_reasons_are_counted_rather_than_listed() {
        let reasons = (0..9).map(|it| format!("f{it}.ts:1:0: x")).collect();
        let hint = Error::NothingParsed { reasons, is_text: true }.hint().unwrap();
        assert!(hint.contains("f4.ts:1:0: x … and 4 more"), "{hint}");
    }
}
