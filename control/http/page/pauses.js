// Pauses over time: a lane for each port and priority that was paused or paused its peer. The upper
// half shows when the peer paused the port, the lower half when the port paused its peer. The
// height is the share of the time.
import { byId, canvas, colour } from "./dom.js";

const lane = 30;

export function drawPauses(state) {
  const made = byId("pause-lines");
  const width = Math.max(200, made.parentElement.clientWidth - 30);
  const span = Number(byId("pause-span").value) * 1000;
  const lossless = state.now.pfc.map((row) => `${row.port}/${row.priority}`);
  const active = new Set(state.history.flatMap((point) => [...point.shares]
    .filter(([, [rxPause, txPause]]) => rxPause > 0 || txPause > 0).map(([key]) => key)));
  const lanes = (lossless.length > 16 ? lossless.filter((key) => active.has(key)) : lossless)
    .slice(0, 48);
  byId("pause-said").textContent = lossless.length === 0 ? "No priority is lossless here."
    : lossless.length > 16 ? "Of more than 16, those with a pause in the last 15 minutes." : "";
  const margin = 110;
  const pen = canvas(made, width, Math.max(1, lanes.length) * lane + 20);
  const x = (at) => margin + (width - margin) * (1 - (state.at - at) / span);
  lanes.forEach((key, index) => {
    const top = index * lane;
    const middle = top + lane / 2;
    pen.fillStyle = colour("faint");
    pen.fillRect(margin, top + 2, width - margin, lane - 4);
    pen.fillStyle = colour("ink");
    pen.textAlign = "right";
    const [port, priority] = key.split(/\/(?=\d+$)/);
    pen.fillText(`${port.slice(0, 11)} priority ${priority}`, margin - 6, middle, margin - 8);
    for (const point of state.history) {
      const shares = point.shares.get(key);
      if (!shares || x(point.at) < margin) continue;
      const from = Math.max(margin, x(point.from));
      const length = Math.max(1, x(point.at) - from + 0.5);
      const high = (share) => (share > 0 ? Math.max(1.5, share * (lane / 2 - 2)) : 0);
      pen.fillStyle = colour("rx-pause");
      pen.fillRect(from, middle - high(shares[0]), length, high(shares[0]));
      pen.fillStyle = colour("tx-pause");
      pen.fillRect(from, middle, length, high(shares[1]));
    }
    pen.fillStyle = colour("line");
    pen.fillRect(margin, middle, width - margin, 1);
  });
  pen.fillStyle = colour("soft");
  for (let part = 0; part <= 4; part += width < 500 ? 2 : 1) {
    const ago = span * (1 - part / 4) / 1000;
    pen.textAlign = part === 0 ? "left" : part === 4 ? "right" : "center";
    pen.fillText(ago === 0 ? "now" : ago < 120 ? `${ago} s ago` : `${ago / 60} min ago`,
      margin + (width - margin) * part / 4, Math.max(1, lanes.length) * lane + 10);
  }
}

export function setUpPauses(redraw) {
  byId("pause-span").addEventListener("change", redraw);
}
