// A picture of the neighbourhood: what is above to the left, what is below and what cites it to the right.

const BOX = { height: 46, gap: 12 };
const MOST = 12;
const shape = (tag, attributes) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};
const cutTo = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

async function drawPicture() {
  const into = find("graph");
  if (!total) { into.replaceChildren(make("p", "quiet", "There are no requirements.")); return; }
  if (selected < 0) selected = visible.length && visible[here].index !== undefined ? visible[here].index : roots[0];
  const focus = selected;
  const it = await detailOf(focus).catch(() => null);
  if (focus !== selected) return;
  const node = (index) => ({ key: index, top: head.id[index], below: head.title[index], index, kind: "requirement" });
  const limited = (nodes) => (nodes.length > MOST ? [...nodes.slice(0, MOST), { key: `more${nodes[0].key}`, top: `${number(nodes.length - MOST)} more`, below: "", kind: "more" }] : nodes);
  const up = head.parents[focus];
  const above = [...new Set(up.flatMap((index) => head.parents[index]))].filter((index) => index !== focus && !up.includes(index));
  const places = (it ? it.cited : []).filter((cite) => cite[0] !== "requirement").map((cite, at) => (
    { key: `c${at}`, top: cite[3] ? `${cite[3].split("/").pop()}:${cite[4]}` : cite[2], below: `${cite[1]}${cite[5] ? ` ${cite[5]}` : ""}${cite[6] ? `, ${cite[6]}` : ""}`, kind: cite[0], full: `${cite[3]}:${cite[4]}` }));
  const down = children[focus].filter((index) => index !== focus && !up.includes(index));
  const columns = [limited(above.map(node)), limited(up.filter((index) => index !== focus).map(node)), [node(focus)], [...limited(down.map(node)), ...limited(places)]].filter((column) => column.length);
  const tallest = Math.max(...columns.map((column) => column.length));
  const height = tallest * (BOX.height + BOX.gap) + 20;
  // Boxes give way on a narrow screen, as far as they stay readable.
  const between = into.clientWidth < 700 ? 28 : 56;
  const room = (into.clientWidth - 52 - (columns.length - 1) * between) / columns.length;
  const boxWidth = Math.round(Math.max(124, Math.min(210, room)));
  const width = columns.length * boxWidth + (columns.length - 1) * between + 20;
  const svg = shape("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `What is around ${head.id[focus]}` });
  const at = new Map();
  columns.forEach((column, x) => column.forEach((entry, y) => {
    const top = (height - column.length * (BOX.height + BOX.gap) + BOX.gap) / 2 + y * (BOX.height + BOX.gap);
    at.set(entry.key, { left: 10 + x * (boxWidth + between), top });
  }));
  const edge = (from, to) => {
    const one = at.get(from), other = at.get(to);
    if (!one || !other) return;
    const [x1, y1, x2, y2] = [one.left + boxWidth, one.top + BOX.height / 2, other.left, other.top + BOX.height / 2];
    const middle = (x1 + x2) / 2;
    svg.append(shape("path", { class: "edge", d: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}` }));
  };
  for (const index of up) {
    edge(index, focus);
    for (const higher of head.parents[index]) edge(higher, index);
  }
  for (const index of down) edge(focus, index);
  places.forEach((entry) => edge(focus, entry.key));
  for (const column of columns) for (const entry of column) {
    const { left, top } = at.get(entry.key);
    const group = shape("g", { class: `node ${entry.kind}${entry.key === focus ? " focus" : ""}`, transform: `translate(${left} ${top})` });
    const title = shape("title", {});
    title.textContent = entry.full || `${entry.top} ${entry.below}`;
    const first = shape("text", { x: 10, y: entry.below ? 19 : 28, class: "top" });
    first.textContent = shortId(entry.top, Math.floor((boxWidth - 20) / 7.3));
    const second = shape("text", { x: 10, y: 36, class: "below" });
    second.textContent = cutTo(entry.below, Math.floor((boxWidth - 20) / 6.6));
    group.append(title, shape("rect", { width: boxWidth, height: BOX.height, rx: 6 }), first, second);
    if (entry.index !== undefined && entry.key !== focus) {
      group.dataset.id = head.id[entry.index];
      group.setAttribute("tabindex", "0");
      group.setAttribute("role", "link");
      const follow = () => choose(entry.index);
      group.addEventListener("click", follow);
      group.addEventListener("keydown", (event) => { if (event.key === "Enter") follow(); });
    }
    svg.append(group);
  }
  into.replaceChildren(svg);
  find("told").textContent = `What is around ${head.id[focus]}`;
}
