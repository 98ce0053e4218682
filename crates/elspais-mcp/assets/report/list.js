// The list: tree, matrix, what is not covered and what changed are columns beside the same rows.

let view = "tree";
const isList = () => ["tree", "matrix", "uncovered", "changed"].includes(view);
// Lists without a tree go by rank, and by id within a level.
const byRank = head.id.map((_, index) => index).sort((one, other) => head.level[one] - head.level[other] || one - other);
let rowHeight = 30;
let visible = [];
let here = 0;
// What is open, as paths from a root, because one requirement may stand at several places.
const open = new Set();
// Rows whose texts hold all words, as far as texts were looked at; `null` while nobody asks.
let inTexts = null;

// An id longer than its column loses its middle: its end is what tells it from others.
const WIDEST = 26;
const longest = head.id.reduce((most, id) => Math.max(most, id.length), 8);
const idChars = Math.min(longest, WIDEST);
document.documentElement.style.setProperty("--id", `${idChars + 1}ch`);
const shortId = (id, most) => {
  if (id.length <= most) return id;
  const tail = Math.floor((most - 1) * 0.6);
  return `${id.slice(0, most - 1 - tail)}…${id.slice(-tail)}`;
};

function wanted() {
  const query = find("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  const level = find("level").value, status = find("status").value;
  const file = find("file").value.trim().toLowerCase(), gaps = find("gaps").checked;
  const files = file && head.files.map((it) => it.toLowerCase().includes(file));
  const any = query.length || level !== "" || status !== "" || file || gaps;
  const passes = (index) =>
    (level === "" || head.level[index] === Number(level))
    && (status === "" || head.status[index] === Number(status))
    && (!files || files[head.file[index]])
    && (!gaps || hasGap(index))
    && (query.every((word) => lowered[index].includes(word)) || (inTexts !== null && inTexts.has(index)));
  return { any, query, passes };
}

function compute() {
  const { any, passes } = wanted();
  visible = [];
  const flat = (index) => ({ index, depth: 0, path: "", flat: true });
  if (view === "changed") {
    for (const change of head.changed) {
      const index = placeOf.get(change[0]);
      if (index === undefined ? !any : passes(index)) visible.push({ ...flat(index), change });
    }
    say(`${number(visible.length)} of ${number(data.changed_total)} requirements changed since ${data.since}`);
  } else if (view === "tree" && !any) {
    const todo = roots.map((index) => ({ index, depth: 0, path: `/${index}` })).reverse();
    while (todo.length) {
      const entry = todo.pop();
      visible.push(entry);
      if (!open.has(entry.path)) continue;
      for (const child of [...children[entry.index]].reverse()) {
        // A circle ends where it comes back to itself.
        if (!`${entry.path}/`.includes(`/${child}/`)) todo.push({ index: child, depth: entry.depth + 1, path: `${entry.path}/${child}` });
      }
    }
    say(`${number(total)} requirements, ${number(roots.length)} at the top`);
  } else {
    for (const index of byRank) {
      if (view === "uncovered" && !isUncovered(index)) continue;
      if (passes(index)) visible.push(flat(index));
    }
    say(`${number(visible.length)} of ${number(total)} requirements`);
  }
  here = Math.min(here, Math.max(visible.length - 1, 0));
  draw();
}
let looking = "";
function say(text) { find("told").textContent = looking ? `${text}; ${looking}` : text; }

function place(path, line) {
  const text = line ? `${path}:${line}` : path;
  if (data.links === null) return make("span", "quiet", text);
  const link = make("a", "", text);
  link.href = data.links + path.split("/").map(encodeURIComponent).join("/") + (line ? `#L${line}` : "");
  link.title = text;
  return link;
}

function coverage(index) {
  const cell = make("span", "covered");
  if (head.total[index] === 0) { cell.append(make("span", "quiet", "no assertions")); return cell; }
  const bar = make("span", "bar");
  const part = make("i");
  part.style.width = `${(100 * head.covered[index]) / head.total[index]}%`;
  bar.append(part);
  cell.append(bar, ` ${head.covered[index]}/${head.total[index]}`);
  if (head.excepted[index]) {
    const apart = make("span", "quiet", ` −${head.excepted[index]}`);
    apart.title = `${head.excepted[index]} deliberately not implemented`;
    cell.append(apart);
  }
  return cell;
}

// Nothing is bad only where something is missing.
const empty = (index) => (isUncovered(index) ? "bad" : "quiet");
const counted = (index, count) => {
  const cell = make("span", "figure");
  cell.append(make("span", count ? "" : empty(index), count ? number(count) : "none"));
  return cell;
};
function results(index) {
  const cell = make("span", "results");
  if (head.passed[index]) cell.append(make("span", "good", `${head.passed[index]} passed `));
  if (head.failed[index]) cell.append(make("span", "bad", `${head.failed[index]} failed`));
  if (!head.passed[index] && !head.failed[index]) cell.append(make("span", "quiet", head.tests[index] ? "not run" : ""));
  return cell;
}

const PLACE_CHARS = 32;
function cells({ index, change }) {
  const level = () => make("span", "level", head.levels[head.level[index]]);
  const where = () => {
    const it = make("span", "place");
    const link = place(head.files[head.file[index]], head.line[index]);
    // The end of a path says more than its beginning.
    const text = link.textContent;
    if (text.length > PLACE_CHARS) link.textContent = `…${text.slice(1 - PLACE_CHARS)}`;
    it.append(link);
    return it;
  };
  if (change) {
    const list = [make("span", "level", change[2]), make("span", "parts", change[3])];
    return index === undefined ? list : [...list, where()];
  }
  if (view === "matrix") return [level(), counted(index, head.code[index]), counted(index, head.tests[index]), results(index), coverage(index)];
  if (view === "uncovered") {
    const missing = head.gaps[index] || (head.covered[index] ? "" : head.total[index] === 1 ? "it" : `all ${head.total[index]}`);
    return [level(), make("span", "parts", missing && `missing ${missing}`), coverage(index), where()];
  }
  return [level(), make("span", "status", head.statuses[head.status[index]]), coverage(index), where()];
}

const MARKS = [[BROKEN, "cites something that does not exist"], [SUSPECT, "has a suspect link"], [FAILING, "has failing tests"]];
function drawnRow(position) {
  const entry = visible[position];
  const { index, change } = entry;
  const id = change ? change[0] : head.id[index];
  const element = make("div", position === here ? "row here" : "row");
  element.role = "treeitem";
  element.id = `row-${position}`;
  element.dataset.id = id;
  element.dataset.position = position;
  element.setAttribute("aria-level", entry.depth + 1);
  element.style.top = `${position * rowHeight}px`;
  const depth = Math.min(entry.depth, 12);
  const name = make("span", "name");
  element.style.setProperty("--depth", `${depth * 0.9}rem`);
  const twist = make("button", "twist");
  twist.tabIndex = -1;
  if (!entry.flat && children[index].length) {
    const isOpen = open.has(entry.path);
    element.setAttribute("aria-expanded", isOpen);
    twist.textContent = isOpen ? "▾" : "▸";
    twist.setAttribute("aria-label", isOpen ? "Close" : "Open");
  }
  const shown = make("span", "id mono", shortId(id, idChars));
  shown.title = id;
  const marks = index === undefined ? [] : MARKS.filter(([bit]) => head.marks[index] & bit).map(([, text]) => text);
  const mark = make("span", "mark bad", marks.length ? "!" : "");
  if (marks.length) mark.title = marks.join(", ");
  name.append(twist, shown, mark);
  const title = make("span", "title", change ? change[1] : head.title[index]);
  title.title = title.textContent;
  const side = make("span", "cells");
  side.append(...cells(entry));
  element.append(name, title, side);
  return element;
}

function nothing() {
  if (wanted().any) return "No requirement is like that.";
  if (view === "uncovered") return "Everything that is asked for is covered.";
  return view === "changed" ? `Nothing changed since ${data.since}.` : "There are no requirements.";
}

function draw() {
  const list = find("tree");
  list.className = `list ${view}`;
  const narrow = list.clientWidth < 860;
  list.classList.toggle("narrow", narrow);
  // The deepest open row makes room for all, so that titles stand in one line below each other.
  const deepest = visible.reduce((most, entry) => Math.max(most, entry.depth), 0);
  list.style.setProperty("--deep", `${Math.min(deepest, 12) * 0.9}rem`);
  const before = rowHeight;
  rowHeight = narrow ? 50 : 30;
  find("height").style.height = `${visible.length * rowHeight}px`;
  // Rows that grow or shrink stay where they were.
  if (before !== rowHeight) list.scrollTop = (list.scrollTop / before) * rowHeight;
  const first = Math.max(0, Math.floor(list.scrollTop / rowHeight) - 5);
  const last = Math.min(visible.length, first + Math.ceil(list.clientHeight / rowHeight) + 12);
  const drawn = document.createDocumentFragment();
  for (let position = first; position < last; position++) drawn.append(drawnRow(position));
  if (!visible.length) drawn.append(make("p", "nothing quiet", nothing()));
  find("height").replaceChildren(drawn);
  if (visible.length) list.setAttribute("aria-activedescendant", `row-${here}`);
  else list.removeAttribute("aria-activedescendant");
}

// Whether that opened or closed anything.
function toggle(position, want) {
  const entry = visible[position];
  if (!entry || entry.flat || !children[entry.index].length) return false;
  const isOpen = open.has(entry.path);
  if (want === isOpen) return false;
  if (isOpen) open.delete(entry.path); else open.add(entry.path);
  compute();
  return true;
}

function go(position) {
  const list = find("tree");
  here = Math.max(0, Math.min(visible.length - 1, position));
  const top = here * rowHeight;
  if (top < list.scrollTop) list.scrollTop = top;
  if (top + rowHeight > list.scrollTop + list.clientHeight) list.scrollTop = top + rowHeight - list.clientHeight;
  draw();
}

// Texts are looked through block by block, and whatever is found joins the rows on the way.
let search = 0;
const refresh = () => { if (isList()) compute(); };
async function lookIntoTexts() {
  const mine = ++search;
  const { query } = wanted();
  inTexts = null;
  looking = "";
  if (!query.length) return;
  const found = new Set();
  if (!data.blocks.length) {
    if (!inClient) return;
    const answer = await call("search", { query: query.join(" "), limit: 500 }).catch(() => ({ result: [] }));
    if (mine !== search) return;
    for (const { id } of answer.result || []) if (placeOf.has(id)) found.add(placeOf.get(id));
    inTexts = found;
    refresh();
    return;
  }
  inTexts = found;
  let drawn = performance.now();
  for (let number = 0; number < data.blocks.length; number++) {
    const texts = await block(number);
    if (mine !== search) return;
    texts.forEach((it, offset) => {
      const index = number * data.per_block + offset;
      const text = it.text.toLowerCase();
      if (query.every((word) => text.includes(word) || lowered[index].includes(word))) found.add(index);
    });
    if (performance.now() - drawn > 250) {
      looking = `looking into texts, ${percent(number, data.blocks.length)}`;
      refresh();
      await new Promise((resolve) => setTimeout(resolve));
      drawn = performance.now();
    }
  }
  looking = "";
  refresh();
}
