// What the page holds: columns that are read at once, and texts in packed blocks.

const inflated = (text) => {
  const bytes = Uint8Array.from(atob(text), (it) => it.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).arrayBuffer();
};
const utf8 = new TextDecoder();
// One column for each thing a row shows; see `Head` in head.rs.
const head = JSON.parse(utf8.decode(await inflated(data.head)));
const total = head.id.length;
const BROKEN = 1, SUSPECT = 2, FAILING = 4;
const placeOf = new Map(head.id.map((id, index) => [id, index]));
const children = head.id.map(() => []);
const roots = [];
head.parents.forEach((parents, index) => {
  if (parents.length === 0) roots.push(index);
  for (const parent of parents) children[parent].push(index);
});
// Whatever hangs in a circle has no root above it and is shown at the top as well.
{
  const reached = new Uint8Array(total);
  const reach = (start) => {
    const todo = [start];
    while (todo.length) {
      const index = todo.pop();
      if (reached[index]) continue;
      reached[index] = 1;
      for (const child of children[index]) if (!reached[child]) todo.push(child);
    }
  };
  roots.forEach(reach);
  for (let index = 0; index < total; index++) if (!reached[index]) { roots.push(index); reach(index); }
}
const isUncovered = (index) => head.covered[index] + head.excepted[index] < head.total[index];
const hasGap = (index) => isUncovered(index) || head.marks[index] !== 0;
const lowered = head.id.map((id, index) => `${id} ${head.title[index]}`.toLowerCase());
const changes = new Map(head.changed.map((it) => [it[0], it]));

// A block is opened once, when one of its requirements is asked for.
const words = new Array(256);
for (const [code, word] of data.words) words[code] = new TextEncoder().encode(word);
const opened = new Map();
function block(number) {
  if (!opened.has(number)) {
    opened.set(number, inflated(data.blocks[number]).then((packed) => {
      const short = new Uint8Array(packed);
      let length = 0;
      for (const byte of short) length += words[byte] ? words[byte].length : 1;
      const bytes = new Uint8Array(length);
      let at = 0;
      for (const byte of short) {
        const word = words[byte];
        if (word) { bytes.set(word, at); at += word.length; } else bytes[at++] = byte;
      }
      return JSON.parse(utf8.decode(bytes));
    }));
  }
  return opened.get(number);
}

// A client that shows the page answers calls: JSON-RPC to the window around this one.
let asked = 0;
const answers = new Map();
const post = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
function ask(method, params) {
  const id = ++asked;
  return new Promise((resolve, reject) => {
    answers.set(id, { resolve, reject });
    post({ id, method, params });
  });
}
const inClient = data.client && parent !== window;
if (inClient) {
  addEventListener("message", (event) => {
    const { id, result, error } = event.data || {};
    // Only the window around this one answers.
    if (event.source !== parent || !answers.has(id)) return;
    const { resolve, reject } = answers.get(id);
    answers.delete(id);
    if (error) reject(new Error(error.message)); else resolve(result);
  });
}
const greeted = inClient
  ? ask("ui/initialize", { protocolVersion: "2026-01-26", appInfo: { name: "elspais-report", version: "1" }, appCapabilities: {} })
    .then(() => {
      post({ method: "ui/notifications/initialized" });
      post({ method: "ui/notifications/size-changed", params: { height: 720 } });
    })
  : Promise.resolve();
async function call(name, given) {
  await greeted;
  const result = await ask("tools/call", { name, arguments: given });
  const text = (result.content || []).filter((it) => it.type === "text").map((it) => it.text).join("\n");
  if (result.isError) throw new Error(text);
  return result.structuredContent || JSON.parse(text);
}

// What a requirement says: { text, assertions, cited, excepted }, or nothing where nobody knows.
const told = new Map();
async function detailOf(index) {
  if (data.blocks.length) {
    if (!told.has(index)) told.set(index, unpacked((await block(Math.floor(index / data.per_block)))[index % data.per_block]));
    return told.get(index);
  }
  if (!inClient) return null;
  if (!told.has(index)) told.set(index, fromCall(await call("get_requirement", { req_id: head.id[index] })));
  return told.get(index);
}
// In a block an assertion says how far behind the one before it stands.
function unpacked(it) {
  let end = 0;
  const assertions = it.assertions.map(([label, gap, length, ...rest]) => {
    const start = end + gap;
    end = start + length;
    return [label, start, length, ...rest];
  });
  return { ...it, assertions };
}
function fromCall(full) {
  let after = 0;
  const assertions = full.assertions.map(({ label, text }) => {
    const start = full.body.indexOf(text, after);
    if (start < 0) return [label, 0, 0, 0, ""];
    after = start + text.length;
    return [label, start, text.length, 0, ""];
  });
  const cited = full.relationships.outgoing.map(({ id, kind, node_kind, assertion_targets }) => {
    // Code and tests are called by their place.
    const [, path, line] = /^(?:code:|test:)?(.*?):(\d+)/.exec(id) || [];
    const isPlace = node_kind !== "requirement" && path;
    return [node_kind, kind, isPlace ? "" : id, isPlace ? path : "", isPlace ? Number(line) : 0, assertion_targets.join(" "), "", ""];
  });
  return { text: full.body, assertions, cited, excepted: "" };
}
