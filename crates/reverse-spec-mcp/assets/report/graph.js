// The graph: modules by level, what is used on the left of its users.

const SVG = "http://www.w3.org/2000/svg";
const draw = (tag, attributes, into) => {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  into.append(element);
  return element;
};
// One module, or modules that never meet, make no picture.
const hasGraph = modules.some((module) => module.uses.length > 0);
let pointed = -1;
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
    const label = `${module.path}, drift: ${driftWords(specOf.get(index))}`;
    const group = draw("g", { class: `node state ${state(index)}`, tabindex: -1, role: "button", "aria-label": label }, svg);
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
  light();
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

let shown = new Set();
function light() {
  if (!svg) return;
  shown = new Set(matching());
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
}
function drawGraph() {
  if (!svg) layout(); else light();
  if (chosen >= 0) nodes[chosen].scrollIntoView({ block: "nearest", inline: "center" });
  find("told").textContent = "An arrow leads to what is used; one that follows from others shows when you point at its module. ↻ marks modules that use each other.";
}
