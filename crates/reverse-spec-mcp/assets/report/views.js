// Views, filters, keys and the address, and everything that happens once at the beginning.

const VIEWS = ["entries", "modules", "drift", "graph"];
const DRAW = { entries: drawEntries, modules: drawModules, drift: drawDrift, graph: drawGraph };
let view = "entries";
const isShown = (name) => !find(`tab-${name}`).hidden;

// The address says what is shown, so that it can be passed on.
let silent = false;
function remember() {
  if (silent) return;
  const parts = new URLSearchParams();
  if (view !== "entries") parts.set("view", view);
  if (find("find").value) parts.set("find", find("find").value);
  if (find("kind").value) parts.set("kind", find("kind").value);
  if (chosen >= 0) parts.set("module", modules[chosen].path);
  const hash = parts.toString();
  try { history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search); } catch { /* shown where there is no address */ }
}
function recall() {
  const parts = new URLSearchParams(location.hash.slice(1));
  silent = true;
  find("find").value = parts.get("find") || "";
  find("kind").value = parts.get("kind") || "";
  const first = entries.length ? "entries" : "modules";
  const asked = parts.get("view");
  show(VIEWS.includes(asked) && isShown(asked) ? asked : first);
  const index = modules.findIndex((module) => module.path === parts.get("module"));
  if (index >= 0) choose(index); else if (chosen >= 0) close();
  silent = false;
}
function show(name) {
  view = name;
  for (const other of VIEWS) {
    find(other).hidden = other !== name;
    const tab = find(`tab-${other}`);
    tab.setAttribute("aria-selected", other === name);
    tab.tabIndex = other === name ? 0 : -1;
  }
  for (const one of ["entries", "modules", "graph"]) {
    for (const part of document.querySelectorAll(`.for-${one}`)) part.hidden = one !== name;
  }
  DRAW[name]();
  remember();
}

const sum = (key) => specs.reduce((total, spec) => total + spec[key], 0);
const count = (name, value) => { find(`tab-${name}`).querySelector(".count").textContent = number(value); };
function figures() {
  find("cards").replaceChildren();
  const lacking = modules.filter((module, index) => !specOf.has(index)).length;
  const problems = specs.filter((spec) => spec.problem).length;
  const gone = specs.filter((spec) => spec.is_gone).length;
  card("entry points", number(entries.length + data.more_entries));
  card("modules", number(modules.length));
  card("without a specification", number(lacking), lacking ? "warn" : "good");
  card("drift, high", number(sum("high")), sum("high") ? "bad" : "good");
  card("drift, medium", number(sum("medium")), sum("medium") ? "warn" : "good");
  card("drift, low", number(sum("low")));
  if (problems) card("not compared", number(problems), "bad");
  if (gone) card("about code that is gone", number(gone), "bad");
  const toldOf = modules.filter((module) => module.tested !== null);
  const exported = toldOf.reduce((total, module) => total + module.exports, 0);
  card("exports named by tests", percent(toldOf.reduce((total, module) => total + module.tested, 0), exported));
  count("entries", entries.length);
  count("modules", modules.length);
  count("drift", sum("high") + sum("medium") + sum("low") + problems);
}
figures();
find("tab-graph").hidden = !hasGraph;
for (const [kind, heading] of KINDS) {
  const many = entries.filter((entry) => entry.kind === kind).length;
  if (!many) continue;
  const option = make("option", "", `${heading} (${number(many)})`);
  option.value = kind;
  find("kind").append(option);
}

let waiting = 0;
find("find").addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => { DRAW[view](); remember(); }, 60);
});
find("kind").addEventListener("change", () => { drawEntries(); remember(); });
for (const name of VIEWS) find(`tab-${name}`).addEventListener("click", () => show(name));
find("tabs").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const tabs = VIEWS.filter(isShown);
  const next = tabs[(tabs.indexOf(view) + step + tabs.length) % tabs.length];
  show(next);
  find(`tab-${next}`).focus();
});
for (const button of find("zoom").children) {
  button.addEventListener("click", () => { const by = Number(button.dataset.by); if (by) zoom(scale * by); else fit(); });
}
addEventListener("keydown", (event) => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
  if (event.key === "Escape" && chosen >= 0 && !typing) close();
  if (event.key === "/" && !typing) { find("find").focus(); event.preventDefault(); }
});
addEventListener("hashchange", recall);
heads();
states();
recall();
document.documentElement.dataset.ready = "yes";
