// Views, filters, keys and the address, and everything that happens once at the beginning.

const VIEWS = ["tree", "matrix", "graph", "uncovered", "broken", "suspect", "changed"];

// The address says what is shown, so that it can be passed on.
let silent = false;
function remember() {
  if (silent) return;
  const parts = new URLSearchParams();
  if (view !== "tree") parts.set("view", view);
  for (const id of ["find", "file"]) if (find(id).value) parts.set(id, find(id).value);
  if (find("level").value) parts.set("level", head.levels[find("level").value]);
  if (find("status").value) parts.set("status", head.statuses[find("status").value]);
  if (find("gaps").checked) parts.set("gaps", "1");
  const id = !find("detail").hidden && selected >= 0 ? head.id[selected] : "";
  const rest = parts.toString();
  if (id && rest) parts.set("id", id);
  const hash = rest ? `#${parts}` : id ? `#${encodeURIComponent(id)}` : " ";
  // A client may show the page where there is no address to change.
  try { history.replaceState(null, "", hash === " " ? location.pathname + location.search : hash); } catch { /* stays as it is */ }
}
function recall() {
  const text = location.hash.slice(1);
  let id = text;
  try { id = decodeURIComponent(text); } catch { /* an address that somebody wrote by hand */ }
  silent = true;
  if (placeOf.has(id)) reveal(placeOf.get(id));
  else if (text.includes("=")) {
    const parts = new URLSearchParams(text);
    for (const name of ["find", "file"]) find(name).value = parts.get(name) || "";
    const place = (names, name) => (names.indexOf(name) < 0 ? "" : String(names.indexOf(name)));
    find("level").value = place(head.levels, parts.get("level"));
    find("status").value = place(head.statuses, parts.get("status"));
    find("gaps").checked = parts.has("gaps");
    const index = placeOf.get(parts.get("id"));
    if (index !== undefined) selected = index;
    show(VIEWS.includes(parts.get("view")) ? parts.get("view") : "tree");
    lookIntoTexts();
    if (index !== undefined) showDetail(index);
  } else if (!text) find("detail").hidden = true;
  silent = false;
}

// Opens the tree down to a requirement, and the requirement beside it.
function reveal(index) {
  const way = [index];
  while (head.parents[way[0]].length && !way.includes(head.parents[way[0]][0])) way.unshift(head.parents[way[0]][0]);
  let path = "";
  for (const step of way.slice(0, -1)) { path += `/${step}`; open.add(path); }
  if (isList()) {
    compute();
    const at = visible.findIndex((entry) => entry.index === index);
    showDetail(index);
    draw();
    if (at >= 0) go(at);
  } else showDetail(index);
}
function choose(index, byKey) {
  showDetail(index, byKey).then(remember);
  if (view === "graph") drawPicture();
}

function show(name) {
  view = name;
  const shown = isList() ? "tree" : name;
  for (const id of ["tree", "graph", "broken", "suspect"]) find(id).hidden = id !== shown;
  for (const other of VIEWS) {
    const tab = find(`tab-${other}`);
    tab.setAttribute("aria-selected", other === name);
    tab.tabIndex = other === name ? 0 : -1;
  }
  find("filters").hidden = name === "graph";
  for (const filter of document.querySelectorAll(".rows-only")) filter.hidden = shown !== "tree";
  if (shown === "tree") compute();
  else if (name === "graph") { find("told").textContent = ""; drawPicture(); }
  else sift(name);
  remember();
}

function table(into, headings, entries, nothing, left) {
  if (!entries.length) { into.append(make("p", "quiet", nothing)); return; }
  const whole = make("table");
  const top = make("tr");
  for (const heading of headings) top.append(make("th", "", heading));
  whole.append(top);
  for (const line of entries) {
    const row = make("tr");
    for (const cell of line) { const td = make("td"); td.append(cell); row.append(td); }
    whole.append(row);
  }
  into.append(whole);
  if (left > 0) into.append(make("p", "quiet", `${number(left)} more are not shown here.`));
}
// What a table says is looked through as it stands.
function sift(name) {
  const words = `${find("find").value} ${find("file").value}`.toLowerCase().split(/\s+/).filter(Boolean);
  let left = 0;
  for (const row of find(name).querySelectorAll("tr:has(td)")) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
    left += !row.hidden;
  }
  const all = name === "broken" ? data.broken_total : data.suspect_total;
  const many = name === "broken" ? ["reference that leads nowhere", "references that lead nowhere"] : ["link to look at again", "links to look at again"];
  const what = many[Number(all !== 1)];
  find("told").textContent = `${words.length ? `${number(left)} of ` : ""}${number(all)} ${what}`;
}
// An assertion leads to its requirement.
const known = (id) => {
  const owner = placeOf.has(id) ? id : id.replace(/-[^-]+$/, "");
  if (!placeOf.has(owner)) return make("span", "mono", id);
  const link = make("a", "mono", id);
  link.href = `#${encodeURIComponent(owner)}`;
  return link;
};

