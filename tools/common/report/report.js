// Report: the plots and tables of a scenario, a sweep, crossbars, and headroom.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const plotted = document.getElementById("plots");
const tabled = document.getElementById("tables");

function heading(title, subtitle) {
  document.title = `${title} - sluice ${data.kind === "headroom" ? "calc" : "sim"}`;
  document.getElementById("title").textContent = title;
  document.getElementById("subtitle").textContent = subtitle;
}
const base = (path) => path.replace(/^.*\//, "");
const most = (numbers) => numbers.reduce((highest, number) => Math.max(highest, number), 0);
const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);
const byMost = (series) => series.sort((a, b) => b.rank - a.rank);
const portName = (port) => `${port.switch} ${port.port} (${port.peer})`;
const points = (times, values) => values.map((y, n) => ({ x: times[n], y }));

function showScenario() {
  if (data.changes.length > 0) {
    document.getElementById("source").append(element("article", { class: "card" }, [
      element("h2", { text: "Changed on the command line" }),
      element("pre", { text: data.changes.join("\n") })]));
  }
  document.getElementById("source").append(element("article", { class: "card" }, [
    element("details", {}, [element("summary", { text: `The scenario: ${base(data.file)}` }),
      element("pre", { text: data.scenario })])]));
}

const FLOW_COLUMNS = [["flow", "flow", "text"], ["sent", "sent", "count"],
  ["received", "received", "count"], ["lost", "lost", "count"], ["waiting", "waiting", "count"],
  ["marked", "marked", "count"], ["throughput", "throughput_bps", "rate"],
  ["mean delay", "mean_delay_ns", "nanos"], ["p50", "p50_delay_ns", "nanos"],
  ["p99", "p99_delay_ns", "nanos"], ["max", "max_delay_ns", "nanos"],
  ["wait before", "mean_wait_ns", "nanos"]];
const PORT_COLUMNS = [["switch", "switch", "text"], ["port", "port", "text"],
  ["peer", "peer", "text"], ["received", "rx_frames", "count"], ["sent", "tx_frames", "count"],
  ["dropped", "dropped", "count"], ["reasons", (port) => Object.keys(port.drops).join(", "), "text"],
  ["paused", "paused_ns", "nanos"], ["pausing", "pausing_ns", "nanos"],
  ["headroom used", "headroom_used_max", "bytes"], ["of", "headroom_bytes", "bytes"],
  ["marked", "marked", "count"]];
const CREDIT_COLUMNS = [["switch", "switch", "text"], ["port", "port", "text"],
  ["peer", "peer", "text"], ["credit given back", "credit_returned_bytes", "bytes"],
  ["buffer", "credit_buffer_bytes", "bytes"], ["stalled", "stalled_ns", "nanos"],
  ["stalling", "stalling_ns", "nanos"]];
const RECEIVE_COLUMNS = [["switch", "switch", "text"], ["port", "port", "text"],
  ["peer", "peer", "text"], ["most it held", "peer_held_max", "bytes"],
  ["buffer", "peer_buffer_bytes", "bytes"]];
const ROUND_COLUMNS = [["flow", "flow", "text"], ["rounds", "rounds", "count"],
  ["mean", "mean_round_ns", "nanos"], ["longest", "max_round_ns", "nanos"],
  ["notified", "notified", "count"]];
const SWITCH_COLUMNS = [["switch", "switch", "text"], ["received", "received", "count"],
  ["copied", "copied", "count"], ["generated", "generated", "count"], ["sent", "sent", "count"],
  ["dropped", "dropped", "count"], ["waiting", "waiting", "count"],
  ["balances", (row) => row.ledger_balanced ? "yes" : "NO", "text"]];

function scenarioVerdicts(result) {
  verdict("Ledger", result.ledger_balanced ? "balances" : "IS WRONG",
    `of ${result.switches.length} switch(es)`, result.ledger_balanced ? "good" : "bad");
  const lost = sum(result.flows.map((flow) => flow.lost));
  verdict("Lost", UNITS.count(lost), `of ${UNITS.count(sum(result.flows.map((flow) => flow.sent)))
  } frames sent`, lost === 0 ? "good" : "bad");
  verdict("Throughput", UNITS.rate(sum(result.flows.map((flow) => flow.throughput_bps))),
    "of all flows");
  const slowest = result.flows.reduce((a, b) => b.p99_delay_ns > a.p99_delay_ns ? b : a,
    result.flows[0]);
  if (slowest) verdict("Longest p99 delay", UNITS.nanos(slowest.p99_delay_ns), slowest.flow);
  const stalling = sum(result.ports.map((port) => port.stalling_ns));
  verdict("Peers held for", UNITS.nanos(sum(result.ports.map((port) => port.pausing_ns)) + stalling),
    `by ${stalling > 0 ? "pauses and credits" : "pauses"}, summed over ports and priorities`);
  const tooMuch = result.flows.filter((flow) => flow.converged === false);
  verdict("Offered load", tooMuch.length > 0 ? "more than is carried"
    : result.converged ? "is carried" : "not seen to the end",
    tooMuch.length > 0 ? tooMuch.map((flow) => flow.flow).join(", ") : "of all flows");
  if (result.stopped) verdict("Stopped", result.stopped, "the report ends there", "bad");
  if (result.stands_still) verdict("Deadlock", "stands still", "frames are left and none moves", "bad");
}

