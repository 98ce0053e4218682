// What the page holds, and the words for it.

const { modules, entries, specs } = data;
const users = modules.map(() => []);
modules.forEach((module, index) => module.uses.forEach((used) => users[used].push(index)));
const circleOf = (index) => modules.map((module, other) => other)
  .filter((other) => other !== index && modules[index].circle !== null && modules[other].circle === modules[index].circle);
const entriesOf = modules.map(() => []);
entries.forEach((entry) => entriesOf[entry.module].push(entry));
const specOf = new Map(specs.filter((spec) => spec.module !== null).map((spec) => [spec.module, spec]));
const counted = (value, word) => `${number(value)} ${word}${value === 1 ? "" : "s"}`;

// Kinds of entry points in the order in which a newcomer asks for them.
const KINDS = [
  ["route", "Routes"], ["mount", "Mounted below an address"], ["middleware", "What requests go through"],
  ["main", "Where programs begin"], ["command", "Commands"], ["flag", "Flags and arguments"],
  ["job", "Scheduled jobs"], ["topic", "Topics, queues and events"],
  ["environment", "Variables of the environment"], ["setting", "Settings"],
  ["entity", "What is kept"], ["migration", "Migrations"],
];

// What is worst about a specification decides its colour.
const stateOf = (spec) => {
  if (!spec) return "none";
  if (spec.problem || spec.high) return "high";
  if (spec.medium) return "medium";
  return spec.low ? "low" : "fine";
};
const state = (index) => stateOf(specOf.get(index));
const STATES = [
  ["high", "drift, high"], ["medium", "medium"], ["low", "low"],
  ["fine", "true to the code"], ["none", "no specification"],
];
const gravity = (spec) => STATES.findIndex(([name]) => name === stateOf(spec));
const TONES = { high: "bad", medium: "warn", none: "quiet" };
const driftWords = (spec) => {
  if (!spec) return "no specification";
  if (spec.problem) return "not compared";
  const parts = [["high", spec.high], ["medium", spec.medium], ["low", spec.low]].filter(([, count]) => count);
  return parts.length ? parts.map(([word, count]) => `${number(count)} ${word}`).join(", ") : "none";
};
const byGravity = (one, other) => gravity(one) - gravity(other)
  || (other?.high || 0) - (one?.high || 0) || (other?.medium || 0) - (one?.medium || 0) || (other?.low || 0) - (one?.low || 0);

const place = (path, line) => {
  const text = line ? `${path}:${line}` : path;
  // A client that shows the page has nothing at these addresses.
  if (data.links === null) return make("span", "mono place", text);
  const link = make("a", "mono place", text);
  link.href = data.links + path.split("/").map(encodeURIComponent).join("/") + (line ? `#L${line}` : "");
  link.title = link.textContent;
  return link;
};
const way = (index) => {
  const button = make("button", "way mono", modules[index].path);
  button.type = "button";
  button.addEventListener("click", () => choose(index));
  return button;
};
const wordsOf = () => find("find").value.toLowerCase().split(/\s+/).filter(Boolean);
const holds = (text, words) => { const lower = text.toLowerCase(); return words.every((word) => lower.includes(word)); };

// What stands between backticks is code.
const spoken = (text) => {
  const whole = make("span");
  text.split("`").forEach((part, at) => whole.append(at % 2 ? make("code", "", part) : part));
  return whole;
};
