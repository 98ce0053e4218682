"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const find = (id) => document.getElementById(id);
const make = (tag, className, text) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};
const SVG = "http://www.w3.org/2000/svg";
const draw = (tag, attributes, into) => {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  into.append(element);
  return element;
};
const modules = data.modules;
const users = modules.map(() => []);
modules.forEach((module, index) => module.uses.forEach((used) => users[used].push(index)));
const circleOf = (index) => modules.map((module, other) => other)
  .filter((other) => other !== index && modules[index].circle !== null && modules[other].circle === modules[index].circle);
const number = (value) => value.toLocaleString("en");
const counted = (value, word) => `${number(value)} ${word}${value === 1 ? "" : "s"}`;

// What is worst about a module decides its colour.
const state = (module) => {
  if (!module.spec) return "none";
  if (module.problem || module.high) return "high";
  if (module.medium) return "medium";
  return module.low ? "low" : "fine";
};
const STATES = [
  ["high", "drift, high"], ["medium", "medium"], ["low", "low"],
  ["fine", "true to the code"], ["none", "no specification"],
];
const gravity = (module) => STATES.findIndex(([name]) => name === state(module));
const driftWords = (module) => {
  if (!module.spec) return "no specification";
  if (module.problem) return module.problem;
  const parts = [["high", module.high], ["medium", module.medium], ["low", module.low]].filter(([, count]) => count);
  return parts.length ? parts.map(([word, count]) => `${number(count)} ${word}`).join(", ") : "none";
};
const place = (path) => {
  const link = make("a", "mono", path);
  link.href = data.links + path.split("/").map(encodeURIComponent).join("/");
  return link;
};

let chosen = -1;
let pointed = -1;
let cameFrom = null;
const nodes = [];
const edges = [];
let columns = [];
let svg = null;
let natural = { width: 0, height: 0 };

// Modules of a level in the order of what they are tied to, so that lines cross less.
function ordered(levels) {
  const at = [];
  const settle = () => levels.forEach((level) => level.forEach((index, row) => { at[index] = row / level.length; }));
  settle();
  for (let round = 0; round < 6; round += 1) {
    for (const level of levels) {
      const mean = new Map(level.map((index) => {
        const tied = [...modules[index].uses, ...users[index]];
        return [index, tied.length ? tied.reduce((sum, other) => sum + at[other], 0) / tied.length : at[index]];
      }));
      level.sort((one, other) => mean.get(one) - mean.get(other) || one - other);
    }
    settle();
  }
  return levels;
}

function layout() {
  const levels = [];
  modules.forEach((module, index) => (levels[module.level] ||= []).push(index));
  const [gapX, gapY, height, top] = [84, 12, 30, 44];
  const rows = Math.max(12, Math.ceil(Math.sqrt(modules.length) * 1.3));
  const at = [];
  const heads = [];
  let x = 20;
  let tallest = 0;
  ordered(levels.filter(Boolean)).forEach((level) => {
    heads.push([x, `Level ${modules[level[0]].level}`]);
    for (let start = 0; start < level.length; start += rows) {
      const part = level.slice(start, start + rows);
      const width = Math.min(360, 34 + 7.4 * Math.max(...part.map((index) => modules[index].path.length)));
      part.forEach((index, row) => { at[index] = { x, y: top + row * (height + gapY), width, height }; });
      columns.push(part);
      tallest = Math.max(tallest, top + part.length * (height + gapY));
      // Parts of one level stand closer than levels do.
      x += width + (start + rows < level.length ? 28 : gapX);
    }
  });
  natural = { width: Math.max(x - gapX + 20, 200), height: tallest + 12 };
  svg = draw("svg", { viewBox: `0 0 ${natural.width} ${natural.height}`, role: "group", "aria-label": "Graph of modules" }, find("graph"));
  svg.classList.toggle("many", modules.length > 120);
  const defs = draw("defs", {}, svg);
  for (const id of ["arrow", "arrow-lit"]) {
    const marker = draw("marker", { id, viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto", markerUnits: "userSpaceOnUse" }, defs);
    draw("path", { d: "M0,0 L8,4 L0,8 z" }, marker);
  }
  for (const [left, text] of heads) draw("text", { class: "level", x: left, y: 26 }, svg).textContent = text;
  modules.forEach((module, from) => module.uses.forEach((to) => {
    const [a, b] = [at[from], at[to]];
    const [x1, y1, x2, y2] = [a.x, a.y + height / 2, b.x + b.width + 2, b.y + height / 2];
    const bend = Math.max(30, Math.abs(x1 - x2) / 2);
    const kind = module.arrows.includes(to) ? "edge" : "edge implied";
    const path = draw("path", { class: kind, d: `M${x1},${y1} C${x1 - bend},${y1} ${x2 + bend},${y2} ${x2},${y2}` }, svg);
    edges.push({ from, to, path });
  }));
  modules.forEach((module, index) => {
    const box = at[index];
    const label = `${module.path}, drift: ${driftWords(module)}`;
    const group = draw("g", { class: `node state ${state(module)}`, tabindex: -1, role: "button", "aria-label": label }, svg);
    group.dataset.path = module.path;
    draw("title", {}, group).textContent = label;
    draw("rect", { class: "box", ...box }, group);
    if (module.circle !== null) draw("text", { class: "mark", x: box.x + box.width - 13, y: box.y + 19 }, group).textContent = "↻";
    draw("rect", { class: "side", x: box.x + 5, y: box.y + 6, width: 4, height: height - 12 }, group);
    const text = draw("text", { x: box.x + 16, y: box.y + 19 }, group);
    const room = Math.floor((box.width - 22) / 7.4);
    text.textContent = module.path.length > room ? `…${module.path.slice(-(room - 1))}` : module.path;
    group.addEventListener("click", () => choose(index, group));
    group.addEventListener("mouseenter", () => { pointed = index; light(); });
    group.addEventListener("mouseleave", () => { pointed = -1; light(); });
    group.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(index, group); } else move(event, index);
    });
    nodes.push(group);
  });
  // One stop for the tab key; arrow keys go on from there.
  if (columns.length) nodes[columns[0][0]].setAttribute("tabindex", 0);
  fit();
}

