//! What a check found, in the forms that editors, build servers and code hosts read.

use serde_json::{Value, json};

use crate::text;

/// One thing at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Which rule it is about, such as `broken_reference`.
    pub rule: String,
    /// Whether it fails the check; otherwise it is worth knowing.
    pub fails: bool,
    /// What is wrong, for people; may have several lines.
    pub message: String,
    /// Relative to the project, with slashes; empty where it is about the project as a whole.
    pub path: String,
    /// Counted from 1.
    pub line: u32,
}

/// Everything a check found, and who looked.
///
/// ```
/// use mcp_core::findings::{Findings, Found};
///
/// let found = Found {
///     rule: "broken_reference".to_owned(),
///     fails: true,
///     message: "REQ-d00001 does not exist".to_owned(),
///     path: "src/a.py".to_owned(),
///     line: 3,
/// };
/// let findings = Findings { tool: "elspais", version: "1.0.0", found: vec![found] };
/// assert_eq!(
///     findings.github(),
///     "::error file=src/a.py,line=3,title=broken_reference::REQ-d00001 does not exist\n"
/// );
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    /// The name of the program that looked, as reports show it.
    pub tool: &'static str,
    /// The version of that program.
    pub version: &'static str,
    /// In the order in which reports list them; empty when all is well.
    pub found: Vec<Found>,
}

impl Findings {
    /// SARIF 2.1.0, for code hosts and editors.
    pub fn sarif(&self) -> Value {
        let mut rules: Vec<&str> = self.found.iter().map(|it| it.rule.as_str()).collect();
        rules.sort_unstable();
        rules.dedup();
        let results: Vec<Value> = self
            .found
            .iter()
            .map(|it| {
                let mut result = json!({
                    "ruleId": it.rule,
                    "ruleIndex": rules.binary_search(&it.rule.as_str()).unwrap_or(0),
                    "level": if it.fails { "error" } else { "note" },
                    "message": { "text": it.message },
                });
                if !it.path.is_empty() {
                    result["locations"] = json!([{
                        "physicalLocation": {
                            "artifactLocation": { "uri": as_uri(&it.path), "uriBaseId": "%SRCROOT%" },
                            "region": { "startLine": it.line.max(1) },
                        },
                    }]);
                }
                result
            })
            .collect();
        let rules: Vec<Value> = rules.into_iter().map(|id| json!({ "id": id })).collect();
        json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": { "name": self.tool, "version": self.version, "rules": rules } },
                "columnKind": "utf16CodeUnits",
                "results": results,
            }],
        })
    }

    /// `JUnit` XML, for build servers: one failed case for each failure.
    pub fn junit(&self) -> String {
        let tool = as_xml(self.tool);
        let case = |it: &Found| {
            let (rule, message) = (as_xml(&it.rule), as_xml(&it.message));
            let (path, line) = (as_xml(&it.path), it.line);
            format!(
                "<testcase classname=\"{tool}.{rule}\" name=\"{path}:{line}: {message}\" file=\"{path}\" line=\"{line}\">\
                 <failure type=\"{rule}\" message=\"{message}\">{path}:{line}</failure></testcase>\n"
            )
        };
        let mut cases: Vec<String> = self.found.iter().filter(|it| it.fails).map(case).collect();
        let failed = cases.len();
        if cases.is_empty() {
            cases.push(format!("<testcase classname=\"{tool}\" name=\"check\"/>\n"));
        }
        let tests = cases.len();
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n\
             <testsuite name=\"{tool}\" tests=\"{tests}\" failures=\"{failed}\">\n{}</testsuite>\n</testsuites>\n",
            cases.concat()
        )
    }

    /// Commands that GitHub Actions turns into annotations.
    pub fn github(&self) -> String {
        let line = |it: &Found| {
            let word = if it.fails { "error" } else { "notice" };
            let title = as_property(&it.rule);
            let place = if it.path.is_empty() {
                String::new()
            } else {
                format!("file={},line={},", as_property(&it.path), it.line.max(1))
            };
            format!("::{word} {place}title={title}::{}\n", as_data(&it.message))
        };
        self.found.iter().map(line).collect()
    }

    /// A table for people, to be put into a comment or a summary.
    pub fn markdown(&self) -> String {
        if self.found.is_empty() {
            return format!("{}: nothing was found.\n", self.tool);
        }
        let row = |it: &Found| {
            let word = if it.fails { "error" } else { "note" };
            let place = match it.path.as_str() {
                "" => String::new(),
                path => format!("{path}:{}", it.line),
            };
            let (place, message) = (as_cell(&place), as_cell(&it.message));
            format!("| {word} | {place} | {message} ({}) |\n", as_cell(&it.rule))
        };
        let rows: String = self.found.iter().map(row).collect();
        format!("| | place | what |\n| --- | --- | --- |\n{rows}")
    }
}

