//! Direct dependencies out of manifests, and images out of compose files. Contents that cannot be
//! read show nothing: repairing them is somebody else's task.

use serde_json::Value;

type Reader = fn(&str) -> Vec<String>;

/// How to read a file of this name, and the ecosystem it belongs to.
pub(super) fn reader(path: &str) -> Option<(Option<&'static str>, Reader)> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let has_ending = |ending: &str| name.len() > ending.len() && name.ends_with(ending);
    let found: (Option<&'static str>, Reader) = match name {
        "Cargo.toml" => (Some("rust"), cargo),
        "package.json" => (Some("node"), npm),
        "pyproject.toml" => (Some("python"), pyproject),
        "Pipfile" => (Some("python"), pipfile),
        "go.mod" => (Some("go"), go),
        "pom.xml" => (Some("jvm"), pom),
        "build.gradle" | "build.gradle.kts" => (Some("jvm"), gradle),
        "Gemfile" => (Some("ruby"), gemfile),
        "composer.json" => (Some("php"), composer),
        "Package.swift" => (Some("swift"), swift),
        "pubspec.yaml" => (Some("dart"), pubspec),
        "mix.exs" => (Some("elixir"), mix),
        "versions.tf" | "providers.tf" | "terraform.tf" => (Some("terraform"), terraform),
        "Chart.yaml" => (None, chart),
        "schema.prisma" => (None, prisma),
        "CMakeLists.txt" => (Some("cpp"), cmake),
        "vcpkg.json" => (Some("cpp"), vcpkg),
        // Locks only tell the ecosystem: what they list was not chosen.
        "package-lock.json" | "yarn.lock" | "pnpm-lock.yaml" | "bun.lock" => {
            (Some("node"), nothing)
        }
        "Cargo.lock" => (Some("rust"), nothing),
        "poetry.lock" | "uv.lock" | "Pipfile.lock" => (Some("python"), nothing),
        "go.sum" => (Some("go"), nothing),
        "Gemfile.lock" => (Some("ruby"), nothing),
        "composer.lock" => (Some("php"), nothing),
        _ if (name.starts_with("requirements") || path.contains("requirements/"))
            && has_ending(".txt") =>
        {
            (Some("python"), requirements)
        }
        _ if has_ending(".csproj") || has_ending(".fsproj") => (Some("dotnet"), csproj),
        _ if (name.starts_with("docker-compose") || name.starts_with("compose"))
            && (has_ending(".yml") || has_ending(".yaml")) =>
        {
            (None, compose)
        }
        _ => return None,
    };
    Some(found)
}

fn nothing(_: &str) -> Vec<String> {
    Vec::new()
}

fn keys(prefix: &str, table: Option<&Value>) -> Vec<String> {
    let table = table.and_then(Value::as_object);
    table.into_iter().flatten().map(|(name, _)| format!("{prefix}:{name}")).collect()
}

fn toml_value(text: &str) -> Option<Value> {
    toml::from_str::<Value>(text).ok()
}

const CARGO_TABLES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

fn cargo(text: &str) -> Vec<String> {
    let Some(manifest) = toml_value(text) else { return Vec::new() };
    let mut found = Vec::new();
    let targets = manifest["target"].as_object().into_iter().flatten().map(|(_, table)| table);
    for place in [&manifest, &manifest["workspace"]].into_iter().chain(targets) {
        for table in CARGO_TABLES {
            found.extend(keys("cargo", place.get(table)));
        }
    }
    found
}

fn npm(text: &str) -> Vec<String> {
    let Ok(manifest) = serde_json::from_str::<Value>(text) else { return Vec::new() };
    ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"]
        .iter()
        .flat_map(|table| keys("npm", manifest.get(table)))
        .collect()
}

fn composer(text: &str) -> Vec<String> {
    let Ok(manifest) = serde_json::from_str::<Value>(text) else { return Vec::new() };
    ["require", "require-dev"].iter().flat_map(|it| keys("composer", manifest.get(it))).collect()
}

/// The name at the start of `SQLAlchemy[asyncio]>=2 ; python_version > "3.8"`.
fn python_name(requirement: &str) -> Option<String> {
    let end = requirement
        .find(|it: char| !(it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.')))
        .unwrap_or(requirement.len());
    let name = requirement[..end].to_lowercase().replace('_', "-");
    (!name.is_empty() && !name.starts_with('-')).then(|| format!("pypi:{name}"))
}

fn pyproject(text: &str) -> Vec<String> {
    let Some(manifest) = toml_value(text) else { return Vec::new() };
    let project = &manifest["project"];
    let optional = project["optional-dependencies"].as_object().into_iter().flatten();
    let groups = manifest["dependency-groups"].as_object().into_iter().flatten();
    let lists = std::iter::once(&project["dependencies"])
        .chain(optional.map(|(_, list)| list))
        .chain(groups.map(|(_, list)| list));
    let mut found: Vec<String> = lists
        .filter_map(Value::as_array)
        .flatten()
        .filter_map(Value::as_str)
        .filter_map(python_name)
        .collect();
    let poetry = &manifest["tool"]["poetry"];
    let names = poetry["dependencies"].as_object().into_iter().flatten();
    found.extend(names.filter_map(|(name, _)| python_name(name)));
    found
}

fn pipfile(text: &str) -> Vec<String> {
    let Some(manifest) = toml_value(text) else { return Vec::new() };
    let names = manifest["packages"].as_object().into_iter().flatten();
    names.filter_map(|(name, _)| python_name(name)).collect()
}

fn requirements(text: &str) -> Vec<String> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.starts_with('#'))
        .filter_map(python_name)
        .collect()
}

