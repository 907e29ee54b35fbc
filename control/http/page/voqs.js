// VOQs, input by output: how much waits or ever waited. More is a stronger colour (logarithmic).
import { byId, canvas, colour, element, heat } from "./dom.js";
import * as units from "./units.js";

const cell = (ports) => Math.max(12, Math.min(56, Math.floor(420 / ports)));
let shown = null;  // data of the map that is drawn, for the tooltip

function values(state, priority, what) {
  const found = new Map();
  for (const row of state.now.queues) {
    if (priority !== "all" && row.priority !== Number(priority)) continue;
    const key = `${row.input}\n${row.output}`;
    found.set(key, (found.get(key) ?? 0) + row[what]);
  }
  return found;
}

export function drawVoqs(state) {
  const names = state.now.ports.map((port) => port.name);
  const size = cell(names.length);
  const margin = 12 + 7 * Math.min(12, Math.max(...names.map((name) => name.length)));
  const map = byId("voq-map");
  const pen = canvas(map, margin + size * names.length + 2, margin + size * names.length + 2);
  const priority = byId("voq-priority").value;
  const found = values(state, priority, byId("voq-what").value);
  const most = Math.max(1, ...found.values());
  const share = (bytes) => (bytes <= 0 ? 0 : 0.12 + 0.88 * Math.log1p(bytes) / Math.log1p(most));
  names.forEach((input, row) => names.forEach((output, column) => {
    pen.fillStyle = heat(share(found.get(`${input}\n${output}`) ?? 0));
    pen.fillRect(margin + column * size, margin + row * size, size - 1, size - 1);
  }));
  pen.fillStyle = colour("soft");
  const every = size >= 14 ? 1 : 4;
  names.forEach((name, at) => {
    if (at % every !== 0) return;
    pen.textAlign = "right";
    pen.fillText(name.slice(0, 12), margin - 6, margin + (at + 0.5) * size);
    pen.save();
    pen.translate(margin + (at + 0.5) * size, margin - 6);
    pen.rotate(-Math.PI / 2);
    pen.textAlign = "left";
    pen.fillText(name.slice(0, 12), 0, 0);
    pen.restore();
  });
  byId("voq-scale").replaceChildren("0 ", ...[0, 0.25, 0.5, 0.75, 1].map((part) => {
    const step = element("i");
    step.style.background = heat(part);
    return step;
  }), ` ${units.octets(found.size > 0 ? Math.max(...found.values()) : 0)}`);
  shown = { names, size, margin, found };
  if (map.matches(":hover")) return;
  const [worst] = [...found].sort((one, other) => other[1] - one[1]);
  byId("voq-said").textContent = worst && worst[1] > 0
    ? `rows come in, columns go out; most: ${said(...worst[0].split("\n"), worst[1])}`
    : "rows come in, columns go out; nothing waits";
}

const said = (input, output, bytes) => `${units.octets(bytes)} from ${input} for ${output}`;

export function setUpVoqs(redraw) {
  const choice = byId("voq-priority");
  for (let priority = 0; priority < 8; ++priority) {
    choice.append(element("option", { value: priority }, String(priority)));
  }
  choice.addEventListener("change", redraw);
  byId("voq-what").addEventListener("change", redraw);
  byId("voq-map").addEventListener("mousemove", (event) => {
    if (!shown) return;
    const { names, size, margin, found } = shown;
    const input = names[Math.floor((event.offsetY - margin) / size)];
    const output = names[Math.floor((event.offsetX - margin) / size)];
    if (input === undefined || output === undefined) return;
    byId("voq-said").textContent = said(input, output, found.get(`${input}\n${output}`) ?? 0);
  });
}
