//! TypeScript and JavaScript, case by case.

use super::*;
