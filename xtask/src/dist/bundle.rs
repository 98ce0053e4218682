//! `.mcpb`: a bundle that desktop applications install with one click, asking for the project.

use serde_json::{Value, json};

use super::archive::Member;
use super::package::{File, Package};
use super::release::Release;
use super::{picture, zip};
use crate::Result;

pub(super) fn file_name(package: &Package) -> String {
    let (name, version) = (package.server.package, &package.version);
    format!("{name}-{version}-{}.mcpb", package.platform.target)
}

pub(super) fn manifest(release: &Release, package: &Package) -> Value {
    let name = package.server.package;
    let entry = format!("server/{}", package.executable_name());
    json!({
        "manifest_version": "0.3",
        "name": name,
        "display_name": package.server.name,
        "version": package.version,
        "description": format!("{}.", package.description),
        "long_description": package.readme,
        "author": { "name": release.owner, "email": release.contact, "url": release.homepage },
        "repository": { "type": "git", "url": release.repository },
        "homepage": release.homepage,
        "license": package.license,
        "icon": "icon.png",
        "server": {
            "type": "binary",
            "entry_point": entry,
            "mcp_config": {
                "command": format!("${{__dirname}}/{entry}"),
                "args": ["--root", "${user_config.root}"],
                "env": {},
            },
        },
        "user_config": { "root": {
            "type": "directory",
            "title": "Project",
            "description": "The directory of the project that the server works on.",
            "required": true,
        } },
        "compatibility": { "platforms": [package.platform.bundle] },
    })
}

pub(super) fn pack(release: &Release, package: &Package) -> Result<File> {
    let manifest = format!("{:#}\n", manifest(release, package));
    let entry = format!("server/{}", package.executable_name());
    let members = [
        Member::text("manifest.json", manifest.into_bytes()),
        Member::text("icon.png", picture::png(package.server.name)?),
        Member::executable(&entry, package.executable.clone()),
    ];
    Ok(File::new(format!("mcpb/{}", file_name(package)), zip::pack(&members)?))
}
