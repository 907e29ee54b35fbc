// What is drawn of the tests of RFC 2544: a plot a test, against the length of frames; of the frame
// loss rate against the load.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const plotted = document.getElementById("plots");
const tabled = document.getElementById("tables");
const rows = data.result.rfc2544;
const lengths = rows.map((row) => String(row.frame_bytes));
const by = { title: "octets of a frame, FCS counted", type: "category", labels: lengths,
  unit: UNITS.text };

UNITS.frames = (value) => scaled(value, [[1e9, "G/s"], [1e6, "M/s"], [1e3, "k/s"], [1, "/s"]]);
UNITS.percent = (value) => `${Number(value.toPrecision(3))} %`;

// Of every length for which `value` is one.
function line(name, value, more = {}) {
  const points = rows.map((row, x) => ({ x, y: value(row) })).filter(({ y }) => y != null);
  return { name, points, ...more };
}
const measured = (...series) => series.filter((one) => one.points.length > 0);

const WITH_LOSS = data.result.accepted_loss_percent > 0
  ? `with at most ${data.result.accepted_loss_percent} % lost` : "without loss";

function giveVerdicts() {
  const sum = (test, key) => rows.reduce((all, row) => all + (row[test] ? row[test][key] : 0), 0);
  verdict("Tests", data.result.complete ? "complete" : "NOT COMPLETE",
    `${rows.length} length(s), trials of ${data.result.trial_seconds} s`,
    data.result.complete ? "good" : "bad");
  const fastest = rows.reduce((a, b) => b.throughput.rate_fps > a.throughput.rate_fps ? b : a);
  verdict("Fastest", UNITS.frames(fastest.throughput.rate_fps),
    `${WITH_LOSS}, of ${fastest.frame_bytes} octets`);
  const widest = rows.reduce((a, b) => b.throughput.rate_bps > a.throughput.rate_bps ? b : a);
  verdict("Most on the wire", UNITS.rate(widest.throughput.rate_bps),
    `${WITH_LOSS}, of ${widest.frame_bytes} octets`);
  if (rows.some((row) => row.latency)) {
    const lost = sum("latency", "lost");
    verdict("Lost at the throughput", UNITS.count(lost), "while latency was measured",
      lost === 0 ? "good" : "bad");
  }
  const held = rows.filter((row) => row.throughput.limit === "senders");
  if (held.length > 0) {
    verdict("Limit", "the senders", `of ${held.length} length(s): what is tested may pass more`);
  }
}

function drawPlots() {
  plot(plotted, { title: "Throughput", marks: true, x: by,
    note: `The fastest rate ${WITH_LOSS} (26.1).`,
    y: { title: "frames a second", unit: UNITS.frames },
    series: measured(line("throughput", (row) => row.throughput.rate_fps)) });
  plot(plotted, { title: "Throughput on the wire", marks: true, x: by,
    note: "The same with preamble, FCS and gap.",
    y: { title: "bits a second", unit: UNITS.rate },
    series: measured(line("throughput", (row) => row.throughput.rate_bps)) });
  const latency = (key) => (row) => row.latency ? row.latency.latency_ns[key] : null;
  const latencies = measured(line("p50", latency("p50")),
    line("mean", (row) => row.latency ? row.latency.mean_ns : null, { dashed: true }),
    line("p99", latency("p99")), line("p99.9", latency("p999")), line("max", latency("max")));
  if (latencies.length > 0) {
    plot(plotted, { title: "Latency at the throughput", marks: true, x: by, series: latencies,
      note: "Of all frames of all trials (26.2).",
      y: { title: "latency", unit: UNITS.nanos, type: "logarithmic" } });
  }
  const losses = rows.filter((row) => row.frame_loss).map((row) => ({
    name: String(row.frame_bytes),
    points: row.frame_loss.map((at) => ({ x: at.load_percent, y: at.loss_percent })).reverse() }));
  if (losses.length > 0) {
    plot(plotted, { title: "Frame loss rate", marks: true, series: losses,
      note: "Of what was offered, until two loads in a row lose nothing (26.3).",
      x: { title: "load, per cent of the first rate", unit: UNITS.number, max: 100 },
      y: { title: "lost", unit: UNITS.percent } });
  }
  const burst = (key) => (row) => row.back_to_back ? row.back_to_back.frames[key] : null;
  const bursts = measured(line("mean", burst("mean")), line("min", burst("min"), { dashed: true }),
    line("max", burst("max"), { dashed: true }));
  if (bursts.length > 0) {
    plot(plotted, { title: "Back-to-back frames", marks: true, x: by, series: bursts,
      note: "The longest burst of each sender without loss (26.4, RFC 9004).",
      y: { title: "frames", unit: UNITS.count } });
  }
  const recovery = measured(line("mean", (row) => row.recovery ? row.recovery.mean_ns : null),
    line("max", (row) => row.recovery ? row.recovery.max_ns : null, { dashed: true }));
  if (recovery.length > 0) {
    plot(plotted, { title: "System recovery", marks: true, x: by, series: recovery,
      note: "How long after an overload frames were still missing (26.5).",
      y: { title: "time", unit: UNITS.nanos } });
  }
}

function fillTables() {
  const of = (test, key) => (row) => row[test] ? row[test][key] : null;
  table(tabled, "Each length", [["octets", "frame_bytes", "text"],
    ["throughput", of("throughput", "rate_fps"), "frames"],
    ["on the wire", of("throughput", "rate_bps"), "rate"],
    ["limit", of("throughput", "limit"), "text"],
    ["mean latency", of("latency", "mean_ns"), "nanos"],
    ["p99", (row) => row.latency ? row.latency.latency_ns.p99 : null, "nanos"],
    ["lost meanwhile", of("latency", "lost"), "count"],
    ["burst", (row) => row.back_to_back ? row.back_to_back.frames.mean : null, "count"],
    ["bounded", (row) => row.back_to_back ? row.back_to_back.bounded ? "yes" : "no" : null, "text"],
    ["buffer", of("back_to_back", "buffer_ns"), "nanos"],
    ["recovery", of("recovery", "mean_ns"), "nanos"]], rows);
  const points = rows.flatMap((row) => (row.frame_loss || []).map((at) =>
    ({ frame_bytes: row.frame_bytes, ...at })));
  if (points.length > 0) {
    table(tabled, "Frame loss rate", [["octets", "frame_bytes", "text"],
      ["load", "load_percent", "percent"], ["offered", "offered_fps", "frames"],
      ["delivered", "delivered_fps", "frames"], ["lost", "lost", "count"],
      ["of", "offered", "count"], ["share", "loss_percent", "percent"]], points);
  }
}

document.title = "RFC 2544 - sluice-gen";
document.getElementById("title").textContent = "RFC 2544";
document.getElementById("subtitle").textContent =
  `${data.devices.join(", ")}; ${data.result.addresses} address(es) of each station`;
Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
giveVerdicts();
drawPlots();
fillTables();
document.getElementById("footer").textContent = `Sluice ${data.version}. ` +
  "Plots by Chart.js, under the MIT License; its text is in this file.";
