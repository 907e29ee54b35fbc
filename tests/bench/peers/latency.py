"""How late frames come through devices that are compared: at shares of what the slowest of them
carries, the same for all, in turns. At half of its own rate each, which was asked before, the
fastest had the most to queue when the machine halted its core, and seemed the latest.

A frame is timed from the turn of the generator that sends it to the one that finds it. What stops
the generator's core or the device's for a while, such as a neighbour on the other thread, delays
all that came meanwhile: that is most of p99 on a shared machine, for every device alike, so of one
run only ratios say something.

The fields of a result: `latency_mpps`, the rate that loads are shares of, all ways summed; `p50_ns`,
`p99_ns`, `p999_ns`, `max_ns` at half of it; `latency_at_10` and `latency_at_90` with the same four;
`ratio_p99`, at half of it, to what rates are compared with. All are medians over the rounds."""

import statistics
from typing import Optional

LOADS = (10, 50, 90)  # percent
MIDDLE = 50
NAMES = ("p50", "p99", "p999", "max")

Found = dict[int, dict]  # nanoseconds by name, of each load


def of_each_sender(mpps: float, load: int, ports: int) -> str:
    """In frames a second."""
    return f"{mpps * 1e6 * load / 100 / ports:.0f}"


def fields(mpps: float, rounds: list[Found], reference: Optional[list[Found]]) -> dict:
    line = {"latency_mpps": round(mpps, 2), **_medians(rounds, MIDDLE)}
    line |= {f"latency_at_{load}": _medians(rounds, load) for load in LOADS if load != MIDDLE}
    if reference:
        line["ratio_p99"] = round(line["p99_ns"] / _medians(reference, MIDDLE)["p99_ns"], 3)
    return line


def text_of(line: dict) -> str:
    """Of `fields`, for people."""
    def micros(found: dict) -> str:
        return "/".join(f"{found[f'{name}_ns'] / 1000:.1f}" for name in NAMES[:3])
    found = {load: line.get(f"latency_at_{load}", line) for load in LOADS}
    return (f"of {line['latency_mpps']:.2f} Mpps p50/p99/p99.9 in us: " +
            ", ".join(f"{load} % {micros(one)}" for load, one in found.items()) +
            f", p99 of the reference's {line.get('ratio_p99', '-')}")


def _medians(rounds: list[Found], load: int) -> dict:
    return {f"{name}_ns": round(statistics.median(one[load][name] for one in rounds))
            for name in NAMES}
