"""The same generator, ports and frames through this switch and through others, in turns.

    peers.py [--json] [--rounds N] [--seconds S] [--frame-bytes B,...] [--ports N,...]
             [--addresses N,...] [--matrix] [--vpp BINARY] [DEVICE...]

The generator has one core, the device under test the other, two memif ports or two veth pairs
between them, traffic both ways; of more ports each sends to every other, through those devices that
forward by address. `--matrix` is 64 to 1518 octets and IMIX, then 1,024 and 65,536 addresses
behind each port, then eight ports, through those over memif that each is for. A round starts each
device in turn, warms it up flat out (it takes a second or two until memory is where it stays, and
five until OVS has an entry for every pair), asks three times for all that it carries (`mpps`, all
ways summed), as often for what a frame costs its core. Rounds of latency follow, by latency.py, at
shares of what the slowest of them carries, so that all are asked for the same. What else runs on the machine, such as a neighbour on the other thread of a core, only ever slows, for
seconds at a time and by half. So `mpps` is the upper quartile of all trials, `mpps_least` and
`mpps_most` are their ends, `cycles_per_frame` is the lower quartile, `cycles_least` its end, and
other figures are medians over the rounds. `ratio` is to testpmd io over memif, to the kernel's
bridge over veth; `ratio_ovs_normal` to OVS that learns as many addresses, one behind each port or
`addresses`: more pairs than its cache of exact matches holds. `refused` is the share of the
generator's bursts that found the ring of the device full: near 0 the generator was the limit, not
the device, which `limit` says; such a rate is the least that the device carries. `cycles_per_frame`
depends less on that: it is what a frame costs the device's
core while it is busy, as it says itself (devices.py)."""

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
from typing import Callable, NamedTuple, Optional, TypeVar

import devices
import latency
import vpp
from generator import ServesNobody, offer
from huge_pages import FOLDER, reserved_huge_pages
from told_to_end import end_in_order

_CPU = dict(re.findall(r"^(.+?)\t+: (.*)$",
                       pathlib.Path("/proc/cpuinfo").read_text().split("\n\n")[0], re.MULTILINE))
PROCESSOR = f"{_CPU['model name']} (family {_CPU['cpu family']}, model {_CPU['model']})"
PAGES = FOLDER / "nr_hugepages"
WARM_UP = 2  # seconds
TRIALS = 3   # a round
NEXT_TO_NOTHING = "1000"  # frames a second of each sender
STARTS = 3   # of a device that serves nobody; now and then OVS does not, however long one waits
WANTED_PAGES = 700  # of 2 MB, for the generator and one device
IDLE_DEVICE = 0.05  # less of the bursts was refused: the generator is the limit
LENGTHS = ("64", "128", "256", "512", "1024", "1280", "1518", "imix")
MANY = (1024, 65536)
MESH = 8
VPP = {"vpp_bridge": vpp.Vpp, "vpp_xconnect": vpp.VppCrossConnect}  # with --vpp


Found = TypeVar("Found")


class Case(NamedTuple):
    """A device, and what is asked of it."""

    device: str
    frame_bytes: str = "64"
    ports: int = 2
    addresses: Optional[int] = None  # behind each port; None: as many as the device is for


def cycles_of(device: devices.Device, seconds: float, frame_bytes: str) -> list[float]:
    """Asked several times in the middle of a trial of its own, since to ask takes time from the
    generator's core: while it starts and once it has ended some devices count polls that find
    nothing, and some have no counts at all."""
    cycles_by_round = []

    def note() -> None:
        time.sleep(WARM_UP)
        device.forget_cycles()
        time.sleep(WARM_UP / 4)
        device.note_idle_polls()

    def ask() -> None:
        cycles_by_round.clear()
        time.sleep(WARM_UP)
        for _ in range(TRIALS):
            device.forget_cycles()
            time.sleep(seconds)
            cycles_by_round.append(device.cycles_a_frame())

    if device.counts_idle_polls:
        offer(device, WARM_UP + 1, frame_bytes, NEXT_TO_NOTHING, note)
    offer(device, WARM_UP + TRIALS * seconds + 1, frame_bytes, "max", ask)
    return [cycles for cycles in cycles_by_round if cycles is not None]


