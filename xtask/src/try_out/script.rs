//! What `try` shows: scenes made of steps. To show more of a server, add steps to its scene.

use super::step::Outcome::{Fails, Passes};
use super::step::Step::{self, Edit, Remember, Run, Save, Say, Show, Write};

pub(super) struct Scene {
    pub(super) title: &'static str,
    /// The server that it is about; the story is about all of them.
    pub(super) server: Option<&'static str>,
    pub(super) steps: &'static [Step],
}

pub(super) const SCENES: &[Scene] = &[
    Scene { title: "A question before any code", server: Some("preflights"), steps: PREFLIGHTS },
    Scene { title: "A requirement without a test", server: Some("elspais"), steps: ELSPAIS },
    Scene { title: "A command, filled in", server: Some("specifyplus"), steps: SPECIFYPLUS },
    Scene {
        title: "Code that left its specification",
        server: Some("reverse-spec"),
        steps: REVERSE_SPEC,
    },
    Scene { title: "A gate that is not met, and then is", server: Some("acm"), steps: ACM },
    Scene { title: "One story: due dates, with all five", server: None, steps: STORY },
];

const PREFLIGHTS: &[Step] = &[
    Say("Somebody asks for a database. Which one was never decided, so the server asks."),
    Run("preflights-mcp", &["start", "Store the todos in a database"], Passes),
    Say("The person answers, and says why."),
    Run(
        "preflights-mcp",
        &[
            "answer",
            "db_type=SQLite",
            "db_orm=Drizzle",
            "reason=One file is enough for one machine.",
        ],
        Passes,
    ),
    Say("That is now a record, and nobody has to ask again."),
    Show("docs/adr", "### Decision", 10),
    Run("preflights-mcp", &["start", "Fix a typo in the readme"], Passes),
];

const ELSPAIS: &[Step] = &[
    Say("The requirement on titles is implemented, and no test says that it holds."),
    Run("elspais-mcp", &["check", "--covered", "DEV"], Fails),
    Say("A test is written, and says what it verifies."),
    Write(
        "tests/title.test.ts",
        "import { parseTitle } from \"../src/todo.ts\";\n\n// Verifies: REQ-d00001-A\ntest(\"an empty title is refused\", () => expect(() => parseTitle(\" \")).toThrow());\n\n// Verifies: REQ-d00001-B\ntest(\"a long title is refused\", () => expect(() => parseTitle(\"x\".repeat(201))).toThrow());\n\n// Verifies: REQ-d00002-A+B\ntest(\"a done item stays done\", () => expect(true).toBe(true));\n",
    ),
    Run("elspais-mcp", &["check", "--covered", "DEV"], Passes),
    Say("And the whole of it as a page to look at."),
    Run("elspais-mcp", &["report", "--html", "requirements.html"], Passes),
];

const SPECIFYPLUS: &[Step] = &[
    Say("The project keeps its commands as files. Any client gets them as prompts."),
    Run("specifyplus-mcp", &["call", "--text", "list_commands"], Passes),
    Say("A client asks for /plan with what the person typed behind it."),
    Run(
        "specifyplus-mcp",
        &["call", "get_command", "name=plan", "input=Let a to-do have a due date"],
        Passes,
    ),
    Say(
        "The server brings thirteen commands of its own, for projects that have none: this is /sp.plan.",
    ),
    Run(
        "specifyplus-mcp",
        &["call", "--builtin", "get_command", "name=sp.plan", "input=Let a to-do have a due date"],
        Passes,
    ),
];

const REVERSE_SPEC: &[Step] = &[
    Say("A service with two routes gets its specifications, from the code alone."),
    Write(
        "src/api.ts",
        "import express from \"express\";\n\nexport const app = express();\n\napp.get(\"/todos\", (request, response) => response.json([]));\napp.post(\"/todos/:id/done\", (request, response) => response.json({}));\n",
    ),
    Run("reverse-spec-mcp", &["batch"], Passes),
    Say("Somebody edits a signature and a route."),
    Edit("src/todo.ts", "parseTitle(raw: string)", "parseTitle(raw: string, limit: number)"),
    Edit("src/api.ts", "app.get(\"/todos\"", "app.get(\"/items\""),
    Run("reverse-spec-mcp", &["diff"], Fails),
    Say("Put back, everything is true again."),
    Edit("src/todo.ts", "parseTitle(raw: string, limit: number)", "parseTitle(raw: string)"),
    Edit("src/api.ts", "app.get(\"/items\"", "app.get(\"/todos\""),
    Run("reverse-spec-mcp", &["diff"], Passes),
];

const ACM: &[Step] = &[
    Say("May this project go on to the next stage?"),
    Run("acm-mcp", &["check"], Fails),
    Say("What is missing is written from the templates of the process."),
    Save("acm-mcp", &["call", "get_artifact_stub", "artifact=intent"], "docs/intent.md"),
    Save("acm-mcp", &["call", "get_artifact_stub", "artifact=brief"], "docs/brief.md"),
    Save("acm-mcp", &["call", "get_artifact_stub", "artifact=status"], "status.md"),
    Save("acm-mcp", &["call", "get_artifact_stub", "artifact=claude_md"], ".claude/CLAUDE.md"),
    Save(
        "acm-mcp",
        &["call", "get_artifact_stub", "artifact=rules_constraints"],
        ".claude/rules/constraints.md",
    ),
    Write("docs/inbox/.gitkeep", ""),
    Write("_archive/.gitkeep", ""),
    Run("acm-mcp", &["check"], Passes),
];

const STORY: &[Step] = &[
    Say("1. acm says what the stage asks for before anything is built."),
    Run("acm-mcp", &["call", "get_stage", "stage=develop", "section=Entry Criteria"], Passes),
    Say("2. preflights holds the request against what was decided in the first scene."),
    Run("preflights-mcp", &["call", "--text", "read_architecture"], Passes),
    Remember("docs/adr", "UID", "record"),
    Say("3. A requirement names that record, and elspais checks that it hangs together."),
    Write(
        "spec/due.md",
        "# REQ-d00004: Due dates are kept\n\n**Level**: DEV | **Status**: Active | **Implements**: REQ-p00001-A\n\nDecided in {record}.\n\n## Assertions\n\nA. A due date SHALL be stored with its to-do.\n\n*End* *Due dates are kept* | **Hash**: ________\n",
    ),
    Run("elspais-mcp", &["call", "--text", "search", "query=due"], Passes),
    Say("4. specifyplus fills the plan with that requirement."),
    Run(
        "specifyplus-mcp",
        &["call", "get_command", "name=plan", "input=Implement REQ-d00004 as {record} decided"],
        Passes,
    ),
    Say("5. The code is written; reverse-spec sees what is new, and the person accepts it."),
    Write(
        "src/due.ts",
        "// Implements: REQ-d00004\nexport function parseDue(text: string): Date {\n  return new Date(text);\n}\n",
    ),
    Write(
        "tests/due.test.ts",
        "import { parseDue } from \"../src/due.ts\";\n\n// Verifies: REQ-d00004-A\ntest(\"a due date is read\", () => expect(parseDue(\"2030-01-01\").getFullYear()).toBe(2030));\n",
    ),
    Run("reverse-spec-mcp", &["batch"], Passes),
    Run("reverse-spec-mcp", &["diff"], Passes),
    Say("6. elspais traces the requirement from the product down to that code and its test."),
    Run("elspais-mcp", &["call", "--text", "get_requirement", "req_id=REQ-d00004"], Passes),
    Say("7. And acm lets the project pass."),
    Run("acm-mcp", &["check"], Passes),
];
