//! A wheel that holds the executable as a script, so that pip, pipx and uvx put it on the path.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use super::archive::Member;
use super::package::{File, Package};
use super::release::Release;
use super::zip;
use crate::Result;

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The release is known or not; without it the page has no links.
pub(super) fn pack(release: Option<&Release>, package: &Package) -> Result<File> {
    let name = package.server.package.replace('-', "_");
    let (version, tag) = (&package.version, package.platform.wheel);
    let info = format!("{name}-{version}.dist-info");
    let script = format!("{name}-{version}.data/scripts/{}", package.executable_name());
    let mut members = vec![
        Member::executable(&script, package.executable.clone()),
        Member::text(&format!("{info}/METADATA"), metadata(release, package).into_bytes()),
        Member::text(&format!("{info}/WHEEL"), tags(tag).into_bytes()),
    ];
    for (name, text) in &package.licence_texts {
        members.push(Member::text(&format!("{info}/licenses/{name}"), text.clone()));
    }
    let mut record = String::new();
    for member in &members {
        let sum = Sha256::digest(&member.bytes);
        let (path, size) = (&member.path, member.bytes.len());
        let _infallible = writeln!(record, "{path},sha256={},{size}", unpadded(&sum));
    }
    let _infallible = writeln!(record, "{info}/RECORD,,");
    members.push(Member::text(&format!("{info}/RECORD"), record.into_bytes()));
    let file = format!("{name}-{version}-py3-none-{tag}.whl");
    Ok(File::new(format!("wheels/{file}"), zip::pack(&members)?))
}

fn metadata(release: Option<&Release>, package: &Package) -> String {
    let mut head = vec![
        "Metadata-Version: 2.4".to_owned(),
        format!("Name: {}", package.server.package),
        format!("Version: {}", package.version),
        format!("Summary: {}", package.description),
        format!("License-Expression: {}", package.license),
        "License-File: LICENSE-APACHE".to_owned(),
        "License-File: LICENSE-MIT".to_owned(),
        "Requires-Python: >=3.8".to_owned(),
        "Description-Content-Type: text/markdown".to_owned(),
    ];
    let readme = match release {
        Some(release) => {
            head.push(format!("Project-URL: Homepage, {}", release.homepage));
            head.push(format!("Project-URL: Repository, {}", release.repository));
            head.push(format!("Author-email: {}", release.contact));
            package.readme_for(release)
        }
        None => package.readme.clone(),
    };
    format!("{}\n\n{readme}", head.join("\n"))
}

/// One tag a line, as the format wants what the file name has joined.
fn tags(joined: &str) -> String {
    let mut text = "Wheel-Version: 1.0\nGenerator: plumbline\nRoot-Is-Purelib: false\n".to_owned();
    for tag in joined.split('.') {
        let _infallible = writeln!(text, "Tag: py3-none-{tag}");
    }
    text
}

fn unpadded(bytes: &[u8]) -> String {
    let mut text = String::new();
    for part in bytes.chunks(3) {
        let value = part.iter().fold(0_u32, |value, byte| value << 8 | u32::from(*byte));
        let value = value << (8 * (3 - part.len()));
        for index in 0..=part.len() {
            let digit = value >> (18 - 6 * index) & 63;
            text.push(char::from(LETTERS[digit as usize]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_written_as_the_format_wants_them() {
        assert_eq!(unpadded(b"foobar"), "Zm9vYmFy");
        assert_eq!(unpadded(b"fo"), "Zm8");
        assert_eq!(unpadded(&[0xfb, 0xff]), "-_8");
    }

    #[test]
    fn each_tag_has_its_line() {
        assert_eq!(tags("a.b").matches("Tag: py3-none-").count(), 2);
    }
}
