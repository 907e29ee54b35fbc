// Heads of pause trees: where a tree began and goes on, whom it holds up, and the burst that began it.
//
// Pure, of `trees` (pause_trees.js) and of what the recorder of a head's switch has (`show bursts`).
// A head is told of once it has been in each picture for some seconds: a pause of milliseconds is what
// PFC is for. Its burst is the last at its output and priority, or where that went on from record to
// record, the one of them that has its beginning; what began before its records nobody knows.
// Bound: as many heads as trees have, and the last bursts of an answer.
const lasting = 3000;  // ms
const mostBursts = 1024;
const mostFeeders = 64;

const idOf = (node) => [node.switch, node.port, node.priority, node.kind].join("\n");
const word = (value) => (typeof value === "string" ? value.slice(0, 255) : "");
const number = (value) => (Number.isFinite(value) && value >= 0 ? value : 0);

// By its id each place where a tree began, with `holds`, how many ports pause because of it.
export function headsOf(trees) {
  const pauses = new Map();  // by id, the ids of those that pause because of it
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

// `heads` with when each was first seen, `since`, and with the burst that is known of it.
export function withKnown(known, heads, now) {
  return new Map([...heads].map(([id, head]) => [id, { ...head,
    since: known.get(id)?.since ?? now, burst: known.get(id)?.burst ?? null }]));
}

export const lasts = (head, now) => now - head.since >= lasting;

// Of what a switch answered the burst that began this; null: it has none.
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
