const ROW = 30;

// One requirement is a row of numbers and strings; see `Row` in report.rs.
const [ID, TITLE, LEVEL, STATUS, FILE, LINE, COVERED, TOTAL, MARKS, PARENTS] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const BROKEN = 1, SUSPECT = 2, FAILING = 4;
const rows = data.rows;
const children = rows.map(() => []);
const roots = [];
rows.forEach((row, index) => {
  if (row[PARENTS].length === 0) roots.push(index);
  for (const parent of row[PARENTS]) children[parent].push(index);
});
// Whatever hangs in a circle has no root above it and is shown at the top as well.
{
  const reached = new Uint8Array(rows.length);
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
  rows.forEach((_, index) => {
    if (!reached[index]) { roots.push(index); reach(index); }
  });
}

const hasGap = (row) => row[COVERED] < row[TOTAL] || row[MARKS] !== 0;
const lowered = rows.map((row) => `${row[ID]} ${row[TITLE]}`.toLowerCase());

// What is open, as paths from a root, because one requirement may stand at several places.
const open = new Set();
let visible = [];
let here = 0;

function compute() {
  const words = find("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  const level = find("level").value;
  const status = find("status").value;
  const gaps = find("gaps").checked;
  const filtered = words.length > 0 || level !== "" || status !== "" || gaps;
  visible = [];
  if (filtered) {
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index];
      if (level !== "" && String(row[LEVEL]) !== level) continue;
      if (status !== "" && String(row[STATUS]) !== status) continue;
      if (gaps && !hasGap(row)) continue;
      if (words.every((word) => lowered[index].includes(word))) visible.push({ index, depth: 0, path: "", flat: true });
    }
    find("told").textContent = `${number(visible.length)} of ${number(rows.length)} requirements`;
  } else {
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
    find("told").textContent = `${number(rows.length)} requirements, ${number(roots.length)} at the top`;
  }
  here = Math.min(here, Math.max(visible.length - 1, 0));
  find("height").style.height = `${visible.length * ROW}px`;
  draw();
}

function place(file, line) {
  const text = line ? `${data.files[file]}:${line}` : data.files[file];
  if (data.links === null) return make("span", "quiet", text);
  const link = make("a", "", text);
  link.href = data.links + data.files[file].split("/").map(encodeURIComponent).join("/") + (line ? `#L${line}` : "");
  return link;
}

function coverage(row) {
  const cell = make("span", "covered");
  if (row[TOTAL] === 0) { cell.append(make("span", "quiet", "no assertions")); return cell; }
  const bar = make("span", "bar");
  const part = make("i");
  part.style.width = `${(100 * row[COVERED]) / row[TOTAL]}%`;
  bar.append(part);
  cell.append(bar, ` ${row[COVERED]}/${row[TOTAL]}`);
  return cell;
}

function draw() {
  const tree = find("tree");
  const first = Math.max(0, Math.floor(tree.scrollTop / ROW) - 5);
  const last = Math.min(visible.length, first + Math.ceil(tree.clientHeight / ROW) + 10);
  const drawn = document.createDocumentFragment();
  for (let position = first; position < last; position++) {
    const entry = visible[position];
    const row = rows[entry.index];
    const element = make("div", position === here ? "row here" : "row");
    element.role = "treeitem";
    element.id = `row-${position}`;
    element.dataset.id = row[ID];
    element.dataset.position = position;
    element.setAttribute("aria-level", entry.depth + 1);
    element.style.top = `${position * ROW}px`;
    element.style.paddingLeft = `${1.25 + Math.min(entry.depth, 40) * 1.1}rem`;
    const twist = make("button", "twist");
    twist.tabIndex = -1;
    if (!entry.flat && children[entry.index].length) {
      const isOpen = open.has(entry.path);
      element.setAttribute("aria-expanded", isOpen);
      twist.textContent = isOpen ? "▾" : "▸";
      twist.setAttribute("aria-label", isOpen ? "Close" : "Open");
    }
    const marks = [];
    if (row[MARKS] & BROKEN) marks.push("cites something that does not exist");
    if (row[MARKS] & SUSPECT) marks.push("has a suspect link");
    if (row[MARKS] & FAILING) marks.push("has failing tests");
    const mark = make("span", "mark bad", marks.length ? "!" : "");
    if (marks.length) mark.title = marks.join(", ");
    const where = make("span", "place");
    where.append(place(row[FILE], row[LINE]));
    element.append(twist, make("span", "id mono", row[ID]), mark, make("span", "title", row[TITLE]),
      make("span", "level", data.levels[row[LEVEL]]), make("span", "status", data.statuses[row[STATUS]]),
      coverage(row), where);
    drawn.append(element);
  }
  find("height").replaceChildren(drawn);
  if (visible.length) tree.setAttribute("aria-activedescendant", `row-${here}`);
  else tree.removeAttribute("aria-activedescendant");
}

function toggle(position, wanted) {
  const entry = visible[position];
  if (!entry || entry.flat || !children[entry.index].length) return;
  const isOpen = open.has(entry.path);
  if (wanted === isOpen) return;
  if (isOpen) open.delete(entry.path); else open.add(entry.path);
  compute();
}

function go(position) {
  const tree = find("tree");
  here = Math.max(0, Math.min(visible.length - 1, position));
  const top = here * ROW;
  if (top < tree.scrollTop) tree.scrollTop = top;
  if (top + ROW > tree.scrollTop + tree.clientHeight) tree.scrollTop = top + ROW - tree.clientHeight;
  draw();
}

