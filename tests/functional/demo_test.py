"""The demo: a switch and its traffic in one process, with no interface of the machine's."""

import json
import pathlib
import shutil

import pytest

from namespace import run
from switch import program

PROMISED = {"ports", "seconds", "offered", "delivered", "lost", "mpps", "pfc_sent", "pfc_received",
            "ledger_balanced", "latency_ns", "phases"}


@pytest.fixture(scope="module")
def shown() -> dict:
    done = run(program("sluice-demo"), "--json", "--seconds", "1", seconds=60)
    return json.loads(done.stdout.splitlines()[-1])


def test_it_keeps_its_promises(shown):
    assert PROMISED <= set(shown)
    assert {"p50", "p99", "p999"} <= set(shown["latency_ns"])
    for phase in shown["phases"]:
        assert {"name", "offered", "delivered", "lost", "mpps", "drops"} <= set(phase)


def test_nothing_is_lost_where_nothing_may_be(shown):
    assert shown["lost"] == 0 and shown["offered"] == shown["delivered"] > 0
    *lossless, lossy = shown["phases"]
    assert [phase["lost"] for phase in lossless] == [0] * len(lossless)
    assert [phase["drops"] for phase in lossless] == [{}] * len(lossless)
    assert shown["offered"] == sum(phase["offered"] for phase in lossless)
    assert any("many_to_one" in phase["name"] for phase in lossless)


def test_pauses_made_it_so(shown):
    assert shown["pfc_sent"] > 0 and shown["pfc_received"] > 0


def test_the_lossy_phase_drops_by_reason(shown):
    lossy = shown["phases"][-1]
    assert lossy["lost"] > 0
    assert lossy["drops"]["over_threshold"] == sum(lossy["drops"].values()) == lossy["lost"]


def test_every_frame_is_accounted_for(shown):
    assert shown["ledger_balanced"] is True
    for phase in shown["phases"]:
        assert phase["offered"] == phase["delivered"] + phase["lost"]


def test_latencies_are_in_order(shown):
    latency = shown["latency_ns"]
    assert 0 < latency["p50"] <= latency["p99"] <= latency["p999"] < 1e9


def test_it_shows_people_what_it_does():
    said = run(program("sluice-demo"), "--seconds", "1", seconds=60).stdout
    assert "over_threshold" in said and "it balances" in said


def test_words_that_it_does_not_know():
    done = run(program("sluice-demo"), "--nonsense", check=False)
    assert done.returncode == 2 and done.stderr != ""


@pytest.mark.parametrize("scenario, stations", [("a", 2), ("b", 4), ("c", 4)])
def test_a_scenario_loses_nothing_where_nothing_may_be(scenario, stations, monkeypatch):
    monkeypatch.chdir(pathlib.Path(__file__).resolve().parents[2])
    done = run(program("sluice-demo"), "--scenario", scenario, "--json", "--seconds", "0.5",
               seconds=60)
    shown = json.loads(done.stdout.splitlines()[-1])
    assert shown["ports"] == stations and shown["ledger_balanced"]
    assert shown["lost"] == 0 and shown["offered"] == shown["delivered"] > 0


def test_a_scenario_is_found_beside_an_installed_program(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bin").mkdir()
    installed = shutil.copy(program("sluice-demo"), tmp_path / "bin")
    project = pathlib.Path(__file__).resolve().parents[2]
    shutil.copytree(project / "config/examples", tmp_path / "share/doc/sluice/examples")
    done = run(installed, "--scenario", "b", "--json", "--seconds", "0.1", seconds=60)
    assert json.loads(done.stdout.splitlines()[-1])["ports"] == 4
