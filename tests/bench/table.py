"""Reads what `tools/bench --json` prints and writes the table between the marks in README.md."""

import json
import pathlib
import re
import sys

README = pathlib.Path(__file__).resolve().parents[2] / "README.md"
PFC_VARIANTS = {"left out": "left out of the build", "off": "built and off",
                "on": "on for every priority"}
RINGS = {"drained": "the device's ring empty", "full": "the device's ring full"}
MARKS = re.compile(r"(<!-- bench -->\n).*?(<!-- /bench -->)", re.DOTALL)


def row_of(result: dict) -> str:
    bench = result["bench"]
    if bench == "closed_loop":
        what = (f"whole switch, {result['ports']} ports, tagged frames of {result['frame_bytes']} "
                "octets, one core")
        figure = (f"{result['cycles_per_frame']:.0f} cycles a frame, {result['mpps']:.0f} Mpps "
                  f"(with both ends of the rings {result['cycles_per_frame_with_rings']:.0f})")
    elif bench == "pfc_cost":
        what = f"PFC {PFC_VARIANTS[result['pfc']]}, {result['ports']} ports"
        figure = (f"{result['cycles_per_frame']:.1f} cycles a frame, {result['ratio']:.3f} of leaving "
                  f"it out (rounds spread by {result['spread']:.3f})")
    elif bench == "pfc_reaction":
        what = (f"from a pause frame to the last data frame, {RINGS[result['device']]}, frames of "
                f"{result['frame_bytes']} octets")
        figure = (f"{result['p50_ns'] / 1000:.1f} us, p99 {result['p99_ns'] / 1000:.1f} us, at most "
                  f"{result['frames_after_at_most']} frames (the ring holds {result['ring_frames']})")
    elif bench == "islip_match":
        ports = int(result["ports"])
        what = (f"iSLIP, {ports} x {ports}, 8 priorities, 2 iterations, "
                f"{int(result['requests_percent'])} % of requests")
        figure = f"{result['ns']:.0f} ns a match"
    elif bench == "fdb_lookup":
        what = f"FDB, random hits among {int(result['addresses']):,} addresses"
        figure = f"{1000 / result['ns']:.0f} million a second"
    else:
        raise SystemExit(f"table.py: {bench}: no row is defined for it")
    return f"| {what} | {figure} |\n"


def main() -> None:
    results = [json.loads(line) for line in sys.stdin]
    table = "| what | median |\n| --- | --- |\n" + "".join(map(row_of, results))
    table += f"\nOn {results[0]['machine']}, commit {results[0]['commit']}.\n"
    README.write_text(MARKS.sub(lambda mark: mark[1] + table + mark[2], README.read_text()))


if __name__ == "__main__":
    main()