/// A relative path as a relative reference of RFC 3986.
fn as_uri(path: &str) -> String {
    let each = path.bytes().map(|byte| {
        // A colon in the first part would make it a scheme.
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    });
    each.collect::<Vec<_>>().concat()
}

fn as_xml(words: &str) -> String {
    let words = text::one_line(words);
    let mut xml = String::with_capacity(words.len());
    for letter in words.chars() {
        match letter {
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '&' => xml.push_str("&amp;"),
            '"' => xml.push_str("&quot;"),
            '\'' => xml.push_str("&apos;"),
            // What XML cannot hold even in a reference.
            '\u{fffe}' | '\u{ffff}' => xml.push('\u{fffd}'),
            other => xml.push(other),
        }
    }
    xml
}

fn as_data(words: &str) -> String {
    words.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn as_property(words: &str) -> String {
    as_data(words).replace(':', "%3A").replace(',', "%2C")
}

fn as_cell(words: &str) -> String {
    text::one_line(words).replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hostile() -> Findings {
        let found = |path: &str, message: &str, fails| Found {
            rule: "odd".to_owned(),
            fails,
            message: message.to_owned(),
            path: path.to_owned(),
            line: 0,
        };
        Findings {
            tool: "probe",
            version: "1.0.0",
            found: vec![
                found("a b/ü:%.md", "x | <b> & \"y\"\n::error::z %0A", true),
                found("", "about everything", false),
            ],
        }
    }

    #[test]
    fn nothing_in_a_message_or_a_path_breaks_out_of_its_form() {
        let findings = hostile();
        assert_eq!(
            findings.github(),
            "::error file=a b/ü%3A%25.md,line=1,title=odd::x | <b> & \"y\"%0A::error::z %250A\n::notice title=odd::about everything\n"
        );
        assert_eq!(findings.markdown().lines().count(), 4);
        assert!(findings.markdown().contains("x \\| &lt;b> & \"y\""));
        let junit = findings.junit();
        assert!(junit.contains("tests=\"1\" failures=\"1\""), "{junit}");
        assert!(junit.contains("x | &lt;b&gt; &amp; &quot;y&quot;"), "{junit}");
        assert_eq!(junit.lines().count(), 6);
    }

    #[test]
    fn sarif_names_rules_once_and_places_as_references() {
        let sarif = hostile().sarif();
        let run = &sarif["runs"][0];
        assert_eq!(run["tool"]["driver"]["rules"], json!([{ "id": "odd" }]));
        let place = &run["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "a%20b/%C3%BC%3A%25.md");
        assert_eq!(place["region"]["startLine"], 1);
        assert_eq!(run["results"][1]["level"], "note");
        assert!(run["results"][1]["locations"].is_null());
    }

    #[test]
    fn with_nothing_found_every_form_says_so() {
        let nothing = Findings { tool: "probe", version: "1.0.0", found: Vec::new() };
        assert!(nothing.junit().contains("<testcase classname=\"probe\" name=\"check\"/>"));
        assert_eq!(nothing.github(), "");
        assert!(nothing.markdown().contains("nothing was found"));
        assert_eq!(nothing.sarif()["runs"][0]["results"], json!([]));
    }
}
