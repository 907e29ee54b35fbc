// The map of the topology page: switches as boxes, links between them, and an arrow where one end
// pauses the other.
import { byId, colour, drawing, short, text } from "./dom.js";
import { idOf, isSeenByBoth, nameOf } from "./links.js";
import * as units from "./units.js";

const [usualWidth, mostUsual] = [1060, 13];  // width of the map for up to `mostUsual` switches
const [boxWidth, boxHeight] = [134, 48];
const apart = 18;  // distance between links of the same two switches
const reach = 46;  // length of an arrow to or from a neighbour that is no switch of this page
const mostBeside = 6;  // most pauses beside a box
const [rowStep, layerStep] = [330, 230];  // between the boxes of a row, and between rows

// Divides the switches into two sides, so that every link is between the two. Returns null if this
// is impossible, as in a ring of three, or if it is possible in several ways.
function sidesOf(switches, links) {
  const beside = new Map(switches.map(({ name }) => [name, new Set()]));
  for (const { ends: [one, other] } of links) {
    beside.get(one.switch)?.add(other.switch);
    beside.get(other.switch)?.add(one.switch);
  }
  const sides = new Map([[switches[0]?.name, 0]]);
  for (const [name, side] of sides) {  // the loop also visits entries that it adds
    for (const next of beside.get(name) ?? []) {
      if (sides.get(next) === side) return null;
      if (!sides.has(next)) sides.set(next, 1 - side);
    }
  }
  if (sides.size !== switches.length) return null;
  return [0, 1].map((side) => switches.filter(({ name }) => sides.get(name) === side));
}

// Returns the rows of a layered fabric, the highest first: spines, which are fewer, above leaves.
// If some leaves have hosts, switches that are only linked to spines and have no host are a row
// above the spines. Returns null if the fabric has no layers.
export function layersOf(switches, { links, outside }) {
  const sides = sidesOf(switches, links);
  if (!sides || sides[0].length === sides[1].length || sides.some((side) => side.length === 0)) {
    return null;
  }
  const [spines, others] = sides.sort((one, other) => one.length - other.length);
  const withHosts = new Set(outside.map(({ near }) => near.switch));
  const leaves = others.filter(({ name }) => withHosts.has(name));
  if (leaves.length === 0 || leaves.length === others.length) return [spines, others];
  return [others.filter(({ name }) => !withHosts.has(name)), spines, leaves];
}

function placesInRows(layers) {
  const width = Math.max(usualWidth, rowStep * Math.max(...layers.map((row) => row.length)));
  const height = 60 + layerStep * layers.length;
  const places = new Map(layers.flatMap((row, down) => row.map(({ name }, at) =>
    [name, { x: width * (at + 0.5) / row.length, y: layerStep * (down + 0.5) + 30 }])));
  return { places, width, height };
}

// Places the boxes in rows if the fabric has layers, otherwise on an ellipse, the first box at its
// left. Boxes do not overlap.
export function placesOf(switches, net) {
  const layers = layersOf(switches, net);
  if (layers) return placesInRows(layers);
  const flat = switches.length <= 2;
  const growth = Math.max(1, switches.length / mostUsual);
  const width = usualWidth * growth;
  const height = flat ? 190 : Math.min(820, 260 + 46 * switches.length) * growth;
  const places = new Map(switches.map((one, at) => {
    const angle = Math.PI + 2 * Math.PI * at / switches.length;
    const across = switches.length > 1 ? width / 2 - 235 : 0;
    return [one.name, { x: width / 2 + across * Math.cos(angle),
      y: height / 2 + (flat ? 0 : height / 2 - 75) * Math.sin(angle) }];
  }));
  return { places, width, height };
}

// Returns where a line from the centre of a box crosses its border.
function edge(from, to) {
  const [across, down] = [to.x - from.x, to.y - from.y];
  const part = Math.min(1, Math.min(boxWidth / 2 / Math.max(1e-6, Math.abs(across)),
    boxHeight / 2 / Math.max(1e-6, Math.abs(down))));
  return { x: from.x + across * part, y: from.y + down * part };
}

function shifted(one, other, by) {
  const length = Math.hypot(other.x - one.x, other.y - one.y) || 1;
  const [x, y] = [-(other.y - one.y) / length * by, (other.x - one.x) / length * by];
  return [one, other].map((end) => ({ x: end.x + x, y: end.y + y }));
}

const between = (one, other, part) =>
  ({ x: one.x + (other.x - one.x) * part, y: one.y + (other.y - one.y) * part });

function line(from, to, about) {
  return drawing("line", { x1: from.x, y1: from.y, x2: to.x, y2: to.y, ...about });
}

function arrow(from, to, title, about) {
  return drawing("g", { class: "pause", ...about }, drawing("title", {}, title),
    line(from, to, { stroke: colour("rx-pause"), "stroke-width": 3, "marker-end": "url(#head)" }));
}

const shareOf = (pause) => `${pause.priority}: ` +
  `${pause.share > 0 ? units.percent(pause.share) : "just now"}`;
export const saidOf = (pause) => `priority ${shareOf(pause)}`;

