// Page: the parts that the pages of all tests share: elements, units, and plots over the length of
// frames. Each test adds itself to `tests` under the `kind` of its data.
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

// Returns a line with a point for each length for which `value` returns a value.
function line(name, value, more = {}) {
  const points = rows.map((row, x) => ({ x, y: value(row) })).filter(({ y }) => y != null);
  return { name, points, ...more };
}

// Draws a plot of the lines that have points, if any.
function draw(words) {
  const series = words.series.filter((one) => one.points.length > 0);
  if (series.length > 0) plot(plotted, { marks: true, x: byLength, ...words, series });
}

const yesOrNo = (truth) => truth ? "yes" : "no";

// Adds a table with the rows that `of` returns for each length, if there are any.
function listEach(title, of, columns) {
  const all = rows.flatMap((row) => of(row).map((one) => ({ ...one, length: row.frame_bytes })));
  if (all.length > 0) table(tabled, title, [["octets", "length", "text"], ...columns], all);
}

function tellWhetherComplete(about) {
  verdict("Tests", result.complete ? "complete" : "NOT COMPLETE", about,
    result.complete ? "good" : "bad");
}

// Runs when all scripts are loaded, so that `tests` is complete.
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
