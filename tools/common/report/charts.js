// Charts: the parts of all reports: units, elements, a plot with its legend, tables.
// Texts of the data are inserted into the page only as text (textContent), never as HTML.
"use strict";

const COLOURS = ["#3b82f6", "#ef7d22", "#16a37f", "#d6438f", "#8b5cf6", "#b8860b", "#0ea5b7",
  "#e5484d", "#6b8e23", "#7c8aa5"];

function scaled(value, steps) {
  const [size, unit] = steps.find(([step]) => Math.abs(value) >= step) || steps[steps.length - 1];
  const number = value / size;
  const digits = Math.abs(number) >= 100 ? 0 : Math.abs(number) >= 10 ? 1 : 2;
  return `${Number(number.toFixed(digits))} ${unit}`;
}
const UNITS = {
  bytes: (value) => scaled(value, [[1073741824, "GiB"], [1048576, "MiB"], [1024, "KiB"], [1, "B"]]),
  nanos: (value) => scaled(value, [[1e9, "s"], [1e6, "ms"], [1e3, "us"], [1, "ns"]]),
  rate: (value) => scaled(value, [[1e12, "Tb/s"], [1e9, "Gb/s"], [1e6, "Mb/s"], [1e3, "kb/s"],
    [1, "b/s"]]),
  share: (value) => `${Number((value * 100).toFixed(2))} %`,
  slots: (value) => String(Number(value.toPrecision(4))),
  count: (value) => Math.round(value).toLocaleString("en"),
  number: (value) => String(value),
  text: (value) => String(value),
};

function element(tag, words = {}, children = []) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(words)) {
    if (key === "text") node.textContent = value;
    else if (key === "click") node.addEventListener("click", value);
    else node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

function themed(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const plots = [];

// Returns the distance of ticks on an axis of octets: a power of two.
function stepOfOctets(highest) {
  return highest <= 0 ? 1 : 2 ** Math.max(0, Math.ceil(Math.log2(highest / 7)));
}

function tickText(what) {
  if (what.labels) return (value) => what.labels[value];
  if (what.type !== "logarithmic") return (value) => what.unit(value);
  // A logarithmic axis has texts only at 1, 2 and 5 of each decade.
  return (value) => [1, 2, 5].includes(Number(value.toExponential()[0])) ? what.unit(value) : "";
}

function axis(what, highest) {
  const octets = what.unit === UNITS.bytes;
  return {
    type: what.type || "linear",
    min: what.min,
    max: what.max,
    ...(what.labels ? { labels: what.labels } : {}),
    title: { display: true, text: what.title, color: themed("--faint") },
    ticks: {
      color: themed("--faint"),
      maxRotation: 0,
      autoSkipPadding: 18,
      callback: tickText(what),
      ...(octets ? { stepSize: stepOfOctets(highest) } : {}),
      ...(what.unit === UNITS.count ? { precision: 0 } : {}),
    },
    grid: { color: themed("--grid"), borderColor: themed("--line") },
  };
}

// One plot in a card: `series` is [{name, points: [{x, y}], dashed, stepped}], most important first;
// the first `shown` are drawn; the legend can show the others.
function plot(into, { title, note, x, y, series, shown = 8, control, marks = false }) {
  const canvas = element("canvas", { role: "img", "aria-label": title });
  const chips = element("div", { class: "chips" });
  const head = element("div", { class: "head" }, [element("h2", { text: title })]);
  if (control) head.append(control);
  const card = element("article", { class: "card" }, [head,
    element("p", { class: "note", text: note }),
    element("div", { class: "canvas" }, [canvas]), chips]);
  into.append(card);

  const datasets = series.map((one, index) => ({
    label: one.name,
    data: one.points,
    hidden: index >= shown,
    borderColor: one.colour || COLOURS[index % COLOURS.length],
    backgroundColor: one.colour || COLOURS[index % COLOURS.length],
    borderWidth: 2,
    borderDash: one.dashed ? [6, 5] : [],
    // Later lines have larger points, so that equal points of an earlier line do not hide them.
    pointRadius: marks && !one.dashed ? 3 + Math.min(index, 4) : 0,
    pointHitRadius: 8,
    stepped: one.stepped ? "after" : false,
    spanGaps: false,
  }));
  const highest = Math.max(0, ...series.map((one) =>
    one.points.reduce((most, point) => Math.max(most, point.y), 0)));
  const options = () => ({
    animation: false,
    parsing: false,
    maintainAspectRatio: false,
    interaction: { mode: "nearest", axis: "x", intersect: false },
    scales: {
      x: axis(x, 0),
      y: { ...axis(y, highest), beginAtZero: y.type !== "logarithmic" },
    },
    plugins: {
      legend: { display: false },
      tooltip: {
        callbacks: {
          title: (items) => items.length === 0 ? "" :
            x.labels ? x.labels[items[0].parsed.x] : `${x.title}: ${x.unit(items[0].parsed.x)}`,
          label: (item) => ` ${item.dataset.label}: ${y.unit(item.parsed.y)}`,
        },
      },
    },
  });
  const chart = new Chart(canvas, { type: "line", data: { datasets }, options: options() });
  plots.push({ chart, repaint: () => { chart.options = options(); chart.update("none"); } });

  datasets.forEach((dataset, index) => {
    const swatch = element("i", series[index].dashed ? { class: "dashed" } : {});
    swatch.style.setProperty("--colour", dataset.borderColor);
    const chip = element("button", { class: "chip", type: "button",
      "aria-pressed": String(!dataset.hidden) }, [swatch, dataset.label]);
    chip.addEventListener("click", () => {
      const visible = !chart.isDatasetVisible(index);
      chart.setDatasetVisibility(index, visible);
      chart.update("none");
      chip.setAttribute("aria-pressed", String(visible));
    });
    chips.append(chip);
  });
  if (series.length === 0) {
    card.replaceChild(element("p", { class: "note", text: "Nothing to draw." }), card.children[2]);
  }
  return card;
}

// Adds a table. `columns`: [title, key or function of the row, unit].
function table(into, title, columns, rows) {
  const value = (row, key) => typeof key === "function" ? key(row) : row[key];
  const word = (unit) => unit === "text" ? { class: "word" } : {};
  const header = element("tr", {}, columns.map(([name, , unit]) =>
    element("th", { text: name, scope: "col", ...word(unit) })));
  const body = rows.map((row) => element("tr", {}, columns.map(([, key, unit]) => {
    const cell = value(row, key);
    return element("td", { ...word(unit),
      text: cell === null || cell === undefined || cell === "" ? "-" : UNITS[unit](cell) });
  })));
  into.append(element("article", { class: "card" }, [element("h2", { text: title }),
    element("div", { class: "table" }, [element("table", {}, [element("thead", {}, [header]),
      element("tbody", {}, body)])])]));
}

function verdict(name, value, about = "", mood = "") {
  document.getElementById("verdicts").append(element("div", { class: "card verdict" }, [
    element("div", { class: "name", text: name }),
    element("div", { class: `value ${mood}`, text: value }),
    element("div", { class: "about", text: about })]));
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const { repaint } of plots) repaint();
});
