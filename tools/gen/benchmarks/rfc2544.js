// Shows the results of RFC 2544: a plot for each test over the length of frames, except the frame
// loss rate, whose plot is over the load.
"use strict";

tests.rfc2544 = {
  title: "RFC 2544",
  about: () => `${result.addresses} address(es) of each station`,
  accepted: () => result.accepted_loss_percent > 0
    ? `with at most ${result.accepted_loss_percent} % lost` : "without loss",

  giveVerdicts() {
    tellWhetherComplete(`${rows.length} length(s), trials of ${result.trial_seconds} s`);
    const fastest = rows.reduce((a, b) => b.throughput.rate_fps > a.throughput.rate_fps ? b : a);
    verdict("Fastest", UNITS.frames(fastest.throughput.rate_fps),
      `${this.accepted()}, of ${fastest.frame_bytes} octets`);
    const widest = rows.reduce((a, b) => b.throughput.rate_bps > a.throughput.rate_bps ? b : a);
    verdict("Most on the wire", UNITS.rate(widest.throughput.rate_bps),
      `${this.accepted()}, of ${widest.frame_bytes} octets`);
    if (rows.some((row) => row.latency)) {
      const lost = rows.reduce((all, row) => all + (row.latency ? row.latency.lost : 0), 0);
      verdict("Lost at the throughput", UNITS.count(lost), "while latency was measured",
        lost === 0 ? "good" : "bad");
    }
    const held = rows.filter((row) => row.throughput.limit === "senders");
    if (held.length > 0) {
      verdict("Limit", "the senders", `of ${held.length} length(s): the tested device may pass more`);
    }
  },

  drawPlots() {
    draw({ title: "Throughput", note: `The fastest rate ${this.accepted()} (26.1).`,
      y: { title: "frames a second", unit: UNITS.frames },
      series: [line("throughput", (row) => row.throughput.rate_fps)] });
    draw({ title: "Throughput on the wire", note: "Throughput with preamble, FCS and gap.",
      y: { title: "bits a second", unit: UNITS.rate },
      series: [line("throughput", (row) => row.throughput.rate_bps)] });
    const latency = (key) => (row) => row.latency ? row.latency.latency_ns[key] : null;
    draw({ title: "Latency at the throughput", note: "Of all frames of all trials (26.2).",
      y: { title: "latency", unit: UNITS.nanos, type: "logarithmic" },
      series: [line("p50", latency("p50")),
        line("mean", (row) => row.latency ? row.latency.mean_ns : null, { dashed: true }),
        line("p99", latency("p99")), line("p99.9", latency("p999")),
        line("max", latency("max"))] });
    draw({ title: "Frame loss rate",
      note: "Share of offered frames, until two loads in a row lose nothing (26.3).",
      x: { title: "load, per cent of the first rate", unit: UNITS.number, max: 100 },
      y: { title: "lost", unit: UNITS.percent },
      series: rows.map((row) => ({ name: String(row.frame_bytes),
        points: (row.frame_loss || []).map((at) => ({ x: at.load_percent, y: at.loss_percent }))
          .reverse() })) });
    const burst = (key) => (row) => row.back_to_back ? row.back_to_back.frames[key] : null;
    draw({ title: "Back-to-back frames",
      note: "The longest burst of each sender without loss (26.4, RFC 9004).",
      y: { title: "frames", unit: UNITS.count },
      series: [line("mean", burst("mean")), line("min", burst("min"), { dashed: true }),
        line("max", burst("max"), { dashed: true })] });
    draw({ title: "System recovery",
      note: "How long after an overload frames were still missing (26.5).",
      y: { title: "time", unit: UNITS.nanos },
      series: [line("mean", (row) => row.recovery ? row.recovery.mean_ns : null),
        line("max", (row) => row.recovery ? row.recovery.max_ns : null, { dashed: true })] });
  },

  fillTables() {
    const of = (test, key) => (row) => row[test] ? row[test][key] : null;
    table(tabled, "Each length", [["octets", "frame_bytes", "text"],
      ["throughput", of("throughput", "rate_fps"), "frames"],
      ["on the wire", of("throughput", "rate_bps"), "rate"],
      ["limit", of("throughput", "limit"), "text"],
      ["mean latency", of("latency", "mean_ns"), "nanos"],
      ["p99", (row) => row.latency ? row.latency.latency_ns.p99 : null, "nanos"],
      ["lost during the test", of("latency", "lost"), "count"],
      ["burst", (row) => row.back_to_back ? row.back_to_back.frames.mean : null, "count"],
      ["bounded", (row) => row.back_to_back ? yesOrNo(row.back_to_back.bounded) : null, "text"],
      ["buffer", of("back_to_back", "buffer_ns"), "nanos"],
      ["recovery", of("recovery", "mean_ns"), "nanos"]], rows);
    listEach("Frame loss rate", (row) => row.frame_loss || [],
      [["load", "load_percent", "percent"], ["offered", "offered_fps", "frames"],
        ["delivered", "delivered_fps", "frames"], ["lost", "lost", "count"],
        ["of", "offered", "count"], ["share", "loss_percent", "percent"]]);
  },
};