// Draws slowdowns by size. `lines`: [{name, parts, quantile}]: for each part of the transfers, by
// size, the slowdown that the share `quantile` of them does not exceed. The axis is linear in the
// share of transfers, as papers draw it.
function slowdownPlot(title, of, lines) {
  const longest = lines.reduce((a, b) => b.parts.length > a.parts.length ? b : a, lines[0]);
  plot(plotted, { title, marks: true,
    note: `What transfers took in parts of what they would take alone, by size, each mark ${
      UNITS.share(1 / longest.parts.length)} of them.${of}`,
    x: { title: "up to", type: "category",
      labels: longest.parts.map((part) => UNITS.bytes(part.longest_bytes)) },
    y: { title: "slowdown", unit: UNITS.slots, type: "logarithmic" },
    series: lines.map(({ name, parts, quantile }) => ({ name,
      points: parts.map((part, n) => ({ x: n, y: part[quantile] })) })) });
}

function scenario() {
  const result = data.result;
  const { at_ns: times, ports, flows } = result.series;
  heading(base(data.file), `${UNITS.nanos(result.time_ns)} of traffic, ended after ${
    UNITS.nanos(result.ended_ns)}, warm-up ${UNITS.nanos(result.warmup_ns)}, seed ${result.seed}`);
  scenarioVerdicts(result);

  const x = { title: "time", unit: UNITS.nanos, min: 0, max: result.time_ns };
  const named = (all, values) => byMost(all.map((port) => ({ name: portName(port),
    points: [{ x: 0, y: 0 }, ...points(times, values(port))], rank: most(values(port)) })))
    .filter((one, index) => one.rank > 0 || index < 1);
  plot(plotted, { title: "Waiting for each port", x, y: { title: "octets", unit: UNITS.bytes },
    note: "What is to leave by it, in the queues of all inputs and its own. The fullest first.",
    series: named(ports, (port) => port.queued_bytes), shown: 6 });
  plot(plotted, { title: "Buffer held by what came in by each port", x,
    y: { title: "octets", unit: UNITS.bytes },
    note: "What its input groups are charged; a lossless group at XOFF pauses its peer.",
    series: named(ports, (port) => port.occupancy_bytes), shown: 6 });

  const pauses = (key, word) => ports.flatMap((port) =>
    Object.entries(port[key]).map(([priority, shares]) => ({ rank: sum(shares),
      name: `${port.switch} ${port.port} ${word} ${port.peer}, priority ${priority}`,
      points: points(times, shares) })));
  const paused = byMost([...pauses("pausing", "pauses"), ...pauses("paused", "is paused by")]);
  if (paused.length > 0) {
    plot(plotted, { title: "Pauses", x, y: { title: "share of the interval", unit: UNITS.share, max: 1 },
      note: "For which share of each interval a priority was paused. Those paused longest first.",
      series: paused, shown: 4 });
  }
  plot(plotted, { title: "Throughput of each flow", x, y: { title: "bits a second", unit: UNITS.rate },
    note: "Frames with FCS that arrived in each interval.",
    series: flows.map((flow) => ({ name: flow.flow, points: points(times, flow.throughput_bps) })) });
  plot(plotted, { title: "Delay of each flow",
    note: "Share of its frames that took no longer, from the first bit sent to the last received.",
    x: { title: "delay", unit: UNITS.nanos, type: "logarithmic" },
    y: { title: "share of frames", unit: UNITS.share, max: 1 },
    series: flows.filter((flow) => flow.delays.length > 0).map((flow) => ({ name: flow.flow,
      points: flow.delays.map(([delay, share]) => ({ x: Math.max(delay, 1), y: share })) })) });

  const sized = result.flows.filter((flow) => (flow.slowdown_parts || []).length > 0);
  if (sized.length > 0) {
    slowdownPlot("Slowdown of transfers", "", sized.flatMap((flow) => ["p50", "p95", "p99"].map(
      (quantile) => ({ name: `${flow.flow}, ${quantile}`, parts: flow.slowdown_parts, quantile }))));
  }

  table(tabled, "Flows", FLOW_COLUMNS, result.flows);
  const inRounds = result.flows.filter((flow) => flow.rounds > 0 || flow.notified > 0);
  if (inRounds.length > 0) table(tabled, "Rounds", ROUND_COLUMNS, inRounds);
  table(tabled, "Ports", PORT_COLUMNS, result.ports.filter((port) => port.peer !== ""));
  const byCredit = result.ports.filter((port) => port.credit_buffer_bytes > 0);
  if (byCredit.length > 0) table(tabled, "Credits", CREDIT_COLUMNS, byCredit);
  const receivers = result.ports.filter((port) => port.peer_buffer_bytes > 0);
  if (receivers.length > 0) table(tabled, "Receive buffers", RECEIVE_COLUMNS, receivers);
  table(tabled, "Switches", SWITCH_COLUMNS, result.switches);
  showScenario();
}