def started(case: Case, ask: Callable[[devices.Device], Found]) -> Found:
    """What it found of the device, which is started for it and ended."""
    for start in range(1, STARTS + 1):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="peers-"))
        try:
            with devices.DEVICES[case.device](folder, case.ports, case.addresses) as device:
                return ask(device)
        except ServesNobody as reason:
            print(f"peers.py: {case.device}, start {start} of {STARTS}: {reason}", file=sys.stderr)
        finally:
            shutil.rmtree(folder)
    raise SystemExit(f"peers.py: {case.device} serves nobody")


def trials_of(device: devices.Device, case: Case, seconds: float) -> dict:
    seconds *= device.trial_times
    warm_up(device, case, seconds)
    trials = [offer(device, seconds, case.frame_bytes, "max") for _ in range(TRIALS)]
    cycles = cycles_of(device, seconds, case.frame_bytes)
    full = sorted(trials, key=lambda trial: trial["mpps"])[TRIALS // 2]
    return {"cycles": cycles, "trials": [trial["mpps"] for trial in trials],
            "refused": full["refused"],
            "lost_percent": 100 * full["lost"] / full["offered"]}


def latency_of(device: devices.Device, case: Case, seconds: float, mpps: float) -> latency.Found:
    """At each load of `mpps`, of all senders."""
    seconds *= device.trial_times
    warm_up(device, case, seconds)
    return {load: offer(device, seconds, case.frame_bytes,
                        latency.of_each_sender(mpps, load, device.ports))["latency_ns"]
            for load in latency.LOADS}


def warm_up(device: devices.Device, case: Case, seconds: float) -> None:
    offer(device, min(WARM_UP * device.trial_times, seconds), case.frame_bytes, "max")


def median(found: list[dict], key: str) -> float:
    return statistics.median(one[key] for one in found)


def results(cases: list[Case], rounds: int, seconds: float):
    found = {case: [] for case in cases}
    for number in range(rounds):
        for case, of_case in found.items():
            of_case.append(started(case, lambda device: trials_of(device, case, seconds)))
            carried = ", ".join(f"{mpps:.2f}" for mpps in of_case[-1]["trials"])
            print(f"round {number + 1}: {case.device}, {case.frame_bytes} octets, {case.ports} "
                  f"ports: {carried} Mpps", file=sys.stderr)
    carried = {case: quartile(of_case, "trials", 3) for case, of_case in found.items()}
    waited = {case: [] for case in cases}
    for _ in range(rounds):
        for case, of_case in waited.items():
            mpps = slowest(case, carried)
            of_case.append(started(case, lambda device: latency_of(device, case, seconds, mpps)))
    for case, of_case in found.items():
        reference = waited.get(case._replace(device=devices.DEVICES[case.device].reference))
        yield row_of(case, of_case, carried) | latency.fields(
            slowest(case, carried), waited[case], reference) | {
            "rounds": rounds, "commit": os.environ.get("SLUICE_COMMIT", "unknown"),
            "machine": PROCESSOR}


def slowest(case: Case, carried: dict[Case, float]) -> float:
    """What each of those can carry that are asked for the same, over the same kind of ports."""
    def alike(one: Case) -> tuple:
        kind = devices.DEVICES[one.device]
        return kind.bench, one.frame_bytes, one.ports, one.addresses or kind.addresses
    return min(mpps for other, mpps in carried.items() if alike(other) == alike(case))


def quartile(found: list[dict], key: str, number: int) -> Optional[float]:
    """Of what every round has several of: the first or the third."""
    trials = [trial for one in found for trial in one[key]]
    if len(trials) < 2:
        return trials[0] if trials else None
    return statistics.quantiles(trials, n=4, method="inclusive")[number - 1]


def row_of(case: Case, found: list[dict], carried: dict[Case, float]) -> dict:
    kind = devices.DEVICES[case.device]
    addresses = case.addresses or kind.addresses
    trials = [mpps for one in found for mpps in one["trials"]]
    octets = int(case.frame_bytes) if case.frame_bytes.isdigit() else case.frame_bytes
    line = {"bench": kind.bench,
            "dut": case.device.removesuffix("_veth").removesuffix("_many_addresses"),
            "frame_bytes": octets}
    if case.ports > 2:
        line["ports"] = case.ports
    if addresses > 1:
        line["addresses"] = addresses
    line |= {"mpps": round(carried[case], 2), "mpps_least": round(min(trials), 2),
             "mpps_most": round(max(trials), 2)}
    reference = case._replace(device=kind.reference)
    learner = case._replace(device=kind.learner)
    if reference in carried and addresses == 1:  # which looks at none
        line["ratio"] = round(carried[case] / carried[reference], 3)
    if kind.bench == "memif" and learner in carried:
        line["ratio_ovs_normal"] = round(carried[case] / carried[learner], 3)
    line["refused"] = round(median(found, "refused"), 2)
    line["limit"] = "generator" if line["refused"] < IDLE_DEVICE else "device"
    if (cycles := quartile(found, "cycles", 1)) is not None:
        line["cycles_per_frame"] = round(cycles, 1)
        line["cycles_least"] = round(min(min(one["cycles"], default=cycles) for one in found), 1)
    line["lost_percent"] = round(median(found, "lost_percent"), 4)
    return line


def matrix(names: list[str]) -> list[Case]:
    plain = [name for name in names if devices.DEVICES[name].bench == "memif"
             and devices.DEVICES[name].addresses == 1]
    learn = [name for name in plain if devices.DEVICES[name].meshes]
    return ([Case(name, length) for length in LENGTHS for name in plain] +
            [Case(name, addresses=count) for count in MANY for name in learn] +
            [Case(name, ports=MESH) for name in learn])


def cases_of(options: argparse.Namespace) -> list[Case]:
    if options.matrix:
        return matrix(options.devices)
    return [Case(name, length, ports, addresses)
            for ports in options.ports for addresses in options.addresses
            for length in options.frame_bytes for name in options.devices
            if ports == 2 or devices.DEVICES[name].meshes]


def numbers(word: str) -> list[int]:
    return [int(one) for one in word.split(",")]


def main() -> None:
    end_in_order()
    words = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    words.add_argument("--json", action="store_true")
    words.add_argument("--rounds", type=int, default=3)
    words.add_argument("--seconds", type=float, default=1)
    words.add_argument("--frame-bytes", type=lambda word: word.split(","), default=["64"])
    words.add_argument("--ports", type=numbers, default=[2], help="2, 8 or both as 2,8")
    words.add_argument("--addresses", type=numbers, default=[None], help="behind each port")
    words.add_argument("--matrix", action="store_true", help="lengths, addresses and ports, each")
    words.add_argument("--vpp", type=pathlib.Path, metavar="BINARY", help="with vppctl beside it")
    words.add_argument("devices", nargs="*", metavar="DEVICE",
                       help=f"some of {', '.join(devices.DEVICES)}; all of them if none is named")
    options = words.parse_args()
    if options.vpp:
        if not (options.vpp.is_file() and options.vpp.with_name("vppctl").is_file()):
            words.error(f"--vpp: {options.vpp}: it or vppctl beside it is not there")
        vpp.Vpp.binary = options.vpp.resolve()
        devices.DEVICES.update(VPP)
    options.devices = options.devices or list(devices.DEVICES)
    if unknown := [name for name in options.devices if name not in devices.DEVICES]:
        words.error(f"{unknown[0]}: unknown; use some of {', '.join(devices.DEVICES)}")
    if len(os.sched_getaffinity(0)) < 2:
        raise SystemExit("peers.py: it takes two CPUs: one for the generator, one for the device")
    before = reserved_huge_pages()
    PAGES.write_text(str(max(before, WANTED_PAGES)))
    try:
        for line in results(cases_of(options), options.rounds, options.seconds):
            if options.json:
                print(json.dumps(line), flush=True)
            else:
                print(f"{line['bench']:<6}{line['dut']:<12}  octets {line['frame_bytes']!s:>4}  "
                      f"ports {line.get('ports', 2)}  addresses "
                      f"{line.get('addresses', 1):5}  mpps {line['mpps']:6.2f} "
                      f"({line['mpps_least']:.2f} to {line['mpps_most']:.2f})  ratio "
                      f"{line.get('ratio', '-'):5}  of ovs_normal "
                      f"{line.get('ratio_ovs_normal', '-'):5}  refused {line['refused']:.2f}  "
                      f"lost {line['lost_percent']:g} %  limit {line['limit']:<9}  "
                      f"cycles {line.get('cycles_per_frame', '-'):5}  "
                      + latency.text_of(line), flush=True)
    finally:
        PAGES.write_text(str(before))


if __name__ == "__main__":
    main()
