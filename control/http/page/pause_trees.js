// Pause trees: which ports pause which across switches, from the paused ports to the port that
// began the pauses.
//
// Pure; uses `switches` and the result of `joined` (links.js). A pause that a switch sends is
// caused by outputs of that switch (`because_of`). If such an output is paused itself, the tree
// continues with the peer's pause, provided that both ends see each other as peers. Otherwise the
// branch ends with the pause that the output received (`received`). If LLDP shows a neighbour
// outside of the switches there, that neighbour began the pause. If there is no neighbour, or the
// neighbour does not report the pause or is only `claimed`, the origin is unknown. An output that
// is not paused began the pause by its queue (`queue`): it gets more frames than it sends. Pauses
// that cause each other are a loop: a deadlock, if it lasts.
// Bound: a pause is in a tree once; further occurrences are marked `again`. Trees are made until
// they have `mostPauses` pauses; `left_off` is the number of pauses that no tree has.
import { idOf, peersOf, rowOf } from "./links.js";

const recent = 10_000;  // ms by which a cause of a pause may be older than its newest cause
const mostPauses = 2048;  // most pauses that are read, and most pauses in trees

// Returns when each output last caused a pause, by port and priority, from the earlier result
// `lastCaused` and from `picture`, which was received at `at`. The switch counts causes over its
// whole life, so the age of causes in the first picture is unknown: 0.
export function remembered(lastCaused, picture, at) {
  const next = new Map();
  for (const row of picture.pfc) {
    const id = `${row.port}\n${row.priority}`;
    const before = lastCaused.get(id);
    next.set(id, new Map(row.because_of.map(({ output, pauses }) => {
      const was = before?.get(output);
      const same = was ? pauses <= was.pauses : before === undefined && lastCaused.size === 0;
      return [output, { pauses, at: same ? was?.at ?? 0 : at }];
    })));
  }
  return next;
}

// Returns the outputs that recently caused the pause. If no cause has a known time, returns all
// outputs that ever caused a pause there, as `old`.
function reasonsOf(one, row) {
  const known = one.lastCaused?.get(`${row.port}\n${row.priority}`);
  const timeOf = (output) => known?.get(output)?.at ?? 0;
  const last = Math.max(...row.because_of.map(({ output }) => timeOf(output)));
  return row.because_of.filter(({ output }) => timeOf(output) >= last - recent)
    .map(({ output }) => ({ output, old: timeOf(output) === 0 }));
}

const pauses = (row) => row.pausing || row.pausing_last_second_ns > 0;
const isPaused = (row) => row.paused || row.paused_last_second_ns > 0;
// Whether this switch holds the priority until the peer's defences are off (dcbx.hold).
const isHeld = (one, port, priority) => one.picture.dcbx.some((row) =>
  row.port === port && row.feature === "pfc" && row.held.includes(priority));
const share = (time) => Math.min(1, time / 1e9);
const keyOf = (node) => `${node.switch}\n${node.port}\n${node.priority}\n${node.kind}`;

class Graph {
  constructor(switches, net) {
    this.switches = new Map(switches.filter((one) => one.picture && !one.gone)
      .map((one) => [one.name, one]));
    this.peers = peersOf(net);
    this.nodes = new Map();
    this.leftOff = 0;
    for (const one of this.switches.values()) {
      for (const row of one.picture.pfc) {
        if (!pauses(row) && !isPaused(row)) continue;
        if (this.nodes.size >= mostPauses) { this.leftOff += 1; continue; }
        if (pauses(row)) this.addPause(one, row);
        if (isPaused(row) && !this.tellerOf(one.name, row)) this.add(this.received(one.name, row));
      }
    }
  }

  add(node) {
    if (!this.nodes.has(keyOf(node))) this.nodes.set(keyOf(node), node);
    return keyOf(node);
  }

  peerOf(name, port) { return this.peers.get(idOf({ switch: name, port })) ?? null; }

  // Returns the key of the peer's pause that stops this output; null if the peer does not report
  // such a pause.
  tellerOf(name, row) {
    const far = this.peerOf(name, row.port);
    if (!far?.switch || far.claimed) return null;
    const sent = rowOf(this.switches.get(far.switch), "pfc", far.port, row.priority);
    return sent && pauses(sent) ? keyOf({ ...far, priority: row.priority, kind: "pauses" }) : null;
  }

