//! Lines of bounded length from a stream, safe to stop waiting for at any point.

use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};

/// Longer lines are skipped and reported.
pub(super) const MAX_LINE_BYTES: usize = 8 * 1024 * 1024;

/// A buffer that grew for one long line is given back before the next.
const KEEP_BYTES: usize = 64 * 1024;

/// What is read at once. It is cleared when it is made, which a client waits for at every start.
const READ_BYTES: usize = 16 * 1024;

pub(super) type Input = Box<dyn AsyncRead + Send + Unpin>;

pub(super) struct Lines {
    input: BufReader<Input>,
    line: Vec<u8>,
    /// The rest of an over-long line is being skipped.
    skipping: bool,
    /// The last line was handed out and is dropped on the next call.
    complete: bool,
}

pub(super) enum Line<'a> {
    Whole(&'a [u8]),
    /// The start of a line that is too long.
    TooLong(&'a [u8]),
    End,
}

impl Lines {
    pub(super) fn new(input: Input) -> Self {
        Self {
            input: BufReader::with_capacity(READ_BYTES, input),
            line: Vec::new(),
            skipping: false,
            complete: false,
        }
    }

    /// The next line without its line break. When the returned future is dropped half way, nothing
    /// read so far is lost.
    pub(super) async fn next(&mut self) -> std::io::Result<Line<'_>> {
        if self.complete {
            self.complete = false;
            self.line.clear();
            self.line.shrink_to(KEEP_BYTES);
        }
        loop {
            let available = self.input.fill_buf().await?;
            if available.is_empty() {
                // A last line without a line break is a line.
                if self.line.is_empty() || self.skipping {
                    return Ok(Line::End);
                }
                self.complete = true;
                return Ok(Line::Whole(&self.line));
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let take = end.map_or(available.len(), |end| end + 1);
            if self.skipping {
                self.skipping = end.is_none();
                self.input.consume(take);
                continue;
            }
            let content = end.unwrap_or(take);
            if self.line.len() + content > MAX_LINE_BYTES {
                self.skipping = end.is_none();
                self.input.consume(take);
                self.complete = true;
                return Ok(Line::TooLong(&self.line));
            }
            self.line.extend_from_slice(&available[..content]);
            self.input.consume(take);
            if end.is_some() {
                self.complete = true;
                return Ok(Line::Whole(&self.line));
            }
        }
    }
}
