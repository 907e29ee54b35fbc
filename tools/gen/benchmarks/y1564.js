// Shows a service activation test: each service over its load, and the verdict of each step.
"use strict";

tests.y1564 = {
  title: "Service activation (Y.1564)",
  about: () => `${rows.length} service(s), steps of ${result.step_seconds} s, performance of ` +
    `${result.performance_seconds} s`,

  giveVerdicts() {
    const failed = rows.filter((row) => row.passed === false);
    verdict("Services", result.passed ? "passed" : result.complete ? "FAILED" : "NOT COMPLETE",
      result.passed ? `all ${rows.length}`
        : failed.map((row) => row.service).join(", ") || "interrupted",
      result.passed ? "good" : "bad");
    const steps = rows.flatMap((row) => row.configuration);
    const bad = steps.filter((step) => !step.passed).length;
    verdict("Configuration", `${steps.length - bad} of ${steps.length}`, "steps passed",
      bad === 0 ? "good" : "bad");
    const performed = rows.filter((row) => row.performance);
    const well = performed.filter((row) => row.performance.passed).length;
    verdict("Performance", performed.length === 0 ? "not run" : `${well} of ${performed.length}`,
      performed.length === 0 ? "only after every service passed its configuration"
        : "services passed, all at once",
      performed.length > 0 && well === performed.length ? "good" : "bad");
    const sold = rows.reduce((all, row) => all + row.cir_bps, 0);
    verdict("Committed", UNITS.rate(sold), "to all services, of frames with FCS");
  },

  drawPlots() {
    // A line for each service, over the load.
    const lines = (value) => rows.map((row) => ({ name: row.service,
      points: row.configuration.map((step) => ({ x: step.load_percent, y: value(step, row) })) }));
    const x = { title: "load, per cent of the committed rate", unit: UNITS.number, min: 0 };
    draw({ title: "Received", note: "Equals the offered load if nothing is lost.",
      x, y: { title: "received, per cent of the committed rate", unit: UNITS.percent },
      series: lines((step, row) => 100 * step.received_bps / row.cir_bps) });
    draw({ title: "Lost", note: "Share of offered frames. Above 100 % no limit applies.",
      x, y: { title: "lost", unit: UNITS.percent }, series: lines((step) => step.loss_percent) });
    draw({ title: "Latency", note: "The mean of each step.",
      x, y: { title: "latency", unit: UNITS.nanos },
      series: lines((step) => step.latency_ns.mean) });
    draw({ title: "Delay variation", note: "The 99.9th percentile of the latency less its least.",
      x, y: { title: "variation", unit: UNITS.nanos },
      series: lines((step) => step.variation_ns) });
  },

  fillTables() {
    const columns = [["service", "service", "text"], ["test", "test", "text"],
      ["load", "load_percent", "percent"], ["offered", "offered_bps", "rate"],
      ["received", "received_bps", "rate"], ["lost", "lost", "count"],
      ["share", "loss_percent", "percent"], ["latency", (step) => step.latency_ns.mean, "nanos"],
      ["variation", "variation_ns", "nanos"],
      ["verdict", (step) => step.passed ? "passed" : `FAILED: ${step.faults.join("; ")}`, "text"]];
    const all = (of) => rows.flatMap((row) =>
      of(row).map((step) => ({ ...step, service: row.service })));
    table(tabled, "Services", [["service", "service", "text"], ["from", "from", "number"],
      ["to", "to", "number"], ["octets", "frame_bytes", "text"], ["VLAN", "vlan", "number"],
      ["PCP", "pcp", "number"], ["CIR", "cir_bps", "rate"], ["EIR", "eir_bps", "rate"],
      ["most lost", "max_loss_percent", "percent"], ["latency", "max_latency_ns", "nanos"],
      ["variation", "max_variation_ns", "nanos"], ["policing", "policing_percent", "percent"],
      ["verdict", (row) => row.passed === null ? "open" : row.passed ? "passed" : "FAILED", "text"],
    ], rows);
    table(tabled, "Configuration", columns, all((row) => row.configuration));
    const performed = all((row) => row.performance ? [row.performance] : []);
    if (performed.length > 0) table(tabled, "Performance", columns, performed);
  },
};
