//! What holds for text in any language.

mod limits;
mod shortcuts;

use super::*;
use crate::domain::languages::tests::{exports, read};
