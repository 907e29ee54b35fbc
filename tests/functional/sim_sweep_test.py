"""`sluice sim run FILE --set`, `--sweep` and `--series`: what is asked beside what a file says."""

import csv
import io
import json
import os
import pathlib
import pty
import subprocess

import pytest

from switch import program, sluice

EXAMPLES = pathlib.Path(__file__).parents[2] / "tools/sim/examples"

TWO = """\
topology: {star: {hosts: 3}}
flows:
  - {name: half, from: h1, to: h0, size: 1000B, rate: 5G}
  - {name: other, from: h2, to: h0, size: 1000B, rate: 1G}
"""


@pytest.fixture
def two(tmp_path) -> str:
    path = tmp_path / "two.yaml"
    path.write_text(TWO)
    return str(path)


def simulated(*words: str):
    return json.loads(sluice("sim", "run", *words, "--json").stdout)


# --- one value ------------------------------------------------------------------------------------

def test_what_is_set_goes_before_what_the_file_says(two):
    found = simulated(two, "--set", "flows[0].rate=2500M", "--set", "flows.other.rate=500M")
    assert [flow["sent"] for flow in found["flows"]] == [307, 62]
    assert simulated(two, "--set", "run.time=2ms") == simulated(two, "--time", "2ms")


def test_what_is_set_may_be_what_the_file_lacks(two):
    far = simulated(two, "--set", "cable.length=1km")["flows"][1]
    near = simulated(two)["flows"][1]
    assert far["mean_delay_ns"] - near["mean_delay_ns"] == pytest.approx(2 * 995 / 0.198, rel=0.01)


@pytest.mark.parametrize("change, complaint", [
    ("flows[0].rate=fast", 'flows[0].rate=fast: flows[0].rate: "fast" is not a rate; write a rate'),
    ("flows.third.rate=1G", "flows.third.rate=1G: flows.third: is not there; those of flows are "
                            "half, other"),
    ("flows[2].rate=1G", "flows[2].rate=1G: flows[2]: is not there; flows has 2 item(s), from [0]"),
    ("run.tim=1ms", "run.tim=1ms: run.tim: is not a known key; did you mean time"),
    ("switch.defaults.pfc.xof=1KiB", "switch.defaults.pfc.xof=1KiB: switch.defaults.pfc.xof: is "
                                     "not a known key; did you mean xoff"),
    ("a..b=1", "a..b=1: a..b: is no path; write keys such as flows[0].rate")])
def test_what_is_wrong_with_a_change_is_reported_with_it(two, change, complaint):
    done = sluice("sim", "run", two, "--set", change, check=False)
    assert done.returncode == 2 and done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith(complaint), line


def test_what_a_change_makes_wrong_elsewhere_is_reported_there(two):
    done = sluice("sim", "run", two, "--set", "topology.star.hosts=2", check=False)
    assert done.returncode == 2
    [line] = done.stderr.splitlines()
    assert line.startswith(f'{two}:4:25: flows[1].from: no host is called "h2"')


# --- all combinations -----------------------------------------------------------------------------

def test_a_sweep_is_a_row_a_combination_and_flow(two):
    rows = simulated(two, "--sweep", "flows[0].rate=1G,5G", "--sweep", "cable.length=5m,1km")
    assert [(row["flows[0].rate"], row["cable.length"], row["flow"]) for row in rows] == [
        (rate, length, flow) for rate in ("1G", "5G") for length in ("5m", "1km")
        for flow in ("half", "other")]
    alone = simulated(two, "--set", "flows[0].rate=5G", "--set", "cable.length=1km")
    last = {key: rows[-1][key] for key in alone["flows"][1]}
    assert last == alone["flows"][1]


def test_a_sweep_is_the_same_on_one_core():
    words = (str(EXAMPLES / "incast.yaml"), "--time", "500us",
             "--sweep", "run.seed=1,2,3", "--sweep", "switch.defaults.pfc.xoff=64KiB,128KiB")
    on_all = sluice("sim", "run", *words, "--csv").stdout
    core = min(os.sched_getaffinity(0))
    on_one = subprocess.run(["taskset", "-c", str(core), program("sluice"), "sim", "run", *words, "--csv"],
                            capture_output=True, text=True, check=True, timeout=120).stdout
    assert on_one == on_all


def test_a_sweep_is_a_table_and_a_spreadsheet(two):
    words = (two, "--sweep", "switch.defaults.lossless=[],[3, 4]")
    said = sluice("sim", "run", *words).stdout
    assert said.split()[0] == "switch.defaults.lossless" and "[3, 4]" in said
    rows = list(csv.DictReader(io.StringIO(sluice("sim", "run", *words, "--csv").stdout)))
    assert [row["flow"] for row in rows] == ["half", "other"] * 2
    assert float(rows[0]["throughput_bps"]) > 4e9


def test_values_may_be_counted(two):
    rows = simulated(two, "--sweep", "run.seed=1..3,9")
    assert [row["run.seed"] for row in rows] == [
        seed for seed in ("1", "2", "3", "9") for _ in ("half", "other")]


def test_a_wrong_value_of_a_sweep_is_reported_before_anything_runs(two):
    done = sluice("sim", "run", two, "--sweep", "run.time=1ms,3600s,soon", check=False)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith('run.time=soon: run.time: "soon" is not a time;')


