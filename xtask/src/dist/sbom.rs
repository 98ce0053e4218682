//! What a server is made of, as `CycloneDX` 1.6: every crate that is linked into it, with its version,
//! licence and checksum. The same sources give the same bytes.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::Result;
use crate::workspace::Workspace;
use crate::{files, run};

/// Everything that cargo knows of one platform, asked for once.
pub(super) struct Bill {
    metadata: Value,
    checksums: BTreeMap<(String, String), String>,
}

impl Bill {
    pub(super) fn read(workspace: &Workspace, target: &str) -> Result<Self> {
        let mut command = workspace.cargo();
        command.args([
            "metadata",
            "--format-version",
            "1",
            "--locked",
            "--filter-platform",
            target,
        ]);
        let metadata = serde_json::from_str(&run::quietly(&mut command)?)?;
        let lock = files::read_text(&workspace.root.join("Cargo.lock"))?;
        Ok(Self { metadata, checksums: checksums(&lock) })
    }

    /// The bill of one server.
    pub(super) fn of(&self, package: &str) -> Result<String> {
        let packages = list(&self.metadata["packages"]);
        let by_id: BTreeMap<&str, &Value> =
            packages.iter().map(|it| (word(&it["id"]), *it)).collect();
        let top = packages
            .iter()
            .find(|it| it["name"] == package && it["source"].is_null())
            .ok_or_else(|| format!("cargo knows no package {package}"))?;
        let linked = self.linked(word(&top["id"]));
        let mut components = Vec::new();
        let mut dependencies = Vec::new();
        for (id, uses) in &linked {
            let Some(found) = by_id.get(id.as_str()) else { continue };
            if id.as_str() != word(&top["id"]) {
                components.push(self.component(found));
            }
            let uses = uses.iter().filter_map(|it| by_id.get(it.as_str())).map(|it| purl(it));
            let uses: BTreeSet<String> = uses.collect();
            dependencies.push(json!({ "ref": purl(found), "dependsOn": uses }));
        }
        components.sort_by_key(|it| word(&it["bom-ref"]).to_owned());
        dependencies.sort_by_key(|it| word(&it["ref"]).to_owned());
        let bill = json!({
            "bomFormat": "CycloneDX",
            "specVersion": "1.6",
            "version": 1,
            "metadata": { "component": {
                "type": "application",
                "bom-ref": purl(top),
                "name": package,
                "version": top["version"],
                "licenses": licences(top),
            } },
            "components": components,
            "dependencies": dependencies,
        });
        Ok(format!("{bill:#}\n"))
    }

    /// What is reached by ordinary dependencies, each with what it uses itself.
    fn linked(&self, top: &str) -> BTreeMap<String, Vec<String>> {
        let nodes = list(&self.metadata["resolve"]["nodes"]);
        let nodes: BTreeMap<&str, &Value> = nodes.iter().map(|it| (word(&it["id"]), *it)).collect();
        let mut linked = BTreeMap::new();
        let mut open = vec![top.to_owned()];
        while let Some(id) = open.pop() {
            if linked.contains_key(&id) {
                continue;
            }
            let deps = nodes.get(id.as_str()).map(|it| list(&it["deps"])).unwrap_or_default();
            let uses: Vec<String> = deps
                .iter()
                .filter(|it| list(&it["dep_kinds"]).iter().any(|kind| kind["kind"].is_null()))
                .map(|it| word(&it["pkg"]).to_owned())
                .collect();
            open.extend(uses.iter().cloned());
            linked.insert(id, uses);
        }
        linked
    }

    fn component(&self, package: &Value) -> Value {
        let (name, version) = (word(&package["name"]), word(&package["version"]));
        let mut component = json!({
            "type": "library",
            "bom-ref": purl(package),
            "name": name,
            "version": version,
            "licenses": licences(package),
            "purl": purl(package),
        });
        if let Some(sum) = self.checksums.get(&(name.to_owned(), version.to_owned())) {
            component["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
        }
        component
    }
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> Vec<&Value> {
    value.as_array().map(|it| it.iter().collect()).unwrap_or_default()
}

fn purl(package: &Value) -> String {
    format!("pkg:cargo/{}@{}", word(&package["name"]), word(&package["version"]))
}

fn licences(package: &Value) -> Value {
    match package["license"].as_str() {
        // An older way to say `or`.
        Some(expression) => json!([{ "expression": expression.replace('/', " OR ") }]),
        None => json!([]),
    }
}

/// The checksums of a lock file by name and version.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let mut sums = BTreeMap::new();
    for block in lock.split("[[package]]").skip(1) {
        let field = |name: &str| {
            let line = block.lines().find_map(|it| it.strip_prefix(name)?.strip_prefix(" = "))?;
            Some(line.trim_matches('"').to_owned())
        };
        if let (Some(name), Some(version), Some(sum)) =
            (field("name"), field("version"), field("checksum"))
        {
            sums.insert((name, version), sum);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bill_names_what_is_linked_and_nothing_that_only_builds_or_tests() {
        let workspace = Workspace::load().unwrap();
        let bill = Bill::read(&workspace, "x86_64-unknown-linux-gnu").unwrap();
        let text = bill.of("acm-mcp").unwrap();
        assert_eq!(text, bill.of("acm-mcp").unwrap());
        let read: Value = serde_json::from_str(&text).unwrap();
        let names: Vec<&str> =
            list(&read["components"]).iter().map(|it| word(&it["name"])).collect();
        assert!(names.contains(&"rmcp") && names.contains(&"mcp-core"), "{names:?}");
        assert!(!names.contains(&"insta") && !names.contains(&"reqwest"), "{names:?}");
        let serde = list(&read["components"]).into_iter().find(|it| it["name"] == "serde").unwrap();
        assert_eq!(word(&serde["hashes"][0]["content"]).len(), 64);
        let known: BTreeSet<&str> =
            list(&read["dependencies"]).iter().map(|it| word(&it["ref"])).collect();
        for dependency in list(&read["dependencies"]) {
            for used in list(&dependency["dependsOn"]) {
                assert!(known.contains(word(used)), "{used} is used and not listed");
            }
        }
    }
}
