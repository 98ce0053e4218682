//! Files that declare entities or settings and hold no code: schemas of databases, samples of an
//! environment. What they say is read with the other facts; here they are only known.

use std::sync::LazyLock;

use tree_sitter::Node;

use super::typescript::TypeScript;
use super::{About, Grammar, Language, Scope};
use crate::domain::skeleton::CodeSkeleton;
use crate::domain::syntax::unit::Unit;

static PRISMA: LazyLock<About> =
    LazyLock::new(|| About::read(include_str!("declared/prisma.toml")));
static SETTINGS: LazyLock<About> =
    LazyLock::new(|| About::read(include_str!("declared/settings.toml")));

static STATEMENTS: LazyLock<About> =
    LazyLock::new(|| About::read(include_str!("declared/migrations.toml")));

pub(super) struct Prisma;
pub(super) struct Settings;
/// Migrations in SQL or XML.
pub(super) struct Statements;

macro_rules! declares_only {
    ($language:ty, $about:ident) => {
        impl Language for $language {
            fn about(&self) -> &'static About {
                &$about
            }

            /// Nothing asks for it: such a file is not parsed.
            fn grammar(&self, _path: &str) -> &'static Grammar {
                TypeScript.grammar("a.ts")
            }

            fn read(&self, _: &Unit<'_>, _: Node<'_>, _: Scope, _: &mut CodeSkeleton) {}
        }
    };
}

declares_only!(Prisma, PRISMA);
declares_only!(Settings, SETTINGS);
declares_only!(Statements, STATEMENTS);
