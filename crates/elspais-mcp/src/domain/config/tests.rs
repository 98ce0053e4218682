//! Settings in three generations of spelling, and what is wrong with wrong ones.

use super::*;

fn read(text: &str) -> Result<Config, ConfigError> {
    Config::read(&[(CONFIG_FILE, text)])
}

#[test]
fn without_a_file_the_defaults_count() {
    let config = Config::default();
    assert_eq!(config.namespace, "REQ");
    let names: Vec<&str> = config.levels.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["PRD", "OPS", "DEV"]);
    assert_eq!(config.spec.directories, ["spec"]);
    assert_eq!(config.code.directories, ["src", "crates"]);
    assert!(config.code.patterns.iter().any(|it| it == "*.rs"));
    assert_eq!((config.hash.mode, config.hash.length), (None, 8));
    assert!(config.is_retired("deprecated") && !config.is_retired("Active"));
}

#[test]
fn the_newest_and_the_oldest_spelling_say_the_same() {
    let new = read(
        "version = 5\n[project]\nnamespace = \"REQ\"\n[levels.prd]\nrank = 1\nletter = \"p\"\n[levels.dev]\nrank = 3\nletter = \"d\"\n[scanning.spec]\ndirectories = [\"reqs\"]\nfile_patterns = [\"*.md\"]\nskip_files = []\n[scanning.code]\ndirectories = [\"lib\"]\n[scanning.test]\nenabled = false\n[validation]\nhash_mode = \"normalized-text\"\n[id-patterns.assertions]\nmulti_separator = \"-\"\n",
    )
    .unwrap();
    let old = read(
        "[patterns]\nprefix = \"REQ\"\n[patterns.types.prd]\nid = \"p\"\nname = \"PRD\"\nlevel = 1\n[patterns.types.dev]\nid = \"d\"\nname = \"DEV\"\nlevel = 3\n[spec]\ndirectories = \"reqs\"\npatterns = [\"*.md\"]\nskip_files = []\n[code]\ndirectories = [\"lib\"]\n[testing]\nenabled = false\n[validation]\nhash_mode = \"normalized-text\"\n",
    )
    .unwrap();
    assert_eq!(new, old);
}

#[test]
fn the_local_file_is_merged_above_the_other() {
    let config = Config::read(&[
        (CONFIG_FILE, "[project]\nname = \"a\"\nnamespace = \"ABC\"\n"),
        (LOCAL_FILE, "[project]\nname = \"b\"\n"),
    ])
    .unwrap();
    assert_eq!((config.name.as_deref(), config.namespace.as_str()), (Some("b"), "ABC"));
}

#[test]
fn a_wrong_value_is_pointed_at() {
    for (text, expected) in [
        ("[project\n", ".elspais.toml line 1: this is not TOML"),
        (
            "\n\n[spec]\ndirectories = 5\n",
            ".elspais.toml line 4: `spec.directories` must be a list of strings, not 5",
        ),
        (
            "[validation]\nhash_mode = \"loud\"\n",
            ".elspais.toml line 2: `validation.hash_mode` must be one of",
        ),
        (
            "[id-patterns.component]\nstyle = \"roman\"\n",
            ".elspais.toml line 2: `id-patterns.component.style` must be one of",
        ),
        (
            "\n[id-patterns]\ncanonical = \"{namespace}-{bogus}\"\n",
            ".elspais.toml line 3: `id-patterns.canonical`: `{bogus}` stands for nothing",
        ),
        (
            "[scanning.spec]\nfile_patterns = [\"[*.md\"]\n",
            ".elspais.toml line 2: `scanning.spec.file_patterns`: `[*.md` is not a pattern",
        ),
        ("[scanning]\nskip = [\"{a\"]\n", ".elspais.toml line 2: `scanning.skip`: `{a` is not"),
        ("[id-patterns.component]\npattern = \"(\"\n", "this is not a regular expression"),
        ("[id-patterns.assertions]\nseparator = \"--\"\n", "one character"),
        ("[levels.prd]\nletter = \"\"\n", "it must be a letter"),
        ("[project]\nnamespace = \"A B\"\n", "letters, digits"),
        ("[scanning.test]\nenabled = \"yes\"\n", "must be true or false"),
        ("[keywords]\nmin_length = -1\n", "must be a number from 0 to 100"),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let error =
        Config::read(&[(CONFIG_FILE, ""), (LOCAL_FILE, "\n[project]\nname = 1\n")]).unwrap_err();
    assert_eq!((error.file, error.line), (LOCAL_FILE, 3));
}

#[test]
fn keys_that_do_not_concern_the_graph_are_left_alone() {
    read("cli_ttl = 30\n[rules.coverage.tested]\nfull = \"ok\"\n[terms]\noutput_dir = \"x\"\n")
        .unwrap();
}

#[test]
fn a_configuration_that_nobody_wrote_by_hand_is_refused_with_the_limit() {
    let long = format!("[project]\nname = \"{}\"\n", "x".repeat(1024 * 1024));
    assert!(read(&long).unwrap_err().to_string().contains("1048576 are read at most"));
    let many = format!("[scanning]\nskip = [{}]\n", "\"a\",".repeat(1_001));
    assert!(read(&many).unwrap_err().to_string().contains("more than 1000 patterns"));
    let words = format!("[rules.format]\nallowed_statuses = [\n{}]\n", "\"a\",\n".repeat(100_000));
    assert_eq!(read(&words).unwrap().statuses.len(), 100_000);
}

#[test]
fn results_of_a_target_lie_below_the_directory_its_tests_run_in() {
    let config = read(
        "[[scanning.test.targets]]\nname = \"app\"\ncwd = \"app/\"\nresults = \"out/*.xml\"\n\
         [[scanning.test.targets]]\nname = \"all\"\ncwd = \".\"\nresults = \"./run.jsonl\"\n\
         [[scanning.test.targets]]\nname = \"none\"\nresults = \"\"\n",
    );
    assert_eq!(config.unwrap().results[..2], ["app/out/*.xml", "run.jsonl"]);
}
