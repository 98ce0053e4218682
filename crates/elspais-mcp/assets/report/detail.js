// One requirement, opened: its text, each assertion with what stands behind it, and its relatives.

let selected = -1;

function linkTo(index, className) {
  const link = make("a", className || "relative");
  link.href = `#${encodeURIComponent(head.id[index])}`;
  link.append(make("span", "mono", head.id[index]), ` ${head.title[index]}`);
  return link;
}
const MANY = 40;
function relatives(heading, list) {
  if (!list.length) return [];
  const box = make("ul", "relatives");
  for (const index of list.slice(0, MANY)) { const item = make("li"); item.append(linkTo(index)); box.append(item); }
  if (list.length > MANY) box.append(make("li", "quiet", `${number(list.length - MANY)} more`));
  return [make("h3", "", `${heading} (${number(list.length)})`), box];
}

// Text as it is written; headings stand out, and nothing in it is markup.
function prose(text) {
  const box = make("div", "prose");
  let lines = [];
  const flush = () => {
    const joined = lines.join("\n").replace(/^\n+|\n+$/g, "");
    if (joined) box.append(make("p", "", joined));
    lines = [];
  };
  for (const line of text.split("\n")) {
    const title = /^#{1,6}\s+(.*)/.exec(line);
    if (!title) { lines.push(line); continue; }
    flush();
    box.append(make("h4", "", title[1]));
  }
  flush();
  return box.childNodes.length ? [box] : [];
}

function citation([node, kind, by, path, line, labels, result, lines]) {
  const item = make("li", "cite");
  const head_ = make("div");
  head_.append(make("span", `badge ${node}`, node), ` ${kind} `);
  if (node === "requirement") {
    const index = placeOf.get(by);
    head_.append(index === undefined ? make("span", "mono", by) : linkTo(index));
  } else {
    head_.append(path ? place(path, line) : make("span", "mono", by));
    if (by && path) head_.append(" ", make("span", "mono quiet", by));
  }
  if (result) head_.append(" ", make("span", result === "passed" ? "good" : result === "failed" ? "bad" : "quiet", result));
  item.append(head_);
  if (lines) item.append(make("pre", "lines", lines));
  return item;
}
const list = (entries) => { const box = make("ul", "cites"); box.append(...entries.map(citation)); return box; };

function assertions(index, it) {
  const all = [];
  const gaps = head.gaps[index].split(" ");
  for (const [label, start, length, retired, excepted] of it.assertions) {
    const behind = it.cited.filter((cite) => cite[5].split(" ").includes(label));
    const box = make("section", "assertion");
    const named = make("p", "said");
    named.append(make("b", "mono", label), " ", it.text.slice(start, start + length) || "");
    box.append(named);
    const covered = head.covered[index] > 0 && !gaps.includes(label);
    if (retired) box.append(make("p", "quiet", "Withdrawn."));
    else if (excepted) box.append(make("p", "warn", `Deliberately not implemented: ${excepted}`));
    else if (!covered) box.append(make("p", "bad", "Nothing covers it."));
    else if (!behind.length) box.append(make("p", "quiet", "Covered by what cites the whole requirement."));
    if (behind.length) box.append(list(behind));
    all.push(box);
  }
  return all;
}

// What remains of the text when assertions are shown one by one.
function around(it) {
  const spans = it.assertions.filter(([, , length]) => length).sort((one, other) => one[1] - other[1]);
  if (!spans.length) return [it.text, ""];
  const lineStart = it.text.lastIndexOf("\n", spans[0][1]) + 1;
  const last = spans[spans.length - 1];
  return [it.text.slice(0, lineStart).replace(/\n#{1,6}\s+\S+\s*$/, "\n").replace(/^#{1,6}\s+\S+\s*$/, ""), it.text.slice(last[1] + last[2])];
}

async function showDetail(index, byKey) {
  selected = index;
  const panel = find("detail");
  const close = make("button", "close", "Close");
  close.addEventListener("click", closeDetail);
  const picture = make("button", "", "Graph");
  picture.addEventListener("click", () => show("graph"));
  const tools = make("div", "tools");
  if (view !== "graph") tools.append(picture);
  tools.append(close);
  const title = make("h2");
  title.append(make("span", "mono", head.id[index]), make("br"), head.title[index]);
  const facts = make("p", "quiet");
  facts.append(`${head.levels[head.level[index]] || "no level"} · ${head.statuses[head.status[index]] || "no status"} · `, place(head.files[head.file[index]], head.line[index]));
  const beginning = [tools, title, facts];
  const change = changes.get(head.id[index]);
  if (change) beginning.push(make("p", "warn", `${change[2]} since ${data.since}${change[3] ? `: ${change[3]}` : ""}`));
  const family = [...relatives("Above", head.parents[index]), ...relatives("Below", children[index])];
  const wasHidden = panel.hidden;
  panel.hidden = false;
  panel.replaceChildren(...beginning, make("p", "quiet", "…"), ...family);
  let it = null, problem = "";
  try { it = await detailOf(index); } catch (error) { problem = error.message; }
  if (selected !== index) return;
  if (it) {
    const [before, after] = around(it);
    const whole = it.cited.filter((cite) => !cite[5] && cite[0] !== "requirement");
    panel.replaceChildren(...beginning,
      ...(it.excepted ? [make("p", "warn", `Deliberately not implemented: ${it.excepted}`)] : []),
      ...prose(before),
      ...(it.assertions.length ? [make("h3", "", "Assertions"), ...assertions(index, it)] : []),
      ...prose(after),
      ...(whole.length ? [make("h3", "", "Cited as a whole"), list(whole)] : []),
      ...family);
  } else {
    panel.replaceChildren(...beginning, make("p", "quiet", problem || "This page does not hold its text."), ...family);
  }
  panel.scrollTop = 0;
  if (byKey && wasHidden) panel.focus();
  if (view === "graph") drawPicture();
  else if (isList()) draw();
}

function closeDetail() {
  find("detail").hidden = true;
  remember();
  if (isList()) { find("tree").focus(); draw(); }
}
