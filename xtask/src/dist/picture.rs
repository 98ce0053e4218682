//! The icon of a server as PNG, for hosts that show no SVG: a plumb line on the server's colour.

use std::io::Write as _;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

use crate::Result;

const SIZE: i32 = 256;

/// The colour of each server, as its SVG has it.
fn colour(name: &str) -> [u8; 3] {
    match name {
        "acm" => [0x7a, 0x4a, 0x9e],
        "elspais" => [0x1f, 0x6f, 0x8b],
        "preflights" => [0xb5, 0x54, 0x2a],
        "reverse-spec" => [0x2f, 0x7d, 0x4f],
        _ => [0x39, 0x56, 0x9c],
    }
}

pub(super) fn png(name: &str) -> Result<Vec<u8>> {
    let ground = colour(name);
    let mut pixels = Vec::new();
    for y in 0..SIZE {
        // No filter before each line.
        pixels.push(0);
        for x in 0..SIZE {
            let pixel = match (in_square(x, y), in_line(x, y)) {
                (false, _) => [0, 0, 0, 0],
                (true, true) => [255, 255, 255, 255],
                (true, false) => [ground[0], ground[1], ground[2], 255],
            };
            pixels.extend(pixel);
        }
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&pixels)?;
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let side = u32::try_from(SIZE)?.to_be_bytes();
    // Eight bits a channel, with opacity.
    let head = [&side[..], &side[..], &[8, 6, 0, 0, 0]].concat();
    for (kind, data) in [(b"IHDR", head), (b"IDAT", encoder.finish()?), (b"IEND", Vec::new())] {
        file.extend(u32::try_from(data.len())?.to_be_bytes());
        let mut sum = Crc::new();
        sum.update(kind);
        sum.update(&data);
        file.extend(kind);
        file.extend(data);
        file.extend(sum.sum().to_be_bytes());
    }
    Ok(file)
}

/// A square with round corners.
fn in_square(x: i32, y: i32) -> bool {
    const CORNER: i32 = 52;
    let beyond = |at: i32| (CORNER - at).max(at - (SIZE - 1 - CORNER)).max(0);
    beyond(x).pow(2) + beyond(y).pow(2) <= CORNER.pow(2)
}

/// A line from the top and the bob that hangs from it.
fn in_line(x: i32, y: i32) -> bool {
    let aside = (x - SIZE / 2).abs();
    let line = aside <= 5 && (24..140).contains(&y);
    let bob = if y < 160 { aside <= (y - 130) } else { aside * 2 <= 220 - y };
    line || (bob && (130..220).contains(&y))
}
