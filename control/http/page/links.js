// Links: joins what several switches report about themselves and their neighbours (LLDP).
//
// Pure. `switches` is [{name, gone, picture}]; `picture` is the result of `checked`, or null if the
// switch never answered. A port is {switch, port}; a neighbour that is none of these switches is
// {outside, port}. A switch that is gone keeps the links of its last report.
const most = { ports: 64, pfc: 512, lldp: 64, dcbx: 512, drops: 8192 };
const mostKnown = 2048;  // most links that are remembered
const word = (value) => (typeof value === "string" ? value.slice(0, 255) : "");
const bounded = (list, of) => (Array.isArray(list) ? list.slice(0, 8).map(of) : []);
const number = (value) => (Number.isFinite(value) && value >= 0 ? value : 0);

const kept = {
  ports: (row) => ({ name: word(row.name), link: word(row.link), max_frame: number(row.max_frame),
    rx_bytes: number(row.rx_bytes), tx_bytes: number(row.tx_bytes) }),
  pfc: (row) => ({ port: word(row.port), priority: number(row.priority),
    lossless: row.lossless === true, paused: row.paused === true, pausing: row.pausing === true,
    pausing_last_second_ns: number(row.pausing_last_second_ns),
    paused_last_second_ns: number(row.paused_last_second_ns), watchdog: word(row.watchdog),
    relayed_to: word(row.relayed_to),
    because_of: bounded(row.because_of, (cause) => ({ output: word(cause?.output),
      pauses: number(cause?.pauses) })) }),
  lldp: (row) => ({ port: word(row.port), mode: word(row.mode), chassis_id: word(row.chassis_id),
    port_id: word(row.port_id), system_name: word(row.system_name),
    neighbours: bounded(row.neighbours, (peer) => ({ chassis_id: word(peer?.chassis_id),
      port_id: word(peer?.port_id), system_name: word(peer?.system_name) })) }),
  dcbx: (row) => ({ port: word(row.port), feature: word(row.feature),
    mismatch: row.mismatch === true, mismatch_reason: word(row.mismatch_reason),
    held: bounded(row.held, number) }),
  drops: (row) => ({ port: word(row.port), side: word(row.side), reason: word(row.reason),
    consumed: row.consumed === true, frames: number(row.frames) }),
};

// The keys that identify a row.
const keys = { ports: ["name"], pfc: ["port", "priority"], lldp: ["port"],
  dcbx: ["port", "feature"], drops: ["port", "side", "reason"] };

// Removes rows with the same keys as an earlier row.
function withoutRepeats(rows, names) {
  const seen = new Set();
  return rows.filter((row) => {
    const key = names.map((name) => row[name]).join("\n");
    return !seen.has(key) && seen.add(key);
  });
}

// Returns the parts of a switch's answer that are used here: bounded, with values of the right
// type, and each row once. Returns null if the answer is no picture.
export function checked(sent) {
  const picture = {};
  for (const [noun, of] of Object.entries(kept)) {
    const rows = sent?.[noun];
    if (!Array.isArray(rows) || rows.length > most[noun]) return null;
    const known = rows.map((row) => of(row ?? {}));
    picture[noun] = keys[noun] ? withoutRepeats(known, keys[noun]) : known;
  }
  return picture;
}

export const idOf = (end) => `${end.switch ?? ""}\n${end.outside ?? ""}\n${end.port}`;
export const nameOf = (end) => (!end ? "its peer"
  : `${end.switch ?? end.outside} ${end.port}${end.claimed ? " (as it says)" : ""}`);
export const isSeenByBoth = ({ seen: [one, other] }) => one && other;
const station = (row) => `${row.chassis_id}\n${row.port_id}`;

export const rowOf = (one, noun, port, priority) => one?.picture?.[noun].find((row) =>
  (row.name ?? row.port) === port && (priority === undefined || row.priority === priority));

// Returns the settings that must be the same at both ends and differ. `pair` is [[switch, its end],
// [switch, its end]]. Rates are not compared, because either end may shape its output.
function differences(pair) {
  const rows = pair.map(([one, end]) => rowOf(one, "ports", end.port));
  if (!rows.every(Boolean)) return [];  // one switch does not report the port
  const lossless = pair.map(([one, end]) => (one.picture.pfc
    .filter((row) => row.port === end.port && row.lossless).map((row) => row.priority).sort()
    .join(" ") || "none"));
  return [["link", rows.map((row) => row.link)],
    ["longest frame", rows.map((row) => row.max_frame)], ["lossless", lossless]]
    .filter(([, [one, other]]) => one !== other)
    .map(([what, [one, other]]) => `${what}: ${one} and ${other}`);
}

// Returns why a link that only one end reports is doubtful. Any station on a wire can claim by LLDP
// to be a switch of this page, which that switch itself does not report.
function contradiction(link, confirmed) {
  if (isSeenByBoth(link)) return null;
  const end = link.ends.find((each) => confirmed.has(idOf(each)));
  return end ? `one end alone says so: ${nameOf(end)} is at another link` : null;
}

