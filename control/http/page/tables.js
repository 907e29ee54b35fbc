// Tables of drops, addresses, neighbours with their DCBX, and events.
import { badge, byId, element, none, table } from "./dom.js";
import * as units from "./units.js";

const mostRows = 500;

export function drawDrops(state) {
  const byReason = new Map();
  for (const row of state.now.drops) {
    const reason = byReason.get(row.reason) ?? { reason: row.reason, frames: 0, ports: new Map() };
    reason.frames += row.frames;
    reason.ports.set(row.port, (reason.ports.get(row.port) ?? 0) + row.frames);
    byReason.set(row.reason, reason);
  }
  const rows = [...byReason.values()].sort((one, other) => other.frames - one.frames);
  const most = Math.max(1, ...rows.map((row) => row.frames));
  const rate = (reason) => {
    if (!state.before || state.span <= 0) return 0;
    const sum = (picture) => picture.drops.filter((row) => row.reason === reason)
      .reduce((all, row) => all + row.frames, 0);
    return Math.max(0, sum(state.now) - sum(state.before)) / state.span;
  };
  const share = (row) => {
    const bar = element("div", { class: "share" });
    bar.style.width = `${100 * Math.log1p(row.frames) / Math.log1p(most)}%`;
    return bar;
  };
  byId("drop-table").replaceChildren(rows.length === 0 ? none("Nothing was dropped.") : table([
    ["reason", (row) => row.reason + (row.consumed ? " (consumed)" : ""), "tight"],
    ["frames", (row) => units.count(row.frames), "number"],
    ["now", (row) => units.frames(rate(row.reason)), "number tight"],
    ["ports", (row) => [...row.ports].sort((one, other) => other[1] - one[1]).slice(0, 4)
      .map(([port, frames]) => `${port} ${units.count(frames)}`).join(", ")],
    ["", share, "wide"],
  ], rows, (row) => (row.consumed ? "soft" : "")));
}

export function drawAddresses(state) {
  const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (row) => {
    const all = `${row.address} ${row.port} vlan ${row.vlan} ${row.kind}`.toLowerCase();
    return words.every((word) => all.includes(word));
  };
  const { rows, why } = state.addresses;
  const found = rows.filter(fits);
  byId("found").textContent = why || `${units.count(found.length)} of ${units.count(rows.length)}` +
    (found.length > mostRows ? `, the first ${mostRows}` : "");
  byId("fdb").replaceChildren(found.length === 0 ? none(why ? "" : "None.") : table([
    ["VLAN", (row) => String(row.vlan), "number"], ["address", (row) => row.address, "tight"],
    ["port", (row) => row.port], ["kind", (row) => row.kind],
    ["age", (row) => units.seconds(row.age_s), "number tight"],
  ], found.slice(0, mostRows)));
}

function neighbourOf(state, port) {
  const known = state.now.lldp.find((row) => row.port === port)?.neighbours ?? [];
  return known.length === 0 ? "nobody"
    : known.map((peer) => `${peer.system_name ?? peer.chassis_id}, port ${peer.port_id}`).join("; ");
}

function verdict(row) {
  if (row.mismatch) return badge(`mismatch: ${row.mismatch_reason}`, "bad");
  if (row.peers === 0) return badge("no peer", "soft");
  if (row.pending) return badge("pending", "soft");
  if (row.feature === "congestion" && row.peer?.length > 0) return badge("peer has it", "soft");
  return row.peer === null ? badge("peer says nothing", "soft") : badge("agreed", "good");
}

export function drawNeighbours(state) {
  let last = "";
  const first = (row, said) => (row.port === last ? "" : said());
  const rows = state.now.dcbx.filter((row) =>
    ["pfc", "ets", "application"].includes(row.feature) || row.mismatch ||
    (row.feature === "congestion" && row.peer?.length > 0));
  byId("dcbx").replaceChildren(rows.length === 0 ? none("No port speaks DCBX.") : table([
    ["port", (row) => first(row, () => row.port), "tight"],
    ["neighbour", (row) => first(row, () => neighbourOf(state, row.port))],
    ["feature", (row) => { last = row.port; return row.feature; }],
    ["here", (row) => row.oper_text, "said"], ["the peer", (row) => row.peer_text ?? "-", "said"],
    ["", verdict, "tight"],
  ], rows));
}

const grave = /storm|overrun|vanished|mismatch$|refused|missed|lost|full|short/;

export function drawEvents(state) {
  const rows = state.events.slice(0, 300);
  byId("event-list").replaceChildren(rows.length === 0 ? none("Nothing yet.") : table([
    ["at", (row) => new Date(row.at).toLocaleTimeString("en-GB"), "tight"],
    ["what", (row) => badge(row.kind, grave.test(row.kind) ? "bad" : "soft"),
      "tight"],
    ["port", (row) => row.port, "tight"], ["", (row) => row.text, "rest"],
  ], rows));
}
