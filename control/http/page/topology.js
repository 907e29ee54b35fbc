// The topology page: this switch and those of `metrics.topology`, each read by a stream of its own.
//
// The browser sends a request to each switch; no switch sends one to another. A switch that reports
// nothing for some seconds is gone, and the browser retries until the switch answers. All data of
// switches is checked (links.js) before it is used.
import { drawAlerts } from "./alerts.js";
import { badge, byId, element, isTyped, none, table } from "./dom.js";
import { dropsOf, ofLate, withDrops } from "./drops.js";
import { checked, idOf, isSeenByBoth, joined, nameOf, peersOf, repeated, withLost } from "./links.js";
import { drawMap, saidOf } from "./map.js";
import { pauseTrees, remembered } from "./pause_trees.js";
import { nextTheme, setUpTheme } from "./theme.js";
import * as units from "./units.js";

const staleAfter = 5000;  // ms without a report after which a switch is gone
const again = 2000;  // ms between two tries
const between = 500;  // least ms between two pictures; a switch is requested to send one a second
const longest = 8 << 20;  // longest picture, in characters
const nouns = "ports,pfc,lldp,dcbx,drops";

class Switch {
  constructor(name, url) {
    Object.assign(this, { name, url, picture: null, before: null, at: 0, span: 0,
      drops: new Map(), lastCaused: new Map(), receivedAt: Date.now(), gone: true, why: "has not answered yet" });
    this.connect();
  }

  connect() {
    this.tried = Date.now();
    this.stream?.close();
    try {
      this.stream = new EventSource(`${this.url}/api/events?show=${nouns}&every=1000`);
    } catch {
      this.why = "has no url that this browser reads";
      return;
    }
    this.stream.addEventListener("show", (message) => this.take(message.data));
    this.stream.addEventListener("error", () => this.stream.close());
  }

  take(text) {
    const now = Date.now();
    if (now - this.at < between) return;  // the switch sends more often than requested
    if (text.length > longest) { this.why = "says more than is read"; return; }
    let picture = null;
    try { picture = checked(JSON.parse(text)); } catch { /* it is nothing of the sort */ }
    if (!picture) { this.why = "says what is not understood"; return; }
    const drops = withDrops(this.drops, this.picture, picture, now);
    Object.assign(this, { drops, before: this.picture, span: (now - this.at) / 1000, picture, at: now,
      receivedAt: now, gone: false, lastCaused: remembered(this.lastCaused, picture, now) });
  }

  // Called once a second.
  look(now) {
    if (!this.gone && now - this.receivedAt > staleAfter) {
      Object.assign(this, { gone: true, why: "does not answer", before: null });
    }
    if (!this.stream) return;
    if (this.stream.readyState === EventSource.CLOSED || now - this.receivedAt > 2 * staleAfter) {
      if (now - this.tried > again) this.connect();
    }
  }

  get receivedAtText() { return new Date(this.receivedAt).toISOString(); }

  get said() {
    return this.gone ? `${this.why}, since ${new Date(this.receivedAt).toLocaleTimeString("en-GB")}`
      : `${units.count(this.lost())} dropped`;
  }

  lost(picture = this.picture) {
    return (picture?.drops ?? []).filter((row) => !row.consumed)
      .reduce((all, row) => all + row.frames, 0);
  }

  rate(sum) {
    if (this.gone || !this.before || this.span <= 0) return 0;
    return Math.max(0, sum(this.picture) - sum(this.before)) / this.span;
  }

  reasons() {
    const frames = new Map();
    for (const row of this.picture?.drops ?? []) {
      if (!row.consumed) frames.set(row.reason, (frames.get(row.reason) ?? 0) + row.frames);
    }
    return [...frames].filter(([, count]) => count > 0).sort((one, other) => other[1] - one[1])
      .map(([reason, count]) => ({ reason, frames: count }));
  }
}

const switches = [];
let held = false;
let knownLinks = new Map();
let mapped = null;  // arguments of the last drawMap

const octets = (key) => (picture) => picture.ports.reduce((all, port) => all + port[key], 0);

// Returns each pause of all trees once.
function allOf(trees) {
  const all = new Map();
  const visit = (node) => {
    if (node.kind !== "queue") all.set(`${idOf(node)}\n${node.priority}\n${node.kind}`, node);
    node.because.forEach(visit);
  };
  trees.forEach(visit);
  return [...all.values()];
}