function link(joined, ends, pauses, drops, by) {
  const [from, to] = shifted(edge(...ends), edge(ends[1], ends[0]), by);
  const bad = joined.faults.length > 0;
  const names = joined.ends.map(nameOf);
  const parts = [drawing("title", {}, [names.join(" to "), ...joined.faults].join("; ")),
    line(from, to, { stroke: colour(bad ? "bad" : "soft"), "stroke-width": bad ? 2.5 : 1.5,
      "stroke-dasharray": bad ? "3 5" : "none" })];
  const words = [];  // drawn above all lines
  for (const [at, one, other] of [[0, from, to], [1, to, from]]) {
    const where = between(one, other, 0.17);
    words.push(text(where.x, where.y - 5, short(joined.ends[at].port, 12),
      { class: "soft", "text-anchor": "middle" }));
    const dropped = drops.get(idOf(joined.ends[at])) ?? 0;
    if (dropped > 0) {
      words.push(text(where.x, where.y + 14, `${units.count(dropped)} dropped`,
        { class: "fault", "text-anchor": "middle", "data-dropped": names[at] }));
    }
    const pausesHere = pauses.filter((pause) => idOf(pause) === idOf(joined.ends[at]));
    if (pausesHere.length === 0 || !isSeenByBoth(joined)) continue;
    const said = pausesHere.map(saidOf).join(", ");
    const [start, end] = [between(one, other, at === 0 ? 0.3 : 0.26),
      between(one, other, at === 0 ? 0.74 : 0.7)];
    const middle = between(one, other, 0.5);
    parts.push(arrow(start, end, `${names[at]} pauses ${names[1 - at]}, ${said}`,
      { "data-from": names[at], "data-to": names[1 - at] }));
    words.push(text(middle.x, middle.y - 8, pausesHere.map(shareOf).join(", "),
      { "text-anchor": "middle" }));
  }
  if (bad) {
    const middle = between(from, to, 0.5);
    words.push(text(middle.x, middle.y + 16, short(joined.faults.join("; "), 60),
      { class: "fault", "text-anchor": "middle" }));
  }
  return drawing("g", { class: bad ? "link faulty" : "link", "data-link": names.join(" ") },
    ...parts, ...words);
}

// Draws pauses to and from a neighbour that is no switch of this page: beside the box, one below
// the other.
function outsidePauses(one, place, pauses, left) {
  const side = left ? -1 : 1;
  const own = pauses.filter((pause) => pause.switch === one.name);
  const lineOf = (at) => ({ x: place.x + side * (boxWidth / 2 + 4),
    y: place.y - boxHeight / 2 + 10 + 17 * at });
  const anchor = { "text-anchor": left ? "end" : "start" };
  const { x, y: below } = lineOf(mostBeside);
  const more = own.length <= mostBeside ? [] : [text(x + side * (reach + 6), below + 4,
    `and ${own.length - mostBeside} more`, { class: "soft", ...anchor })];
  return [...more, ...own.slice(0, mostBeside).flatMap((pause, at) => {
    const inner = lineOf(at);
    const { y } = inner;
    const outer = { x: inner.x + side * reach, y };
    const received = pause.kind === "received";
    const peer = pause.peer?.outside ?? pause.peer?.switch ?? "its peer";
    const near = `${pause.switch} ${pause.port}`;
    const [from, to] = received ? [outer, inner] : [inner, outer];
    return [arrow(from, to, received ? `${peer} pauses ${near}, ${saidOf(pause)}`
      : `${near} pauses ${peer}, ${saidOf(pause)}`,
    { "data-from": received ? peer : near, "data-to": received ? near : peer }),
    text(outer.x + side * 6, y + 4, `${short(peer, 14)}, ${shareOf(pause)}`, anchor)];
  })];
}

function box(one, place) {
  const [x, y] = [place.x - boxWidth / 2, place.y - boxHeight / 2];
  return drawing("g", { class: "switch", "data-switch": one.name, "data-gone": one.gone },
    drawing("title", {}, one.said),
    drawing("rect", { x, y, width: boxWidth, height: boxHeight, rx: 8,
      fill: colour(one.gone ? "card" : "faint"), stroke: colour(one.gone ? "bad" : "good"),
      "stroke-width": 2, "stroke-dasharray": one.gone ? "5 4" : "none" }),
    text(place.x, place.y - 3, short(one.name, 17), { "text-anchor": "middle" }),
    text(place.x, place.y + 15, short(one.gone ? one.why : one.said, 20),
      { class: "soft", "text-anchor": "middle" }));
}

// Draws the map. `switches`: [{name, gone, why, said}]; `net` of links.js; `pauses`: the present
// pauses; `drops`: recently dropped frames by port id.
export function drawMap(switches, net, pauses, drops) {
  const { places, width, height } = placesOf(switches, net);
  const svg = drawing("svg", { viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": "Switches, their links, and who pauses whom" },
  drawing("defs", {}, drawing("marker", { id: "head", viewBox: "0 0 8 8", refX: 7, refY: 4,
    markerWidth: 4.5, markerHeight: 4.5, orient: "auto" },
  drawing("path", { d: "M0 0L8 4L0 8z", fill: colour("rx-pause") }))));
  const beside = new Map();
  const linked = new Set();
  for (const joined of net.links) {
    const pair = joined.ends.map((end) => end.switch).join("\n");
    const number = beside.get(pair) ?? 0;
    beside.set(pair, number + 1);
    if (isSeenByBoth(joined)) for (const end of joined.ends) linked.add(idOf(end));
    svg.append(link(joined, joined.ends.map((end) => places.get(end.switch)), pauses.filter(
      (pause) => pause.kind === "pauses"), drops, apart * Math.ceil(number / 2) * (number % 2 ? 1 : -1)));
  }
  for (const one of switches) {
    const place = places.get(one.name);
    svg.append(box(one, place), ...outsidePauses(one, place, pauses.filter((pause) =>
      pause.kind === "received" || !linked.has(idOf(pause))), place.x < width / 2 + 1));
  }
  svg.style.minWidth = `${0.6 * width}px`;
  svg.style.width = "100%";
  svg.style.maxHeight = `${height * 1.4}px`;
  byId("map").replaceChildren(svg);
}