const FIGURES = [["Throughput", "throughput_bps", "rate", "bits a second"],
  ["99th percentile of the delay", "p99_delay_ns", "nanos", "delay"],
  ["Mean delay", "mean_delay_ns", "nanos", "delay"],
  ["Mean round", "mean_round_ns", "nanos", "time"],
  ["Lost", "lost", "count", "frames"],
  ["Peers paused", "pausing_ns", "nanos", "time, summed over ports and priorities"]];

function sweepPlots(along) {
  for (const { chart } of plots.splice(0)) chart.destroy();
  plotted.replaceChildren();
  const others = data.swept.filter((swept) => swept !== along);
  for (const [title, key, unit, what] of FIGURES) {
    if (key === "mean_round_ns" && data.rows.every((row) => !row.rounds)) continue;
    const lines = new Map();
    for (const row of data.rows.filter((one) => !one.failed)) {
      const setting = others.map((swept) => `${swept.key.replace(/^.*\./, "")}=${row[swept.key]}`);
      // A pause does not belong to a flow.
      const name = [...(key === "pausing_ns" ? ["all"] : [row.flow]), ...setting].join(", ");
      if (!lines.has(name)) lines.set(name, new Map());
      lines.get(name).set(row[along.key], row[key]);
    }
    const series = [...lines].map(([name, values]) => ({ name,
      points: along.values.map((value, index) => ({ x: index, y: values.get(value) })) }));
    plot(plotted, { title, note: `By ${along.key}.`, series, marks: true,
      x: { title: along.key, type: "category", labels: along.values },
      y: { title: what, unit: UNITS[unit] } });
  }
  sweepSlowdowns();
}

function sweepSlowdowns() {
  const rows = data.rows.filter((row) => (row.slowdown_parts || []).length > 0);
  for (const quantile of rows.length > 0 ? ["p50", "p95", "p99"] : []) {
    slowdownPlot(`Slowdown of transfers, ${quantile}`, ` Sizes are those of the first line.`,
      rows.map((row) => ({ quantile, parts: row.slowdown_parts, name: [row.flow,
        ...data.swept.map((swept) => row[swept.key])].join(", ") })));
  }
}

function sweep() {
  const count = data.swept.reduce((all, swept) => all * swept.values.length, 1);
  heading(base(data.file), `${count} combinations of ${
    data.swept.map((swept) => swept.key).join(" and ")}`);
  const failed = data.rows.filter((row) => row.failed);
  const balanced = data.rows.every((row) => row.failed || row.ledger_balanced);
  verdict("Ledgers", balanced ? "balance" : "ONE IS WRONG", "of every switch in every run",
    balanced ? "good" : "bad");
  const losing = data.rows.filter((row) => row.lost > 0);
  verdict("Flows that lost frames", UNITS.count(losing.length), `of ${data.rows.length - failed.length}`,
    losing.length === 0 ? "good" : "bad");
  if (failed.length > 0) {
    verdict("Failed", UNITS.count(failed.length), `of ${count} combinations, as their rows say`,
      "bad");
  }
  if (data.swept.length > 1) {
    const choice = element("select", { "aria-label": "along" }, data.swept.map((swept, index) =>
      element("option", { value: index, text: swept.key })));
    choice.addEventListener("change", () => sweepPlots(data.swept[choice.value]));
    verdict("Plotted along", "");
    document.getElementById("verdicts").lastChild.children[1].append(choice);
  }
  sweepPlots(data.swept[0]);
  const figures = ["flow", "sent", "lost", "waiting", "throughput", "mean delay", "p99", "max"];
  table(tabled, "Every combination", [...data.swept.map((swept) => [swept.key, swept.key, "text"]),
    ...FLOW_COLUMNS.filter(([title]) => figures.includes(title)),
    ["peers paused", "pausing_ns", "nanos"],
    ...(data.rows.some((row) => row.rounds) ? [["mean round", "mean_round_ns", "nanos"]] : []),
    ...(failed.length > 0 ? [["failed", "failed", "text"]] : [])], data.rows);
  showScenario();
}

