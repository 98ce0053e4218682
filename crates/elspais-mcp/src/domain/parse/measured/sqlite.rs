//! Tables of an `SQLite` file, row by row: enough to read what another program wrote, and no more.
//!
//! No index, no query, nothing written. Whatever the bytes say, no page is looked at twice within a
//! table, and nothing is taken from outside of the file.

pub(super) const MAGIC: &[u8] = b"SQLite format 3\0";

/// Deeper trees hold more rows than any file of ours has bytes.
const MAX_DEPTH: usize = 24;
/// Of one row.
const MAX_CELLS: usize = 64;

pub(super) struct Database<'b> {
    bytes: &'b [u8],
    page_size: usize,
    /// Bytes of a page without what is reserved at its end.
    usable: usize,
}

/// One value of a row.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Cell<'r> {
    Nothing,
    Number(i64),
    Text(&'r str),
    Bytes(&'r [u8]),
}

impl Cell<'_> {
    pub(super) fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            _ => &[],
        }
    }
}

impl<'b> Database<'b> {
    pub(super) fn open(bytes: &'b [u8]) -> Result<Self, String> {
        let page_size = match be(bytes, 16, 2)? {
            1 => 65_536,
            size => usize::try_from(size).unwrap_or(0),
        };
        let reserved = usize::from(*bytes.get(20).ok_or_else(cut_off)?);
        let is_size = page_size.is_power_of_two() && (512..=65_536).contains(&page_size);
        if !is_size || page_size - reserved < 480 {
            return Err("its pages are of no size that there is".to_owned());
        }
        if be(bytes, 56, 4)? > 1 {
            return Err("its text is not UTF-8".to_owned());
        }
        Ok(Self { bytes, page_size, usable: page_size - reserved })
    }