  received(name, row) {
    const peer = this.peerOf(name, row.port);
    return { kind: "received", switch: name, port: row.port, priority: row.priority,
      peer, known: Boolean(peer?.outside), share: share(row.paused_last_second_ns),
      storm: row.watchdog === "stormed", because: [] };
  }

  addPause(one, row) {
    const node = { kind: "pauses", switch: one.name, port: row.port, priority: row.priority,
      peer: this.peerOf(one.name, row.port),
      share: share(row.pausing_last_second_ns), because: [] };
    for (const { output, old } of reasonsOf(one, row)) {
      const held = rowOf(one, "pfc", output, row.priority);
      const key = !held || !isPaused(held)
        ? this.add({ kind: "queue", switch: one.name, port: output, priority: row.priority,
          peer: this.peerOf(one.name, output), held: isHeld(one, output, row.priority), because: [] })
        : this.tellerOf(one.name, held) ?? this.add(this.received(one.name, held));
      node.because.push({ output, old, key });
    }
    // The cause of a relayed pause is the pause that the other end of the relay received, although
    // this switch does not obey it.
    for (const received of one.picture.pfc) {
      if (received.relayed_to !== row.port || received.priority !== row.priority) continue;
      const key = this.tellerOf(one.name, received);
      if (!key && node.because.length > 0) continue;
      node.because.push({ output: received.port, old: false,
        key: key ?? this.add(this.received(one.name, received)) });
    }
    this.add(node);
  }

  // Returns the nodes that cause no other pause.
  roots() {
    const caused = new Set([...this.nodes.values()].flatMap((node) =>
      node.because.map(({ key }) => key)));
    return [...this.nodes.keys()].filter((key) => !caused.has(key));
  }
}

class Walk {
  constructor(nodes, loops) {
    Object.assign(this, { nodes, loops, seen: new Set(), path: [], began: [], beyond: [] });
  }

  tree(key) {
    const { because, ...about } = this.nodes.get(key);
    const at = this.path.indexOf(key);
    if (at >= 0) this.noteLoop(this.path.slice(at));
    if (this.seen.has(key)) return { ...about, again: true, loop: at >= 0, because: [] };
    this.seen.add(key);
    if (about.kind === "queue" || about.known) this.began.push(about);
    else if (about.kind === "received") this.beyond.push(about);
    this.path.push(key);
    const reasons = because.map(({ output, old, key: next }) =>
      ({ output, old, ...this.tree(next) }));
    this.path.pop();
    return { ...about, because: reasons };
  }

  noteLoop(keys) {
    const id = [...keys].sort().join("\n\n");
    if (!this.loops.has(id)) {
      this.loops.set(id, keys.map((key, at) => {
        const { switch: name, port, priority, because } = this.nodes.get(key);
        const next = keys[(at + 1) % keys.length];
        return { switch: name, port, priority,
          old: because.some((reason) => reason.key === next && reason.old) };
      }));
    }
  }
}

// Returns {trees: [{...pause, because: [{output, old, ...pause}], began: [pause], beyond:
// [pause]}], loops: [[port, priority and whether its cause is old]], left_off}. `beyond`: pauses of
// unknown origin.
export function pauseTrees(switches, net) {
  const graph = new Graph(switches, net);
  const loops = new Map();
  const covered = new Set();
  const trees = [];
  let room = mostPauses;
  let leftOff = graph.leftOff;
  // Nodes that no tree contains after the roots are in loops, or lead to loops.
  for (const key of [...graph.roots().sort(), ...[...graph.nodes.keys()].sort()]) {
    if (covered.has(key)) continue;
    covered.add(key);
    if (room <= 0) { leftOff += 1; continue; }
    const walk = new Walk(graph.nodes, loops);
    const tree = walk.tree(key);
    room -= walk.seen.size;
    for (const seen of walk.seen) covered.add(seen);
    trees.push({ ...tree, began: walk.began, beyond: walk.beyond });
  }
  return { trees, loops: [...loops.values()], left_off: leftOff };
}
