//! The extension on two skills: one by the rules, one that clients could not rely on.

use serde_json::{Value, json};

use super::*;

struct Shelf;

const MAIN: &str = "---\nname: good\ndescription: d\n---\nbody\n";

impl SkillSource for Shelf {
    fn list(&self) -> Result<Vec<Skill>, Failure> {
        let skill = |name: &str, front: Value| Skill {
            name: name.to_owned(),
            front_matter: front.as_object().cloned().unwrap(),
            files: vec![
                SkillFile::new(MAIN_FILE, MAIN.as_bytes()),
                SkillFile::new("references/größe x.md", b"x"),
                SkillFile::new("logo.png", &[255, 254]),
            ],
        };
        Ok(vec![
            skill("good", json!({ "name": "good", "description": "d" })),
            skill("other", json!({ "name": "another", "description": "d" })),
            skill("Loud", json!({ "name": "Loud", "description": "d" })),
        ])
    }

    fn read(&self, skill: &str, path: &str) -> Option<Vec<u8>> {
        match (skill, path) {
            ("good", MAIN_FILE) => Some(MAIN.as_bytes().to_vec()),
            ("good", "logo.png") => Some(vec![255, 254]),
            _ => None,
        }
    }
}

fn ask(method: &str, params: &Value) -> Result<Value, Failure> {
    answer(&Shelf, method, params).unwrap()
}

#[test]
fn only_skills_that_clients_can_rely_on_are_listed_with_every_file() {
    let listed = ask("skills/list", &json!({})).unwrap();
    insta::assert_json_snapshot!("skills_list", listed);
    let got = ask("skills/get", &json!({ "uri": "skill://good/SKILL.md" })).unwrap();
    assert_eq!(got["skill"], listed["skills"][0]);
    for params in [json!({}), json!({ "uri": 7 }), json!({ "uri": "skill://other/SKILL.md" })] {
        assert!(ask("skills/get", &params).is_err());
    }
}

#[test]
fn a_directory_lists_its_direct_children() {
    let children = |uri: &str| ask("resources/directory/read", &json!({ "uri": uri }));
    insta::assert_json_snapshot!("skill_directory", children("skill://good").unwrap());
    let inner = children("skill://good/references/").unwrap();
    assert_eq!(inner["resources"][0]["uri"], "skill://good/references/gr%C3%B6%C3%9Fe%20x.md");
    for uri in ["skill://good/SKILL.md", "skill://good/nothing", "skill://nobody", "file:///etc"] {
        assert!(children(uri).is_err(), "{uri}");
    }
}

#[test]
fn files_are_read_as_text_or_as_bytes() {
    let read = |uri: &str| serde_json::to_value(read(&Shelf, uri)).unwrap();
    assert_eq!(read("skill://good/SKILL.md")["text"], MAIN);
    assert_eq!(read("skill://good/logo.png")["blob"], "//4=");
    assert_eq!(read("skill://good/logo.png")["mimeType"], "image/png");
    for uri in ["skill://good/../x", "skill://good", "skill:///SKILL.md", "skill://good/%4"] {
        assert_eq!(read(uri), Value::Null, "{uri}");
    }
}

#[test]
fn names_follow_the_rules_of_skills() {
    for name in ["a", "a-b", "a1", &"x".repeat(64)] {
        assert!(is_skill_name(name), "{name}");
    }
    for name in ["", "A", "a_b", "a.b", "-a", "a-", "a--b", &"x".repeat(65)] {
        assert!(!is_skill_name(name), "{name}");
    }
}
