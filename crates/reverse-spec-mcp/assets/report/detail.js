// One module beside the lists: its specification, where it is reached, what it declares, whom it uses.

let chosen = -1;
let cameFrom = null;

function section(title, count) {
  const heading = make("h3", "", `${title} `);
  if (count !== undefined) heading.append(make("span", "count", number(count)));
  return heading;
}
function list(title, items, into) {
  if (!items.length) return;
  const whole = make("ul", "plain");
  for (const one of items) { const item = make("li"); item.append(one); whole.append(item); }
  into.append(section(title, items.length), whole);
}
function symbolLine(module, symbol) {
  const line = make("span", symbol.is_internal ? "symbol quiet" : "symbol");
  const link = place(module.files[symbol.file], symbol.line);
  link.textContent = symbol.name;
  link.title = `${module.files[symbol.file]}:${symbol.line}`;
  const kind = make("span", "badge", symbol.is_internal ? `internal ${symbol.kind}` : symbol.kind);
  line.append(link, " ", kind);
  if (symbol.signature && symbol.signature !== symbol.name) line.append(make("div", "mono signature", symbol.signature));
  return line;
}

function choose(index, from) {
  if (chosen === index && from) { close(); return; }
  chosen = index;
  if (from) cameFrom = from;
  const module = modules[index];
  const spec = specOf.get(index);
  const into = find("detail");
  into.replaceChildren();
  into.hidden = false;
  const tools = make("div", "tools");
  const button = (text, act) => {
    const one = make("button", "", text);
    one.type = "button";
    one.addEventListener("click", act);
    tools.append(one);
  };
  if (hasGraph && view !== "graph") button("Graph", () => show("graph"));
  button("Close", close);
  into.append(tools, make("h2", "mono", module.path));
  into.append(make("p", "quiet", `${counted(module.files.length, "file")}, ${counted(module.lines, "line")}, ${counted(module.exports, "export")}, drift: ${driftWords(spec)}`));
  if (spec) { const line = make("p"); line.append("Specification: ", place(spec.path)); into.append(line); }
  if (spec?.items.length) {
    const part = table(["Severity", "What", "Where"], spec.items.map(itemRow));
    part.className = "items";
    into.append(section("Drift", spec.items.length + spec.more), part);
    if (spec.more) into.append(make("p", "quiet", `${number(spec.more)} more are not shown here.`));
  }
  for (const [kind, title] of KINDS) {
    const own = entriesOf[index].filter((entry) => entry.kind === kind);
    list(title, own.map((entry) => {
      const line = make("span");
      line.append(make("span", "mono", entry.name), " ", place(entry.file, entry.line));
      const more = [...entry.through, ...entry.notes].join(", ");
      if (more) line.append(make("div", "quiet mono signature", more));
      return line;
    }), into);
  }
  module.files.forEach((file, at) => {
    const own = module.symbols.filter((symbol) => symbol.file === at);
    if (!own.length) return;
    const title = section("", own.length);
    title.prepend(place(file));
    const whole = make("ul", "plain");
    for (const symbol of own) { const item = make("li"); item.append(symbolLine(module, symbol)); whole.append(item); }
    into.append(title, whole);
  });
  if (module.more_symbols) into.append(make("p", "quiet", `${number(module.more_symbols)} more declarations are not shown here.`));
  list("Exports no test names", module.untested.map((name) => make("span", "mono", name)), into);
  list("In a circle with", circleOf(index).map(way), into);
  list("Uses", module.uses.map(way), into);
  list("Used by", users[index].map(way), into);
  const bare = module.files.filter((file, at) => !module.symbols.some((symbol) => symbol.file === at));
  list("Files without declarations of their own", bare.map((file) => place(file)), into);
  into.scrollTop = 0;
  tools.lastChild.focus({ preventScroll: true });
  mark();
  light();
  if (view === "graph" && nodes[index]) nodes[index].scrollIntoView({ block: "nearest", inline: "center" });
  remember();
}
function close() {
  chosen = -1;
  find("detail").hidden = true;
  find("detail").replaceChildren();
  mark();
  light();
  if (cameFrom && cameFrom.isConnected) cameFrom.focus({ preventScroll: true });
  cameFrom = null;
  remember();
}
function mark() {
  for (const row of find("rows").children) row.classList.toggle("chosen", Number(row.dataset.index) === chosen);
}