function move(event, index) {
  const column = columns.findIndex((part) => part.includes(index));
  const row = columns[column].indexOf(index);
  const [right, down] = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key] || [0, 0];
  const part = columns[column + right];
  const next = part && part[right ? Math.min(row, part.length - 1) : row + down];
  if ((!right && !down) || next === undefined) return;
  event.preventDefault();
  nodes[index].setAttribute("tabindex", -1);
  nodes[next].setAttribute("tabindex", 0);
  nodes[next].focus();
}

let scale = 1;
function zoom(to) {
  scale = Math.min(2.5, Math.max(0.1, to));
  svg.setAttribute("width", natural.width * scale);
  svg.setAttribute("height", natural.height * scale);
}
// No smaller than can be read: what is wider can be scrolled.
function fit() { zoom(Math.min(1, Math.max(0.7, (find("graph").clientWidth - 2) / natural.width))); }

function list(title, entries, into) {
  if (!entries.length) return;
  into.append(make("h2", "", title));
  const items = make("ul");
  for (const entry of entries) {
    const item = make("li");
    item.append(entry);
    items.append(item);
  }
  into.append(items);
}

const way = (index) => {
  const button = make("button", "way mono", modules[index].path);
  button.type = "button";
  button.addEventListener("click", () => choose(index, cameFrom));
  return button;
};

function choose(index, from) {
  chosen = chosen === index ? -1 : index;
  const details = find("details");
  details.hidden = chosen < 0;
  details.replaceChildren();
  if (chosen >= 0) {
    cameFrom = from;
    const module = modules[chosen];
    const close = make("button", "", "Close");
    close.type = "button";
    close.addEventListener("click", () => choose(chosen));
    details.append(close, make("h1", "mono", module.path));
    const facts = `${counted(module.files.length, "file")}, ${counted(module.exports, "export")}, drift: ${driftWords(module)}`;
    details.append(make("p", "quiet", facts));
    if (module.spec) { const line = make("p"); line.append("Specification: ", place(module.spec)); details.append(line); }
    list("Drift", module.items.map((item) => {
      const line = make("span");
      line.append(make("b", item.severity === "HIGH" ? "bad" : item.severity === "MEDIUM" ? "warn" : "quiet", item.severity),
        " ", make("span", "mono", item.symbol), ` ${item.description} `, make("span", "mono quiet", item.location));
      return line;
    }), details);
    if (module.more) details.append(make("p", "quiet", `${number(module.more)} more are not shown here.`));
    list("Exports no test names", module.untested.map((name) => make("span", "mono", name)), details);
    list("In a circle with", circleOf(chosen).map(way), details);
    list("Uses", module.uses.map(way), details);
    list("Used by", users[chosen].map(way), details);
    list("Files", module.files.map(place), details);
    close.focus({ preventScroll: true });
  } else if (cameFrom) {
    cameFrom.focus({ preventScroll: true });
    cameFrom = null;
  }
  light();
}

let shown = new Set();
function light() {
  const lit = pointed >= 0 ? pointed : chosen;
  const near = new Set(lit < 0 ? [] : [lit, ...modules[lit].uses, ...users[lit]]);
  nodes.forEach((node, index) => {
    node.classList.toggle("chosen", index === chosen);
    node.classList.toggle("dim", !shown.has(index) || (lit >= 0 && !near.has(index)));
  });
  for (const edge of edges) {
    const isLit = edge.from === lit || edge.to === lit;
    edge.path.classList.toggle("lit", isLit);
    edge.path.classList.toggle("dim", (lit >= 0 && !isLit) || !shown.has(edge.from) || !shown.has(edge.to));
  }
  for (const row of find("rows").children) row.classList.toggle("chosen", Number(row.dataset.index) === chosen);
}

