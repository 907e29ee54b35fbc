// What the page knows of the switch: the last picture, the picture before, and 15 minutes of
// pauses.
//
// Rates are differences of two pictures. If a picture has other ports, or a counter has become
// smaller, the switch was restarted, and everything known before is discarded.

export const historyMs = 15 * 60 * 1000;
const finest = 1000;  // least ms between two points of the history

export class State {
  constructor() {
    this.now = null;
    this.before = null;
    this.at = 0;
    this.span = 0;  // seconds between `before` and `now`
    this.events = [];
    this.addresses = { rows: [], why: "" };
    this.trend = new Map();  // by port: the ten minutes that the switch keeps
    this.history = [];  // {at, shares: Map of "port/priority" to [rxPause, txPause]}
    this.collected = null;
  }

  take(picture) {
    const at = Date.parse(picture.at);
    const again = this.now && (picture.ports.length !== this.now.ports.length ||
      picture.ports.some((port, index) => port.rx_frames < this.now.ports[index].rx_frames));
    if (again) { this.now = null; this.history = []; this.collected = null; }
    this.before = this.now;
    this.now = picture;
    this.span = this.before ? (at - this.at) / 1000 : 0;
    this.at = at;
    this.remember(at);
  }

  // Adds a point to the history: the pauses as shares of the time since the last point.
  remember(at) {
    const times = new Map(this.now.pfc.map((row) =>
      [`${row.port}/${row.priority}`, [row.paused_ns, row.pausing_ns]]));
    const last = this.collected;
    if (last && at - last.at < finest) return;
    this.collected = { at, times };
    if (!last || at <= last.at) return;
    const shares = new Map();
    for (const [key, [rxPause, txPause]] of times) {
      const was = last.times.get(key) ?? [rxPause, txPause];
      const share = (more) => Math.min(1, Math.max(0, more / 1e6 / (at - last.at)));
      shares.set(key, [share(rxPause - was[0]), share(txPause - was[1])]);
    }
    this.history.push({ from: last.at, at, shares });
    while (this.history.length > 0 && at - this.history[0].at > historyMs) this.history.shift();
  }

  // Returns the increase of `key` per second, in the row of `noun` that `same` finds in both
  // pictures.
  rate(noun, same, key) {
    const [now, before] = [this.now, this.before].map((each) => each?.[noun]?.find(same));
    if (!now || !before || this.span <= 0) return 0;
    return Math.max(0, now[key] - before[key]) / this.span;
  }

  // Returns the share of the time since the picture before; with only one picture, of the last
  // second.
  pauseShare(row, key) {
    const same = (other) => other.port === row.port && other.priority === row.priority;
    const share = this.before ? this.rate("pfc", same, key) / 1e9
      : row[key.replace("_ns", "_last_second_ns")] / 1e9;
    return Math.min(1, share);
  }

  // Whether a row of `pfc` is "paused" or "pausing" (`what`), or was since the picture before.
  lately(row, what) { return row[what] || this.pauseShare(row, `${what}_ns`) > 0; }

  event(event) {
    this.events.unshift(event);
    this.events.length = Math.min(this.events.length, 1000);
  }
}
