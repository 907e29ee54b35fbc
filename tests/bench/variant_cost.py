"""The closed loop built or set in several ways, in turns.

    variant_cost.py [--json] NAME VARIANT=BUILD...

`pfc_cost`: with PFC `left out` of the build, built and `off`, and `on` for every priority.
`latency_cost`: with no frame timed (`off`), and `on`, one in 256, which is what a switch does.
`wan_cost`: with none of it (`off`), with every second port a tunnel to the dataplane, whose devices
know nothing of it (`underlays`; tunnel_bench has those), all of them ends of relays (`relays`), or a
curve that drops at each priority (`wred`), where frames meet none of it.
`level_cost`: the frame path for levels of x86-64 and for `this machine`.

The variants take turns, round by round, so that what disturbs the machine disturbs all of them;
figures are medians over the rounds, `ratio` the median over them of what one costs in parts of the
first variant in the same round. `spread` is how far the middle half of these ratios is apart: a
difference below that is noise. `bypass_share` is how much of the frames went past the VOQs.
"""

import json
import statistics
import subprocess
import sys

ROUNDS = 9
BENCH = "tests/bench/closed_loop_bench"
# Words of the bench, where a variant is another setting.
WORDS = {("pfc_cost", "on"): ["--pfc"], ("latency_cost", "on"): ["--timed"],
         **{("wan_cost", what): [f"--{what}"] for what in ("underlays", "relays", "wred")}}


def round_of(build: str, words: list[str]) -> dict[int, dict]:
    """The results by number of ports."""
    run = subprocess.run([f"{build}/{BENCH}", "--json", *words], check=True, text=True,
                         stdout=subprocess.PIPE)
    return {result["ports"]: result for result in map(json.loads, run.stdout.splitlines())}


def lines_of(name: str, rounds: dict[str, list[dict[int, dict]]]):
    first = next(iter(rounds.values()))
    for ports in first[0]:
        for variant, results in rounds.items():
            ratios = [one[ports]["cycles_per_frame"] / other[ports]["cycles_per_frame"]
                      for one, other in zip(results, first)]
            low, ratio, high = statistics.quantiles(ratios, n=4)
            median, bypass_share = (statistics.median(result[ports][key] for result in results)
                                    for key in ("cycles_per_frame", "bypass_share"))
            yield {"bench": name, "variant": variant, "ports": ports,
                   "cycles_per_frame": round(median, 2), "ratio": round(ratio, 4),
                   "spread": round(high - low, 4), "bypass_share": round(bypass_share, 4),
                   "commit": results[0][ports]["commit"],
                   "machine": results[0][ports]["machine"]}


def main() -> None:
    name, *words = [word for word in sys.argv[1:] if word != "--json"]
    builds = dict(word.split("=", 1) for word in words)
    rounds: dict[str, list] = {variant: [] for variant in builds}
    for _ in range(ROUNDS):
        for variant, build in builds.items():
            rounds[variant].append(round_of(build, WORDS.get((name, variant), [])))
    for line in lines_of(name, rounds):
        if "--json" in sys.argv:
            print(json.dumps(line), flush=True)
        else:
            print(f"{name:<17} ports {line['ports']:2}  {line['variant']:<12}  cycles_per_frame "
                  f"{line['cycles_per_frame']:.2f}  ratio {line['ratio']}  spread {line['spread']}  "
                  f"bypass_share {line['bypass_share']}",
                  flush=True)


if __name__ == "__main__":
    main()
