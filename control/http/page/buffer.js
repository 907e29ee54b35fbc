// The buffer: the shared pool, and how much of it each lossless group uses, compared with the
// group's levels.
import { byId, colour, drawing, none } from "./dom.js";
import * as units from "./units.js";

const row = 34;
let [left, right] = [120, 170];  // room beside the bars, in pixels
let width = 0;  // width of the page, so that letters keep one size

const bar = (x, y, length, height, name, about = {}) => drawing("rect",
  { x, y, width: Math.max(0, length), height, fill: colour(name), ...about });
const mark = (x, y, about = {}) => drawing("line",
  { x1: x, x2: x, y1: y - 2, y2: y + 20, stroke: colour("ink"), ...about });

const isNarrow = () => right < 170;

function frame(rows) {
  return drawing("svg", { width, height: rows * row });
}

const text = (x, y, said, about = {}) => drawing("text", { x, y, ...about }, said);

function drawPool({ pool }) {
  const scale = (width - left - right) / Math.max(1, pool.size_bytes);
  const svg = frame(1);
  svg.append(text(0, 20, "shared pool"),
    bar(left, 8, width - left - right, 16, "faint", { rx: 3 }),
    bar(left, 8, pool.used_bytes * scale, 16, "held", { rx: 3, class: "used" }),
    diamond(left + Math.min(pool.max_used_bytes, pool.size_bytes) * scale, 16),
    text(width - right + 10, 20,
      units.octets(pool.used_bytes) + (isNarrow() ? "" : ` of ${units.octets(pool.size_bytes)}`),
      { class: "soft" }));
  byId("pool").replaceChildren(svg);
}

function diamond(x, y) {
  return drawing("path", { d: `M${x} ${y - 6}l6 6l-6 6l-6 -6z`, fill: "none",
    stroke: colour("ink"), "stroke-width": 1.5 });
}

// Draws the pool that a group uses up to XOFF, then its headroom. All groups have the same scale.
function drawGroup(svg, group, y, scale) {
  const held = group.used_bytes;
  const room = left + Math.max(group.xoff_bytes, held) * scale;
  const name = `${group.port} priority ${group.priority}`;
  svg.append(drawing("g", { class: "group", "data-port": group.port,
    "data-priority": group.priority },
  drawing("title", {}, `${name}: holds ${units.octets(group.occupancy_bytes)}, at most ` +
    `${units.octets(group.occupancy_max)}; XON ${units.octets(group.xon_bytes)}, XOFF ` +
    `${units.octets(group.xoff_bytes)}, headroom ${units.octets(group.headroom_bytes)}, of it ` +
    `taken ${units.octets(group.headroom_used)}, at most ${units.octets(group.headroom_used_max)}`),
  text(0, y + 13, name.length > 18 ? `${name.slice(0, 17)}…` : name),
  bar(left, y, group.xoff_bytes * scale, 18, "faint"),
  bar(left, y, held * scale, 18, "held", { class: "held" }),
  bar(room, y, group.headroom_bytes * scale, 18, "room"),
  bar(room, y, group.headroom_used * scale, 18, "taken", { class: "taken" }),
  mark(left + group.xon_bytes * scale, y, { "stroke-width": 2, "stroke-dasharray": "4 3" }),
  mark(left + group.xoff_bytes * scale, y, { "stroke-width": 3, class: "xoff" }),
  diamond(Math.min(width - right, left + group.occupancy_max * scale), y + 9),
  text(width - right + 10, y + 13, units.octets(group.occupancy_bytes) +
    (isNarrow() ? "" : `, most ${units.octets(group.occupancy_max)}`), { class: "soft" })));
}

export function drawBuffer(state) {
  const there = byId("pool").parentElement.clientWidth - 2;
  [left, right] = there < 500 ? [105, 75] : [120, 170];
  width = Math.max(280, there);
  drawPool(state.now.buffer);
  const groups = state.now.buffer.groups.filter((group) => group.lossless);
  if (groups.length === 0) {
    byId("groups").replaceChildren(none("No lossless priority has held a frame yet."));
    return;
  }
  const end = Math.max(...groups.map((group) => Math.max(group.xoff_bytes, group.used_bytes) +
    group.headroom_bytes));
  const scale = (width - left - right) / Math.max(1, end);
  const svg = frame(groups.length);
  groups.forEach((group, at) => drawGroup(svg, group, at * row + 6, scale));
  byId("groups").replaceChildren(svg);
}
