"""The same generator, ports and frames through this switch and through others, in turns.

    peers.py [--json] [--rounds N] [--seconds S] [--frame-bytes B] [DEVICE...]

The generator has one core, the device under test the other, two memif ports or two veth pairs
between them, traffic both ways. A round starts each device in turn, warms it up flat out (it takes
a second or two until memory is where it stays, and five until OVS has an entry for every pair),
asks three times for all that it carries (`mpps`, both ways summed), then for its latency at half of
that. What else runs on the machine, such as a neighbour on the other thread of a core, only ever
slows, for seconds at a time and by half. So `mpps` is the upper quartile of all trials,
`mpps_least` and `mpps_most` are their ends, and other figures are medians over the rounds. `ratio`
is to testpmd io over memif, to the kernel's bridge over veth; `ratio_ovs_normal` to OVS that learns
as many addresses, one behind each port or `addresses`: more pairs than its cache of exact matches
holds. `refused` is the share of the generator's bursts that found the ring of the device full: near
0 the generator was the limit, not the device."""

import argparse
import json
import os
import pathlib
import shutil
import re
import statistics
import subprocess
import sys
import tempfile
import time

import devices
from switch import program  # noqa: E402  (devices says where that is)

_CPU = dict(re.findall(r"^(.+?)\t+: (.*)$",
                       pathlib.Path("/proc/cpuinfo").read_text().split("\n\n")[0], re.MULTILINE))
PROCESSOR = f"{_CPU['model name']} (family {_CPU['cpu family']}, model {_CPU['model']})"
PAGES = pathlib.Path("/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages")
WARM_UP = 2  # seconds
TRIALS = 3   # a round
ATTEMPTS = 15  # to be served, half a second apart at the least
STARTS = 3   # of a device that serves nobody; now and then OVS does not, however long one waits
WANTED_PAGES = 700  # of 2 MB, for the generator and one device


class ServesNobody(Exception):
    pass


