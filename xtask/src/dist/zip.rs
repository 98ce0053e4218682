//! A zip archive whose bytes depend on nothing but its members: wheels and bundles are such.

use std::io::Write as _;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

use super::archive::Member;
use crate::Result;

/// The first of January 1980, the oldest day that the format knows.
const DAY: u16 = 0x0021;
/// Made on a system with permissions, by version 2.0 of the format.
const UNIX: u16 = 0x0314;
const DEFLATED: u16 = 8;
const REGULAR_FILE: u32 = 0o100_000;

/// Packs the members in their order.
pub(super) fn pack(members: &[Member]) -> Result<Vec<u8>> {
    let mut file = Vec::new();
    let mut directory = Vec::new();
    for member in members {
        let offset = u32::try_from(file.len())?;
        let mut sum = Crc::new();
        sum.update(&member.bytes);
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&member.bytes)?;
        let packed = encoder.finish()?;
        let mut common = Vec::new();
        for half in [20, 0x0800, DEFLATED, 0, DAY] {
            common.extend(u16::to_le_bytes(half));
        }
        let sizes = [sum.sum(), u32::try_from(packed.len())?, u32::try_from(member.bytes.len())?];
        for size in sizes {
            common.extend(size.to_le_bytes());
        }
        common.extend(u16::try_from(member.path.len())?.to_le_bytes());
        common.extend(0_u16.to_le_bytes());

        file.extend(b"PK\x03\x04");
        file.extend(&common);
        file.extend(member.path.as_bytes());
        file.extend(packed);

        directory.extend(b"PK\x01\x02");
        directory.extend(UNIX.to_le_bytes());
        directory.extend(&common);
        // No comment, on the first disk, no attributes of DOS.
        directory.extend([0; 6]);
        directory.extend(((REGULAR_FILE | member.mode) << 16).to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend(member.path.as_bytes());
    }
    let begin = u32::try_from(file.len())?;
    let count = u16::try_from(members.len())?;
    file.extend(&directory);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend(count.to_le_bytes());
    file.extend(count.to_le_bytes());
    file.extend(u32::try_from(directory.len())?.to_le_bytes());
    file.extend(begin.to_le_bytes());
    file.extend([0; 2]);
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_members_give_the_same_bytes() {
        let members =
            [Member::text("a.txt", b"hello".to_vec()), Member::executable("b", vec![1; 99])];
        let packed = pack(&members).unwrap();
        assert_eq!(packed, pack(&members).unwrap());
        assert!(packed.starts_with(b"PK\x03\x04"));
        assert_eq!(packed[packed.len() - 22..][..4], *b"PK\x05\x06");
        assert_eq!(packed[packed.len() - 12], 2, "members");
    }
}
