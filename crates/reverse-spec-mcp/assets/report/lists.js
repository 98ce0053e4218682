// Entry points, modules and drift as lists.

// As many as are looked through by eye; the rest comes when somebody asks.
const SHOWN = 150;
const wide = new Set();

function table(headings, rows) {
  const whole = make("table");
  const top = make("tr");
  for (const heading of headings) { const cell = make("th", "", heading); cell.scope = "col"; top.append(cell); }
  const head = make("thead");
  head.append(top);
  const body = make("tbody");
  for (const cells of rows) {
    const row = make("tr");
    cells.forEach((cell, at) => {
      const element = make("td");
      element.dataset.head = headings[at];
      element.append(cell);
      row.append(element);
    });
    body.append(row);
  }
  whole.append(head, body);
  return whole;
}

const entryText = (entry) => `${entry.name} ${entry.file} ${entry.through.join(" ")} ${entry.notes.join(" ")} ${modules[entry.module].path}`;
function entryRow(entry) {
  const name = make("button", "way mono", entry.name);
  name.type = "button";
  name.addEventListener("click", () => choose(entry.module));
  const through = make("span", "mono quiet", entry.through.join(" → "));
  const notes = make("span", "mono quiet notes", entry.notes.join(entry.kind === "migration" ? "; " : ", "));
  return [name, through, notes, place(entry.file, entry.line)];
}
function drawEntries() {
  const words = wordsOf();
  const wanted = find("kind").value;
  const into = find("entries");
  into.replaceChildren();
  let count = 0;
  for (const [kind, heading] of KINDS) {
    if (wanted && wanted !== kind) continue;
    const all = entries.filter((entry) => entry.kind === kind && holds(entryText(entry), words));
    count += all.length;
    if (!all.length) continue;
    const title = make("h2", "", `${heading} `);
    title.append(make("span", "count", number(all.length)));
    const most = wide.has(kind) ? all.length : SHOWN;
    const part = table(["Name", "Goes through", "Notes", "Where"], all.slice(0, most).map(entryRow));
    part.className = "entries";
    into.append(title, part);
    if (all.length > most) {
      const more = make("button", "more", `Show all ${number(all.length)}`);
      more.type = "button";
      more.addEventListener("click", () => { wide.add(kind); drawEntries(); });
      into.append(more);
    }
  }
  if (!count) {
    into.append(make("p", "quiet nothing", entries.length
      ? "No entry point is like that."
      : "Looked for routes, commands, flags, jobs, topics, variables of the environment and settings in every file that was read, and found none."));
  }
  find("told").textContent = `${number(count)} of ${counted(entries.length, "entry point")}`
    + (data.more_entries ? `; ${number(data.more_entries)} more are not on this page` : "");
}

