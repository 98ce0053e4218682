// Reads {"name": "diagram", …} as JSON from a file and prints {"name": null | "what is wrong", …}.
import { readFileSync } from "node:fs";
import { JSDOM } from "jsdom";

const { window } = new JSDOM("<!doctype html><body></body>");
globalThis.window = window;
globalThis.document = window.document;
const { default: mermaid } = await import("mermaid");
mermaid.initialize({ startOnLoad: false });

const verdicts = {};
for (const [name, diagram] of Object.entries(JSON.parse(readFileSync(process.argv[2], "utf8")))) {
  try {
    await mermaid.parse(diagram);
    verdicts[name] = null;
  } catch (error) {
    verdicts[name] = String(error.message ?? error);
  }
}
console.log(JSON.stringify(verdicts));