def offer(device: devices.Device, seconds: float, frame_bytes: int, rate: str) -> dict:
    """What the generator found."""
    ports = [word for end in device.other_ends() for word in ("--port", end)]
    for _ in range(ATTEMPTS):
        time.sleep(0.5)  # until the device has noticed that the client before is gone
        run = subprocess.run(
            [*device.inside, "taskset", "-c", str(devices.GENERATOR_CORE),
             program("sluice-gen"),
             *ports, "--pattern", "pairs", "--frame-bytes", str(frame_bytes), "--rate", rate,
             "--seconds", str(seconds), "--addresses", str(device.addresses), "--json", "--quiet"],
            text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if "nobody listens" not in run.stderr:  # OVS restarts its ports once it has both
            break
    else:
        raise ServesNobody(f"{type(device).__name__}: {run.stderr.strip()}")
    if run.returncode != 0:
        raise SystemExit(f"peers.py: {type(device).__name__}: sluice-gen ended with {run.returncode}: "
                         f"{run.stderr.strip()}\n" +
                         "\n".join(process.said()[-2000:] for process in device.processes))
    return json.loads(run.stdout)


def round_of(name: str, options: argparse.Namespace) -> dict:
    for start in range(1, STARTS + 1):
        try:
            return trials_of(name, options)
        except ServesNobody as reason:
            print(f"peers.py: {name}, start {start} of {STARTS}: {reason}", file=sys.stderr)
    raise SystemExit(f"peers.py: {name} serves nobody")


def trials_of(name: str, options: argparse.Namespace) -> dict:
    folder = pathlib.Path(tempfile.mkdtemp(prefix="peers-"))
    try:
        with devices.DEVICES[name](folder) as device:
            seconds = device.trial_times * options.seconds
            offer(device, min(WARM_UP * device.trial_times, seconds), options.frame_bytes, "max")
            trials = [offer(device, seconds, options.frame_bytes, "max")
                      for _ in range(TRIALS)]
            full = sorted(trials, key=lambda trial: trial["mpps"])[TRIALS // 2]
            half = f"{full['mpps'] * 1e6 / 4:.0f}"  # of each of two senders
            latency = offer(device, seconds, options.frame_bytes, half)
    finally:
        shutil.rmtree(folder)
    return {"trials": [trial["mpps"] for trial in trials], "refused": full["refused"],
            "lost_percent": 100 * full["lost"] / full["offered"],
            **{f"{name}_ns": latency["latency_ns"][name] for name in ("p50", "p99", "p999", "max")}}


def results(options: argparse.Namespace):
    rounds = {name: [] for name in options.devices}
    for number in range(options.rounds):
        for name, found in rounds.items():
            found.append(round_of(name, options))
            carried = ", ".join(f"{mpps:.2f}" for mpps in found[-1]["trials"])
            print(f"round {number + 1}: {name} {carried} Mpps", file=sys.stderr)
    trials = {name: sorted(mpps for one in found for mpps in one["trials"])
              for name, found in rounds.items()}
    carried = {name: statistics.quantiles(all_of_it, n=4, method="inclusive")[2]
               for name, all_of_it in trials.items()}
    medians = {name: {key: statistics.median(one[key] for one in found)
                      for key in found[0] if key != "trials"}
               for name, found in rounds.items()}
    for name, found in medians.items():
        kind = devices.DEVICES[name]
        line = {"bench": kind.bench,
                "dut": name.removesuffix("_veth").removesuffix("_many_addresses"),
                "frame_bytes": options.frame_bytes}
        if kind.addresses > 1:
            line["addresses"] = kind.addresses
        line |= {"mpps": round(carried[name], 2), "mpps_least": round(trials[name][0], 2),
                 "mpps_most": round(trials[name][-1], 2)}
        if kind.reference in carried and kind.addresses == 1:  # which looks at none
            line["ratio"] = round(carried[name] / carried[kind.reference], 3)
        if kind.bench == "memif" and kind.learner in carried:
            line["ratio_ovs_normal"] = round(carried[name] / carried[kind.learner], 3)
        line["refused"] = round(found["refused"], 2)
        line["lost_percent"] = round(found["lost_percent"], 4)
        line |= {key: round(value) for key, value in found.items() if key.endswith("_ns")}
        yield line | {"rounds": options.rounds,
                      "commit": os.environ.get("SLUICE_COMMIT", "unknown"), "machine": PROCESSOR}


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    words.add_argument("--json", action="store_true")
    words.add_argument("--rounds", type=int, default=3)
    words.add_argument("--seconds", type=float, default=1)
    words.add_argument("--frame-bytes", type=int, default=64)
    words.add_argument("devices", nargs="*", metavar="DEVICE",
                       help=f"some of {', '.join(devices.DEVICES)}; all of them if none is named")
    options = words.parse_args()
    options.devices = options.devices or list(devices.DEVICES)
    if unknown := [name for name in options.devices if name not in devices.DEVICES]:
        words.error(f"{unknown[0]}: unknown; use some of {', '.join(devices.DEVICES)}")
    if len(os.sched_getaffinity(0)) < 2:
        raise SystemExit("peers.py: it takes two CPUs: one for the generator, one for the device")
    before = PAGES.read_text()
    PAGES.write_text(str(max(int(before), WANTED_PAGES)))
    try:
        for line in results(options):
            if options.json:
                print(json.dumps(line), flush=True)
            else:
                print(f"{line['bench']:<6}{line['dut']:<12}  addresses "
                      f"{line.get('addresses', 1):4}  mpps {line['mpps']:6.2f} "
                      f"({line['mpps_least']:.2f} to {line['mpps_most']:.2f})  ratio "
                      f"{line.get('ratio', '-'):5}  of ovs_normal "
                      f"{line.get('ratio_ovs_normal', '-'):5}  refused {line['refused']:.2f}  "
                      f"p50 {line['p50_ns'] / 1000:.1f} us  p99 {line['p99_ns'] / 1000:.1f} us  "
                      f"max {line['max_ns'] / 1000:.0f} us", flush=True)
    finally:
        PAGES.write_text(before)


if __name__ == "__main__":
    main()
