//! The files the binary carries: the process tree, the registry and the companion skill.
//!
//! A test compares these tables with the folders under `assets/`.

/// Paths as they are in the tree, sorted, each with its text.
pub(crate) type Files = &'static [(&'static str, &'static str)];

/// What `ACM_ROOT` holds when nothing else does.
pub(crate) const PROCESS: Files = &[
    ("ACM-BACKLOG-SPEC.md", include_str!("../../assets/tree/ACM-BACKLOG-SPEC.md")),
    ("ACM-BRIEF-SPEC.md", include_str!("../../assets/tree/ACM-BRIEF-SPEC.md")),
    (
        "ACM-CONTEXT-ARTIFACT-SPEC.md",
        include_str!("../../assets/tree/ACM-CONTEXT-ARTIFACT-SPEC.md"),
    ),
    ("ACM-DESIGN-SPEC.md", include_str!("../../assets/tree/ACM-DESIGN-SPEC.md")),
    ("ACM-DEVELOP-SPEC.md", include_str!("../../assets/tree/ACM-DEVELOP-SPEC.md")),
    ("ACM-DISCOVER-SPEC.md", include_str!("../../assets/tree/ACM-DISCOVER-SPEC.md")),
    (
        "ACM-FOLDER-STRUCTURE-SPEC.md",
        include_str!("../../assets/tree/ACM-FOLDER-STRUCTURE-SPEC.md"),
    ),
    (
        "ACM-GLOBAL-CLAUDE-MD-SPEC.md",
        include_str!("../../assets/tree/ACM-GLOBAL-CLAUDE-MD-SPEC.md"),
    ),
    ("ACM-INTENT-SPEC.md", include_str!("../../assets/tree/ACM-INTENT-SPEC.md")),
    (
        "ACM-PROJECT-CLAUDE-MD-SPEC.md",
        include_str!("../../assets/tree/ACM-PROJECT-CLAUDE-MD-SPEC.md"),
    ),
    ("ACM-PROJECT-TYPES-SPEC.md", include_str!("../../assets/tree/ACM-PROJECT-TYPES-SPEC.md")),
    ("ACM-README-SPEC.md", include_str!("../../assets/tree/ACM-README-SPEC.md")),
    ("ACM-REVIEW-SPEC.md", include_str!("../../assets/tree/ACM-REVIEW-SPEC.md")),
    ("ACM-RULES-SPEC.md", include_str!("../../assets/tree/ACM-RULES-SPEC.md")),
    ("ACM-STAGES-SPEC.md", include_str!("../../assets/tree/ACM-STAGES-SPEC.md")),
    ("ACM-STATUS-SPEC.md", include_str!("../../assets/tree/ACM-STATUS-SPEC.md")),
    ("README.md", include_str!("../../assets/tree/README.md")),
    ("kb/README.md", include_str!("../../assets/tree/kb/README.md")),
    ("kb/context-budget.md", include_str!("../../assets/tree/kb/context-budget.md")),
    ("kb/decision-log.md", include_str!("../../assets/tree/kb/decision-log.md")),
    ("kb/external-review.md", include_str!("../../assets/tree/kb/external-review.md")),
    ("kb/mcp-server-design.md", include_str!("../../assets/tree/kb/mcp-server-design.md")),
    ("kb/review-loop.md", include_str!("../../assets/tree/kb/review-loop.md")),
    (
        "kb/incidents-and-rollback.md",
        include_str!("../../assets/tree/kb/incidents-and-rollback.md"),
    ),
    ("kb/parallel-agents.md", include_str!("../../assets/tree/kb/parallel-agents.md")),
    ("kb/pull-requests-and-ci.md", include_str!("../../assets/tree/kb/pull-requests-and-ci.md")),
    ("kb/small-changes.md", include_str!("../../assets/tree/kb/small-changes.md")),
    ("kb/scoping-an-mvp.md", include_str!("../../assets/tree/kb/scoping-an-mvp.md")),
    ("kb/session-handoff.md", include_str!("../../assets/tree/kb/session-handoff.md")),
    ("kb/status-reports.md", include_str!("../../assets/tree/kb/status-reports.md")),
    ("kb/success-criteria.md", include_str!("../../assets/tree/kb/success-criteria.md")),
    ("kb/vertical-slices.md", include_str!("../../assets/tree/kb/vertical-slices.md")),
    (
        "prompts/design-external-review-prompt.md",
        include_str!("../../assets/tree/prompts/design-external-review-prompt.md"),
    ),
    (
        "prompts/design-ralph-review-prompt.md",
        include_str!("../../assets/tree/prompts/design-ralph-review-prompt.md"),
    ),
    (
        "prompts/develop-external-review-prompt.md",
        include_str!("../../assets/tree/prompts/develop-external-review-prompt.md"),
    ),
    (
        "prompts/develop-ralph-review-prompt.md",
        include_str!("../../assets/tree/prompts/develop-ralph-review-prompt.md"),
    ),
    (
        "prompts/external-review-prompt.md",
        include_str!("../../assets/tree/prompts/external-review-prompt.md"),
    ),
    (
        "prompts/ralph-review-prompt.md",
        include_str!("../../assets/tree/prompts/ralph-review-prompt.md"),
    ),
    (
        "prompts/start-design-prompt.md",
        include_str!("../../assets/tree/prompts/start-design-prompt.md"),
    ),
    (
        "prompts/start-develop-prompt.md",
        include_str!("../../assets/tree/prompts/start-develop-prompt.md"),
    ),
    ("stubs/brief.md", include_str!("../../assets/tree/stubs/brief.md")),
    ("stubs/claude-md/app.md", include_str!("../../assets/tree/stubs/claude-md/app.md")),
    ("stubs/claude-md/artifact.md", include_str!("../../assets/tree/stubs/claude-md/artifact.md")),
    ("stubs/claude-md/workflow.md", include_str!("../../assets/tree/stubs/claude-md/workflow.md")),
    ("stubs/intent.md", include_str!("../../assets/tree/stubs/intent.md")),
    ("stubs/readme.md", include_str!("../../assets/tree/stubs/readme.md")),
    ("stubs/rules-constraints.md", include_str!("../../assets/tree/stubs/rules-constraints.md")),
    ("stubs/status.md", include_str!("../../assets/tree/stubs/status.md")),
    ("stubs/stream.md", include_str!("../../assets/tree/stubs/stream.md")),
];

