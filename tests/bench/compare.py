"""What got slower or faster since a stored result.

    tools/bench --json > before.json
    tools/bench --compare before.json

Reads results from standard input, passes them on, and ends with a table of those that both have,
the worst first. `change` is in parts of the old figure, and above 0 is slower. What moved by less
than 5 % is told apart: on a machine that others use as well that is mostly noise. Exit status 1 if
anything got slower by more."""

import json
import pathlib
import sys

FIGURES = ("cycles_per_frame", "mpps", "ns", "p50_ns")  # the first that both have is compared
NOISE = 0.05
# What was asked, not what was found.
IDENTITY = ("bench", "test", "dut", "ports", "frame_bytes", "workers", "pfc", "format", "device",
            "addresses", "algorithm", "traffic", "scenario", "requests_percent", "load_percent",
            "buffer_bytes", "busy_ports", "priorities", "lanes", "frames_a_port")


def name_of(result: dict) -> str:
    return " ".join(f"{key} {result[key]}" if key != "bench" else result[key]
                    for key in IDENTITY if key in result)


def change(before: dict, after: dict) -> tuple[str, float] | None:
    for figure in FIGURES:
        if not before.get(figure) or not after.get(figure):
            continue
        ratio = after[figure] / before[figure]
        return figure, (1 / ratio if figure == "mpps" else ratio) - 1  # of mpps more is better
    return None


def results_of(lines) -> dict[str, dict]:
    return {name_of(result): result for result in map(json.loads, filter(str.strip, lines))}


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: compare.py BEFORE.json < AFTER.json", file=sys.stderr)
        return 2
    try:
        before = results_of(pathlib.Path(sys.argv[1]).read_text().splitlines())
    except (OSError, ValueError) as error:
        print(f"{sys.argv[1]}: {error}; give what `tools/bench --json` printed", file=sys.stderr)
        return 2
    after = {}
    for line in sys.stdin:
        print(line, end="", flush=True)
        after |= results_of([line])
    found = []
    for name, result in after.items():
        moved = change(before[name], result) if name in before else None
        if moved is not None:
            figure, part = moved
            found.append((part, name, figure, before[name], result))
    found.sort(key=lambda one: -one[0])
    print(f"\n{'change':>6}  {'before':>10}  {'after':>10}  what", file=sys.stderr)
    for part, name, figure, old, new in found:
        mark = "SLOWER " if part > NOISE else "faster " if part < -NOISE else ""
        print(f"{part:+6.1%}  {old[figure]:10.2f}  {new[figure]:10.2f}  {mark}{name}, {figure}",
              file=sys.stderr)
    if not found:
        print("nothing that both have", file=sys.stderr)
    return 1 if found and found[0][0] > NOISE else 0


if __name__ == "__main__":
    sys.exit(main())
