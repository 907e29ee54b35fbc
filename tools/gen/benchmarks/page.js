// What every page of a test has: where it is shown, units, lines against the length of frames. Each
// test adds itself to `tests`, by the `kind` of the data.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const result = data.result;
const rows = result[data.kind];
const plotted = document.getElementById("plots");
const tabled = document.getElementById("tables");
const tests = {};

UNITS.frames = (value) => scaled(value, [[1e9, "G/s"], [1e6, "M/s"], [1e3, "k/s"], [1, "/s"]]);
UNITS.percent = (value) => `${Number(value.toPrecision(3))} %`;

const byLength = { title: "octets of a frame, FCS counted", type: "category",
  labels: rows.map((row) => String(row.frame_bytes)), unit: UNITS.text };

// Of every length for which `value` is one.
function line(name, value, more = {}) {
  const points = rows.map((row, x) => ({ x, y: value(row) })).filter(({ y }) => y != null);
  return { name, points, ...more };
}

// A plot of the lines that have points; none without such.
function draw(words) {
  const series = words.series.filter((one) => one.points.length > 0);
  if (series.length > 0) plot(plotted, { marks: true, x: byLength, ...words, series });
}

const yesOrNo = (truth) => truth ? "yes" : "no";

// A table of what each length has several of; none where there is nothing.
function listEach(title, of, columns) {
  const all = rows.flatMap((row) => of(row).map((one) => ({ ...one, length: row.frame_bytes })));
  if (all.length > 0) table(tabled, title, [["octets", "length", "text"], ...columns], all);
}

function tellWhetherComplete(about) {
  verdict("Tests", result.complete ? "complete" : "NOT COMPLETE", about,
    result.complete ? "good" : "bad");
}

// Once all tests are known.
document.addEventListener("DOMContentLoaded", () => {
  const test = tests[data.kind];
  document.title = `${test.title} - sluice-gen`;
  document.getElementById("title").textContent = test.title;
  document.getElementById("subtitle").textContent = `${data.devices.join(", ")}; ${test.about()}`;
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  test.giveVerdicts();
  test.drawPlots();
  test.fillTables();
  document.getElementById("footer").textContent = `Sluice ${data.version}. ` +
    "Plots by Chart.js, under the MIT License; its text is in this file.";
});
