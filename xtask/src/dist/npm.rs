//! npm: one package that people name, and one per platform that holds the executable.

use serde_json::{Map, Value, json};

use super::archive::{Member, tar_gz};
use super::package::{File, Package};
use super::platform::{PLATFORMS, Platform};
use super::release::Release;
use crate::Result;

pub(super) fn name(release: &Release, package: &Package) -> String {
    format!("@{}/{}", release.owner, package.server.package)
}

fn platform_name(release: &Release, package: &Package, platform: &Platform) -> String {
    let (os, cpu) = platform.node;
    format!("{}-{os}-{cpu}", name(release, package))
}

/// The wrapper and the package of one platform.
pub(super) fn pack(release: &Release, package: &Package) -> Result<Vec<File>> {
    Ok(vec![wrapper(release, package)?, platform(release, package)?])
}

fn manifest(release: &Release, package: &Package, name: &str) -> Map<String, Value> {
    let manifest = json!({
        "name": name,
        "version": package.version,
        "description": format!("{}.", package.description),
        "license": package.license,
        "repository": { "type": "git", "url": release.repository },
        "homepage": release.homepage,
        "bugs": { "email": release.contact },
    });
    manifest.as_object().cloned().unwrap_or_default()
}

fn wrapper(release: &Release, package: &Package) -> Result<File> {
    let binary = package.server.package;
    let own = name(release, package);
    let mut manifest = manifest(release, package, &own);
    let platforms = PLATFORMS
        .iter()
        .map(|it| (platform_name(release, package, it), Value::from(package.version.as_str())));
    manifest.insert("mcpName".to_owned(), release.registered_name(binary).into());
    let script = format!("bin/{binary}.js");
    manifest.insert("bin".to_owned(), json!({ binary: script.clone() }));
    manifest.insert("files".to_owned(), json!(["bin"]));
    manifest.insert("engines".to_owned(), json!({ "node": ">=18" }));
    manifest.insert("optionalDependencies".to_owned(), Value::Object(platforms.collect()));
    let start = include_str!("start.js").replace("PACKAGE", &own).replace("EXECUTABLE", binary);
    let mut members = vec![
        Member::text("package.json", pretty(manifest)),
        Member::text("README.md", package.readme_for(release).into_bytes()),
        Member::executable(&script, start.into_bytes()),
    ];
    members.extend(licences(package));
    packed(package, &format!("{binary}-{}.tgz", package.version), members)
}

fn platform(release: &Release, package: &Package) -> Result<File> {
    let (os, cpu) = package.platform.node;
    let own = platform_name(release, package, package.platform);
    let mut manifest = manifest(release, package, &own);
    manifest.insert("os".to_owned(), json!([os]));
    manifest.insert("cpu".to_owned(), json!([cpu]));
    manifest.insert("files".to_owned(), json!(["bin"]));
    // Yarn would leave executables in a zip, from which nothing can be started.
    manifest.insert("preferUnplugged".to_owned(), true.into());
    let path = format!("bin/{}", package.executable_name());
    let mut members = vec![
        Member::text("package.json", pretty(manifest)),
        Member::text("README.md", package.readme_for(release).into_bytes()),
        Member::executable(&path, package.executable.clone()),
    ];
    members.extend(licences(package));
    let file = format!("{}-{os}-{cpu}-{}.tgz", package.server.package, package.version);
    packed(package, &file, members)
}

fn packed(_package: &Package, file: &str, members: Vec<Member>) -> Result<File> {
    Ok(File::new(format!("npm/{file}"), tar_gz("package", members, 0)?))
}

fn licences(package: &Package) -> impl Iterator<Item = Member> {
    package.licence_texts.iter().map(|(name, text)| Member::text(name, text.clone()))
}

fn pretty(manifest: Map<String, Value>) -> Vec<u8> {
    format!("{:#}\n", Value::Object(manifest)).into_bytes()
}
