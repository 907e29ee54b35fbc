// Alerts of the topology page: heads of pause trees that last, each with the burst that began it.
// The page requests the burst from the head's switch until that switch reports one.
import { element } from "./dom.js";
import { burstOf, headsOf, lasts, withKnown } from "./heads.js";
import { nameOf } from "./links.js";
import * as units from "./units.js";

const again = 2000;  // ms between two requests for a head, and timeout of a request
const longest = 8 << 20;  // longest answer, in characters
const mostTold = 8;

let known = new Map();
const askedAt = new Map();

async function askFor(id, head, url) {
  try {
    const answer = await fetch(`${url}/api/show/bursts?port=${encodeURIComponent(head.port)}` +
      `&priority=${head.priority}`, { signal: AbortSignal.timeout(again) });
    const text = answer.ok ? await answer.text() : "";
    if (text.length > longest) return;
    const burst = burstOf(JSON.parse(text), head);
    if (known.has(id)) known.get(id).burst = burst;
  } catch { /* it is asked again */ }
}

function cause({ burst }) {
  if (!burst) return " How it began is not on record there (`recorder.enabled`, `xoff` among its triggers).";
  const feeders = burst.fed_by.map(({ port, frames }) => `${port} ${units.count(frames)}`).join(", ");
  return ` It began with a burst at ${burst.at.replace("T", " ").replace("Z", " UTC")}: ` +
    `${units.octets(burst.peak_bytes)} at its peak, ${units.nanoseconds(burst.length_ns)}` +
    `${burst.goes_on ? " and longer" : ""}, frames from ${feeders || "nobody"}.`;
}

function sentence(head) {
  const ports = `${head.holds} port${head.holds === 1 ? " pauses its peer" : "s pause their peers"}`;
  const who = head.kind === "received" ? `${nameOf(head.peer)} pauses it`
    : head.held ? "it holds it for its peer (dcbx.hold)" : "more comes for it than it sends";
  return `${ports} because of ${head.switch} ${head.port}, priority ${head.priority}: ${who}.` +
    cause(head);
}

// Draws the heads that last into `place`: up to `mostTold`, first those because of which most ports
// pause. Returns these heads.
export function drawAlerts(place, trees, switches, now) {
  known = withKnown(known, headsOf(trees), now);
  for (const id of askedAt.keys()) if (!known.has(id)) askedAt.delete(id);
  const all = [...known].filter(([, head]) => head.holds > 0 && lasts(head, now))
    .sort(([, one], [, other]) => other.holds - one.holds);
  const told = all.slice(0, mostTold);
  const urlOf = (head) => switches.find((one) => one.name === head.switch)?.url;
  for (const [id, head] of told) {
    if (head.burst || now - (askedAt.get(id) ?? 0) < again) continue;
    askedAt.set(id, now);
    askFor(id, head, urlOf(head));
  }
  // Replaces the text only if it has changed, because a screen reader reads each change aloud.
  const said = told.map(([, head]) => [sentence(head), `${urlOf(head)}/#bursts`]);
  const whole = JSON.stringify([said, all.length]);
  if (place.dataset.said !== whole) {
    place.dataset.said = whole;
    place.replaceChildren(...said.map(([text, url]) => element("p", { class: "alert" }, `${text} `,
      element("a", { href: url }, "Bursts there"))),
    all.length > told.length ? element("p", {}, `And ${all.length - told.length} more.`) : "");
  }
  return told.map(([, { since, ...head }]) => ({ ...head, since: new Date(since).toISOString() }));
}
