//! The graph for other programs: the same records in the form each of them reads.
//!
//! Whatever the form, an export says nothing the files do not say, and the same files give the
//! same bytes.

mod csv;
mod matrix;
mod needs;
mod record;
mod reqif;
#[cfg(test)]
mod tests;

pub(crate) use record::Export;

/// What an export is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Json,
    Csv,
    /// `needs.json`, as sphinx-needs imports it.
    Needs,
    ReqIf,
    /// Requirement by code, test and result, as CSV.
    Matrix,
}

impl Form {
    pub(crate) const ALL: [(&'static str, Self); 5] = [
        ("json", Self::Json),
        ("csv", Self::Csv),
        ("needs", Self::Needs),
        ("reqif", Self::ReqIf),
        ("matrix", Self::Matrix),
    ];
}

impl Export {
    pub(crate) fn write(&self, form: Form) -> String {
        match form {
            Form::Json => json(self),
            Form::Csv => csv::requirements(self),
            Form::Needs => json(&needs::Needs::of(self)),
            Form::ReqIf => reqif::write(self),
            Form::Matrix => matrix::write(self),
        }
    }
}

fn json(value: &impl serde::Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
