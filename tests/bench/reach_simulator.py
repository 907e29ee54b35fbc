"""How far the simulator goes: networks of so many switches, transfers, and sweeps of so many runs, on
one core.

Networks are leaf and spine at 100G, hosts all to all at half of that by Poisson. `mpps`: frames a second,
counted at every switch that they pass, by the processor's time of a run less that of one that ends at
once, which is `first_seconds`; `resident_mib`: the most that it held. Medians of three. Transfers are of
one frame each between 32 hosts. A sweep is of runs of some milliseconds, in one process, or by way of a
folder, where each is a process and a file."""

import json
import os
import pathlib
import statistics
import subprocess
import time
from typing import Callable, Iterator

ROUNDS = 3
# Spines, leaves, hosts of a leaf, and for how long.
NETWORKS = ((2, 2, 4, "20ms"), (4, 4, 8, "4ms"), (8, 8, 16, "500us"), (16, 16, 16, "200us"),
            (32, 32, 32, "40us"))
TRANSFERS = "2ms"
SWEEPS = {"sweep": (400, ()), "sweep by folder": (100, ("--folder", "runs", "--at-once", "1"))}

FABRIC = """\
run: {{time: {time}}}
cable: {{speed: 100G}}
topology: {{leaf_spine: {{spines: {spines}, leaves: {leaves}, hosts: {hosts}}}}}
flows: [{{from: all, to: all, size: 1522B, rate: 50G, pattern: poisson}}]
"""
MESSAGES = """\
run: {{time: {time}}}
cable: {{speed: 100G}}
topology: {{star: {{hosts: 32}}}}
flows: [{{from: all, to: all, pattern: transfers, bytes: 1000B, size: 1522B, rate: 50G}}]
"""
SHORT = """\
topology: {star: {hosts: 4}}
switch: {defaults: {lossless: [3]}}
flows:
  - {name: some, from: [h1, h2], to: h0, priority: 3, rate: 4G, pattern: poisson}
  - {name: other, from: h3, to: h0, rate: 1G, pattern: poisson}
"""


class Run:
    """Of `sluice sim`, on one core."""

    def __init__(self, folder: pathlib.Path, text: str, *words: str):
        from switch import program  # noqa: E402  (it wants SLUICE_BUILD)
        file = folder / "scenario.yaml"
        file.write_text(text)
        core = min(os.sched_getaffinity(0))
        self.resident_mib = 0.0
        said = folder / "said.json"
        start = time.monotonic()
        with said.open("wb") as output:
            process = subprocess.Popen([program("sluice"), "sim", "run", str(file), "--json", *words],
                                       cwd=folder, stdout=output, stderr=subprocess.DEVNULL,
                                       preexec_fn=lambda: os.sched_setaffinity(0, {core}))
        ended = 0
        while ended == 0:
            self._look(process.pid)
            time.sleep(0.005)
            ended, status, used = os.wait4(process.pid, os.WNOHANG)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0, f"sluice sim exits {process.returncode}"
        self.wall = time.monotonic() - start
        self.seconds = used.ru_utime + used.ru_stime
        self.said = json.loads(said.read_text())

    def _look(self, pid: int) -> None:
        """What it held at most; when it ends the kernel counts this process's memory as well, which
        was its own before it was another program."""
        status = pathlib.Path("/proc", str(pid), "status").read_text()
        kib = [int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")]
        self.resident_mib = max([self.resident_mib, *(each / 1024 for each in kib)])


def _network(folder: pathlib.Path, spines: int, leaves: int, hosts: int, time_: str) -> Run:
    return Run(folder, FABRIC.format(spines=spines, leaves=leaves, hosts=hosts, time=time_))


def network(folder: pathlib.Path, spines: int, leaves: int, hosts: int, lasts: str) -> dict:
    at_once = [_network(folder, spines, leaves, hosts, "1ns") for _ in range(ROUNDS)]
    first = statistics.median(run.seconds for run in at_once)
    whole = [_network(folder, spines, leaves, hosts, lasts) for _ in range(ROUNDS)]
    frames = sum(row["received"] for row in whole[0].said["switches"])
    seconds = statistics.median(run.seconds for run in whole) - first
    return {"hosts": leaves * hosts, "leaf_ports": spines + hosts, "spine_ports": leaves,
            "mpps": round(frames / seconds / 1e6, 2), "first_seconds": round(first, 2),
            "resident_mib": round(max(run.resident_mib for run in whole))}


def transfers(folder: pathlib.Path) -> tuple[int, dict]:
    runs = [Run(folder, MESSAGES.format(time=TRANSFERS)) for _ in range(ROUNDS)]
    [flow] = runs[0].said["flows"]
    seconds = statistics.median(run.seconds for run in runs)
    return flow["transfers"], {"a_second": round(flow["transfers"] / seconds)}


def results(bench_folder: Callable[[], pathlib.Path]) -> Iterator[tuple[str, int, dict]]:
    for spines, leaves, hosts, lasts in NETWORKS:
        yield "simulated", spines + leaves, network(bench_folder(), spines, leaves, hosts, lasts)
    yield "transfers", *transfers(bench_folder())
    for what, (count, words) in SWEEPS.items():
        run = Run(bench_folder(), SHORT, "--sweep", f"run.seed=1..{count}", *words)
        yield what, count, {"a_second": round(count / run.wall)}