@pytest.mark.parametrize("words, complaint", [
    (("--set", "run.time"), "--set: \"run.time\" is no KEY=VALUE; write one such as"),
    (("--sweep", "run.time=1ms,"), "--sweep: \"run.time=1ms,\" lacks a value;"),
    (("--series",), "--series: is for programs; --json, --csv, or --html FILE"),
    (("--series", "--json", "--sweep", "run.seed=1,2"), "excludes"),
    (("--sweep", "run.seed=1..100001"), "more than 100000 combinations"),
    (("--sweep", "run.seed=1..18446744073709551615"), "more than 100000 combinations"),
    (("--sweep", "cable.length=5m", "--sweep", "cable.length=1km"),
     "--sweep: has cable.length twice; write it once"),
    (("--time", "1ms", "--sweep", "run.time=1ms,2ms"), "--sweep: has run.time twice"),
    (("--sweep", "run.seed=1,2", "--set", "run.seed=3"), "--sweep: has run.seed twice"),
])
def test_words_that_do_not_fit_are_reported_in_a_line(two, words, complaint):
    done = sluice("sim", "run", two, *words, check=False)
    assert done.returncode == 2 and done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith("sluice: ") and complaint in line, line


def test_changes_are_of_a_file():
    done = sluice("sim", "fabric", "oq", "--set", "run.time=1ms", check=False)
    assert done.returncode == 2 and "no such option" in done.stderr


# --- over time ------------------------------------------------------------------------------------

def test_series_are_beside_the_rest_and_change_nothing_of_it(two):
    found = simulated(two, "--series")
    series = found.pop("series")
    assert found == simulated(two)
    assert series["at_ns"] == [5000 * n for n in range(1, 201)]
    assert [port["peer"] for port in series["ports"]] == ["h0", "h1", "h2"]
    throughput = series["flows"][0]["throughput_bps"]
    assert sum(throughput) / 200 == pytest.approx(found["flows"][0]["throughput_bps"])
    delays = series["flows"][1]["delays"]
    assert delays[-1] == [int(found["flows"][1]["max_delay_ns"]), 1]


def test_series_of_pauses_are_of_the_priority_that_paused():
    found = simulated(str(EXAMPLES / "incast.yaml"), "--series")
    for port, counted in zip(found["series"]["ports"], found["ports"]):
        shares = port["pausing"].get("3", [])
        assert set(port["pausing"]) <= {"3"} and port["paused"] == {}
        assert sum(shares) * 25000 <= counted["pausing_ns"] + 1


def test_series_as_a_spreadsheet_are_a_row_a_figure(two):
    rows = list(csv.DictReader(io.StringIO(
        sluice("sim", "run", two, "--set", "run.sample=100us", "--series", "--csv").stdout)))
    assert {row["measure"] for row in rows} == {"queued_bytes", "occupancy_bytes", "throughput_bps"}
    of_half = [row for row in rows if row["name"] == "half"]
    assert [row["at_ns"] for row in of_half] == [str(100_000 * n) for n in range(1, 11)]
    assert [row["peer"] for row in rows if row["name"] == "s0.p1"][0] == "h1"


def test_several_algorithms_are_a_row_each_with_their_own_columns():
    words = ("sim", "fabric", "islip,sw_qps", "--load", "0.3,0.6", "--slots", "5000")
    rows = json.loads(sluice(*words, "--json").stdout)
    assert [(row["fabric"], row["load"]) for row in rows] == [
        ("islip", 0.3), ("islip", 0.6), ("sw_qps", 0.3), ("sw_qps", 0.6)]
    [found] = [row for row in rows if (row["fabric"], row["load"]) == ("islip", 0.6)]
    assert found == json.loads(sluice("sim", "fabric", "islip", "--load", "0.6", "--slots", "5000",
                                     "--json").stdout)
    table = csv.DictReader(io.StringIO(sluice(*words, "--csv").stdout))
    assert [row["window"] for row in table] == ["", "", "16", "16"]
    said = sluice(*words).stdout.splitlines()
    assert said[2].split()[0] == "algorithm" and said[-1].split()[0] == "sw_qps"


# --- how far it is --------------------------------------------------------------------------------

def on_a_terminal(*words: str) -> tuple[str, str]:
    """What a run says on standard output, and on a terminal that is its standard error."""
    ours, its = pty.openpty()
    with subprocess.Popen([program("sluice"), "sim", "run", *words], stdout=subprocess.PIPE, stderr=its,
                          text=True) as running:
        os.close(its)
        seen = b""
        while True:
            try:
                more = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not more:
                break
            seen += more
        out = running.stdout.read()
    os.close(ours)
    return out, seen.decode()


def test_a_long_run_says_on_a_terminal_how_far_it_is(two):
    words = (two, "--time", "6s", "--json")
    out, seen = on_a_terminal(*words)
    assert " %, " in seen and " of 6s, " in seen and " events/s, " in seen and " left" in seen
    assert seen.endswith("\r\x1b[K"), "the line is wiped"
    assert json.loads(out)["time_ns"] == 6_000_000_000
    quiet = sluice("sim", "run", *words)
    assert quiet.stdout == out and quiet.stderr == ""


def test_a_long_sweep_says_how_many_are_done(two):
    _, seen = on_a_terminal(two, "--sweep", "run.seed=1,2,3,4", "--time", "4s")
    assert " of 4 done, running at " in seen


def test_a_long_sweep_in_a_folder_says_so_too_and_what_time_is_left(two, tmp_path):
    _, seen = on_a_terminal(two, "--sweep", "run.seed=1,2,3,4,5,6", "--time", "2s", "--folder",
                            str(tmp_path / "sweep"))
    assert " of 6 done" in seen and " left" in seen


def test_a_short_run_says_nothing(two):
    assert on_a_terminal(two)[1] == ""