fn go(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_block = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with("require (") {
            in_block = true;
        } else if line == ")" {
            in_block = false;
        } else if let Some(one) = line.strip_prefix("require ").or(in_block.then_some(line))
            && !line.ends_with("// indirect")
            && let Some(module) = one.split_whitespace().next()
        {
            found.push(format!("go:{module}"));
        }
    }
    found
}

/// Every text between `open` and `close`.
fn between<'a>(text: &'a str, open: &'a str, close: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(open).skip(1).filter_map(move |rest| rest.split(close).next()).map(str::trim)
}

fn pom(text: &str) -> Vec<String> {
    between(text, "<dependency>", "</dependency>")
        .flat_map(|it| between(it, "<artifactId>", "</artifactId>").take(1))
        .map(|name| format!("jvm:{name}"))
        .collect()
}

fn gradle(text: &str) -> Vec<String> {
    text.split(['"', '\''])
        .filter(|it| !it.contains(char::is_whitespace))
        .filter_map(|it| it.split(':').nth(1))
        .filter(|name| !name.is_empty())
        .map(|name| format!("jvm:{name}"))
        .collect()
}

fn gemfile(text: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| line.trim().strip_prefix("gem "))
        .filter_map(|rest| rest.split(['"', '\'']).nth(1))
        .map(|name| format!("gem:{name}"))
        .collect()
}

fn csproj(text: &str) -> Vec<String> {
    between(text, "PackageReference Include=\"", "\"")
        .map(|name| format!("nuget:{}", name.to_lowercase()))
        .collect()
}

/// The name of `docker.io/library/postgres:16` is `postgres`.
fn compose(text: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| line.trim().strip_prefix("image:"))
        .filter_map(|image| {
            let image = image.trim().trim_matches(['"', '\'']);
            let name = image.rsplit('/').next()?.split([':', '@']).next()?;
            (!name.is_empty()).then(|| format!("image:{name}"))
        })
        .collect()
}

/// The last part of `.package(url: "https://host/owner/Name.git", …)`.
fn swift(text: &str) -> Vec<String> {
    between(text, ".package(url: \"", "\"")
        .filter_map(|url| url.trim_end_matches(".git").rsplit('/').next())
        .map(|name| format!("swift:{name}"))
        .collect()
}

/// Names below `dependencies:` and `dev_dependencies:`, one level in.
fn pubspec(text: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if !line.starts_with(' ') {
            inside = matches!(line.trim_end(), "dependencies:" | "dev_dependencies:");
        } else if inside
            && let Some(name) = line.strip_prefix("  ").and_then(|it| it.split_once(':'))
            && !name.0.starts_with([' ', '#'])
        {
            found.push(format!("pub:{}", name.0));
        }
    }
    found
}

fn mix(text: &str) -> Vec<String> {
    between(text, "{:", ",")
        .filter(|it| it.chars().all(|it| it.is_ascii_alphanumeric() || it == '_'))
        .map(|name| format!("hex:{name}"))
        .collect()
}

/// Sources of required providers: `source = "hashicorp/aws"`.
fn terraform(text: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| line.trim().strip_prefix("source"))
        .filter_map(|rest| rest.split('"').nth(1)?.rsplit('/').next())
        .map(|name| format!("tf:{name}"))
        .collect()
}

fn chart(text: &str) -> Vec<String> {
    text.lines()
        .filter_map(|line| line.trim().strip_prefix("- name:"))
        .map(|name| format!("helm:{}", name.trim().trim_matches('"')))
        .collect()
}

/// The database that the schema is written for.
fn prisma(text: &str) -> Vec<String> {
    let source = text.split("datasource").nth(1).unwrap_or_default();
    let source = source.split('}').next().unwrap_or_default();
    let provider = source.lines().find(|it| it.trim_start().starts_with("provider"));
    let name = provider.and_then(|it| it.split('"').nth(1));
    name.map(|it| format!("prisma:{it}")).into_iter().collect()
}

fn cmake(text: &str) -> Vec<String> {
    between(text, "find_package(", ")")
        .filter_map(|it| it.split_whitespace().next())
        .map(|name| format!("cmake:{name}"))
        .collect()
}

fn vcpkg(text: &str) -> Vec<String> {
    let Ok(manifest) = serde_json::from_str::<Value>(text) else { return Vec::new() };
    let list = manifest["dependencies"].as_array().into_iter().flatten();
    list.filter_map(|it| it.as_str().or_else(|| it["name"].as_str()))
        .map(|name| format!("vcpkg:{name}"))
        .collect()
}
