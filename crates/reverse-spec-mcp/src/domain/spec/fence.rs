//! Fenced code, followed line by line.

/// Whether the present line stands inside fenced code.
#[derive(Default)]
pub(crate) struct Fence(Option<(char, usize)>);

impl Fence {
    /// What would close it, if it is open.
    pub(crate) fn closing(&self) -> Option<String> {
        self.0.map(|(mark, length)| mark.to_string().repeat(length))
    }

    pub(crate) fn is_open(&self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn see(&mut self, line: &str) {
        let line = line.trim_start();
        let Some(mark) = line.chars().next().filter(|c| matches!(c, '`' | '~')) else { return };
        let length = line.chars().take_while(|c| *c == mark).count();
        match self.0 {
            None if length >= 3 => self.0 = Some((mark, length)),
            Some((open, least))
                if mark == open && length >= least && line[length..].trim().is_empty() =>
            {
                self.0 = None;
            }
            _ => {}
        }
    }
}