    /// Shows each row of a table with its number; a table that is not there has none.
    pub(super) fn rows(
        &self,
        table: &str,
        mut show: impl FnMut(i64, &[Cell<'_>]),
    ) -> Result<(), String> {
        let mut root = None;
        // The first page lists the tables: kind, name, name of the table, root, how it was made.
        self.walk(1, &mut |_, row| {
            let is_one = row.first().and_then(Cell::text) == Some("table")
                && row.get(1).and_then(Cell::text) == Some(table);
            if is_one {
                root = row.get(3).and_then(Cell::number);
            }
        })?;
        match root.and_then(|it| usize::try_from(it).ok()) {
            Some(root) => self.walk(root, &mut show),
            None => Ok(()),
        }
    }

    fn page(&self, number: usize) -> Result<&'b [u8], String> {
        let from = number.checked_sub(1).and_then(|it| it.checked_mul(self.page_size));
        let page = from.and_then(|from| self.bytes.get(from..from.checked_add(self.page_size)?));
        page.ok_or_else(cut_off)
    }

    fn walk(&self, root: usize, show: &mut dyn FnMut(i64, &[Cell<'_>])) -> Result<(), String> {
        // Rows share no bytes, so all of them together are shorter than the file.
        let mut left = self.bytes.len();
        let mut seen = vec![false; self.bytes.len() / self.page_size + 1];
        let mut waiting = vec![(root, 0)];
        while let Some((number, depth)) = waiting.pop() {
            let page = self.page(number)?;
            if depth > MAX_DEPTH || std::mem::replace(&mut seen[number], true) {
                return Err("its pages lead in a circle".to_owned());
            }
            let head = if number == 1 { 100 } else { 0 };
            let kind = *page.get(head).ok_or_else(cut_off)?;
            let n_cells = narrow(be(page, head + 3, 2)?);
            let (is_leaf, pointers) = match kind {
                13 => (true, head + 8),
                5 => (false, head + 12),
                _ => return Err("a page of it is not of a table".to_owned()),
            };
            let mut below = Vec::new();
            for nth in 0..n_cells {
                let at = narrow(be(page, pointers + nth * 2, 2)?);
                if is_leaf {
                    self.row(page, at, &mut left, show)?;
                } else {
                    below.push((narrow(be(page, at, 4)?), depth + 1));
                }
            }
            if !is_leaf {
                below.push((narrow(be(page, head + 8, 4)?), depth + 1));
            }
            waiting.extend(below.into_iter().rev());
        }
        Ok(())
    }

    fn row(
        &self,
        page: &[u8],
        at: usize,
        left: &mut usize,
        show: &mut dyn FnMut(i64, &[Cell<'_>]),
    ) -> Result<(), String> {
        let (length, n) = varint(page, at)?;
        let (id, m) = varint(page, at + n)?;
        let length = usize::try_from(length).ok().filter(|it| *it <= *left);
        let length = length.ok_or("its rows are longer than the file")?;
        *left -= length;
        let payload = self.payload(page, at + n + m, length)?;
        show(id, &cells(&payload)?);
        Ok(())
    }

    /// The bytes of a row, of which only the first may lie on its page.
    fn payload(&self, page: &[u8], at: usize, length: usize) -> Result<Vec<u8>, String> {
        let most = self.usable - 35;
        let least = (self.usable - 12) * 32 / 255 - 23;
        let here = if length <= most {
            length
        } else {
            let here = least + (length - least) % (self.usable - 4);
            if here <= most { here } else { least }
        };
        let mut payload = slice(page, at, here)?.to_vec();
        if here == length {
            return Ok(payload);
        }
        let mut next = narrow(be(page, at + here, 4)?);
        while payload.len() < length {
            // Each page brings bytes, so that even a circle ends.
            let page = self.page(next)?;
            let here = (self.usable - 4).min(length - payload.len());
            payload.extend_from_slice(slice(page, 4, here)?);
            next = narrow(be(page, 0, 4)?);
        }
        Ok(payload)
    }
}

fn cells(payload: &[u8]) -> Result<Vec<Cell<'_>>, String> {
    let (head, mut at) = varint(payload, 0)?;
    let head = usize::try_from(head).ok().filter(|it| *it <= payload.len()).ok_or_else(cut_off)?;
    let mut from = head;
    let mut cells = Vec::new();
    while at < head && cells.len() < MAX_CELLS {
        let (kind, n) = varint(payload, at)?;
        at += n;
        let mut take = |length: usize| {
            let bytes = slice(payload, from, length);
            from = from.saturating_add(length);
            bytes
        };
        cells.push(match kind {
            0 => Cell::Nothing,
            1..=4 => Cell::Number(signed(take(narrow_signed(kind))?)),
            5 => Cell::Number(signed(take(6)?)),
            6 => Cell::Number(signed(take(8)?)),
            7 => {
                take(8)?;
                Cell::Nothing
            }
            8 | 9 => Cell::Number(kind - 8),
            kind if kind >= 12 => {
                let bytes = take(narrow_signed((kind - 12) / 2))?;
                match (kind % 2, std::str::from_utf8(bytes)) {
                    (0, _) => Cell::Bytes(bytes),
                    (_, Ok(text)) => Cell::Text(text),
                    (_, Err(_)) => Cell::Nothing,
                }
            }
            _ => return Err("a row of it holds a kind of value that there is not".to_owned()),
        });
    }
    Ok(cells)
}

fn slice(bytes: &[u8], from: usize, length: usize) -> Result<&[u8], String> {
    let to = from.checked_add(length).ok_or_else(cut_off)?;
    bytes.get(from..to).ok_or_else(cut_off)
}

/// A number with its most significant byte first.
fn be(bytes: &[u8], at: usize, length: usize) -> Result<u64, String> {
    Ok(slice(bytes, at, length)?.iter().fold(0, |all, it| all << 8 | u64::from(*it)))
}

fn signed(bytes: &[u8]) -> i64 {
    let start = if bytes.first().is_some_and(|it| *it >= 0x80) { -1 } else { 0 };
    bytes.iter().fold(start, |all, it| all << 8 | i64::from(*it))
}

/// A number of seven bits a byte, and how many bytes it takes up.
fn varint(bytes: &[u8], at: usize) -> Result<(i64, usize), String> {
    let mut value: i64 = 0;
    for nth in 0..9 {
        let byte = *at.checked_add(nth).and_then(|it| bytes.get(it)).ok_or_else(cut_off)?;
        if nth == 8 {
            return Ok((value << 8 | i64::from(byte), 9));
        }
        value = value << 7 | i64::from(byte & 0x7f);
        if byte < 0x80 {
            return Ok((value, nth + 1));
        }
    }
    Err(cut_off())
}

/// What is too large lies nowhere in the file.
fn narrow(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn narrow_signed(number: i64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn cut_off() -> String {
    "it ends before it should".to_owned()
}
