//! A container with nothing in it but the executable, which runs as nobody.

use super::package::{File, Package};
use super::release::Release;

/// The user that owns nothing.
const NOBODY: u32 = 65_532;

/// To be built where the archive was unpacked.
pub(super) fn file(release: Option<&Release>, package: &Package) -> File {
    let name = package.server.package;
    let mut lines = vec![
        format!("# docker build -f {name}.Dockerfile -t {name} DIRECTORY_OF_THE_ARCHIVE"),
        format!("# docker run -i --rm -v \"$PWD:/project\" {name}"),
        "FROM scratch".to_owned(),
        format!("COPY {name} /{name}"),
        format!("USER {NOBODY}:{NOBODY}"),
        "WORKDIR /project".to_owned(),
        format!("LABEL org.opencontainers.image.title=\"{name}\""),
        format!("LABEL org.opencontainers.image.version=\"{}\"", package.version),
        format!("LABEL org.opencontainers.image.licenses=\"{}\"", package.license),
    ];
    if let Some(release) = release {
        let registered = release.registered_name(name);
        lines.push(format!("LABEL io.modelcontextprotocol.server.name=\"{registered}\""));
        lines.push(format!("LABEL org.opencontainers.image.source=\"{}\"", release.repository));
    }
    lines.push(format!("ENTRYPOINT [\"/{name}\", \"--root\", \"/project\"]"));
    File::new(format!("docker/{name}.Dockerfile"), lines.join("\n") + "\n")
}