function sentence(node) {
  const own = `${node.switch} ${node.port}`;
  const storm = node.storm ? ", a storm by the watchdog" : "";
  if (node.kind === "pauses") return `${own} pauses ${nameOf(node.peer)}, ${saidOf(node)}`;
  if (node.kind === "queue" && node.held) return `${own} holds it for its peer (dcbx.hold)`;
  if (node.kind === "queue") return `${own} is not paused: more comes for it than it sends`;
  return `${nameOf(node.peer)} pauses ${own}, ${saidOf(node)}${storm}`;
}

function branch(node) {
  const began = (node.kind === "queue" || node.known === true) && !node.again;
  const beyond = node.kind === "received" && !node.known && !node.again;
  const unknown = node.kind === "pauses" && node.because.length === 0 && !node.again;
  const marks = [began ? badge("here it began", "bad") : "",
    beyond ? badge("not known beyond here", "soft") : "",
    unknown ? badge("no reason is known", "soft") : "",
    node.old ? badge("a reason of unknown age", "soft") : "",
    node.loop ? badge("a loop", "bad") : "",
    node.again && !node.loop ? badge("as above", "soft") : ""];
  return element("li", { "data-kind": node.kind, "data-began": began },
    node.output ? `because of its ${node.output}: ` : "", sentence(node), " ", ...marks,
    ...(node.because.length > 0 ? [element("ul", {}, ...node.because.map(branch))] : []));
}

function drawTrees({ trees, loops, left_off: leftOff }) {
  const warned = loops.map((loop) => element("p", { class: "loop" }, badge("loop", "bad"),
    ` These pause each other, a deadlock if it lasts${loop.some(({ old }) => old)
      ? " (or one of the past: the age of a reason is not known)" : ""}: ${loop.map((one) =>
      `${one.switch} ${one.port} priority ${one.priority}`).join(", ")}`));
  byId("trees").replaceChildren(...warned, trees.length === 0 ? none("Nobody is paused.")
    : element("ul", { class: "tree" }, ...trees.map(branch)),
  leftOff > 0 ? none(`And ${units.count(leftOff)} more pauses.`) : "");
}

function drawDrops(drops) {
  byId("drop-table").replaceChildren(drops.length === 0
    ? none("Nothing was dropped since the page was opened.") : table([
      ["port", (row) => nameOf(row), "tight"],
      ["other end", (row) => (row.peer ? nameOf(row.peer) : ""), "tight"],
      ["side", (row) => row.side, "tight"],
      ["reason", (row) => row.reason, "tight"],
      ["frames", (row) => units.count(row.frames), "number"],
      ["last", (row) => new Date(row.at).toLocaleTimeString("en-GB"), "rest"],
    ], drops));
}

function drawTables(net, pauses, same) {
  byId("switch-table").replaceChildren(table([
    ["switch", (one) => element("a", { href: `${one.url}/` }, one.name), "tight"],
    ["", (one) => (same.has(one.name) ? badge(`the same as ${same.get(one.name)}`, "soft")
      : badge(one.gone ? one.why : "answers", one.gone ? "bad" : "good")), "tight"],
    ["last seen", (one) => (one.at === 0 ? "never" : new Date(one.at).toLocaleTimeString("en-GB")),
      "tight"],
    ["received", (one) => units.bits(8 * one.rate(octets("rx_bytes"))), "number tight"],
    ["sent", (one) => units.bits(8 * one.rate(octets("tx_bytes"))), "number tight"],
    ["dropped", (one) => units.count(one.lost()), "number"],
    ["now", (one) => units.frames(one.rate((picture) => one.lost(picture))), "number tight"],
    ["why", (one) => one.reasons().slice(0, 4).map(({ reason, frames }) =>
      `${reason} ${units.count(frames)}`).join(", "), "rest"],
  ], switches, (one) => (one.gone ? "soft" : "")));
  byId("silent").textContent = switches.every((one) => !one.gone) ? ""
    : "A browser does not say why one does not answer: it does not run, it is not reached, or " +
      `its metrics.allow does not name ${location.origin}.`;
  const pausesOf = (link) => pauses.filter((pause) => pause.kind === "pauses" && isSeenByBoth(link) &&
    link.ends.some((end) => idOf(end) === idOf(pause)));
  byId("link-table").replaceChildren(net.links.length === 0 ? none("None is known.") : table([
    ["end", (link) => nameOf(link.ends[0]), "tight"],
    ["other end", (link) => nameOf(link.ends[1]), "tight"],
    ["pauses", (link) => pausesOf(link).map((pause) =>
      `by ${nameOf(pause)}, ${saidOf(pause)}`).join("; "), "said"],
    ["faults", (link) => (link.faults.length > 0 ? badge(link.faults.join("; "), "bad") : ""),
      "rest"],
  ], net.links));
  byId("outside-table").replaceChildren(net.outside.length === 0 ? none("None is known.") : table([
    ["port", ({ near }) => nameOf(near), "tight"], ["neighbour", ({ peer }) => peer.outside],
    ["its port", ({ peer }) => peer.port, "rest"]], net.outside));
}

