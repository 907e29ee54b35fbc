"""`sluice sim run FILE` that ends before its time: by a signal, or for want of memory."""

import csv
import io
import json
import signal

import pytest

from process import Process
from switch import program, sluice
from waiting import until

OVERLOAD = """\
run: {time: 3600s}
topology: {star: {hosts: 3}}
switch: {defaults: {lossless: [3]}}
flows: [{name: two, from: [h1, h2], to: h0, priority: 3}]
"""
# 100 km of fibre at 400G hold 300,000 of the shortest frames.
LONG = """\
run: {time: 1ms, memory: 16MiB}
cable: {speed: 400G, length: 100km}
topology: {star: {hosts: 2}}
flows: [{name: short, from: h0, to: h1, size: 64B}]
"""


@pytest.fixture
def written(tmp_path):
    def write(text: str) -> str:
        path = tmp_path / "scenario.yaml"
        path.write_text(text)
        return str(path)
    return write


def started(tmp_path, *words: str) -> Process:
    """A run that listens for signals."""
    running = Process([program("sluice"), "sim", "run", *words], tmp_path, "sim")

    def listens() -> bool:
        with open(f"/proc/{running.pid}/status", encoding="ascii") as status:
            [caught] = [line.split()[1] for line in status if line.startswith("SigCgt:")]
        return int(caught, 16) >> (signal.SIGTERM - 1) & 1 == 1

    until(listens, "it listens for SIGTERM")
    return running


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_run_with_what_it_has(written, tmp_path, number):
    running = started(tmp_path, written(OVERLOAD), "--json")
    running.signal(number)
    assert running.wait(60) == 1
    found = json.loads(running.output())
    assert found["stopped"].startswith("interrupted at ") and found["converged"] is None
    assert found["ledger_balanced"] is True
    [flow] = found["flows"]
    assert flow["sent"] == flow["received"] + flow["waiting"] and flow["converged"] is None
    assert f"scenario.yaml: {found['stopped']}" in running.errors()


def test_a_table_says_that_it_ended(written, tmp_path):
    running = started(tmp_path, written(OVERLOAD))
    running.signal(signal.SIGINT)
    assert running.wait(60) == 1
    last = running.output().splitlines()[-1]
    assert "; interrupted at " in last and last.endswith(", and the report ends there.")


def test_a_sweep_that_ends_has_the_rows_that_are_complete(written, tmp_path):
    running = started(tmp_path, written(OVERLOAD), "--sweep",
                      "run.time=1ms,2ms,3600s,3500s,3400s,3300s,3200s,3100s", "--csv")
    running.signal(signal.SIGTERM)
    assert running.wait(60) == 1
    rows = list(csv.DictReader(io.StringIO(running.output())))
    assert {row["run.time"] for row in rows} <= {"1ms", "2ms"}
    last = running.errors().splitlines()[-1]
    assert last == f"sluice: {8 - len(rows)} of 8 combinations are not complete and have no row"


def test_a_run_that_would_take_too_much_says_so_and_stops(written):
    done = sluice("sim", "run", written(LONG), "--json", check=False)
    assert done.returncode == 1 and "out of memory at " in done.stderr
    found = json.loads(done.stdout)
    assert found["stopped"].startswith("out of memory at ") and found["ledger_balanced"] is True
    assert found["flows"][0]["waiting"] > 1000


def test_a_combination_that_would_take_too_much_is_a_row_that_says_so(written):
    done = sluice("sim", "run", written(LONG), "--sweep", "run.memory=16MiB,256MiB", "--json", check=False)
    assert done.returncode == 1
    failed, other = json.loads(done.stdout)
    assert set(failed) == {"run.memory", "failed"} and failed["run.memory"] == "16MiB"
    assert failed["failed"].startswith("out of memory at ")
    assert other["run.memory"] == "256MiB" and "failed" not in other
    assert done.stderr == "sluice: 1 of 2 combinations failed, as their rows say\n"


def test_a_scenario_that_needs_too_much_is_refused_before_it_is_built(written):
    path = written(LONG.replace("memory: 16MiB", "memory: 1MiB"))
    done = sluice("sim", "run", path, check=False)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith(f"{path}:1:26: run.memory: of 1MiB is less than the ")