const share = (module) => (module.exports && module.tested !== null ? module.tested / module.exports : 2);
const HEADS = [
  ["Module", "", (one, other) => one.path.localeCompare(other.path)],
  ["Level", "wide", (one, other) => one.level - other.level],
  ["Files", "wide", (one, other) => other.files.length - one.files.length],
  ["Tested exports", "", (one, other) => share(one) - share(other)],
  ["Drift", "", (one, other) => gravity(one) - gravity(other) || other.high - one.high || other.medium - one.medium || other.low - one.low],
  ["Specification", "", (one, other) => (one.spec || "").localeCompare(other.spec || "")],
];
let sorted = { by: 0, turned: false };

function heads() {
  HEADS.forEach(([title, className], by) => {
    const head = make("th", className);
    head.scope = "col";
    const button = make("button", "", title);
    button.type = "button";
    button.addEventListener("click", () => {
      sorted = { by, turned: sorted.by === by && !sorted.turned };
      filter();
    });
    head.append(button);
    find("heads").append(head);
  });
}

function testedCell(module) {
  const cell = make("td");
  if (module.exports && module.tested === null) {
    cell.append(make("span", "quiet", "tested as a whole"));
  } else if (module.exports) {
    const bar = make("span", "bar");
    const part = make("i");
    part.style.width = `${(100 * module.tested) / module.exports}%`;
    bar.append(part);
    cell.append(bar, ` ${module.tested}/${module.exports}`);
  } else cell.append(make("span", "quiet", module.names.length ? "only re-exports" : "no exports"));
  return cell;
}

const wanted = new Set();
function filter() {
  const words = find("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  const only = find("drifted").checked;
  const matches = modules.map((module, index) => index).filter((index) => {
    const module = modules[index];
    const text = `${module.path} ${module.files.join(" ")} ${module.names.join(" ")}`.toLowerCase();
    return words.every((word) => text.includes(word))
      && !(only && state(module) === "fine")
      && (!wanted.size || wanted.has(state(module)));
  });
  shown = new Set(matches);
  const [, , compare] = HEADS[sorted.by];
  matches.sort((one, other) => (compare(modules[one], modules[other]) || one - other) * (sorted.turned ? -1 : 1));
  [...find("heads").children].forEach((head, by) => {
    if (by === sorted.by) head.setAttribute("aria-sort", sorted.turned ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  });
  const rows = document.createDocumentFragment();
  for (const index of matches) {
    const module = modules[index];
    const row = make("tr");
    row.dataset.index = index;
    row.tabIndex = 0;
    const drift = make("td", { high: "bad", medium: "warn", none: "quiet" }[state(module)] || "", driftWords(module));
    const spec = make("td");
    spec.append(module.spec ? place(module.spec) : "");
    row.append(make("td", "mono", module.path), make("td", "count wide", module.level), make("td", "count wide", number(module.files.length)), testedCell(module), drift, spec);
    row.addEventListener("click", (event) => { if (!event.target.closest("a")) choose(index, row); });
    row.addEventListener("keydown", (event) => { if (event.key === "Enter" && event.target === row) choose(index, row); });
    rows.append(row);
  }
  find("rows").replaceChildren(rows);
  find("nothing").hidden = matches.length > 0;
  find("told").textContent = `${number(shown.size)} of ${counted(modules.length, "module")}`;
  light();
}

function states() {
  for (const [name, words] of STATES) {
    const count = modules.filter((module) => state(module) === name).length;
    if (!count) continue;
    const button = make("button", `state ${name}`, `${number(count)} ${words}`);
    button.type = "button";
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => {
      if (!wanted.delete(name)) wanted.add(name);
      button.setAttribute("aria-pressed", String(wanted.has(name)));
      filter();
    });
    find("states").append(button);
  }
}

function card(label, value, className) {
  const element = make("div", "card");
  element.append(make("b", className || "", value), make("span", "quiet", label));
  find("cards").append(element);
}

const sum = (key) => modules.reduce((total, module) => total + module[key], 0);
const lacking = modules.filter((module) => !module.spec).length;
find("title").textContent = `Code and specifications of ${data.project}`;
find("subtitle").textContent = data.subtitle;
card("modules", number(modules.length));
card("without a specification", number(lacking), lacking ? "warn" : "good");
const told = modules.filter((module) => module.tested !== null);
const exports = told.reduce((total, module) => total + module.exports, 0);
const tested = told.reduce((total, module) => total + module.tested, 0);
card("exports named by tests", exports ? `${Math.floor((1000 * tested) / exports) / 10} %` : "none");
card("drift, high", number(sum("high")), sum("high") ? "bad" : "good");
card("drift, medium", number(sum("medium")), sum("medium") ? "warn" : "good");
card("drift, low", number(sum("low")));
if (data.gone.length) {
  card("for code that is gone", number(data.gone.length), "bad");
  find("gone").hidden = false;
  for (const { spec, target } of data.gone) {
    const item = make("li");
    item.append(place(spec), " is about ", make("span", "mono", target));
    find("orphans").append(item);
  }
}
find("find").addEventListener("input", filter);
find("drifted").addEventListener("change", filter);
for (const button of find("zoom").children) {
  button.addEventListener("click", () => { const by = Number(button.dataset.by); if (by) zoom(scale * by); else fit(); });
}
addEventListener("keydown", (event) => { if (event.key === "Escape" && chosen >= 0) choose(chosen); });
layout();
heads();
states();
filter();
