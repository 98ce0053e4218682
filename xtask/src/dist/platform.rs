//! The platforms of a release, as each kind of package calls them.

use crate::Result;

pub(super) struct Platform {
    /// As cargo calls it.
    pub(super) target: &'static str,
    /// `process.platform` and `process.arch` of Node.
    pub(super) node: (&'static str, &'static str),
    /// The tag of a wheel. On Linux the executable is static, so it runs on every C library.
    pub(super) wheel: &'static str,
    /// As bundles call it.
    pub(super) bundle: &'static str,
    /// What executables end in.
    pub(super) ending: &'static str,
}

pub(super) const PLATFORMS: &[Platform] = &[
    Platform {
        target: "x86_64-unknown-linux-gnu",
        node: ("linux", "x64"),
        wheel: "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
        bundle: "linux",
        ending: "",
    },
    Platform {
        target: "aarch64-unknown-linux-gnu",
        node: ("linux", "arm64"),
        wheel: "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
        bundle: "linux",
        ending: "",
    },
    Platform {
        target: "x86_64-apple-darwin",
        node: ("darwin", "x64"),
        wheel: "macosx_10_12_x86_64",
        bundle: "darwin",
        ending: "",
    },
    Platform {
        target: "aarch64-apple-darwin",
        node: ("darwin", "arm64"),
        wheel: "macosx_11_0_arm64",
        bundle: "darwin",
        ending: "",
    },
    Platform {
        target: "x86_64-pc-windows-msvc",
        node: ("win32", "x64"),
        wheel: "win_amd64",
        bundle: "win32",
        ending: ".exe",
    },
];

pub(super) fn of(target: &str) -> Result<&'static Platform> {
    PLATFORMS.iter().find(|it| it.target == target).ok_or_else(|| {
        let known: Vec<&str> = PLATFORMS.iter().map(|it| it.target).collect();
        format!("packages are made for {}, not for {target}", known.join(", ")).into()
    })
}
