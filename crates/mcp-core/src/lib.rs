//! Shared core.
