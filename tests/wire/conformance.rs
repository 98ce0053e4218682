//! The official conformance suite: all of it against the example server, and what needs no
//! prescribed tools against each of the five.

use std::path::PathBuf;
use std::time::Duration;

use plumbline_tests::bins::{self, Server};
use plumbline_tests::http::{HttpServer, Session};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::runtimes::{self, Runtime};
use crate::start::{self, NEWEST_HANDSHAKE};

const SUITE: &str = "node_modules/@modelcontextprotocol/conformance/dist/index.js";

/// A scenario that needs nothing prescribed, and what a server must have for it to make sense.
struct Scenario {
    name: &'static str,
    version: &'static str,
    needs: &'static [&'static str],
}

const fn scenario(
    name: &'static str,
    version: &'static str,
    needs: &'static [&'static str],
) -> Scenario {
    Scenario { name, version, needs }
}

/// Not a capability: the scenario calls a tool, whichever it is.
const A_TOOL: &str = "at least one tool";

/// Not a capability of its own: the extension is declared, and there is a skill to look at.
const A_SKILL: &str = "at least one skill";

const SCENARIOS: [Scenario; 21] = [
    scenario("server-initialize", "2025-11-25", &[]),
    scenario("ping", "2025-11-25", &[]),
    scenario("dns-rebinding-protection", "2025-11-25", &[]),
    scenario("server-sse-multiple-streams", "2025-11-25", &[]),
    scenario("tools-list", "2025-11-25", &["tools"]),
    scenario("prompts-list", "2025-11-25", &["prompts"]),
    scenario("resources-list", "2025-11-25", &["resources"]),
    scenario("server-stateless", "2026-07-28", &[]),
    scenario("dns-rebinding-protection", "2026-07-28", &[]),
    scenario("server-sse-multiple-streams", "2026-07-28", &[]),
    scenario("http-header-validation", "2026-07-28", &[A_TOOL]),
    scenario("caching", "2026-07-28", &["tools", "prompts", "resources"]),
    scenario("tools-list", "2026-07-28", &["tools"]),
    scenario("prompts-list", "2026-07-28", &["prompts"]),
    scenario("resources-list", "2026-07-28", &["resources"]),
    scenario("sep-2164-resource-not-found", "2026-07-28", &["resources"]),
    scenario("sep-2640-skills-enumeration", "2025-11-25", &[A_SKILL]),
    scenario("sep-2640-skills-enumeration", "2026-07-28", &[A_SKILL]),
    scenario("sep-2640-skills-directory", "2025-11-25", &[A_SKILL]),
    scenario("sep-2640-skills-directory", "2026-07-28", &[A_SKILL]),
    scenario("sep-2640-skills-manifest", "2026-07-28", &[A_SKILL]),
];

/// The committed list of expected failures. An entry that begins to pass fails the run too.
fn baseline(name: &str) -> String {
    let path: PathBuf =
        bins::workspace().join("tests").join("conformance").join(name).with_extension("yml");
    path.to_str().expect("the repository's path is text").to_owned()
}

/// Runs the suite with these arguments; returns what it printed when it was not content.
async fn verdict(node: &Runtime, server: &HttpServer, args: &[&str]) -> Result<(), String> {
    let url = server.url();
    let mut all = vec!["server", "--url", &url];
    all.extend_from_slice(args);
    let output = node.run(SUITE, &all, Duration::from_mins(5)).await;
    if output.status.success() {
        return Ok(());
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("conformance {args:?}\n{printed}{said}"))
}

async fn assert_requirements_met(revision: &str) {
    let Some(node) = runtimes::node() else { return };
    let _machine = start::alone().await;
    let server = start::http(&[]).await;
    let expected = baseline(&format!("everything-{revision}"));
    let args = ["--requirements", revision, "--expected-failures", &expected];
    if let Err(report) = verdict(node, &server, &args).await {
        panic!("{report}");
    }
}

#[tokio::test]
async fn the_requirements_of_2025_11_25_are_met() {
    assert_requirements_met("2025-11-25").await;
}

#[tokio::test]
async fn the_requirements_of_2026_07_28_are_met() {
    assert_requirements_met("2026-07-28").await;
}

/// What the server declares, and whether it lists a tool and a skill.
async fn offers(server: &HttpServer) -> (Value, bool, bool) {
    let mut session = Session::open(server.connect().await, NEWEST_HANDSHAKE, json!({})).await;
    let listed = session.request("tools/list", json!({})).await;
    let has_tool = listed.result()["tools"].as_array().is_some_and(|tools| !tools.is_empty());
    let declared = session.initialized["capabilities"].clone();
    let has_skill = declared["extensions"]["io.modelcontextprotocol/skills"].is_object() && {
        let listed = session.request("skills/list", json!({})).await;
        listed.result()["skills"].as_array().is_some_and(|skills| !skills.is_empty())
    };
    (declared, has_tool, has_skill)
}

/// What went wrong in the scenarios of what a server declares, one after the other.
async fn complaints(node: &'static Runtime, server: &'static Server) -> Vec<String> {
    let running = HttpServer::start(&server.path(), &[]).await;
    let (declared, has_tool, has_skill) = offers(&running).await;
    let own = PathBuf::from(baseline(server.binary));
    let expected = baseline(if own.exists() { server.binary } else { "servers" });
    let mut complaints = Vec::new();
    for Scenario { name, version, needs } in SCENARIOS {
        let has = |need: &&str| match *need {
            A_TOOL => has_tool,
            A_SKILL => has_skill,
            capability => declared.get(capability).is_some(),
        };
        if !needs.iter().all(has) {
            continue;
        }
        let mut args =
            vec!["--scenario", name, "--spec-version", version, "--expected-failures", &expected];
        if needs.contains(&A_SKILL) {
            // Scenarios of extensions are run only when asked for by force.
            args.push("--force");
        }
        if let Err(report) = verdict(node, &running, &args).await {
            complaints.push(format!("{}: {report}", server.binary));
        }
    }
    complaints
}

#[tokio::test]
async fn each_server_passes_the_scenarios_of_what_it_declares() {
    let Some(node) = runtimes::node() else { return };
    let _machine = start::alone().await;
    // Most of a scenario is Node starting, on one core each.
    let servers: JoinSet<_> = bins::SERVERS.iter().map(|it| complaints(node, it)).collect();
    let complaints = servers.join_all().await.concat();
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}