if (data.notice) { find("notice").textContent = data.notice; find("notice").hidden = false; }
head.levels.forEach((level, index) => {
  const count = head.level.reduce((sum, it) => sum + (it === index), 0);
  if (!count) return;
  card(level || "no level", number(count));
  const option = make("option", "", level || "no level");
  option.value = index;
  find("level").append(option);
});
head.statuses.forEach((status, index) => {
  const option = make("option", "", status || "no status");
  option.value = index;
  find("status").append(option);
});
for (const file of [...new Set(head.file)].slice(0, 500)) { const option = make("option"); option.value = head.files[file]; find("files").append(option); }
card("assertions covered", percent(data.covered, data.assertions));
if (data.excepted) card("not implemented on purpose", number(data.excepted));
card("broken references", number(data.broken_total), data.broken_total ? "bad" : "good");
card("suspect links", number(data.suspect_total), data.suspect_total ? "warn" : "good");
const count = (name, value) => { find(`tab-${name}`).querySelector(".count").textContent = number(value); };
count("uncovered", head.id.reduce((sum, _, index) => sum + isUncovered(index), 0));
count("broken", data.broken_total);
count("suspect", data.suspect_total);
count("changed", data.changed_total);
find("tab-changed").hidden = data.since === null;
table(find("broken"), ["From", "Cites", "As", "Where"],
  head.broken.map(([from, target, kind, file, line]) => [known(from), make("span", "mono bad", target), kind, place(head.files[file], line)]),
  "Every reference leads somewhere.", data.broken_total - head.broken.length);
table(find("suspect"), ["Link", "To", "Why"],
  head.suspect.map(([from, target, why]) => [known(from), known(target), why]),
  "No text changed since its links were reviewed.", data.suspect_total - head.suspect.length);

find("tree").addEventListener("scroll", draw);
addEventListener("resize", () => {
  if (isList()) draw();
  else if (view === "graph") drawPicture();
});
find("tree").addEventListener("click", (event) => {
  const row = event.target.closest(".row");
  if (!row || event.target.closest("a")) return;
  here = Number(row.dataset.position);
  if (event.target.closest(".twist")) { toggle(here); return; }
  draw();
  if (visible[here].index !== undefined) choose(visible[here].index);
});
const above = (position) => {
  const depth = visible[position]?.depth || 0;
  for (let at = position - 1; at >= 0; at--) if (visible[at].depth < depth) return at;
  return position;
};
find("tree").addEventListener("keydown", (event) => {
  const page = Math.max(1, Math.floor(find("tree").clientHeight / rowHeight) - 1);
  const moves = { ArrowDown: here + 1, ArrowUp: here - 1, PageDown: here + page, PageUp: here - page, Home: 0, End: visible.length - 1 };
  if (event.key in moves) go(moves[event.key]);
  else if (event.key === "ArrowRight") { if (!toggle(here, true) && visible[here + 1]?.depth > visible[here].depth) go(here + 1); }
  else if (event.key === "ArrowLeft") { if (!toggle(here, false)) go(above(here)); }
  else if (event.key === "Enter") { if (visible[here] && visible[here].index !== undefined) choose(visible[here].index, true); }
  else if (event.key === " ") toggle(here);
  else return;
  event.preventDefault();
});
find("tabs").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const tabs = VIEWS.filter((name) => !find(`tab-${name}`).hidden);
  const next = tabs[(tabs.indexOf(view) + step + tabs.length) % tabs.length];
  show(next);
  find(`tab-${next}`).focus();
});
addEventListener("keydown", (event) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
  if (event.key === "Escape" && !find("detail").hidden && !typing) closeDetail();
  if (event.key === "/" && !typing) {
    if (view === "graph") show("tree");
    find("find").focus();
    event.preventDefault();
  }
});
let waiting = 0;
const filter = () => { here = 0; find("tree").scrollTop = 0; show(view); };
find("find").addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => { ++search; inTexts = null; looking = ""; filter(); lookIntoTexts(); }, 80);
});
find("file").addEventListener("input", filter);
for (const id of ["level", "status", "gaps"]) find(id).addEventListener("change", filter);
for (const name of VIEWS) find(`tab-${name}`).addEventListener("click", () => { here = 0; find("tree").scrollTop = 0; show(name); });
addEventListener("hashchange", () => {
  recall();
  remember();
});

// Paper has no place to scroll: what is listed is written out, as far as anybody reads it.
const PRINTED = 3_000;
addEventListener("beforeprint", () => {
  if (!isList()) return;
  const rows = visible.slice(0, PRINTED).map((_, position) => drawnRow(position));
  find("height").replaceChildren(...rows);
  if (visible.length > PRINTED) find("height").append(make("p", "quiet", `${number(visible.length - PRINTED)} more are not printed.`));
});
addEventListener("afterprint", () => { if (isList()) draw(); });

// A project with one root opens on what hangs below it.
if (roots.length === 1) open.add(`/${roots[0]}`);
compute();
recall();
document.documentElement.dataset.ready = "yes";
