// Heads of pause trees: the places where trees begin and last, how many ports pause because of
// each, and the burst that began it.
//
// Pure; uses `trees` (pause_trees.js) and the bursts of the head's switch (`show bursts`). A head
// is reported once it has been in every picture for some seconds, because pauses of milliseconds
// are normal with PFC. Its burst is the last one at its output and priority. If that burst
// continues from one recording to the next, it is the first part, which has the beginning. Returns
// no burst that began before the recordings.
// Bound: as many heads as trees have, and the last bursts of an answer.
const lasting = 3000;  // ms after which a head is reported
const mostBursts = 1024;
const mostFeeders = 64;

const idOf = (node) => [node.switch, node.port, node.priority, node.kind].join("\n");
const word = (value) => (typeof value === "string" ? value.slice(0, 255) : "");
const number = (value) => (Number.isFinite(value) && value >= 0 ? value : 0);

// Returns each place where a tree began, by id, with `holds`: how many ports pause because of it.
export function headsOf(trees) {
  const pauses = new Map();  // by node id: ids of the nodes that pause because of that node
  const began = new Map();
  const visit = (node) => {
    for (const reason of node.because) {
      const id = idOf(reason);
      pauses.set(id, (pauses.get(id) ?? new Set()).add(idOf(node)));
      visit(reason);
    }
  };
  for (const tree of trees) {
    visit(tree);
    for (const node of tree.began) began.set(idOf(node), node);
  }
  return new Map([...began].map(([id, { because, ...about }]) => {
    const held = new Set();
    const left = [id];
    while (left.length > 0) {
      for (const one of pauses.get(left.pop()) ?? []) {
        if (!held.has(one)) { held.add(one); left.push(one); }
      }
    }
    return [id, { ...about, holds: held.size }];
  }));
}

// Returns `heads` with `since`, when each head was first seen, and with its burst if that is known.
export function withKnown(known, heads, now) {
  return new Map([...heads].map(([id, head]) => [id, { ...head,
    since: known.get(id)?.since ?? now, burst: known.get(id)?.burst ?? null }]));
}

export const lasts = (head, now) => now - head.since >= lasting;

// Returns the burst that began the head, from a switch's answer; null if the answer has none.
export function burstOf(sent, head) {
  const here = (Array.isArray(sent) ? sent.slice(-mostBursts) : []).filter((row) =>
    row?.port === head.port && row.priority === head.priority);
  let at = here.length - 1;
  while (at > 0 && here[at].began_before !== false && here[at - 1].goes_on === true) at -= 1;
  const burst = here[at];
  if (burst?.began_before !== false) return null;
  return { recording: number(burst.recording), at: word(burst.at),
    length_ns: number(burst.length_ns), goes_on: burst.goes_on === true,
    peak_bytes: number(burst.peak_bytes), xoffs: number(burst.xoffs), dropped: number(burst.dropped),
    fed_by: (Array.isArray(burst.fed_by) ? burst.fed_by.slice(0, mostFeeders) : []).map((row) =>
      ({ port: word(row?.port), frames: number(row?.frames) + number(row?.dropped) })) };
}
