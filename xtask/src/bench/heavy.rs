//! Heavy work: what one server does with much, held against a budget of its own.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use super::{one_file, records};
use crate::Result;

/// A server's measurement, made with its executable; the flag asks for a small one.
pub(super) struct Heavy {
    pub(super) server: &'static str,
    pub(super) measure: fn(&Path, bool) -> Result<Vec<HeavyFigure>>,
}

pub(super) const HEAVY: &[Heavy] = &[
    Heavy { server: "preflights", measure: records::measure },
    Heavy { server: "elspais", measure: one_file::measure },
];

pub(super) struct HeavyFigure {
    pub(super) name: String,
    /// Nothing for what takes room and not time.
    pub(super) took: Duration,
    pub(super) budget: Budget,
}

pub(super) enum Budget {
    AtMost(Duration),
    /// So many times what something plainer took in the same run.
    Times {
        at_most: f64,
        plain: Duration,
        of: &'static str,
    },
    /// So many times the megabytes that it works on.
    Room {
        at_most: f64,
        megabytes: f64,
        of: f64,
    },
}

impl HeavyFigure {
    pub(super) fn is_over(&self) -> bool {
        match self.budget {
            Budget::AtMost(most) => self.took > most,
            Budget::Times { at_most, plain, .. } => self.took > plain.mul_f64(at_most),
            Budget::Room { at_most, megabytes, of } => megabytes > of * at_most,
        }
    }

    fn row(&self) -> String {
        let took = match self.budget {
            Budget::Room { megabytes, .. } => format!("{megabytes:.0} MB"),
            _ => millis(self.took),
        };
        let budget = match &self.budget {
            Budget::AtMost(most) => format!("at most {}", millis(*most)),
            Budget::Times { at_most, plain, of } => {
                let ratio = self.took.as_secs_f64() / plain.as_secs_f64();
                format!("{ratio:.2}× {of} ({}), at most {at_most:.1}×", millis(*plain))
            }
            Budget::Room { at_most, megabytes, of } => {
                format!("{:.2}× the text ({of:.0} MB), at most {at_most:.1}×", megabytes / of)
            }
        };
        let verdict = if self.is_over() { "over" } else { "ok" };
        format!("| {} | {took} | {budget} | {verdict} |", self.name)
    }
}

pub(super) fn table(figures: &[HeavyFigure]) -> String {
    let mut out = "| work | p50 | budget | |\n| --- | --- | --- | --- |\n".to_owned();
    for figure in figures {
        let _ = writeln!(out, "{}", figure.row());
    }
    out
}

fn millis(duration: Duration) -> String {
    format!("{:.2} ms", duration.as_secs_f64() * 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_absolute_or_times_something_plainer() {
        let figure = |millis, budget| HeavyFigure {
            name: "work".to_owned(),
            took: Duration::from_millis(millis),
            budget,
        };
        let plain = Duration::from_millis(10);
        let times = |of| Budget::Times { at_most: 2.0, plain, of };
        let figures = [figure(15, times("reading")), figure(6, Budget::AtMost(plain / 2))];
        assert_eq!(
            table(&figures).lines().skip(2).collect::<Vec<_>>(),
            [
                "| work | 15.00 ms | 1.50× reading (10.00 ms), at most 2.0× | ok |",
                "| work | 6.00 ms | at most 5.00 ms | over |",
            ]
        );
        assert!(!figures[0].is_over() && figures[1].is_over());
    }
}
