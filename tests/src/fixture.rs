//! A temporary project laid out from inline text.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A directory with the files a test needs, removed when dropped.
#[derive(Debug)]
pub struct Fixture {
    root: PathBuf,
    _directory: TempDir,
}

impl Fixture {
    /// Each line `//- path` begins a file; the lines up to the next one are its text.
    pub fn new(text: &str) -> Self {
        let fixture = Self::empty();
        let mut file: Option<(&str, String)> = None;
        for line in text.split_inclusive('\n') {
            if let Some(path) = line.strip_prefix("//- ") {
                fixture.write_pending(file.take());
                file = Some((path.trim(), String::new()));
            } else if let Some((_, content)) = &mut file {
                content.push_str(line);
            } else {
                assert!(line.trim().is_empty(), "text before the first `//- path`: {line}");
            }
        }
        fixture.write_pending(file);
        fixture
    }

    /// A small project in which every server starts.
    #[must_use]
    pub fn project() -> Self {
        Self::new(
            "//- .claude/commands/hello.md\n---\ndescription: Says hello.\n---\nSay hello to $ARGUMENTS.\n",
        )
    }

    /// A directory with nothing in it.
    #[must_use]
    pub fn empty() -> Self {
        let directory = TempDir::new().expect("a temporary directory can be made");
        // Some systems reach their temporary directory through a link; servers report real paths.
        let root = directory.path().canonicalize().expect("the directory was just made");
        Self { root, _directory: directory }
    }

    fn write_pending(&self, file: Option<(&str, String)>) {
        if let Some((path, content)) = file {
            self.write(path, &content);
        }
    }

    pub fn path(&self) -> &Path {
        &self.root
    }

    /// The path as text, for a command line.
    pub fn path_text(&self) -> &str {
        self.root.to_str().expect("temporary paths are text")
    }

    /// Writes a file, and the directories it needs.
    pub fn write(&self, relative: &str, content: &str) {
        let path = self.root.join(relative);
        let parent = path.parent().expect("a file has a directory");
        fs::create_dir_all(parent).expect("directories can be made in the fixture");
        fs::write(&path, content).expect("files can be written in the fixture");
    }

    /// The text of a file that must exist.
    pub fn read(&self, relative: &str) -> String {
        let path = self.root.join(relative);
        fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("could not read {relative} in the fixture: {error}"))
    }

    /// Whether there is a file or directory at this path.
    pub fn has(&self, relative: &str) -> bool {
        self.root.join(relative).exists()
    }

    /// Every file with its text, by path; a link shows where it points and is not followed.
    pub fn files(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        collect(&self.root, "", &mut files);
        files
    }

    /// Makes an answer of a server the same in every run. See [`crate::normalise`].
    pub fn normalise(&self, text: &str) -> String {
        crate::normalise(text, &self.root)
    }
}

fn collect(directory: &Path, prefix: &str, files: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(directory).expect("the fixture can be listed") {
        let entry = entry.expect("the fixture can be listed");
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let kind = entry.file_type().expect("the fixture can be listed");
        if kind.is_dir() {
            collect(&entry.path(), &format!("{name}/"), files);
        } else if kind.is_symlink() {
            let target = fs::read_link(entry.path()).expect("a link can be read");
            files.insert(name, format!("link to {}", target.display()));
        } else {
            let bytes = fs::read(entry.path()).expect("a file can be read");
            files.insert(name, String::from_utf8_lossy(&bytes).into_owned());
        }
    }
}