const share = (module) => (module.exports && module.tested !== null ? module.tested / module.exports : 2);
const HEADS = [
  ["Module", "", (one, other) => modules[one].path.localeCompare(modules[other].path)],
  ["Files", "wide", (one, other) => modules[other].files.length - modules[one].files.length],
  ["Lines", "wide", (one, other) => modules[other].lines - modules[one].lines],
  ["Entry points", "wide", (one, other) => entriesOf[other].length - entriesOf[one].length],
  ["Tested exports", "", (one, other) => share(modules[one]) - share(modules[other])],
  ["Drift", "", (one, other) => byGravity(specOf.get(one), specOf.get(other))],
  ["Specification", "wide", (one, other) => (specOf.get(one)?.path || "").localeCompare(specOf.get(other)?.path || "")],
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
      drawModules();
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
    cell.append(bar, ` ${number(module.tested)}/${number(module.exports)}`);
  } else cell.append(make("span", "quiet", module.symbols.length ? "no exports of its own" : "no exports"));
  return cell;
}
const wanted = new Set();
const moduleText = (module) => `${module.path} ${module.files.join(" ")} ${module.symbols.map((symbol) => symbol.name).join(" ")}`;
function matching() {
  const words = wordsOf();
  return modules.map((module, index) => index).filter((index) =>
    holds(moduleText(modules[index]), words) && (!wanted.size || wanted.has(state(index))));
}
function drawModules() {
  const matches = matching();
  const [, , compare] = HEADS[sorted.by];
  matches.sort((one, other) => (compare(one, other) || one - other) * (sorted.turned ? -1 : 1));
  [...find("heads").children].forEach((head, by) => {
    if (by === sorted.by) head.setAttribute("aria-sort", sorted.turned ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  });
  const rows = document.createDocumentFragment();
  for (const index of matches) {
    const module = modules[index];
    const spec = specOf.get(index);
    const row = make("tr");
    row.dataset.index = index;
    row.tabIndex = 0;
    const link = make("td", "wide");
    link.append(spec ? place(spec.path) : "");
    row.append(make("td", "mono", module.path), make("td", "figure wide", number(module.files.length)), make("td", "figure wide", number(module.lines)),
      make("td", "figure wide", entriesOf[index].length ? number(entriesOf[index].length) : ""), testedCell(module),
      make("td", TONES[state(index)] || "", driftWords(spec)), link);
    row.addEventListener("click", (event) => { if (!event.target.closest("a")) choose(index, row); });
    row.addEventListener("keydown", (event) => { if (event.key === "Enter" && event.target === row) choose(index, row); });
    rows.append(row);
  }
  find("rows").replaceChildren(rows);
  find("nothing").hidden = matches.length > 0;
  find("told").textContent = `${number(matches.length)} of ${counted(modules.length, "module")}`;
  mark();
}
function states() {
  for (const [name, words] of STATES) {
    const count = modules.filter((module, index) => state(index) === name).length;
    if (!count) continue;
    const button = make("button", `state ${name}`, `${number(count)} ${words}`);
    button.type = "button";
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => {
      if (!wanted.delete(name)) wanted.add(name);
      button.setAttribute("aria-pressed", String(wanted.has(name)));
      drawModules();
    });
    find("states").append(button);
  }
}

const SEVERITIES = { HIGH: "bad", MEDIUM: "warn", LOW: "quiet" };
const itemRow = (item) => [
  make("b", SEVERITIES[item.severity], item.severity),
  spoken(item.description),
  item.line ? place(item.file, item.line) : place(item.file),
];
const itemText = (item) => `${item.severity} ${item.symbol} ${item.description} ${item.file}`;
function drawDrift() {
  const words = wordsOf();
  const into = find("drift");
  into.replaceChildren();
  let count = 0;
  const drifted = specs.filter((spec) => stateOf(spec) !== "fine" || spec.is_gone || spec.notes.length).sort(byGravity);
  for (const spec of drifted) {
    const about = `${spec.path} ${spec.target} `;
    const items = spec.items.filter((item) => holds(about + itemText(item), words));
    if (!items.length && !holds(about, words)) continue;
    count += items.length;
    const title = make("h2", "mono");
    if (spec.module !== null) title.append(way(spec.module)); else title.append(spec.target || spec.path);
    const under = make("p", "quiet");
    under.append(place(spec.path), spec.is_gone ? "; what it is about is gone" : "", `; drift: ${driftWords(spec)}`);
    into.append(title, under);
    for (const line of (spec.problem || "").split("\n").filter(Boolean)) into.append(make("p", "bad", line));
    if (items.length) {
      const part = table(["Severity", "What", "Where"], items.map(itemRow));
      part.className = "items";
      into.append(part);
    }
    if (spec.more) into.append(make("p", "quiet", `${number(spec.more)} more are not shown here; diff lists them all.`));
    for (const note of spec.notes) { const line = make("p", "warn"); line.append(spoken(note)); into.append(line); }
  }
  const lacking = modules.map((module, index) => index).filter((index) => !specOf.has(index) && holds(modules[index].path, words));
  if (lacking.length) {
    into.append(make("h2", "", "Modules without a specification"));
    const list = make("ul");
    for (const index of lacking) { const item = make("li"); item.append(way(index)); list.append(item); }
    into.append(list);
  }
  if (!into.children.length) {
    const fine = specs.length ? `All ${counted(specs.length, "specification")} are true to the code.` : "There are no specifications yet: batch writes them.";
    into.append(make("p", "nothing quiet", words.length ? "Nothing is like that." : fine));
  }
  find("told").textContent = `${counted(specs.length, "specification")}, ${number(specs.filter((spec) => stateOf(spec) === "fine").length)} true to the code`
    + (words.length ? `; ${counted(count, "change")} found` : "");
}
