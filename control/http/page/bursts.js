// The recorded bursts, and one of them drawn to the microsecond: the octets that wait for its
// queue, stacked by input, and its drops, marks and XOFFs at their times.
//
// Between samples that the switch did not take nothing is drawn: a level holds until the next
// entry.
import { byId, drawing, element, none, table, text } from "./dom.js";
import * as units from "./units.js";

const width = 900;
const height = 220;
const left = 70;
const below = 34;
// Colours of Okabe and Ito; the legend names the input of each band as well.
const bands = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#999999"];
const egress = "behind the VOQs";
const againMs = 300;

let chosen = null;  // the burst that is drawn: { burst, rows }

const key = (burst) => `${burst.recording} ${burst.start_ns} ${burst.port} ${burst.priority}`;
const feeders = (burst) => burst.fed_by.map(({ port, frames, dropped }) =>
  `${port} ${units.count(frames + dropped)}`).join(", ");

// Returns the entries of a recording that concern the burst: `levels` [{ time, octets by source }],
// one for each change, and `marks` [{ time, what, frames }].
export function seriesOf(recording, burst) {
  const at = Object.fromEntries(recording.columns.map((name, place) => [name, place]));
  const start = burst.start_ns - recording.trigger_ns;
  const end = start + burst.length_ns;
  const levels = [];
  const marks = [];
  const now = {};
  for (const row of recording.rows) {
    const time = row[at.time_ns];
    const of = (name) => row[at[name]];
    if (of("kind") === "group" && of("priority") === burst.priority && of("xoffs") > 0 &&
        time >= start && time <= end) {
      marks.push({ time: time - start, what: "XOFF", frames: of("xoffs"), input: of("input") });
    }
    if (of("output") !== burst.port || of("priority") !== burst.priority) continue;
    const source = of("kind") === "path" ? of("input") : egress;
    now[source] = of("bytes");
    if (time < start || time > end) continue;
    for (const [what, name] of [["dropped", "dropped"], ["marked", "marked"]]) {
      if (of(name) > 0) marks.push({ time: time - start, what, frames: of(name), input: source });
    }
    const last = levels.at(-1);
    if (last && last.time === time - start) last.octets = { ...now };
    else levels.push({ time: time - start, octets: { ...now } });
  }
  return { levels, marks, length: Math.max(burst.length_ns, 1) };
}

function draw({ burst, rows }) {
  const { levels, marks, length } = seriesOf(rows, burst);
  const sources = [...burst.fed_by.map(({ port }) => port), egress];
  const sum = (level) => sources.reduce((total, one) => total + (level.octets[one] ?? 0), 0);
  const most = Math.max(1, ...levels.map(sum));
  const x = (time) => left + (width - left - 20) * time / length;
  const y = (octets) => height - below - (height - below - 16) * octets / most;
  const picture = drawing("svg", { viewBox: `0 0 ${width} ${height}`, width: "100%", role: "img",
    "aria-label": `The burst at ${burst.port}, priority ${burst.priority}` });
  const base = levels.map(() => 0);
  sources.forEach((source, place) => {
    const under = [...base];
    levels.forEach((level, n) => { base[n] += level.octets[source] ?? 0; });
    const ends = (n) => x(levels[n + 1]?.time ?? length);
    const over = levels.map((level, n) => `${x(level.time)},${y(base[n])} ${ends(n)},${y(base[n])}`);
    const back = levels.map((level, n) => `${ends(n)},${y(under[n])} ${x(level.time)},${y(under[n])}`);
    picture.append(drawing("polygon", { points: [...over, ...back.reverse()].join(" "),
      fill: source === egress ? "var(--line)" : bands[place % bands.length], "data-source": source }));
  });
  for (const mark of marks) {
    const line = drawing("line", { x1: x(mark.time), x2: x(mark.time), y1: 4, y2: height - below,
      class: `cost ${mark.what}` });
    line.append(drawing("title", {}, `${units.nanoseconds(mark.time)}: ${mark.what}, ` +
      `${units.count(mark.frames)} by ${mark.input}`));
    picture.append(line);
  }
  for (const share of [0, 0.5, 1]) {
    picture.append(text(left - 6, y(most * share) + 4, units.octets(most * share),
      { "text-anchor": "end", class: "soft" }));
  }
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    picture.append(text(x(length * share), height - 14, units.nanoseconds(length * share),
      { "text-anchor": share === 1 ? "end" : "middle", class: "soft" }));
  }
  const legend = element("p", { class: "legend" }, ...sources.flatMap((source, place) => {
    const box = element("span", { class: "key" });
    box.style.background = source === egress ? "var(--line)" : bands[place % bands.length];
    return [box, source];
  }));
  byId("burst-picture").replaceChildren(element("p", {}, `${burst.port}, priority ` +
    `${burst.priority}, ${burst.at.replace("T", " ").replace("Z", " UTC")}: ` +
    `${units.nanoseconds(burst.length_ns)}, ${units.octets(burst.peak_bytes)}`), picture, legend,
  element("p", { class: "hint" }, `Lines: drops, marks and XOFFs. It began in the ` +
    `${units.nanoseconds(burst.since_sample_ns)} before its first sample.`));
}

// Fetches all pages of the burst's recording and draws the burst. The switch limits the pages a
// second.
async function choose(burst) {
  let rows = null;
  let tries = 100;
  for (let from = 0; from !== null;) {
    const answer = await fetch(`/api/recording/${burst.recording}?from=${from}`);
    if (answer.status === 503 && --tries > 0) {
      await new Promise((resolve) => { setTimeout(resolve, againMs); });
      continue;
    }
    if (!answer.ok) {
      byId("burst-picture").replaceChildren(none(await answer.text()));
      return;
    }
    const page = await answer.json();
    if (rows) rows.rows.push(...page.rows);
    else rows = page;
    from = page.next;
  }
  chosen = { burst, rows };
  draw(chosen);
}

export function drawBursts(bursts) {
  const button = (burst) => {
    const made = element("button", { "data-burst": key(burst) }, "draw");
    made.addEventListener("click", () => choose(burst));
    return made;
  };
  byId("burst-table").replaceChildren(bursts.length === 0
    ? none("None was recorded: `sluice record start`, or recorder.enabled.") : table([
      ["", button, "tight"],
      ["began, UTC", (row) => row.at.slice(11, -1), "tight"],
      ["port", (row) => row.port], ["priority", (row) => String(row.priority), "number"],
      ["length", (row) => units.nanoseconds(row.length_ns), "number"],
      ["peak", (row) => units.octets(row.peak_bytes), "number"],
      ["fed by, frames", feeders, "rest"],
      ["dropped", (row) => units.count(row.dropped), "number"],
      ["marked", (row) => units.count(row.marked), "number"],
      ["XOFFs", (row) => units.count(row.xoffs), "number"],
    ], [...bursts].reverse().slice(0, 50)));
}

export async function lookUpBursts() {
  const seen = byId("bursts").getBoundingClientRect();
  if (document.hidden || seen.top > innerHeight || seen.bottom < 0) return;
  try {
    const answer = await fetch("/api/show/bursts");
    if (answer.ok) drawBursts(await answer.json());
  } catch {
    // The stream reports that there is no connection.
  }
}
