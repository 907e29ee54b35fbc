// Drops: the frames that each port of each switch dropped while the page was open, from the
// differences of pictures.
//
// Pure. If a counter restarted (a restart, `clear counters`), its new value counts as the increase.
import { idOf } from "./links.js";

const recent = 60e3;  // ms for which the map shows a drop
const mostKnown = 2048;  // most rows of one switch

const idOfRow = ({ port, side, reason }) => `${port}\n${side}\n${reason}`;

// Returns `known`, the drops of a switch, with the increase from picture `before` to `picture`,
// which was received at `now`: for each port, side and reason {port, side, reason, frames, at},
// `at` being the time of the last increase.
export function withDrops(known, before, picture, now) {
  if (!before) return known;  // the age of drops in the first picture is unknown
  const were = new Map(before.drops.map((row) => [idOfRow(row), row.frames]));
  const next = new Map(known);
  for (const row of picture.drops) {
    if (row.consumed) continue;
    const id = idOfRow(row);
    const past = were.get(id) ?? 0;
    const more = row.frames < past ? row.frames : row.frames - past;
    if (more === 0) continue;
    next.delete(id);  // so that the row without an increase for longest is removed first
    next.set(id, { port: row.port, side: row.side, reason: row.reason, at: now,
      frames: (known.get(id)?.frames ?? 0) + more });
  }
  return new Map([...next].slice(-mostKnown));
}

// Returns the drops of all switches, the latest first: {switch, port, peer, side, reason, frames,
// at}.
export function dropsOf(switches, peers) {
  return switches.flatMap(({ name, drops }) => [...drops.values()].map((row) => {
    const end = { switch: name, port: row.port };
    return { ...end, peer: peers.get(idOf(end)) ?? null, side: row.side, reason: row.reason,
      frames: row.frames, at: row.at };
  })).sort((one, other) => other.at - one.at);
}

// Returns how many frames were dropped recently, by port id.
export function ofLate(rows, now) {
  const frames = new Map();
  for (const row of rows) {
    if (now - row.at <= recent) frames.set(idOf(row), (frames.get(idOf(row)) ?? 0) + row.frames);
  }
  return frames;
}
