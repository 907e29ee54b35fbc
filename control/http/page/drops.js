// Drops: what each port of a switch dropped while the page was open, from one picture to the next.
//
// Pure. Of counters that began again (a restart, `clear counters`) what they say counts from 0.
import { idOf } from "./links.js";

const recent = 60e3;  // ms, for as long as the map shows them
const mostKnown = 2048;  // ports, sides and reasons

const idOfRow = ({ port, side, reason }) => `${port}\n${side}\n${reason}`;

// `known` of a switch and what `picture`, of the time `now`, has beyond `before`: by port, side and
// reason {port, side, reason, frames, at}, with when the last of them was seen.
export function withDrops(known, before, picture, now) {
  if (!before) return known;  // how old its drops are nobody knows
  const were = new Map(before.drops.map((row) => [idOfRow(row), row.frames]));
  const next = new Map(known);
  for (const row of picture.drops) {
    if (row.consumed) continue;
    const id = idOfRow(row);
    const past = were.get(id) ?? 0;
    const more = row.frames < past ? row.frames : row.frames - past;
    if (more === 0) continue;
    next.delete(id);  // so that what has counted for longest without more is the first to go
    next.set(id, { port: row.port, side: row.side, reason: row.reason, at: now,
      frames: (known.get(id)?.frames ?? 0) + more });
  }
  return new Map([...next].slice(-mostKnown));
}

// Of all switches, the latest first: {switch, port, peer, side, reason, frames, at}.
export function dropsOf(switches, peers) {
  return switches.flatMap(({ name, drops }) => [...drops.values()].map((row) => {
    const end = { switch: name, port: row.port };
    return { ...end, peer: peers.get(idOf(end)) ?? null, side: row.side, reason: row.reason,
      frames: row.frames, at: row.at };
  })).sort((one, other) => other.at - one.at);
}

// By the id of a port, the frames of rows that are of late.
export function ofLate(rows, now) {
  const frames = new Map();
  for (const row of rows) {
    if (now - row.at <= recent) frames.set(idOf(row), (frames.get(idOf(row)) ?? 0) + row.frames);
  }
  return frames;
}