// Whether a port receives LLDP: with `lldp.mode` tx or disabled it knows no neighbour.
function listens(one, end) {
  const mode = rowOf(one, "lldp", end.port)?.mode;
  return mode !== "tx" && mode !== "disabled";
}

function faultsOf(link, byName) {
  const pair = link.ends.map((end) => [byName.get(end.switch), end]);
  const gone = pair.some(([one]) => one.gone);
  const faults = [];
  for (const [at, [one, end]] of pair.entries()) {
    if (one.gone) faults.push(`${end.switch} does not answer`);
    else if (!gone && !link.seen[at] && listens(one, end)) {
      faults.push(`${end.switch} does not see it`);
    }
    for (const row of one.picture.dcbx) {
      if (row.port !== end.port || !row.mismatch) continue;
      faults.push(`DCBX of ${end.switch}: ${row.feature} ${row.mismatch_reason}`);
    }
  }
  return gone ? faults : [...differences(pair), ...faults];
}

// Returns the switches that report the same ports as another switch, because they have two URLs:
// {name: name of the other}. Switches that answer count as the first ones.
export function repeated(switches) {
  const owners = new Map();
  const same = new Map();
  for (const one of [...switches].sort((a, b) => a.gone - b.gone)) {
    const own = (one.picture?.lldp ?? []).filter((row) => row.chassis_id).map(station);
    const first = owners.get(own[0]);
    if (first && own.every((each) => owners.get(each) === first)) same.set(one.name, first);
    else for (const each of own) if (!owners.has(each)) owners.set(each, one.name);
  }
  return same;
}

// Returns {links: [{ends: [port, port], seen: [bool, bool], faults: [text]}], outside: [{near,
// peer}]}.
export function joined(switches) {
  const byName = new Map(switches.map((one) => [one.name, one]));
  const stations = new Map();
  const rows = switches.flatMap((one) =>
    (one.picture?.lldp ?? []).map((row) => [{ switch: one.name, port: row.port }, row]));
  for (const [end, row] of rows) {
    if (row.chassis_id && !stations.has(station(row))) stations.set(station(row), end);
  }
  const links = new Map();
  const outside = [];
  for (const [near, row] of rows) {
    for (const peer of row.neighbours) {
      const far = stations.get(station(peer));
      if (!far || idOf(far) === idOf(near)) {
        outside.push({ near, peer: { outside: peer.system_name || peer.chassis_id,
          port: peer.port_id } });
        continue;
      }
      const ends = [near, far].sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
      const id = ends.map(idOf).join("\n");
      if (!links.has(id)) links.set(id, { ends, seen: [false, false], faults: [] });
      links.get(id).seen[ends.indexOf(near)] = true;
    }
  }
  const confirmed = new Set([...links.values()].filter(isSeenByBoth)
    .flatMap(({ ends }) => ends.map(idOf)));
  for (const link of links.values()) {
    const doubt = contradiction(link, confirmed);
    link.faults = doubt ? [doubt] : faultsOf(link, byName);
  }
  return { links: [...links.values()], outside };
}

// Adds lost links to `net`: links that both ends reported before, while now neither end is at any
// link. A cable that is cut ends the neighbours at both ends. `known`: earlier links by their ends,
// with the time at which each was last seen. Returns `net` and the next `known`.
export function withLost(net, known, switches, now) {
  const next = new Map([...known, ...net.links.filter(isSeenByBoth)
    .map(({ ends }) => [ends.map(idOf).join("\n"), { ends, at: now }])].slice(-mostKnown));
  const names = new Set(switches.map(({ name }) => name));
  const linked = new Set(net.links.flatMap(({ ends }) => ends.map(idOf)));
  const lost = [...next.values()]
    .filter(({ ends }) => ends.every((end) => names.has(end.switch) && !linked.has(idOf(end))))
    .map(({ ends, at }) => ({ ends, seen: [false, false],
      faults: [`gone since ${new Date(at).toLocaleTimeString("en-GB")}`] }));
  return { net: { ...net, links: [...net.links, ...lost] }, known: next };
}

// Returns the peer of each port, by port id. A peer that only one end reports is `claimed`: it
// counts as the peer of the port that received the report if no better peer is known, and of no
// other port.
export function peersOf({ links, outside }) {
  const peers = new Map();
  for (const { ends: [one, other] } of links.filter(isSeenByBoth)) {
    peers.set(idOf(one), other);
    peers.set(idOf(other), one);
  }
  const add = (near, peer) => { if (!peers.has(idOf(near))) peers.set(idOf(near), peer); };
  for (const { near, peer } of outside) add(near, peer);
  for (const { ends: [one, other], seen } of links) {
    if (seen[0]) add(one, { ...other, claimed: true });
    if (seen[1]) add(other, { ...one, claimed: true });
  }
  return peers;
}
