#!/usr/bin/env node
// Starts the executable of this platform: one of the Plumbline family of servers.
"use strict";

const { spawn } = require("node:child_process");

const platform = `${process.platform}-${process.arch}`;
const ending = process.platform === "win32" ? ".exe" : "";
let executable;
try {
  executable = require.resolve(`PACKAGE-${platform}/bin/EXECUTABLE${ending}`);
} catch {
  console.error(
    `EXECUTABLE: there is no package for ${platform}. ` +
      "If you installed with --no-optional or --omit=optional, install again without it.",
  );
  process.exit(1);
}
const child = spawn(executable, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (error) => {
  console.error(`EXECUTABLE: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  process.exit(signal ? 1 : code);
});
