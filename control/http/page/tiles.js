// Tiles with the most important figures.
import { byId, element } from "./dom.js";
import * as units from "./units.js";

function sum(state, noun, key, of = () => true) {
  return state.now[noun].filter(of).reduce((all, row) => all + row[key], 0);
}

function rate(state, noun, key, of) {
  if (!state.before || state.span <= 0) return 0;
  return Math.max(0, sum(state, noun, key, of) -
    state.before[noun].filter(of ?? (() => true)).reduce((all, row) => all + row[key], 0)) /
    state.span;
}

export function drawTiles(state) {
  const lost = (row) => !row.consumed;
  const { pool } = state.now.buffer;
  const pausedOutputs = state.now.pfc.filter((row) => state.lately(row, "paused"));
  const pausedPeers = state.now.pfc.filter((row) => state.lately(row, "pausing"));
  const storms = state.now.pfc.filter((row) => row.watchdog === "stormed");
  const mismatches = state.now.dcbx.filter((row) => row.mismatch);
  const busiest = Math.max(0, ...state.now.workers.map((row) => row.busy_share));
  const gap = Math.max(0, ...state.now.workers.map((row) => row.longest_gap_ns));
  const dropRate = rate(state, "drops", "frames", lost);
  const tiles = [
    ["received", units.bits(8 * rate(state, "ports", "rx_bytes"))],
    ["sent", units.bits(8 * rate(state, "ports", "tx_bytes"))],
    ["dropped", units.frames(dropRate), dropRate > 0],
    ["dropped so far", units.count(sum(state, "drops", "frames", lost))],
    ["buffer in use", units.percent(pool.used_bytes / pool.size_bytes)],
    ["outputs paused by peers", pausedOutputs.length, pausedOutputs.length > 0],
    ["peers that we pause", pausedPeers.length, pausedPeers.length > 0],
    ["pause storms", storms.length, storms.length > 0],
    ["DCBX mismatches", mismatches.length, mismatches.length > 0],
    ["busiest worker", units.percent(busiest)],
    ["longest poll gap", units.nanoseconds(gap)],
  ];
  byId("tiles").replaceChildren(...tiles.map(([name, value, bad]) =>
    element("div", { class: bad ? "tile bad" : "tile", "data-name": name },
      element("b", {}, String(value)), element("span", {}, name))));
}
