//! One release archive: a tar.gz whose bytes depend on nothing but its members.

use std::io::Write as _;

use flate2::{Compression, GzBuilder};
use tar::{Builder, EntryType, Header};

use crate::Result;
use crate::workspace::Server;

#[derive(Clone)]
pub(super) struct Member {
    /// Relative to the archive's one top directory.
    pub(super) path: String,
    pub(super) mode: u32,
    pub(super) bytes: Vec<u8>,
}

impl Member {
    pub(super) fn text(path: &str, bytes: Vec<u8>) -> Self {
        Self { path: path.to_owned(), mode: 0o644, bytes }
    }

    pub(super) fn executable(path: &str, bytes: Vec<u8>) -> Self {
        Self { path: path.to_owned(), mode: 0o755, bytes }
    }
}

pub(super) struct Archive {
    /// The name without `.tar.gz`, and of the directory inside.
    pub(super) stem: String,
    pub(super) servers: Vec<&'static Server>,
    pub(super) bytes: Vec<u8>,
}

impl Archive {
    pub(super) fn pack(
        stem: String,
        servers: &[&'static Server],
        members: Vec<Member>,
    ) -> Result<Self> {
        let bytes = tar_gz(&stem, members, modified()?)?;
        Ok(Self { stem, servers: servers.to_vec(), bytes })
    }

    pub(super) fn file_name(&self) -> String {
        format!("{}.tar.gz", self.stem)
    }
}

/// The one time every member carries: what the packager asks for, else none.
fn modified() -> Result<u64> {
    match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(seconds) => seconds.parse().map_err(|_| {
            format!("SOURCE_DATE_EPOCH is `{seconds}`, not a number of seconds").into()
        }),
        Err(_) => Ok(0),
    }
}

pub(super) fn tar_gz(stem: &str, mut members: Vec<Member>, modified: u64) -> Result<Vec<u8>> {
    members.sort_by(|left, right| left.path.cmp(&right.path));
    let mut builder = Builder::new(Vec::new());
    for member in &members {
        let mut header = Header::new_ustar();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(member.mode);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(modified);
        header.set_size(member.bytes.len().try_into()?);
        let path = format!("{stem}/{}", member.path);
        builder.append_data(&mut header, path, member.bytes.as_slice())?;
    }
    let tar = builder.into_inner()?;
    // The builder writes no file name and no time into the gzip header.
    let mut gzip = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    gzip.write_all(&tar)?;
    Ok(gzip.finish()?)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;

    use super::{Member, tar_gz};

    fn two() -> Vec<Member> {
        let page = Member::text("man/tool.1", b"page".to_vec());
        let program = Member::executable("tool", b"\x7fELF".to_vec());
        vec![program, page]
    }

    #[test]
    fn the_order_of_members_does_not_change_the_bytes() {
        let mut reversed = two();
        reversed.reverse();
        assert_eq!(tar_gz("tool-1", two(), 0).unwrap(), tar_gz("tool-1", reversed, 0).unwrap());
    }

    #[test]
    fn members_carry_fixed_modes_owner_and_time() {
        let packed = tar_gz("tool-1", two(), 86_400).unwrap();
        let mut archive = tar::Archive::new(GzDecoder::new(packed.as_slice()));
        let mut seen = Vec::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let header = entry.header();
            assert_eq!((header.uid().unwrap(), header.gid().unwrap()), (0, 0));
            assert_eq!(header.mtime().unwrap(), 86_400);
            let mode = header.mode().unwrap();
            let path = entry.path().unwrap().display().to_string();
            let mut text = Vec::new();
            entry.read_to_end(&mut text).unwrap();
            seen.push((path, mode, text));
        }
        let expected = [
            ("tool-1/man/tool.1".to_owned(), 0o644, b"page".to_vec()),
            ("tool-1/tool".to_owned(), 0o755, b"\x7fELF".to_vec()),
        ];
        assert_eq!(seen, expected);
    }

    #[test]
    fn the_gzip_header_holds_no_time_and_no_name() {
        let packed = tar_gz("tool-1", two(), 86_400).unwrap();
        assert_eq!(packed[3], 0, "flags");
        assert_eq!(packed[4..8], [0; 4], "time");
    }
}
