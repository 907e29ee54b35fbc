// Shows the results of RFC 8239 over the length of frames: the buffer, the longest burst, and the
// loss at an uncongested output while another output is congested.
"use strict";

tests.rfc8239 = {
  title: "RFC 8239",
  about: () => `${result.ports} ports, the last one overloaded`,

  giveVerdicts() {
    tellWhetherComplete(`${rows.length} length(s), trials of ${result.trial_seconds} s`);
    const held = rows.flatMap((row) => row.buffering.map((one) =>
      ({ ...one, frame_bytes: row.frame_bytes })));
    if (held.length > 0) {
      const most = held.reduce((a, b) => b.bytes > a.bytes ? b : a);
      verdict("Most held", (most.bounded ? "" : "above ") + UNITS.bytes(most.bytes),
        `of ${most.senders} senders, of ${most.frame_bytes} octets`);
    }
    const bursts = rows.filter((row) => row.microburst);
    if (bursts.length > 0) {
      const most = bursts.reduce((a, b) => b.microburst.bytes > a.microburst.bytes ? b : a);
      verdict("Longest microburst",
        (most.microburst.bounded ? "" : "above ") + UNITS.bytes(most.microburst.bytes),
        `of all ${most.microburst.senders} senders, of ${most.frame_bytes} octets`);
    }
    const lost = rows.flatMap((row) => row.blocking)
      .reduce((all, one) => all + one.victim_lost, 0);
    if (rows.some((row) => row.blocking.length > 0)) {
      verdict("Lost where there is room", UNITS.count(lost),
        "while another output is congested: head-of-line blocking, if outputs kept their rate",
        lost === 0 ? "good" : "bad");
    } else if (result.complete) {
      verdict("Lost where there is room", "not tested", "needs four ports");
    }
  },

  drawPlots() {
    const counts = [...new Set(rows.flatMap((row) => row.buffering.map((one) => one.senders)))];
    const held = (senders) => (row) => row.buffering.find((one) => one.senders === senders);
    draw({ title: "Buffering", note: "Held without loss beyond what the last port sends (3.3).",
      y: { title: "octets", unit: UNITS.bytes },
      series: counts.map((senders) => line(`${senders} senders`,
        (row) => held(senders)(row) ? held(senders)(row).bytes : null)) });
    const burst = (key) => (row) => row.microburst ? row.microburst.frames[key] : null;
    draw({ title: "Microburst",
      note: "The longest burst of each sender, all at once, without loss (4.3).",
      y: { title: "frames", unit: UNITS.count },
      series: [line("mean", burst("mean")), line("min", burst("min"), { dashed: true }),
        line("max", burst("max"), { dashed: true })] });
    const share = (who) => (row) => {
      const sum = (key) => row.blocking.reduce((all, one) => all + one[`${who}_${key}`], 0);
      return sum("offered") > 0 ? 100 * sum("lost") / sum("offered") : null;
    };
    draw({ title: "Lost beside a congested output",
      note: "With head-of-line blocking the output with room loses frames, too (5.3).",
      y: { title: "lost", unit: UNITS.percent },
      series: [line("where there is room", share("victim")),
        line("where there is none", share("congested"), { dashed: true })] });
    const latency = (key) => (row) => row.blocking.length === 0 ? null
      : Math.max(...row.blocking.map((one) => one.victim_latency_ns[key]));
    draw({ title: "Latency where there is room", note: "Latency with the worst roles of the ports (5.3).",
      y: { title: "latency", unit: UNITS.nanos, type: "logarithmic" },
      series: [line("p50", latency("p50")), line("p99", latency("p99")),
        line("p99.9", latency("p999")), line("max", latency("max"))] });
  },

  fillTables() {
    const bounded = ["bounded", (one) => yesOrNo(one.bounded), "text"];
    listEach("Buffering", (row) => row.buffering, [["senders", "senders", "number"],
      ["frames held", "frames", "count"], ["octets held", "bytes", "bytes"], bounded]);
    listEach("Microburst", (row) => row.microburst ? [row.microburst] : [],
      [["senders", "senders", "number"], ["frames of each", (one) => one.frames.mean, "count"],
        ["min", (one) => one.frames.min, "count"], ["max", (one) => one.frames.max, "count"],
        ["octets of all", "bytes", "bytes"], ["searches", "searches", "number"], bounded]);
    listEach("Head of line blocking", (row) => row.blocking, [["shift of ports", "shift", "number"],
      ["sent where there is room", "victim_offered", "count"],
      ["lost there", "victim_lost", "count"],
      ["p99 there", (one) => one.victim_latency_ns.p99, "nanos"],
      ["sent where there is none", "congested_offered", "count"],
      ["lost there", "congested_lost", "count"]]);
  },
};
