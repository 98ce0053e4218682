//! Command line arguments of one task: flags, options with a value, and plain words.

use crate::nearest;

/// What a task accepts.
pub(crate) struct Spec {
    pub(crate) flags: &'static [&'static str],
    pub(crate) options: &'static [&'static str],
    pub(crate) positional: bool,
}

impl Spec {
    pub(crate) const NONE: Self = Self { flags: &[], options: &[], positional: false };
}

/// What the user gave.
#[derive(Debug, Default)]
pub(crate) struct Args {
    flags: Vec<String>,
    options: Vec<(String, String)>,
    pub(crate) words: Vec<String>,
}

impl Args {
    pub(crate) fn parse(raw: &[String], spec: &Spec) -> Result<Self, String> {
        let mut args = Self::default();
        let mut rest = raw.iter();
        while let Some(arg) = rest.next() {
            if !arg.starts_with('-') {
                if !spec.positional {
                    return Err(format!("unexpected argument `{arg}`"));
                }
                args.words.push(arg.clone());
                continue;
            }
            let (name, inline) = match arg.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (arg.as_str(), None),
            };
            if spec.options.contains(&name) {
                let value = inline.or_else(|| rest.next().cloned());
                let value = value.ok_or_else(|| format!("`{name}` needs a value"))?;
                args.options.push((name.to_owned(), value));
            } else if spec.flags.contains(&arg.as_str()) {
                args.flags.push(arg.clone());
            } else {
                let known: Vec<&str> = spec.flags.iter().chain(spec.options).copied().collect();
                return Err(nearest::unknown("option", arg, &known));
            }
        }
        Ok(args)
    }

    pub(crate) fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|given| given == flag)
    }

    /// Every value given for an option; `--only a,b` and `--only a --only b` mean the same.
    pub(crate) fn values(&self, option: &str) -> Vec<&str> {
        self.options
            .iter()
            .filter(|(name, _)| name == option)
            .flat_map(|(_, value)| value.split(','))
            .filter(|value| !value.is_empty())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Args, Spec};

    const SPEC: Spec = Spec { flags: &["--check"], options: &["--only"], positional: false };

    fn parse(line: &str) -> Result<Args, String> {
        let raw: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Args::parse(&raw, &SPEC)
    }

    #[test]
    fn an_option_may_be_repeated_or_separated_by_commas() {
        let args = parse("--only fmt,clippy --only=docs").unwrap();
        assert_eq!(args.values("--only"), ["fmt", "clippy", "docs"]);
        assert!(!args.has("--check"));
    }

    #[test]
    fn an_unknown_option_suggests_the_nearest() {
        let message = parse("--chekc").unwrap_err();
        assert!(message.contains("`--chekc`") && message.contains("did you mean `--check`"));
    }

    #[test]
    fn an_option_without_its_value_is_refused() {
        assert_eq!(parse("--only").unwrap_err(), "`--only` needs a value");
    }

    #[test]
    fn a_plain_word_is_refused_where_none_is_expected() {
        assert_eq!(parse("fmt").unwrap_err(), "unexpected argument `fmt`");
    }
}
