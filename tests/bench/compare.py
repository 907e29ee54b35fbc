"""What got slower or faster since stored results.

    tools/bench --store
    tools/bench --compare tests/bench/results/2026-11-25-0930-c5fd4b1.json

Reads results from standard input and ends with a table of those that a stored one has as well, the
worst first. `before` is the median of what the files say, `change` in parts of it, and above 0 is
slower. What moved by less than 5 %, or stayed between what the files themselves say, is told apart:
on a machine that others use as well that is mostly noise. Exit status 1 if anything got slower by
more. Where a file is of another machine, or this one had another pace, that is told first: then what
moved says little of the change."""

import statistics
import sys

import results

FIGURES = ("cycles_per_frame", "mpps", "ns", "p50_ns")  # the first that all have is compared
NOISE = 0.05


def change(figure: str, before: float, after: float) -> float:
    ratio = after / before
    return (1 / ratio if figure == "mpps" else ratio) - 1  # of mpps more is better


def moved(stored: list[dict], result: dict) -> tuple[float, str, float, float, bool] | None:
    """By which part, of which figure, from and to what, and whether that is more than chance."""
    for figure in FIGURES:
        before = [one[figure] for one in stored if one.get(figure)]
        after = result.get(figure)
        if not before or not after:
            continue
        middle = statistics.median(before)
        part = change(figure, middle, after)
        between = len(before) > 1 and min(before) <= after <= max(before)
        return part, figure, middle, after, abs(part) > NOISE and not between
    return None


def differences(stored: dict[str, dict], found: dict[str, dict]) -> list[str]:
    """Of the machine, and of the pace of its cores."""
    warnings = []
    before, after = ({result.get("machine") for result in run.values()} - {None}
                     for run in (stored, found))
    if before and after and before != after:
        warnings.append(f"is of {', '.join(sorted(before))}, and this is {', '.join(sorted(after))}")
    paces = [run["machine"].get("pace") for run in (stored, found) if "machine" in run]
    if len(paces) == 2 and all(paces) and abs(paces[1] / paces[0] - 1) > NOISE:
        warnings.append(f"had a pace of {paces[0]:.3g}, and now it is {paces[1]:.3g}")
    return warnings


def main() -> int:
    if len(sys.argv) < 2:
        print("usage: compare.py BEFORE.json... < AFTER.json", file=sys.stderr)
        return 2
    stored = []
    for file in sys.argv[1:]:
        try:
            stored.append(results.read(file))
        except (OSError, ValueError) as error:
            print(f"{file}: {error}; give what `tools/bench --store` or `--json` made",
                  file=sys.stderr)
            return 2
    after = results.by_name(results.of_lines(sys.stdin))
    for file, run in zip(sys.argv[1:], stored):
        for difference in differences(run, after):
            print(f"{file}: {difference}: what moved says little", file=sys.stderr)
    found = []
    for name, result in after.items():
        if one := moved([run[name] for run in stored if name in run], result):
            found.append((*one, name))
    found.sort(key=lambda one: -one[0])
    print(f"\n{'change':>6}  {'before':>10}  {'after':>10}  what", file=sys.stderr)
    for part, figure, before, after, is_more, name in found:
        mark = "" if not is_more else "SLOWER " if part > 0 else "faster "
        print(f"{part:+6.1%}  {before:10.2f}  {after:10.2f}  {mark}{name}, {figure}",
              file=sys.stderr)
    if not found:
        print("nothing that both have", file=sys.stderr)
    return 1 if any(is_more and part > 0 for part, *_, is_more, _ in found) else 0


if __name__ == "__main__":
    sys.exit(main())
