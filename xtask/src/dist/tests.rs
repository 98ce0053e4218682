//! Every package in miniature: a few bytes in the place of the executable, the same forms.

use serde_json::Value;

use super::package::{File, Package};
use super::release::Release;
use super::{SERVERS, packed, platform};
use crate::workspace::Workspace;

fn packages() -> Vec<Package> {
    let workspace = Workspace::load().unwrap();
    let platform = platform::of("x86_64-unknown-linux-gnu").unwrap();
    let read = |server| Package::read(&workspace, server, platform, b"\x7fELF".to_vec()).unwrap();
    SERVERS.iter().map(read).collect()
}

fn made() -> Vec<File> {
    packed(&Release::example(), &packages()).unwrap()
}

fn json(files: &[File], path: &str) -> Value {
    let file = files.iter().find(|it| it.path == path).unwrap_or_else(|| panic!("no {path}"));
    serde_json::from_slice(&file.bytes).unwrap()
}

#[test]
fn what_needs_an_owner_is_left_out_while_there_is_none() {
    let files = packed(&Release::default(), &packages()).unwrap();
    let kinds = |kind: &str| files.iter().filter(|it| it.path.starts_with(kind)).count();
    assert_eq!([kinds("wheels/"), kinds("docker/")], [5, 5]);
    assert_eq!([kinds("npm/"), kinds("mcpb/"), kinds("registry/"), kinds("plugins/")], [0; 4]);
}

#[test]
fn packing_twice_gives_the_same_bytes() {
    for (one, other) in made().iter().zip(&made()) {
        assert_eq!(one.path, other.path);
        assert!(one.bytes == other.bytes, "{}", one.path);
    }
}

#[test]
fn npm_has_a_wrapper_and_a_package_of_the_platform_that_name_each_other() {
    use std::io::Read as _;

    let manifest = |file: &File| -> Value {
        let gzip = flate2::read::GzDecoder::new(file.bytes.as_slice());
        let mut archive = tar::Archive::new(gzip);
        let mut entries = archive.entries().unwrap().map(Result::unwrap);
        let found = entries.find(|it| it.path().unwrap().ends_with("package.json"));
        let mut text = String::new();
        found.unwrap().read_to_string(&mut text).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    let files = made();
    for server in &SERVERS {
        let own =
            files.iter().filter(|it| it.path.starts_with(&format!("npm/{}-", server.package)));
        let own: Vec<Value> = own.map(manifest).collect();
        let [wrapper, platform] = own.as_slice() else { panic!("two packages") };
        let name = format!("@example/{}", server.package);
        assert_eq!(wrapper["name"], name);
        assert_eq!(wrapper["mcpName"], format!("com.example/{}", server.package));
        assert_eq!(platform["name"], format!("{name}-linux-x64"));
        let wanted = &wrapper["optionalDependencies"][format!("{name}-linux-x64")];
        assert_eq!(*wanted, platform["version"]);
        assert_eq!(platform["os"], serde_json::json!(["linux"]));
    }
}

#[test]
fn every_server_is_entered_into_every_marketplace_and_its_files_are_there() {
    let files = made();
    for market in ["plugins/.claude-plugin", "plugins/.agents/plugins"] {
        let market = json(&files, &format!("{market}/marketplace.json"));
        let listed = market["plugins"].as_array().unwrap();
        assert_eq!(listed.len(), SERVERS.len());
        for plugin in listed {
            let source = &plugin["source"];
            let path = source.as_str().or_else(|| source["path"].as_str()).unwrap();
            let path = format!("plugins/{}", path.trim_start_matches("./"));
            for manifest in
                [".claude-plugin/plugin.json", ".codex-plugin/plugin.json", "plugin.json"]
            {
                let manifest = json(&files, &format!("{path}/{manifest}"));
                assert_eq!(manifest["name"], plugin["name"]);
            }
            let readme = files.iter().find(|it| it.path == format!("{path}/README.md")).unwrap();
            let words = String::from_utf8_lossy(&readme.bytes).split_whitespace().count();
            assert!(words >= 40, "{path}: {words} words");
        }
    }
}

#[test]
fn a_skill_is_named_like_its_directory_and_says_when_to_use_it() {
    for package in packages() {
        let skill = &package.skill;
        assert!(skill.name.starts_with(package.server.name), "{}", skill.name);
        let text = String::from_utf8_lossy(&skill.files[0].1);
        let description = text.lines().find_map(|it| it.strip_prefix("description: ")).unwrap();
        assert!(description.contains("Use when") && description.len() <= 1024, "{description}");
    }
}

#[test]
fn bundles_and_registry_entries_have_what_their_schemas_demand() {
    for package in packages() {
        let manifest = super::bundle::manifest(&Release::example(), &package);
        for key in ["manifest_version", "name", "version", "description", "author", "server"] {
            assert!(!manifest[key].is_null(), "{key}");
        }
        let command = manifest["server"]["mcp_config"]["command"].as_str().unwrap();
        let entry = manifest["server"]["entry_point"].as_str().unwrap();
        assert_eq!(command, format!("${{__dirname}}/{entry}"));
    }
    let files = made();
    for server in &SERVERS {
        let entry = json(&files, &format!("registry/{}.server.json", server.package));
        super::registry::check(&entry).unwrap();
        let kinds: Vec<&str> = entry["packages"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|it| it["registryType"].as_str())
            .collect();
        assert_eq!(kinds, ["npm", "pypi", "mcpb"]);
    }
}

#[test]
fn the_container_holds_the_executable_alone_and_runs_it_as_nobody() {
    for file in made().iter().filter(|it| it.path.starts_with("docker/")) {
        let text = String::from_utf8_lossy(&file.bytes);
        assert!(text.contains("FROM scratch\n"), "{text}");
        assert!(text.contains("USER 65532:65532\n"), "{text}");
        assert_eq!(text.matches("COPY ").count(), 1, "{text}");
    }
}

#[test]
fn binstall_looks_for_archives_by_the_names_that_dist_gives_them() {
    let workspace = Workspace::load().unwrap();
    for server in &SERVERS {
        let path = workspace.root.join("crates").join(server.package).join("Cargo.toml");
        let manifest = std::fs::read_to_string(path).unwrap();
        let stem = "{ name }-{ version }-{ target }";
        let url =
            format!("pkg-url = \"{{ repo }}/releases/download/v{{ version }}/{stem}.tar.gz\"");
        assert!(manifest.contains(&url), "{}", server.package);
        let inside = format!("bin-dir = \"{stem}/{{ bin }}{{ binary-ext }}\"");
        assert!(manifest.contains(&inside), "{}", server.package);
    }
}