function draw() {
  if (document.hidden || held) return;
  const same = repeated(switches);
  const distinct = switches.filter((one) => !same.has(one.name));
  const { net, known } = withLost(joined(distinct), knownLinks, distinct, Date.now());
  knownLinks = known;
  const causes = pauseTrees(distinct, net);
  const pauses = allOf(causes.trees);
  const drops = dropsOf(distinct, peersOf(net));
  const gone = switches.filter((one) => one.gone).length;
  byId("live").textContent = gone === 0 ? "all answer"
    : `${gone} of ${switches.length} do not answer`;
  byId("live").className = gone === 0 ? "on" : "off";
  mapped = [distinct.map(({ name, gone, why, said }) => ({ name, gone, why, said })), net, pauses,
    ofLate(drops, Date.now())];
  drawMap(...mapped);
  drawTrees(causes);
  const heads = drawAlerts(byId("alerts"), causes.trees, distinct, Date.now());
  drawTables(net, pauses, same);
  drawDrops(drops);
  byId("json").textContent = JSON.stringify({ at: new Date().toISOString(),
    switches: switches.map((one) => ({ name: one.name, url: one.url, answers: !one.gone,
      why: one.gone ? one.why : "", same_as: same.get(one.name) ?? "",
      received_at: one.receivedAtText, dropped: one.lost(), drops: one.reasons() })),
    ...net, ...causes, heads,
    drops: drops.map((row) => ({ ...row, at: new Date(row.at).toISOString() })) }, null, 1);
}

// Draws the page in the new colours; a held page keeps its data.
function drawAgain() {
  if (held && mapped) drawMap(...mapped);
  else draw();
}

function hold() {
  held = !held;
  byId("hold").textContent = held ? "Go on" : "Hold";
  if (held) Object.assign(byId("live"), { textContent: "held", className: "" });
  else draw();
}

// Returns the LLDP state of this switch, which has its name, and the list of the other switches,
// once this switch answers.
async function askThisSwitch() {
  for (;;) {
    try {
      return await Promise.all(["/api/show/lldp", "/api/topology"].map(async (path) =>
        (await fetch(path)).json()));
    } catch {
      Object.assign(byId("live"), { textContent: "this switch does not answer", className: "off" });
      await new Promise((done) => { setTimeout(done, again); });
    }
  }
}

async function setUp() {
  setUpTheme(drawAgain);
  byId("hold").addEventListener("click", hold);
  addEventListener("keydown", (event) => {
    if (isTyped(event)) return;
    if (event.key === " ") hold();
    else if (event.key === "t") nextTheme(drawAgain);
    else return;
    event.preventDefault();
  });
  const [own, others] = await askThisSwitch();
  switches.push(...others.map(({ name, url }) => new Switch(name, url)));
  // The same list may be configured on all switches, so it may name the switch of this page.
  if (!others.some(({ url }) => url === location.origin)) {
    const name = own[0]?.system_name || location.host;
    const taken = others.some((other) => other.name === name);
    switches.push(new Switch(taken ? `${name} (this)` : name, location.origin));
  }
  setInterval(() => {
    for (const one of switches) one.look(Date.now());
    draw();
  }, 1000);
}

setUp();
