// Functions with which all parts of the page draw. Text from the switch is only inserted as text,
// never as HTML.

export const byId = (id) => document.getElementById(id);

export function element(name, about = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(about)) {
    if (key === "class") made.className = value;
    else if (key === "title") made.title = value;
    else made.setAttribute(key, value);
  }
  made.append(...inside);
  return made;
}

export function drawing(name, about = {}, ...inside) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(about)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

export const text = (x, y, said, about = {}) => drawing("text", { x, y, ...about }, said);
export const short = (name, length) =>
  (name.length > length ? `${name.slice(0, length - 1)}…` : name);

// Makes a table. `columns`: [heading, row => text or element, class of the cells].
export function table(columns, rows, classOf = () => "") {
  const head = element("tr", {}, ...columns.map(([name, , kind]) =>
    element("th", /number|narrow-off/.test(kind ?? "") ? { class: kind } : {}, name)));
  const body = rows.map((row) => element("tr", { class: classOf(row) }, ...columns.map(
    ([, cell, kind = ""]) => element("td", { class: kind }, cell(row) ?? ""))));
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
}

export const badge = (text, kind) => element("span", { class: `badge ${kind}` }, text);
export const none = (text) => element("p", { class: "none" }, text);

// Returns the colour of that name in style.css, in the current theme.
export const colour = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// Whether the focused element or the browser uses the pressed key.
export const isTyped = (event) => event.ctrlKey || event.altKey || event.metaKey ||
  /^(INPUT|SELECT|BUTTON|SUMMARY)$/.test(event.target.tagName);

// Clears a canvas and sets its size in CSS pixels, so that it is sharp on every screen. Returns its
// context.
export function canvas(made, width, height) {
  const scale = window.devicePixelRatio || 1;
  made.width = Math.round(width * scale);
  made.height = Math.round(height * scale);
  made.style.width = `${width}px`;
  made.style.height = `${height}px`;
  const pen = made.getContext("2d");
  pen.scale(scale, scale);
  pen.font = '11px system-ui, "DejaVu Sans", sans-serif';
  pen.textBaseline = "middle";
  return pen;
}

// Returns the colour of a number from 0 to 1. More is darker in the light theme and lighter in the
// dark theme, so that more always stands out from the page. Brightness alone tells numbers apart,
// for the colour-blind.
export function heat(share) {
  const dark = document.documentElement.dataset.theme === "dark";
  const from = dark ? [36, 43, 51] : [238, 241, 244];
  const over = dark ? [74, 124, 148] : [86, 180, 233];
  const to = dark ? [240, 228, 66] : [0, 45, 90];
  const [low, high, part] = share < 0.5 ? [from, over, share * 2] : [over, to, share * 2 - 1];
  return `rgb(${low.map((each, at) => Math.round(each + (high[at] - each) * part)).join()})`;
}