// Texts lie in packed blocks; a block is opened once, when one of its requirements is asked for.
const opened = new Map();
function block(number) {
  if (!opened.has(number)) {
    const bytes = Uint8Array.from(atob(data.blocks[number]), (it) => it.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    opened.set(number, new Response(stream).json());
  }
  return opened.get(number);
}

async function detail(index) {
  if (!data.blocks.length) return;
  const row = rows[index];
  const [text, cited] = (await block(Math.floor(index / data.per_block)))[index % data.per_block];
  const panel = find("detail");
  const close = make("button", "", "Close");
  close.addEventListener("click", () => { panel.hidden = true; draw(); });
  const where = make("p");
  where.append(place(row[FILE], row[LINE]));
  const around = (heading, list) => {
    if (!list.length) return [];
    const line = make("p", "", `${heading}: `);
    for (const other of list) {
      const link = make("a", "mono", rows[other][ID]);
      link.href = `#${encodeURIComponent(rows[other][ID])}`;
      line.append(link, " ");
    }
    return [line];
  };
  const list = make("ul");
  for (const [kind, file, line, labels] of cited) {
    const item = make("li", "", `${labels ? `${labels}: ` : ""}${kind} `);
    item.append(make("span", "mono", `${file}:${line}`));
    list.append(item);
  }
  panel.replaceChildren(close, make("h2", "", `${row[ID]}: ${row[TITLE]}`), where,
    ...around("Above", row[PARENTS]), ...around("Below", children[index]), make("pre", "", text),
    ...(cited.length ? [make("h3", "", "Cited by"), list] : []));
  panel.hidden = false;
  draw();
}
addEventListener("hashchange", () => {
  const id = decodeURIComponent(location.hash.slice(1));
  const index = rows.findIndex((row) => row[ID] === id);
  if (index >= 0) detail(index);
});

find("tree").addEventListener("scroll", draw);
addEventListener("resize", draw);
find("tree").addEventListener("click", (event) => {
  const row = event.target.closest(".row");
  if (!row || event.target.closest("a")) return;
  here = Number(row.dataset.position);
  if (event.target.closest(".twist")) { toggle(here); return; }
  draw();
  detail(visible[here].index);
});
find("tree").addEventListener("keydown", (event) => {
  const page = Math.max(1, Math.floor(find("tree").clientHeight / ROW) - 1);
  const moves = { ArrowDown: here + 1, ArrowUp: here - 1, PageDown: here + page, PageUp: here - page, Home: 0, End: visible.length - 1 };
  if (event.key in moves) go(moves[event.key]);
  else if (event.key === "ArrowRight") toggle(here, true);
  else if (event.key === "ArrowLeft") toggle(here, false);
  else if (event.key === "Enter") { toggle(here); if (visible[here]) detail(visible[here].index); }
  else if (event.key === " ") toggle(here);
  else return;
  event.preventDefault();
});
let waiting = 0;
find("find").addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => { here = 0; find("tree").scrollTop = 0; show("tree"); compute(); }, 60);
});
for (const id of ["level", "status", "gaps"]) find(id).addEventListener("change", () => { here = 0; show("tree"); compute(); });

function show(name) {
  for (const other of ["tree", "broken", "suspect"]) {
    find(other).hidden = other !== name;
    if (name !== "tree") find("detail").hidden = true;
    find(`tab-${other}`).setAttribute("aria-selected", other === name);
  }
}
for (const name of ["tree", "broken", "suspect"]) find(`tab-${name}`).addEventListener("click", () => { show(name); draw(); });

function table(into, headings, entries, nothing, left) {
  if (!entries.length) { into.append(make("p", "quiet", nothing)); return; }
  const whole = make("table");
  const head = make("tr");
  for (const heading of headings) head.append(make("th", "", heading));
  whole.append(head);
  for (const cells of entries) {
    const line = make("tr");
    for (const cell of cells) {
      const td = make("td");
      td.append(cell);
      line.append(td);
    }
    whole.append(line);
  }
  into.append(whole);
  if (left) into.append(make("p", "quiet", `${number(left)} more are not shown here.`));
}

if (data.notice) { find("notice").textContent = data.notice; find("notice").hidden = false; }
data.levels.forEach((level, index) => {
  const count = rows.reduce((sum, row) => sum + (row[LEVEL] === index), 0);
  if (!count) return;
  card(level, number(count));
  const option = make("option", "", level);
  option.value = index;
  find("level").append(option);
});
data.statuses.forEach((status, index) => {
  const option = make("option", "", status);
  option.value = index;
  find("status").append(option);
});
card("assertions covered", percent(data.covered, data.assertions));
card("broken references", number(data.broken_total), data.broken_total ? "bad" : "good");
card("suspect links", number(data.suspect_total), data.suspect_total ? "warn" : "good");
find("tab-broken").querySelector(".count").textContent = `(${data.broken_total})`;
find("tab-suspect").querySelector(".count").textContent = `(${data.suspect_total})`;
table(find("broken"), ["From", "Cites", "As", "Where"],
  data.broken.map(([from, target, kind, file, line]) => [make("span", "mono", from), make("span", "mono bad", target), kind, place(file, line)]),
  "Every reference leads somewhere.", data.broken_total - data.broken.length);
table(find("suspect"), ["Link", "To", "Why"],
  data.suspect.map(([from, target, why]) => [make("span", "mono", from), make("span", "mono", target), why]),
  "No text changed since its links were reviewed.", data.suspect_total - data.suspect.length);
// A project with one root opens on what hangs below it.
if (roots.length === 1) open.add(`/${roots[0]}`);
compute();
if (location.hash) dispatchEvent(new HashChangeEvent("hashchange"));
