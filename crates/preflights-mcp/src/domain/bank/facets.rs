//! Questions about features, whatever they are built with.

use std::sync::LazyLock;

use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Facet {
    pub(crate) id: String,
    /// Phrases of a request that raise it.
    pub(crate) when: Vec<String>,
    /// Phrases that answer it.
    #[serde(default)]
    pub(crate) unless: Vec<String>,
    pub(crate) ask: String,
    pub(crate) why: String,
    pub(crate) impact: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "facet")]
    facets: Vec<Facet>,
}

static FACETS: LazyLock<Vec<Facet>> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the embedded facets are checked by a test")]
    let file: File = toml::from_str(include_str!("../../../assets/questions/facets.toml"))
        .expect("the embedded facets are valid");
    file.facets
});

/// All of them, as they stand in the file.
pub(crate) fn facets() -> &'static [Facet] {
    &FACETS
}
