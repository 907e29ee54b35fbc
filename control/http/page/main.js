// The page: receives the data of the switch and decides when to draw which part.
//
// Pictures and events arrive by one stream (server-sent events). Addresses are requested only while
// they can be seen. While the page is held, it shows the data of that moment and continues to
// collect.
import { byId, element, isTyped } from "./dom.js";
import * as units from "./units.js";
import { State } from "./state.js";
import { drawPicture } from "./picture.js";
import { drawTiles } from "./tiles.js";
import { drawVoqs, setUpVoqs } from "./voqs.js";
import { drawPorts } from "./ports.js";
import { drawPauses, setUpPauses } from "./pauses.js";
import { drawBuffer } from "./buffer.js";
import { drawLatency } from "./latency.js";
import { lookUpBursts } from "./bursts.js";
import { drawAddresses, drawDrops, drawEvents, drawNeighbours } from "./tables.js";
import { nextTheme, setUpTheme } from "./theme.js";

const nouns = "ports,queues,buffer,pfc,drops,latency,workers,lldp,dcbx";
const addressesEveryMs = 5000;
const trendEveryMs = 5000;
const parts = [drawTiles, drawPicture, drawPorts, drawVoqs, drawPauses, drawLatency, drawBuffer, drawDrops,
  drawNeighbours];

const state = new State();
let held = null;  // the state that is shown while the page is held; null: not held
let stream = null;
let due = false;

function drawSoon() {
  if (due || document.hidden) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    const shown = held ?? state;
    if (shown.now) for (const draw of parts) draw(shown);
    drawEvents(shown);
    drawAddresses(shown);
  });
}

function say(text, kind) {
  byId("live").textContent = text;
  byId("live").className = kind;
}

const sayLive = () => (held ? say("held", "") : say("live", "on"));

function connect() {
  const last = state.events[0]?.number ?? 0;
  stream?.close();
  stream = new EventSource(`/api/events?since=${last}&show=${nouns}&every=${byId("every").value}`);
  stream.addEventListener("open", sayLive);
  stream.addEventListener("error", () => say("no connection", "off"));
  stream.addEventListener("message", (message) => {
    const event = JSON.parse(message.data);
    if (event.number <= (state.events[0]?.number ?? 0)) state.events = [];  // a restarted switch
    state.event(event);
    if (!held) drawSoon();
  });
  stream.addEventListener("show", (message) => {
    state.take(JSON.parse(message.data));
    if (!held) drawSoon();
  });
}

async function lookUpAddresses() {
  const seen = byId("addresses").getBoundingClientRect();
  if (document.hidden || held || seen.top > innerHeight || seen.bottom < 0) return;
  try {
    const answer = await fetch("/api/show/fdb");
    state.addresses = answer.ok ? { rows: await answer.json(), why: "" }
      : { rows: [], why: await answer.text() };
    drawSoon();
  } catch {
    // The stream reports that there is no connection.
  }
}

async function lookUpTrend() {
  if (document.hidden || held) return;
  try {
    const answer = await fetch("/api/show/history");
    if (answer.ok) state.trend = new Map((await answer.json()).map((row) => [row.port, row]));
    drawSoon();
  } catch {
    // The stream reports that there is no connection.
  }
}

function sayWho(about) {
  const up = (Date.now() - Date.parse(about.up_since)) / 1000;
  byId("who").textContent = `${about.host}, ${about.version}, up ${units.seconds(Math.max(0, Math.floor(up)))}`;
}

async function showVersion() {
  try {
    const answer = await fetch("/api/show/version");
    if (answer.ok) {
      const about = await answer.json();
      byId("version").textContent = `Sluice ${about.version} (commit ${about.commit}), ` +
        `${about.dpdk}, built for ${about.cpu_level}, on ${about.kernel}; ` +
        `${about.host} up since ${about.up_since.replace("T", " ").replace(/\..*/, "")} UTC`;
      document.title = `${about.host} - Sluice`;
      sayWho(about);
      setInterval(() => sayWho(about), 10000);
    }
  } catch {
    // The stream reports that there is no connection.
  }
}

function hold() {
  if (held) held = null;
  else held = Object.assign(new State(), state, { history: [...state.history],
    events: [...state.events] });
  byId("hold").textContent = held ? "Go on" : "Hold";
  sayLive();
  drawSoon();
}

function setUp() {
  setUpTheme(drawSoon);
  const sections = [...document.querySelectorAll("section")];
  document.querySelector("nav").append(...sections.map((section) =>
    element("a", { href: `#${section.id}` }, section.querySelector("h2").textContent)));
  byId("hold").addEventListener("click", hold);
  byId("every").addEventListener("change", connect);
  byId("search").addEventListener("input", drawSoon);
  for (const name of ["resize", "visibilitychange"]) {
    (name === "resize" ? window : document).addEventListener(name, drawSoon);
  }
  addEventListener("scroll", () => { if (state.addresses.rows.length === 0) lookUpAddresses(); },
    { passive: true });
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") event.target.blur();
    if (isTyped(event)) return;
    if (event.key === " ") hold();
    else if (event.key === "t") nextTheme(drawSoon);
    else if (event.key === "/") byId("search").focus();
    else if (sections[event.key - 1]) sections[event.key - 1].scrollIntoView();
    else return;
    event.preventDefault();
  });
  setUpVoqs(drawSoon);
  setUpPauses(drawSoon);
  connect();
  showVersion();
  lookUpAddresses();
  lookUpBursts();
  lookUpTrend();
  setInterval(() => { lookUpAddresses(); if (!held) lookUpBursts(); }, addressesEveryMs);
  setInterval(lookUpTrend, trendEveryMs);
}

setUp();
