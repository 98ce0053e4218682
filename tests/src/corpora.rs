//! The small corpora of the fuzzer, replayed without it.

use std::path::Path;

/// What the fuzzer calls, by the name of its target.
type Target<'a> = (&'a str, fn(&[u8]));

/// Runs each target on every file below `fuzz/corpus/<target>`. A target without one is a mistake.
pub fn replay_corpora(targets: &[Target<'_>]) {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus");
    for (name, target) in targets {
        let entries = std::fs::read_dir(corpora.join(name));
        let entries = entries.unwrap_or_else(|it| panic!("no corpus for {name}: {it}"));
        let mut replayed = 0;
        for entry in entries {
            let path = entry.expect("a corpus can be listed").path();
            target(&std::fs::read(&path).unwrap_or_else(|it| panic!("{}: {it}", path.display())));
            replayed += 1;
        }
        assert!(replayed > 0, "the corpus of {name} is empty");
    }
}
