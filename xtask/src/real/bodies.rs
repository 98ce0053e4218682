//! `cargo xtask real bodies`: what our client sends to models, held against the types of both vendors'
//! own SDKs by the TypeScript compiler. The bodies are caught by a local stub; nobody else is asked.

use std::path::Path;
use std::process::{Command, Stdio};

use plumbline_tests::model::{ModelStub, Reaction};
use serde_json::Value;

use crate::files::{self, Scratch};
use crate::workspace::{Profile, Workspace};
use crate::{Result, run};

const PACKAGES: [&str; 3] = ["@anthropic-ai/sdk", "openai", "typescript"];
const SERVER: &str = "reverse-spec-mcp";
const SETTINGS: &str = r#"{ "compilerOptions": { "strict": true, "noEmit": true, "skipLibCheck": true,
  "module": "nodenext", "moduleResolution": "nodenext", "target": "es2022", "types": [] } }"#;

/// A vendor: how our client is pointed at a stub, and the type its bodies must have.
struct Vendor {
    name: &'static str,
    variables: [(&'static str, &'static str); 1],
    address: &'static str,
    import: &'static str,
    body: &'static str,
}

const VENDORS: [Vendor; 2] = [
    Vendor {
        name: "Anthropic",
        variables: [("ANTHROPIC_API_KEY", "sk-ant-of-nobody")],
        address: "ANTHROPIC_BASE_URL",
        import: "import Vendor from \"@anthropic-ai/sdk\";",
        body: "Vendor.MessageCreateParams",
    },
    Vendor {
        name: "OpenAI",
        variables: [("OPENAI_API_KEY", "sk-of-nobody")],
        address: "OPENAI_BASE_URL",
        import: "import Vendor from \"openai\";",
        body: "Vendor.Chat.Completions.ChatCompletionCreateParams",
    },
];

pub(super) fn run(workspace: &Workspace) -> Result {
    let mut build = workspace.cargo();
    build.args(["build", "--locked", "--bins", "--package", SERVER]);
    run::visibly(&mut build)?;
    let server = workspace.executable(Profile::Debug, SERVER);
    let scratch = Scratch::new("bodies")?;
    let types = scratch.path().join("types");
    files::write(&types.join("package.json"), "{ \"type\": \"module\", \"private\": true }")?;
    files::write(&types.join("tsconfig.json"), SETTINGS)?;
    let mut install = Command::new("npm");
    install.args(["install", "--silent", "--no-audit", "--no-fund"]).args(PACKAGES);
    run::quietly(install.current_dir(&types))?;
    let mut count = 0;
    for vendor in &VENDORS {
        let bodies = caught(vendor, &server, &scratch.path().join(vendor.name))?;
        println!("{}: {} bodies", vendor.name, bodies.len());
        for body in bodies {
            count += 1;
            // Written out as a literal, so that a field too many is an error as well.
            let text =
                format!("{}\nexport const body: {} = {body:#};\n", vendor.import, vendor.body);
            files::write(&types.join(format!("{}{count}.ts", vendor.name)), text)?;
        }
    }
    let checked = |types: &Path| run::quietly(Command::new("npx").arg("tsc").current_dir(types));
    checked(&types)?;
    // What checks nothing would pass as well.
    let wrong = format!(
        "{}\nexport const body: {} = {{ model: 1 }};\n",
        VENDORS[0].import, VENDORS[0].body
    );
    files::write(&types.join("wrong.ts"), wrong)?;
    if checked(&types).is_ok() {
        return Err("the types let a body pass that no vendor takes".into());
    }
    println!("all {count} bodies have the types of the SDKs");
    Ok(())
}

/// What is sent when a specification is written, and when a changed body is reviewed.
fn caught(vendor: &Vendor, server: &Path, project: &Path) -> Result<Vec<Value>> {
    files::write(&project.join(".git/HEAD"), "ref: refs/heads/main\n")?;
    let source = |by: u8| format!("export function next(n: number) {{ return n + {by}; }}\n");
    files::write(&project.join("src/a.ts"), source(1))?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    // That no answer comes does not matter: the question was asked.
    let refusal = Reaction::json(400, &Value::Null);
    let stub = runtime.block_on(ModelStub::start([refusal]));
    let ask = |args: &[&str], is_asked: bool| {
        let mut command = Command::new(server);
        command.args(args).current_dir(project).stdout(Stdio::null()).stderr(Stdio::null());
        if is_asked {
            let url = stub.url();
            command
                .envs(vendor.variables)
                .env(vendor.address, url)
                .env("REVERSE_SPEC_SEMANTIC", "on");
        } else {
            command.env("REVERSE_SPEC_LLM", "off");
        }
        command.status()
    };
    ask(&["generate", "src/a.ts"], true)?;
    ask(&["generate", "src/a.ts"], false)?;
    files::write(&project.join("src/a.ts"), source(2))?;
    ask(&["diff"], true)?;
    let bodies: Vec<Value> = stub.received().into_iter().map(|it| it.body).collect();
    let has_shape =
        |it: &Value| it.get("output_config").is_some() || it.get("response_format").is_some();
    if bodies.iter().all(has_shape) || !bodies.iter().any(has_shape) {
        return Err(format!("{} was not asked for prose and for data", vendor.name).into());
    }
    Ok(bodies)
}
