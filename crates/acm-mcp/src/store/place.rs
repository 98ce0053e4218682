//! The two trees the server reads: how each is chosen, and what stands in where there is none.

use super::embedded;

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Process,
    Registry,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) role: Role,
    pub(crate) variable: &'static str,
    /// Beneath the home directory.
    pub(crate) default: &'static str,
    pub(crate) what: &'static str,
    pub(crate) files: embedded::Files,
}

pub(crate) const PROCESS: Place = Place {
    role: Role::Process,
    variable: "ACM_ROOT",
    default: "code/_shared/acm",
    what: "process tree",
    files: embedded::PROCESS,
};

pub(crate) const REGISTRY: Place = Place {
    role: Role::Registry,
    variable: "ACM_REGISTRY_ROOT",
    default: "code/_shared/capabilities-registry",
    what: "capabilities registry",
    files: embedded::REGISTRY,
};
