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
const number = (value) => value.toLocaleString("en");

// What is worst about a module decides its colour.
const state = (module) => {
  if (!module.spec) return "none";
  if (module.problem || module.high) return "high";
  if (module.medium) return "medium";
  return module.low ? "low" : "fine";
};
const driftWords = (module) => {
  if (!module.spec) return "no specification";
  if (module.problem) return module.problem;
  const parts = [["high", module.high], ["medium", module.medium], ["low", module.low]].filter(([, count]) => count);
  return parts.length ? parts.map(([word, count]) => `${count} ${word}`).join(", ") : "none";
};
const place = (path) => {
  const link = make("a", "mono", path);
  link.href = data.links + path.split("/").map(encodeURIComponent).join("/");
  return link;
};

let chosen = -1;
const nodes = [];
const edges = [];

function layout() {
  const levels = [];
  modules.forEach((module, index) => (levels[module.level] ||= []).push(index));
  const [gapX, gapY, height] = [80, 14, 30];
  const at = [];
  let x = 20;
  let tallest = 0;
  for (const level of levels) {
    if (!level) continue;
    const width = Math.min(360, 24 + 7.4 * Math.max(...level.map((index) => modules[index].path.length)));
    level.forEach((index, row) => { at[index] = { x, y: 20 + row * (height + gapY), width, height }; });
    tallest = Math.max(tallest, 20 + level.length * (height + gapY));
    x += width + gapX;
  }
  const svg = draw("svg", { width: Math.max(x - gapX + 20, 200), height: tallest + 10, role: "img" }, find("graph"));
  modules.forEach((module, from) => module.uses.forEach((to) => {
    const [a, b] = [at[from], at[to]];
    const [x1, y1, x2, y2] = [a.x, a.y + height / 2, b.x + b.width, b.y + height / 2];
    const bend = Math.max(30, Math.abs(x1 - x2) / 2);
    const path = draw("path", { class: "edge", d: `M${x1},${y1} C${x1 - bend},${y1} ${x2 + bend},${y2} ${x2},${y2}` }, svg);
    edges.push({ from, to, path });
  }));
  modules.forEach((module, index) => {
    const box = at[index];
    const group = draw("g", { class: `node ${state(module)}`, tabindex: 0, role: "button", "aria-label": module.path }, svg);
    group.dataset.path = module.path;
    draw("rect", box, group);
    const text = draw("text", { x: box.x + 10, y: box.y + 20 }, group);
    const room = Math.floor((box.width - 16) / 7.4);
    text.textContent = module.path.length > room ? `…${module.path.slice(-(room - 1))}` : module.path;
    group.addEventListener("click", () => choose(index));
    group.addEventListener("keydown", (event) => { if (event.key === "Enter") choose(index); });
    nodes.push(group);
  });
}

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

function choose(index) {
  chosen = chosen === index ? -1 : index;
  const details = find("details");
  details.hidden = chosen < 0;
  details.replaceChildren();
  if (chosen >= 0) {
    const module = modules[chosen];
    const close = make("button", "", "Close");
    close.addEventListener("click", () => choose(chosen));
    details.append(close, make("h1", "mono", module.path));
    const facts = make("p", "quiet", `${number(module.files.length)} files, ${number(module.exports)} exports, drift: ${driftWords(module)}`);
    details.append(facts);
    if (module.spec) { const line = make("p"); line.append("Specification: ", place(module.spec)); details.append(line); }
    list("Drift", module.items.map((item) => {
      const line = make("span");
      line.append(make("b", item.severity === "HIGH" ? "bad" : item.severity === "MEDIUM" ? "warn" : "quiet", item.severity),
        " ", make("span", "mono", item.symbol), ` ${item.description} `, make("span", "mono quiet", item.location));
      return line;
    }), details);
    if (module.more) details.append(make("p", "quiet", `${number(module.more)} more are not shown here.`));
    list("Exports no test names", module.untested.map((name) => make("span", "mono", name)), details);
    list("Uses", module.uses.map((used) => make("span", "mono", modules[used].path)), details);
    list("Used by", users[chosen].map((user) => make("span", "mono", modules[user].path)), details);
    list("Files", module.files.map(place), details);
  }
  light();
}

function light() {
  const near = new Set(chosen < 0 ? [] : [chosen, ...modules[chosen].uses, ...users[chosen]]);
  nodes.forEach((node, index) => {
    node.classList.toggle("chosen", index === chosen);
    node.classList.toggle("dim", !shown.has(index) || (chosen >= 0 && !near.has(index)));
  });
  for (const edge of edges) {
    const lit = edge.from === chosen || edge.to === chosen;
    edge.path.classList.toggle("lit", lit);
    edge.path.classList.toggle("dim", chosen >= 0 && !lit);
  }
  for (const row of find("rows").children) row.classList.toggle("chosen", Number(row.dataset.index) === chosen);
}

let shown = new Set();
function filter() {
  const words = find("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  const only = find("drifted").checked;
  shown = new Set();
  const rows = document.createDocumentFragment();
  modules.forEach((module, index) => {
    const text = `${module.path} ${module.files.join(" ")} ${module.names.join(" ")}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) return;
    if (only && state(module) === "fine") return;
    shown.add(index);
    const row = make("tr");
    row.dataset.index = index;
    row.tabIndex = 0;
    const tested = make("td");
    if (module.exports && module.tested === null) {
      tested.append(make("span", "quiet", "tested as a whole"));
    } else if (module.exports) {
      const bar = make("span", "bar");
      const part = make("i");
      part.style.width = `${(100 * module.tested) / module.exports}%`;
      bar.append(part);
      tested.append(bar, ` ${module.tested}/${module.exports}`);
    } else tested.append(make("span", "quiet", "no exports"));
    const drift = make("td", { high: "bad", medium: "warn", none: "quiet" }[state(module)] || "", driftWords(module));
    const spec = make("td");
    spec.append(module.spec ? place(module.spec) : "");
    row.append(make("td", "mono", module.path), make("td", "", module.level), make("td", "", number(module.files.length)), tested, drift, spec);
    row.addEventListener("click", (event) => { if (!event.target.closest("a")) choose(index); });
    row.addEventListener("keydown", (event) => { if (event.key === "Enter") choose(index); });
    rows.append(row);
  });
  find("rows").replaceChildren(rows);
  find("told").textContent = `${number(shown.size)} of ${number(modules.length)} modules`;
  light();
}

function card(label, value, className) {
  const element = make("div", "card");
  element.append(make("b", className || "", value), make("span", "quiet", label));
  find("cards").append(element);
}

const sum = (key) => modules.reduce((total, module) => total + module[key], 0);
find("title").textContent = `Code and specifications of ${data.project}`;
find("subtitle").textContent = data.subtitle;
card("modules", number(modules.length));
card("without a specification", number(modules.filter((module) => !module.spec).length));
const told = modules.filter((module) => module.tested !== null);
const exports = told.reduce((total, module) => total + module.exports, 0);
const tested = told.reduce((total, module) => total + module.tested, 0);
card("exports named by tests", exports ? `${Math.floor((1000 * tested) / exports) / 10} %` : "none");
card("drift, high", number(sum("high")), sum("high") ? "bad" : "good");
card("drift, medium", number(sum("medium")), sum("medium") ? "warn" : "good");
card("drift, low", number(sum("low")));
find("find").addEventListener("input", filter);
find("drifted").addEventListener("change", filter);
addEventListener("keydown", (event) => { if (event.key === "Escape" && chosen >= 0) choose(chosen); });
layout();
filter();
