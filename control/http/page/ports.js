// Ports: a row for each port, with link, rates of the last second, ten minutes as a line, pauses
// and drops.
//
// The switch itself keeps rates and the ten minutes, so the page shows both as soon as it opens.
import { badge, byId, drawing, element, none, table } from "./dom.js";
import * as units from "./units.js";

const lineSize = { width: 160, height: 34 };

function pausesOf(state, port, what) {
  return state.now.pfc.filter((row) => row.port === port && state.lately(row, what));
}

// Returns the path of the area below the line, where values are known; the newest point is at the
// right.
function area(points, most, size, top, height) {
  const step = size.width / (size.points - 1);
  const first = size.points - points.length;
  const parts = [];
  let run = [];
  const close = () => {
    if (run.length > 0) {
      const [from, to] = [run[0][0], run.at(-1)[0]];
      parts.push(`M${from} ${top + height} L${run.map(([x, y]) => `${x} ${y}`).join(" L")} ` +
        `L${Math.max(to, from + 1)} ${top + height} Z`);
    }
    run = [];
  };
  points.forEach((value, at) => {
    if (value === null) return close();
    const y = top + height * (1 - (most > 0 ? value / most : 0));
    return run.push([((first + at) * step).toFixed(1), y.toFixed(1)]);
  });
  close();
  return parts.join(" ");
}

function line(history) {
  if (!history || history.rx_bps.length === 0) return element("span", { class: "hint" }, "begins");
  const size = { ...lineSize, points: 600 / history.every_s };
  const most = Math.max(1, ...history.rx_bps, ...history.tx_bps);
  const half = size.height / 2;
  const made = drawing("svg", { width: size.width, height: size.height, class: "line", role: "img",
    viewBox: `0 0 ${size.width} ${size.height}`, preserveAspectRatio: "none" });
  const heading = (key) => units.bits(Math.max(0, ...history[key]));
  const said = `10 minutes: received up to ${heading("rx_bps")}, sent up to ${heading("tx_bps")}, ` +
    `paused for up to ${units.percent(Math.max(0, ...history.paused_share))} of the time`;
  made.append(drawing("title", {}, said));
  made.append(drawing("path", { class: "received", d: area(history.rx_bps, most, size, 1, half - 2) }));
  made.append(drawing("path", { class: "sent", d: area(history.tx_bps, most, size, half + 1, half - 2) }));
  const step = size.width / (size.points - 1);
  const first = size.points - history.paused_share.length;
  history.paused_share.forEach((share, at) => {
    if (!share) return;
    const high = Math.max(2, share * (half - 2));
    made.append(drawing("rect", { class: "paused", x: (first + at) * step - step / 2, y: half + 1,
      width: Math.max(1, step), height: high }));
  });
  return made;
}

function stateOf(port) {
  if (port.admin_status === "down") return badge("set down", "soft");
  return port.link === "up" ? badge("up", "good") : badge(port.link, "bad");
}

// Shows the peer's pauses and what the port still sends, and the port's pauses and what it still
// receives.
function pauses(state, port) {
  const held = pausesOf(state, port.name, "paused");
  const holds = pausesOf(state, port.name, "pausing");
  const most = (rows, key) => Math.max(...rows.map((row) => state.pauseShare(row, key)));
  const list = (rows) => rows.map((row) => row.priority).join(", ");
  const cell = element("span");
  if (held.length > 0) {
    cell.append(badge(`paused ${units.percent(most(held, "paused_ns"))}`, "rx-pause"),
      ` priority ${list(held)}, sends ${units.bits(port.tx_bps)} `);
  }
  if (holds.length > 0) {
    cell.append(badge(`pauses ${units.percent(most(holds, "pausing_ns"))}`, "tx-pause"),
      ` priority ${list(holds)}, receives ${units.bits(port.rx_bps)}`);
  }
  return cell;
}

const rate = (bits, share) => element("span", {}, units.bits(bits),
  element("small", {}, Number.isFinite(share) ? units.percent(share) : ""));

export function drawPorts(state) {
  const rows = state.now.ports;
  byId("port-table").replaceChildren(rows.length === 0 ? none("No ports.") : table([
    ["port", (row) => element("span", { title: row.description || row.device }, row.name), "tight"],
    ["", stateOf, "tight"],
    ["received", (row) => rate(row.rx_bps, row.rx_share), "number in"],
    ["sent", (row) => rate(row.tx_bps, row.tx_share), "number out"],
    ["10 minutes", (row) => line(state.trend.get(row.name)), "tight"],
    ["frames in", (row) => units.frames(row.rx_fps), "number tight narrow-off"],
    ["frames out", (row) => units.frames(row.tx_fps), "number tight narrow-off"],
    ["dropped", (row) => units.count(row.dropped), "number narrow-off"],
    ["pauses", (row) => pauses(state, row), "rest"],
  ], rows));
}