const FABRIC_COLUMNS = [["algorithm", "fabric", "text"], ["load", "load", "number"],
  ["throughput", "throughput", "share"], ["of offered", "throughput_of_offered", "share"],
  ["mean delay", "mean_delay_slots", "slots"], ["p99", "p99_delay_slots", "count"],
  ["max", "max_delay_slots", "count"], ["lost", "lost", "count"],
  ["verdict", (row) => row.stable ? "stable" : "unstable", "text"]];

function fabric() {
  const first = data.rows[0];
  const algorithms = [...new Set(data.rows.map((row) => row.fabric))];
  heading(algorithms.join(", "), `${first.ports} x ${first.ports} ports, ${first.traffic} traffic, ${
    first.iterations} iteration(s) of those that iterate, ${UNITS.count(first.slots)} slots after ${
    UNITS.count(first.warmup)}, seed ${first.seed}`);
  for (const algorithm of algorithms) {
    const stable = data.rows.filter((row) => row.fabric === algorithm && row.stable);
    const top = most(stable.map((row) => row.load));
    verdict(algorithm, stable.length > 0 ? `stable up to ${top}` : "never stable",
      "of the loads that were tried");
  }
  const sorted = (rows) => [...rows].sort((a, b) => a.load - b.load);
  const of = (rows, y) => sorted(rows).map((row) => ({ x: row.load, y: y(row) }));
  const lines = (y, floorName) => {
    const series = algorithms.map((algorithm) => ({ name: algorithm,
      points: of(data.rows.filter((row) => row.fabric === algorithm), y) }));
    if (data.floor.length > 0) {
      series.push({ name: floorName, dashed: true, colour: "#7c8aa5", points: of(data.floor, y) });
    }
    return series;
  };
  const x = { title: "load, cells a slot of the busiest port", unit: UNITS.number, max: 1 };
  plot(plotted, { title: "Throughput", marks: true, x, shown: 10,
    y: { title: "share of the slots", unit: UNITS.share, max: 1 },
    note: "What departed. Where it stays below the load, cells wait for ever.",
    series: lines((row) => row.throughput, "output queues") });
  const delay = (row) => row.stable && row.mean_delay_slots > 0 ? row.mean_delay_slots : null;
  plot(plotted, { title: "Mean delay", marks: true, x, shown: 10,
    y: { title: "slots", unit: UNITS.slots, type: "logarithmic" },
    note: "Of loads that it carries. No delay can be less than that of output queues.",
    series: lines(delay, "output queues, the floor") });
  table(tabled, "Runs", FABRIC_COLUMNS, [...data.rows, ...data.floor]);
}

// Draws the headroom. `data.rows`: all speeds and lengths, including the requested ones.
function headroom() {
  heading(`Headroom at ${data.speed} over ${data.cable}`,
    data.inputs.map(({ name, value }) => `${name} ${value}`).join(", "));
  verdict("Headroom", UNITS.bytes(data.headroom_bytes), "of one lossless priority, behind XOFF");
  const y = { title: "octets", unit: UNITS.bytes, type: "logarithmic" };
  const lines = (name, along) => [...new Set(data.rows.map((row) => row[name]))].map((of) => ({
    name: of, points: data.rows.filter((row) => row[name] === of)
      .map((row) => ({ x: row[along], y: row.headroom_bytes })),
    rank: of === data[name] })).sort((a, b) => b.rank - a.rank);
  plot(plotted, { title: "Over the length of the cable", marks: true, y, shown: 10,
    note: "A line a speed, the one asked for first. What a frame and the peer's response take does " +
      "not depend on the cable: the flat part.",
    x: { title: "length", unit: (mm) => mm >= 1e6 ? `${mm / 1e6} km` : `${mm / 1e3} m`,
      type: "logarithmic" }, series: lines("speed", "cable_mm") });
  plot(plotted, { title: "Over the rate of the link", marks: true, y, shown: 8,
    note: "A line a length, the one asked for first.",
    x: { title: "rate", unit: UNITS.rate, type: "logarithmic" },
    series: lines("cable", "speed_bps") });
  table(tabled, "All", [["speed", "speed", "text"], ["cable", "cable", "text"],
    ["headroom", "headroom_bytes", "bytes"]], data.rows);
}

Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
({ scenario, sweep, fabric, headroom })[data.kind]();
document.getElementById("footer").textContent = `Sluice ${data.version}. ` +
  "Plots by Chart.js, under the MIT License; its text is in this file.";
