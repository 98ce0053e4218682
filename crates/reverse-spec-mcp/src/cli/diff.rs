//! `diff` in the shell: one specification or all of them, for people and for automatic checks.

mod between;
mod format;

use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches};
use mcp_core::cli::{note, print};
use mcp_core::failure::Failure;
use mcp_core::sandbox::RelPath;
use mcp_core::work::Work;
use serde_json::json;

use self::format::Format;
use super::progress::Bar;
use super::{FAILED, FOUND, json_flag};
use crate::domain::diff::{DriftItem, Severity};
use crate::store::drift::{
    self, Comparison, DriftReport, Everything, Narrowing, Specification, Summary,
};
use crate::store::since::changed_files;
use crate::tools::Setting;

pub(super) fn describe() -> clap::Command {
    clap::Command::new("diff")
        .about("Report where code has drifted from its specifications")
        .after_help(
            "Without arguments every specification under specs/ is checked, and code that none is about is named.\n\
             The exit code is 0 when all is well, 1 when there is drift, 2 when nothing could be checked.",
        )
        .arg(Arg::new("spec").value_name("SPEC").help("A .spec.md file"))
        .arg(
            Arg::new("source")
                .value_name("SOURCE")
                .requires("spec")
                .help("What it is about; its front matter says so otherwise"),
        )
        .arg(
            Arg::new("since")
                .long("since")
                .value_name("REF")
                .help("Only what changed since this branch, tag or commit"),
        )
        .arg(
            Arg::new("accept")
                .long("accept")
                .action(ArgAction::SetTrue)
                .conflicts_with("since")
                .help("Record that the specification was reviewed and stands as it is"),
        )
        .arg(
            Arg::new("fail-on")
                .long("fail-on")
                .value_name("SEVERITY")
                .value_parser(PossibleValuesParser::new(["high", "medium", "low", "never"]))
                .default_value("medium")
                .help("From which severity on the exit code is 1"),
        )
        .arg(
            Arg::new("report")
                .long("report")
                .value_name("FILE")
                .requires("spec")
                .help("Write the report as Markdown too, in the project"),
        )
        .arg(
            Arg::new("between")
                .long("between")
                .value_names(["FROM", "TO"])
                .num_args(2)
                .conflicts_with_all(["spec", "since", "accept", "report"])
                .help("Compare two commits or directories; needs no specification, and says which number of the version has to change"),
        )
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .value_parser(PossibleValuesParser::new(Format::WORDS))
                .default_value("text")
                .help("How to print it: for people, programs, code hosts or editors"),
        )
        .arg(json_flag())
}

pub(crate) fn run(setting: &Setting, matches: &ArgMatches) -> Result<ExitCode, Failure> {
    if let Some(states) = matches.get_many::<String>("between") {
        let states: Vec<&String> = states.collect();
        return between::run(setting, matches, states[0], states[1]);
    }
    let spec = matches.get_one::<String>("spec");
    if matches.get_flag("accept") {
        return accept(setting, matches, spec);
    }
    let narrowing = narrowing(setting, matches)?;
    match spec {
        Some(spec) => one(setting, matches, spec, &narrowing),
        None => all(setting, matches, &narrowing),
    }
}

fn narrowing(setting: &Setting, matches: &ArgMatches) -> Result<Narrowing, Failure> {
    let Some(reference) = matches.get_one::<String>("since") else {
        return Ok(Narrowing::default());
    };
    let project = setting.places.target(".")?;
    let root = project.real_root();
    let files = changed_files(&project, reference, &Work::endless())?;
    Ok(Narrowing { files: Some(files.iter().map(|it| root.join(it)).collect()) })
}

/// Where the code is that a specification is about.
fn source_of(setting: &Setting, matches: &ArgMatches, spec: &str) -> Result<String, Failure> {
    if let Some(source) = matches.get_one::<String>("source") {
        return Ok(source.clone());
    }
    let specification = Specification::open(&setting.places, spec)?;
    let path = specification.source()?.ok_or_else(|| {
        Failure::new("no_source", "the specification does not say what it is about")
            .hint("Give the source as the second argument.")
    })?;
    Ok(path.to_string_lossy().into_owned())
}

fn one(
    setting: &Setting,
    matches: &ArgMatches,
    spec: &str,
    narrowing: &Narrowing,
) -> Result<ExitCode, Failure> {
    let source = source_of(setting, matches, spec)?;
    let bar = Bar::new("files compared");
    let (places, clock) = (&setting.places, &setting.clock);
    let mut compared = drift::check(places, spec, &source, narrowing, clock, &bar.work())?;
    drop(bar);
    super::with_model(setting, |model| compared.review(model))?;
    let mut report = compared.report;
    if let Some(file) = matches.get_one::<String>("report") {
        write_report(setting, spec, file, &mut report)?;
    }
    match Format::of(matches) {
        Format::Json => print(&serde_json::to_string_pretty(&report).unwrap_or_default()),
        Format::Text => print(&lines(&report)),
        Format::Markdown => print(&report.markdown()),
        format => print(&format.told(matches, &report.items)),
    }
    Ok(exit_code(matches, &report.items, false))
}

fn write_report(
    setting: &Setting,
    spec: &str,
    file: &str,
    report: &mut DriftReport,
) -> Result<(), Failure> {
    if setting.read_only {
        return Err(Failure::new("read_only", "the report is not written: --read-only is set"));
    }
    let root = setting.places.target(spec)?.root;
    root.write(&RelPath::parse(file)?, report.markdown().as_bytes())?;
    report.output_path = Some(file.to_owned());
    Ok(())
}

