// Numbers in a form for people; "-" if the switch reports no number.

const orNone = (shown) => (number) => (Number.isFinite(number) ? shown(number) : "-");

function scaled(number, step, units) {
  let at = 0;
  let left = number;
  while (Math.abs(left) >= step * 0.9995 && at < units.length - 1) { left /= step; at += 1; }
  const digits = at === 0 || left >= 99.95 ? 0 : left >= 9.995 ? 1 : 2;
  return `${left.toFixed(Number.isInteger(left) && at === 0 ? 0 : digits)} ${units[at]}`.trim();
}

export const bits = orNone((rate) =>
  scaled(rate, 1000, ["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"]));
export const frames = orNone((rate) => scaled(rate, 1000, ["/s", "k/s", "M/s", "G/s"]));
export const octets = orNone((size) => scaled(size, 1024, ["B", "KiB", "MiB", "GiB"]));
export const count = orNone((number) => number.toLocaleString("en"));
export const percent = orNone((share) =>
  `${(share * 100).toFixed(share > 0 && share < 0.0995 ? 1 : 0)} %`);
export const seconds = orNone((time) => (time < 120 ? `${time} s`
  : time < 7200 ? `${Math.floor(time / 60)} min` : `${Math.floor(time / 3600)} h`));

export const nanoseconds = orNone((time) => {
  const at = [[1e9, "s"], [1e6, "ms"], [1e3, "us"], [1, "ns"]].find(([unit]) => time >= unit);
  return at ? `${Number((time / at[0]).toPrecision(3))} ${at[1]}` : "0";
});
