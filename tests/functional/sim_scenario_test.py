"""`sluice sim run FILE`: a network of switches in virtual time, reported as a table, JSON or CSV."""

import csv
import io
import json
import pathlib
import subprocess
import sys

import pytest

from switch import program, sluice

HUGE_PAGES = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled")
EXAMPLES = pathlib.Path(__file__).parents[2] / "tools/sim/examples"

HALF = """\
topology: {star: {hosts: 2}}
flows: [{name: half, from: h0, to: h1, size: 1000B, rate: 5G}]
"""


def simulated(path, *words: str):
    return json.loads(sluice("sim", "run", str(path), *words, "--json").stdout)


@pytest.fixture
def half(tmp_path):
    path = tmp_path / "half.yaml"
    path.write_text(HALF)
    return path


def test_a_frame_takes_two_wires_and_two_cables(half):
    found = simulated(half)
    [flow] = found["flows"]
    assert (flow["flow"], flow["sent"], flow["received"], flow["lost"]) == ("half", 613, 613, 0)
    assert flow["mean_delay_ns"] == pytest.approx(2 * (806.4 + 25.252))
    assert found["ledger_balanced"] is True and found["stands_still"] is False
    [switch] = found["switches"]
    assert switch["received"] == switch["sent"] == 613


def test_incast_loses_nothing():
    found = simulated(EXAMPLES / "incast.yaml")
    assert all(flow["lost"] == 0 for flow in found["flows"])
    assert all(port["tx_pause"] > 0 for port in found["ports"][1:])
    assert all(port["headroom_used_max"] <= port["headroom_bytes"] for port in found["ports"])


def test_a_ring_stands_still_under_alert_and_goes_on_under_drop(tmp_path):
    example = EXAMPLES / "ring-deadlock.yaml"
    assert all(flow["lost"] > 0 for flow in simulated(example)["flows"])
    alert = tmp_path / "alert.yaml"
    alert.write_text(example.read_text().replace("action: drop", "action: alert"))
    found = simulated(alert)
    assert found["stands_still"] is True
    assert all(flow["waiting"] > 0 and flow["lost"] == 0 for flow in found["flows"])
    assert "none moves any more" in sluice("sim", "run", str(alert)).stdout


def test_the_same_seed_prints_the_same_octets_and_another_others():
    path = str(EXAMPLES / "leaf-spine.yaml")
    said = sluice("sim", "run", path, "--seed", "3").stdout
    assert sluice("sim", "run", path, "--seed", "3").stdout == said
    assert sluice("sim", "run", path, "--seed", "4").stdout != said


def test_the_time_on_the_command_line_goes_before_that_of_the_file(half):
    assert simulated(half, "--time", "2ms")["flows"][0]["sent"] == 1226


def test_the_table_and_the_spreadsheet_have_the_same_flows(half):
    [row] = csv.DictReader(io.StringIO(sluice("sim", "run", str(half), "--csv").stdout))
    assert (row["flow"], row["received"]) == ("half", "613")
    said = sluice("sim", "run", str(half)).stdout
    assert "1.663 us" in said and "Every switch's ledger balances" in said


def test_every_fault_of_a_file_is_a_line_with_its_place(tmp_path):
    path = tmp_path / "wrong.yaml"
    path.write_text("topology: {star: {hosts: 2}}\n"
                    "run: {tim: 1ms}\n"
                    "flows: [{from: h0, to: h7}]\n")
    done = sluice("sim", "run", str(path), check=False)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.splitlines() == [
        f"{path}:2:7: run.tim: is not a known key; did you mean time",
        f'{path}:3:24: flows[0].to: no host is called "h7"; write all, or names such as h0']


@pytest.mark.parametrize("words, complaint", [
    (("--time", "5"), "--time: \"5\" is not a time"),
    (("--json", "--csv"), "excludes"),
    (("--ports", "4"), "--ports: no such option")])
def test_words_that_do_not_fit_are_reported_in_a_line(half, words, complaint):
    done = sluice("sim", "run", str(half), *words, check=False)
    assert done.returncode == 2 and done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith("sluice: ") and complaint in line, line


def test_a_file_that_is_not_there_is_reported(tmp_path):
    done = sluice("sim", "run", str(tmp_path / "none.yaml"), check=False)
    assert done.returncode == 2 and "cannot be read" in done.stderr


def test_a_warmup_that_leaves_nothing_is_reported(half):
    half.write_text(HALF + "run: {time: 1ms, warmup: 500us}\n")
    done = sluice("sim", "run", str(half), "--time", "400us", check=False)
    assert done.returncode == 2 and "leaves nothing to measure" in done.stderr


# --- memory ---------------------------------------------------------------------------------------

def memory_of(path, *words: str) -> float:
    """The most that a run took, in MiB."""
    # By a small program, since the kernel counts in what the one that starts it held.
    started = subprocess.run([sys.executable, "-S", "-c", """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
""", program("sluice"), "sim", "run", str(path), "--csv", *words], capture_output=True, text=True, check=True)
    return int(started.stdout) / 1024


@pytest.mark.skipif(HUGE_PAGES.exists() and "[always]" in HUGE_PAGES.read_text(), reason="every page is huge, and taken whole")
def test_memory_is_that_of_switches_that_frames_come_to(tmp_path):
    """64 switches of 64 ports and 1024 hosts, of which most are idle."""
    path = tmp_path / "large.yaml"
    path.write_text("""
run: {time: 100us}
cable: {speed: 100G}
topology: {leaf_spine: {leaves: 32, spines: 32, hosts: 32}}
flows: [{from: h0, to: h1, rate: 10G}]
""")
    idle = memory_of(path)
    assert idle < 90, "one leaf has traffic"
    busy = memory_of(path, "--set", "flows=[{from: [h0, h32, h64, h96, h128, h160, h192, h224], "
                     "to: h1023, rate: 1G}]")
    assert 5 < busy - idle < 80, "eight leaves, a spine and another leaf have"