fn accept(
    setting: &Setting,
    matches: &ArgMatches,
    spec: Option<&String>,
) -> Result<ExitCode, Failure> {
    let Some(spec) = spec else {
        return Err(Failure::new("no_spec", "--accept needs the specification that was reviewed")
            .hint("Write `diff --accept specs/NAME.spec.md`; each one is reviewed by itself."));
    };
    if setting.read_only {
        return Err(Failure::new("read_only", "nothing is accepted: --read-only is set"));
    }
    let source = source_of(setting, matches, spec)?;
    let bar = Bar::new("files read");
    let written = drift::accept(&setting.places, spec, &source, &setting.clock, &bar.work())?;
    drop(bar);
    if matches.get_flag("json") {
        print(&format!("{:#}", json!({ "accepted": written.as_str() })));
    } else {
        print(&format!(
            "{written} stands as it is; the next comparison starts from the code of now."
        ));
    }
    Ok(ExitCode::SUCCESS)
}

fn all(
    setting: &Setting,
    matches: &ArgMatches,
    narrowing: &Narrowing,
) -> Result<ExitCode, Failure> {
    let bar = Bar::new("files compared");
    let (places, clock) = (&setting.places, &setting.clock);
    let mut reviewed = None;
    super::with_model(setting, |model| {
        let review = |it: &mut Comparison| it.review(model);
        reviewed = Some(drift::check_each(places, narrowing, clock, &bar.work(), &review)?);
        Ok(())
    })?;
    let everything = match reviewed {
        Some(everything) => everything,
        None => drift::check_all(places, narrowing, clock, &bar.work())?,
    };
    drop(bar);
    let reports = || everything.specs.iter().filter_map(|it| it.report.as_ref());
    let items: Vec<DriftItem> = reports().flat_map(|it| it.items.clone()).collect();
    let broken = everything.specs.iter().any(|it| it.problem.is_some());
    match Format::of(matches) {
        Format::Json => {
            let mut json = serde_json::to_value(&everything).unwrap_or_default();
            json["summary"] = serde_json::to_value(Summary::of(&items)).unwrap_or_default();
            print(&format!("{json:#}"));
        }
        Format::Text => tell_all(&everything),
        Format::Markdown => {
            let all: Vec<String> = reports().map(DriftReport::markdown).collect();
            print(&all.join("\n"));
        }
        format => print(&format.told(matches, &items)),
    }
    // A check that looked at nothing must not pass, whatever it would pass otherwise.
    if everything.specs.iter().all(|it| it.problem.is_some()) {
        return Ok(ExitCode::from(FAILED));
    }
    Ok(exit_code(matches, &items, broken))
}

/// What has drifted, then how many did not: those need nobody's eyes.
fn tell_all(everything: &Everything) {
    let mut drifted = 0;
    for checked in &everything.specs {
        match (&checked.report, &checked.problem) {
            (Some(report), _) if report.items.is_empty() => {}
            (Some(report), _) => {
                drifted += 1;
                print(&lines(report));
            }
            (None, Some(problem)) => print(&format!("{}: {problem}\n", checked.spec_path)),
            (None, None) => {}
        }
    }
    let untouched = everything.specs.iter().filter(|it| it.is_untouched).count();
    let checked = everything.specs.iter().filter(|it| it.report.is_some()).count();
    let broken = everything.specs.len() - untouched - checked;
    let plural = if checked == 1 { "" } else { "s" };
    let mut told = vec![
        format!("{checked} specification{plural} checked"),
        format!("{} true to the code", checked - drifted),
        format!("{drifted} drifted"),
    ];
    let rest = [(broken, "could not be checked"), (untouched, "not touched by any change")];
    let rest = rest.into_iter().filter(|(count, _)| *count > 0);
    told.extend(rest.map(|(count, words)| format!("{count} {words}")));
    note(&told.join(", "));
    if !everything.uncovered.is_empty() {
        let shown: Vec<&str> = everything.uncovered.iter().take(10).map(String::as_str).collect();
        let more = everything.uncovered.len() - shown.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        note(&format!("no specification is about {}{more}", shown.join(", ")));
    }
}

/// The severity from which on a check fails; none where it never does.
fn fails_from(matches: &ArgMatches) -> Option<Severity> {
    match matches.get_one::<String>("fail-on").map(String::as_str) {
        Some("high") => Some(Severity::High),
        Some("low") => Some(Severity::Low),
        Some("never") => None,
        _ => Some(Severity::Medium),
    }
}

fn exit_code(matches: &ArgMatches, items: &[DriftItem], broken: bool) -> ExitCode {
    let least = fails_from(matches);
    // The gravest comes first in the order of severities.
    let found = least.is_some_and(|least| broken || items.iter().any(|it| it.severity <= least));
    if found { ExitCode::from(FOUND) } else { ExitCode::SUCCESS }
}

fn lines(report: &DriftReport) -> String {
    let mut lines = vec![format!("{} ← {}", report.spec_path, report.source_path)];
    lines.extend(report.items.iter().map(line));
    lines.extend(report.remarks().map(|it| format!("  {it}")));
    lines.push(format!("  {}\n", report.recommendation));
    lines.join("\n")
}

fn line(item: &DriftItem) -> String {
    let severity = match item.severity {
        Severity::High => "HIGH  ",
        Severity::Medium => "MEDIUM",
        Severity::Low => "LOW   ",
    };
    format!("  {severity}  {}: {}", item.location, item.description)
}