/// What `ACM_REGISTRY_ROOT` holds when nothing else does.
pub(crate) const REGISTRY: Files = &[
    ("README.md", include_str!("../../assets/registry/README.md")),
    (
        "capabilities/agents/fresh-reader/capability.yaml",
        include_str!("../../assets/registry/capabilities/agents/fresh-reader/capability.yaml"),
    ),
    (
        "capabilities/skills/acm-workflow/capability.yaml",
        include_str!("../../assets/registry/capabilities/skills/acm-workflow/capability.yaml"),
    ),
    (
        "capabilities/tools/acm/capability.yaml",
        include_str!("../../assets/registry/capabilities/tools/acm/capability.yaml"),
    ),
    (
        "capabilities/tools/elspais/capability.yaml",
        include_str!("../../assets/registry/capabilities/tools/elspais/capability.yaml"),
    ),
    (
        "capabilities/tools/preflights/capability.yaml",
        include_str!("../../assets/registry/capabilities/tools/preflights/capability.yaml"),
    ),
    (
        "capabilities/tools/reverse-spec/capability.yaml",
        include_str!("../../assets/registry/capabilities/tools/reverse-spec/capability.yaml"),
    ),
    (
        "capabilities/tools/specifyplus/capability.yaml",
        include_str!("../../assets/registry/capabilities/tools/specifyplus/capability.yaml"),
    ),
    ("inventory.json", include_str!("../../assets/registry/inventory.json")),
];

/// The acm-workflow skill.
pub(crate) const SKILL: Files = &[
    ("SKILL.md", include_str!("../../assets/skill/SKILL.md")),
    ("references/tool-guide.md", include_str!("../../assets/skill/references/tool-guide.md")),
];
