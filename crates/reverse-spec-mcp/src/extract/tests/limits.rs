//! Hostile and odd input.

use super::*;
