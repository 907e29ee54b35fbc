"""What PFC costs where it is off: the closed loop of two builds, one with PFC and one that leaves it
out, and with every priority lossless. The builds take turns, round by round, so that what disturbs
the machine disturbs all of them; figures are medians over the rounds. `spread` is how far the middle
half of the rounds is apart, in parts of the median: a difference below that is noise.

    pfc_cost.py [--json] BUILD BUILD_WITHOUT_PFC
"""

import json
import statistics
import subprocess
import sys

ROUNDS = 5
BENCH = "tests/bench/closed_loop_bench"


def round_of(build: str, *words: str) -> dict[int, dict]:
    """The results by number of ports."""
    run = subprocess.run([f"{build}/{BENCH}", "--json", *words], check=True, text=True,
                         stdout=subprocess.PIPE)
    return {result["ports"]: result for result in map(json.loads, run.stdout.splitlines())}


def main() -> None:
    words = [word for word in sys.argv[1:] if word != "--json"]
    build, without = words
    rounds = {"left out": [], "off": [], "on": []}
    for _ in range(ROUNDS):
        rounds["left out"].append(round_of(without))
        rounds["off"].append(round_of(build))
        rounds["on"].append(round_of(build, "--pfc"))
    for ports in rounds["off"][0]:
        baseline = None
        for variant, results in rounds.items():
            figures = [result[ports]["cycles_per_frame"] for result in results]
            median = statistics.median(figures)
            low, _, high = statistics.quantiles(figures, n=4)
            baseline = baseline or median
            line = {"bench": "pfc_cost", "pfc": variant, "ports": ports,
                    "cycles_per_frame": round(median, 2), "ratio": round(median / baseline, 4),
                    "spread": round((high - low) / median, 4),
                    "commit": results[0][ports]["commit"],
                    "machine": results[0][ports]["machine"]}
            if "--json" in sys.argv:
                print(json.dumps(line), flush=True)
            else:
                print(f"pfc_cost          ports {ports}  pfc {variant:<8}  cycles_per_frame "
                      f"{median:.2f}  ratio {line['ratio']}  spread {line['spread']}", flush=True)


if __name__ == "__main__":
    main()
