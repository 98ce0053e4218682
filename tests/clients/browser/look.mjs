// Opens a page from a file in headless Chromium and runs steps on it: look.mjs CHROMIUM PAGE STEPS.
// STEPS is a module whose default export gets Playwright's page and returns what shall be printed.
// Fails when the page asks the network for anything or reports an error.
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [executablePath, file, steps] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") wrong.push(`console: ${message.text()}`);
  });
  const url = pathToFileURL(file).href;
  page.on("request", (request) => {
    const asked = request.url();
    if (asked !== url && !asked.startsWith("data:")) wrong.push(`request: ${asked}`);
  });
  page.on("dialog", (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.goto(url);
  const { default: run } = await import(pathToFileURL(steps).href);
  const seen = await run(page);
  console.log(JSON.stringify({ seen, wrong }));
} finally {
  await browser.close();
}
