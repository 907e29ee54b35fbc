// How long frames stay in the switch: a bar for each priority, all on one time scale, from the
// shortest to the longest time. Darker parts have more frames; lines mark the median and 99 %.
import { byId, element, heat, none, table } from "./dom.js";
import * as units from "./units.js";

const shortest = 256;
const doublings = 26;  // up to 17 s

const place = (nanos) =>
  100 * Math.min(1, Math.max(0, Math.log2(Math.max(nanos, 1) / shortest) + 1) / (doublings + 1));

function bar(row) {
  const most = Math.max(...row.buckets.map((bucket) => bucket.frames));
  const cells = row.buckets.map(({ below_ns: below, frames }) => {
    const end = below ?? row.max_ns;
    const from = place(below === shortest ? shortest / 2 : end * 0.8);
    const cell = element("span", { class: "wait",
      title: `${units.count(frames)} frames below ${units.nanoseconds(end)}` });
    cell.style.left = `${from}%`;
    cell.style.width = `${Math.max(0.6, place(end) - from)}%`;
    cell.style.background = heat(0.25 + 0.75 * frames / most);
    return cell;
  });
  const line = (nanos, kind) => {
    const made = element("span", { class: `mark ${kind}`,
      title: `${kind}: ${units.nanoseconds(nanos)}` });
    made.style.left = `${place(nanos)}%`;
    return made;
  };
  return element("div", { class: "wait-bar", "data-priority": row.priority }, ...cells,
    line(row.p50_ns, "p50"), line(row.p99_ns, "p99"));
}

export function drawLatency(state) {
  const { sample, priorities } = state.now.latency;
  byId("latency-said").textContent = sample === 0 ? "Off: latency.sample is 0."
    : `Of one frame in ${sample}, from the poll that received it to the end of the one that sent it.`;
  const time = (key) => (row) => units.nanoseconds(row[key]);
  byId("latency-table").replaceChildren(priorities.length === 0 ? none("No frame was timed yet.")
    : table([
      ["priority", (row) => String(row.priority), "number"],
      ["256 ns to 17 s, each mark twice the one before", bar, "wide"],
      ["half below", time("p50_ns"), "number"], ["99 % below", time("p99_ns"), "number"],
      ["99.9 % below", time("p999_ns"), "number"], ["longest", time("max_ns"), "number"],
      ["timed", (row) => units.count(row.frames), "number"]], priorities));
}
