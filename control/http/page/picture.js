// The switch as a picture: inputs on the left, outputs on the right, waiting frames between them,
// and which end pauses which.
import { byId, colour, drawing, short, text } from "./dom.js";
import * as units from "./units.js";

// Sizes of the picture and of the ports in it, and how far an arrow reaches beyond the switch.
const wide = { width: 940, boxLeft: 226, boxRight: 614, boxWidth: 100, inset: 18, reach: 64, letters: 18,
  word: "priority " };
const narrow = { width: 390, boxLeft: 104, boxRight: 226, boxWidth: 60, inset: 8, reach: 26, letters: 7,
  word: "" };
let { width, boxLeft, boxRight, boxWidth, inset, reach, letters, word } = wide;

function arrow(fromX, fromY, toX, toY, name, about = {}) {
  return drawing("line", { x1: fromX, y1: fromY, x2: toX, y2: toY, stroke: colour(name),
    "stroke-width": 2.5, "marker-end": `url(#head-${name})`, ...about });
}

function heads() {
  return drawing("defs", {}, ...["rx-pause", "tx-pause"].map((name) => drawing("marker", {
    id: `head-${name}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 5, markerHeight: 5,
    orient: "auto" }, drawing("path", { d: "M0 0L8 4L0 8z", fill: colour(name) }))));
}

// Returns the priorities of a port that are "paused" or "pausing", each with its share of the time.
function paused(state, port, what) {
  return state.now.pfc.filter((row) => row.port === port && state.lately(row, what))
    .map((row) => [row.priority, state.pauseShare(row, `${what}_ns`)]);
}

const listOf = (pauses) => pauses.map(([priority, share]) =>
  `${priority}: ${units.percent(share)}`).join(", ");

function neighbour(state, port) {
  const known = state.now.lldp.find((row) => row.port === port)?.neighbours[0];
  return known ? `${known.system_name ?? known.chassis_id}` : "";
}

function box(x, y, height, port) {
  const up = port.link === "up";
  return drawing("g", { class: "port", "data-port": port.name, "data-link": port.link },
    drawing("title", {}, `${port.name}: ${port.device}, ${port.link}`),
    drawing("rect", { x, y: y - height / 2, width: boxWidth, height, rx: 5,
      fill: colour(up ? "faint" : "card"), stroke: colour(up ? "good" : "soft"),
      "stroke-width": up ? 2 : 1, "stroke-dasharray": up ? "none" : "4 3" }),
    text(x + boxWidth / 2, y + 4, short(port.name, boxWidth < 100 ? 8 : 14), { "text-anchor": "middle" }));
}

// Draws a port with its peer beside the switch: an arrow if one end pauses the other, the peer's
// name at the end of the arrow, and the share of the time or the rate.
function side(state, port, y, height, left) {
  const same = (row) => row.name === port.name;
  const rate = 8 * state.rate("ports", same, left ? "rx_bytes" : "tx_bytes");
  const pauses = paused(state, port.name, left ? "pausing" : "paused");
  const name = left ? "tx-pause" : "rx-pause";
  const inner = left ? boxLeft - 4 : boxRight + boxWidth + 4;
  const outer = left ? inner - inset - reach : inner + inset + reach;
  const parts = [box(left ? boxLeft : boxRight, y, height, port)];
  if (pauses.length > 0) {
    const [from, to] = left ? [inner, outer] : [outer, inner];
    parts.push(drawing("g", { class: `pause ${name}`, "data-port": port.name },
      drawing("title", {}, left ? `${port.name} pauses its peer` : `its peer pauses ${port.name}`),
      arrow(from, y, to, y, name)));
  }
  const where = { "text-anchor": left ? "end" : "start" };
  const at = left ? outer - 8 : outer + 8;
  const said = pauses.length > 0 ? `${word}${listOf(pauses)}` : rate > 0 ? units.bits(rate) : "";
  const peer = short(neighbour(state, port.name), letters);
  if (peer && said && height >= 26) {
    parts.push(text(at, y - 3, peer, where), text(at, y + 12, said, { class: "soft", ...where }));
  } else if (peer || said) {
    parts.push(text(at, y + 4, said || peer, { class: said ? "soft" : "", ...where }));
  }
  return parts;
}

// Returns the octets that wait from each input for each output, summed over all priorities.
function waiting(state) {
  const sums = new Map();
  for (const row of state.now.queues) {
    if (row.bytes === 0) continue;
    const key = `${row.input}\n${row.output}`;
    sums.set(key, (sums.get(key) ?? 0) + row.bytes);
  }
  return sums;
}

function curve(fromY, toY, about) {
  const [from, to] = [boxLeft + boxWidth, boxRight];
  const middle = (from + to) / 2;
  return drawing("path", { d: `M${from} ${fromY}C${middle} ${fromY} ${middle} ${toY} ${to} ${toY}`,
    fill: "none", ...about });
}

// Draws a line from each input whose peer is paused now to the outputs that cause the pause.
function reasons(state, heights) {
  return state.now.pfc.filter((row) => state.lately(row, "pausing"))
    .flatMap((row) => row.because_of.map((cause) => drawing("g", { class: "because",
      "data-input": row.port, "data-output": cause.output },
    drawing("title", {}, `${row.port} pauses its peer in priority ${row.priority} because of ` +
      `${cause.output} (${units.count(cause.pauses)} times)`),
    curve(heights.get(row.port) - 9, heights.get(cause.output) - 9,
      { stroke: colour("rx-pause"), "stroke-width": 2, "stroke-dasharray": "7 5" }))));
}

export function drawPicture(state) {
  const small = byId("picture").clientWidth < 640;
  ({ width, boxLeft, boxRight, boxWidth, inset, reach, letters, word } = small ? narrow : wide);
  const ports = state.now.ports;
  const step = Math.max(20, Math.min(46, 640 / ports.length));
  const height = Math.min(34, step - 4);
  const heights = new Map(ports.map((port, at) => [port.name, 34 + step * (at + 0.5)]));
  const bottom = 44 + step * ports.length;
  const svg = drawing("svg", { viewBox: `0 0 ${width} ${bottom}`, role: "img",
    "aria-label": "The switch: ports, what waits, who pauses whom" }, heads(),
  drawing("rect", { x: boxLeft - inset, y: 22, width: boxRight + boxWidth - boxLeft + 2 * inset,
    height: bottom - 26, rx: 12, fill: "none", stroke: colour("line"), "stroke-width": 2 }),
  text(boxLeft + boxWidth / 2, 14, "in", { class: "soft", "text-anchor": "middle" }),
  text(boxRight + boxWidth / 2, 14, "out", { class: "soft", "text-anchor": "middle" }));
  const size = state.now.buffer.pool.size_bytes;
  for (const [key, bytes] of waiting(state)) {
    const [input, output] = key.split("\n");
    svg.append(drawing("g", { class: "waits", "data-input": input, "data-output": output },
      drawing("title", {}, `${units.octets(bytes)} from ${input} wait for ${output}`),
      curve(heights.get(input) + 3, heights.get(output) + 3, { stroke: colour("waits"), opacity: 0.75,
        "stroke-width": 3 + 9 * Math.sqrt(Math.min(1, bytes / size)) })));
  }
  svg.append(...reasons(state, heights));
  for (const port of ports) {
    const y = heights.get(port.name);
    svg.append(...side(state, port, y, height, true), ...side(state, port, y, height, false));
  }
  svg.style.width = "100%";
  svg.style.maxHeight = `${Math.max(220, bottom * 1.25)}px`;
  byId("picture").replaceChildren(svg);
}
