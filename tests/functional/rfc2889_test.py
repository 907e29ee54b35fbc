"""RFC 2889 at small scale: what `tools/bench rfc2889` measures in full, here for what must hold."""

import json
import os
import subprocess

import pytest

from lab import Lab
from namespace import run
from switch import program
from waiting import until_equal

STATIONS = 4  # of the quick run
TESTS = {"fully_meshed": "5.1", "one_to_many": "5.2", "many_to_one": "5.2",
         "many_to_one_overloaded": "5.2", "many_to_one_lossless": "5.2",
         "multiple_devices": "5.3", "multiple_devices_local": "5.3",
         "multiple_devices_lossless": "5.3", "partially_meshed_unidirectional": "5.4",
         "congestion_control": "5.5", "congestion_control_lossless": "5.5",
         "maximum_forwarding_rate": "5.6", "address_caching_capacity": "5.7",
         "address_learning_rate": "5.8", "errored_frames": "5.9", "broadcast": "5.10"}
OVERLOADED = {"many_to_one_overloaded", "multiple_devices", "multiple_devices_local",
              "congestion_control", "maximum_forwarding_rate"}
# That the switch is to filter, and a ring can carry.
ERRORS = {"runt", "oversize", "truncated_tag", "truncated_ip", "group_source"}


def measure(*words: str, before: tuple[str, ...] = (),
            check: bool = True) -> tuple[list[dict], subprocess.CompletedProcess]:
    done = run(*before, program("rfc2889_bench"), "--quick", "--json", *words, seconds=120,
               check=check)
    return [json.loads(line) for line in done.stdout.splitlines()], done


def of(findings: list[dict], test: str) -> list[dict]:
    found = [finding for finding in findings if finding["test"] == test]
    assert found, f"nothing was found by {test}"
    return found


@pytest.fixture(scope="module")
def findings() -> list[dict]:
    return measure()[0]


def test_every_section_is_measured_and_all_that_must_hold_holds(findings):
    assert {finding["test"]: finding["section"] for finding in findings} == TESTS
    for finding in findings:
        assert finding["bench"] == "rfc2889" and finding["commit"] and finding["machine"]
        assert finding["ports"] == STATIONS
        assert finding["ok"] is True and "broken" not in finding, finding


@pytest.mark.parametrize("test", sorted(set(TESTS) - OVERLOADED - {"address_caching_capacity"}))
def test_nothing_is_lost_below_what_a_port_carries(findings, test):
    for finding in of(findings, test):
        assert finding["lost"] == 0 and finding["offered"] > 0
        if test != "errored_frames":
            assert finding["delivered"] == finding["offered"]


@pytest.mark.parametrize("test", ["fully_meshed", "one_to_many", "multiple_devices",
                                  "multiple_devices_local", "multiple_devices_lossless",
                                  "partially_meshed_unidirectional", "address_learning_rate",
                                  "broadcast"])
def test_no_known_address_is_flooded(findings, test):
    assert [finding["flooded"] for finding in of(findings, test)] == \
        [0] * len(of(findings, test))


@pytest.mark.parametrize("test", ["fully_meshed", "one_to_many", "partially_meshed_unidirectional",
                                  "broadcast"])
def test_a_mesh_has_a_rate_and_latencies(findings, test):
    for finding in of(findings, test):
        assert finding["mpps"] > 0
        assert 0 < finding["p50_ns"] <= finding["p99_ns"]


def test_only_a_trial_that_lost_is_taken_again(findings):
    for finding in of(findings, "many_to_one"):
        assert 1 <= finding["trials"] <= 20


def test_what_a_port_cannot_carry_is_dropped_by_name(findings):
    for finding in of(findings, "many_to_one_overloaded"):
        assert finding["lost"] == finding["over_threshold"] > 0
        assert finding["offered"] == finding["delivered"] + finding["lost"]


def test_on_a_lossless_priority_senders_are_paused_instead(findings):
    for test in "many_to_one_lossless", "congestion_control_lossless":
        for finding in of(findings, test):
            assert finding["pauses_sent"] > 0 and finding["lost"] == 0


def test_what_a_line_between_two_devices_cannot_carry_is_dropped_by_name(findings):
    for test in "multiple_devices", "multiple_devices_local":
        for finding in of(findings, test):
            assert finding["offered"] == finding["delivered"] + finding["lost"]
            assert finding["loss_percent"] == pytest.approx(
                100 * finding["lost"] / finding["offered"])


def test_the_most_that_comes_through_is_found_and_forward_pressure_is_not(findings):
    for finding in of(findings, "maximum_forwarding_rate"):
        loads = finding["loads"]
        assert len(loads) == 5
        assert all(0 < load["mpps"] <= load["offered_mpps"] for load in loads)
        assert finding["mpps"] == max(load["mpps"] for load in loads) > 0
        assert finding["most_offered_mpps"] == loads[-1]["offered_mpps"]
        assert finding["forward_pressure"].startswith("not measured")


def test_a_congested_port_holds_up_no_other(findings):
    for finding in of(findings, "congestion_control"):
        assert finding["lost_congested"] == finding["lost"] > 0
        assert finding["lost_uncongested"] == 0 and not finding["head_of_line_blocking"]
        assert not finding["backpressure"]
    for finding in of(findings, "congestion_control_lossless"):
        assert finding["backpressure"]


def test_as_many_addresses_are_cached_as_the_switch_was_set_to_hold(findings):
    capacity, = of(findings, "address_caching_capacity")
    assert capacity["capacity"] == capacity["configured"]
    learning, = of(findings, "address_learning_rate")
    assert learning["addresses"] == capacity["configured"] - STATIONS


def test_errored_frames_are_counted_by_name_and_get_nowhere(findings):
    errored, = of(findings, "errored_frames")
    assert set(errored["filtered"]) == ERRORS
    assert sum(errored["filtered"].values()) == errored["errored"] > 0
    assert errored["escaped"] == 0
    assert errored["delivered"] == errored["offered"] - errored["errored"]


def test_a_smaller_table_is_found_to_be_smaller_and_too_many_addresses_fail():
    findings, done = measure("--table", "256", "--addresses", "500", check=False)
    capacity, = of(findings, "address_caching_capacity")
    assert capacity["capacity"] == capacity["configured"] == 256 and capacity["ok"]
    learning, = of(findings, "address_learning_rate")
    assert learning["flooded"] == 500 - (256 - STATIONS)
    assert learning["ok"] is False and "flooded" in " ".join(learning["broken"])
    assert [finding["test"] for finding in findings if not finding["ok"]] == \
        ["address_learning_rate"]
    assert done.returncode == 1 and "must hold" in done.stderr


def test_switch_and_generator_may_share_a_cpu():
    cpu = str(min(os.sched_getaffinity(0)))
    findings, _ = measure(before=("taskset", "--cpu-list", cpu))
    assert {finding["test"] for finding in findings if finding["ok"]} == set(TESTS)


def test_two_devices_that_are_processes_are_tested_by_sluice_gen(lab: Lab):
    sockets = [str(lab.folder / f"{name}.sock") for name in "abcd"]
    line = lab.folder / "line.sock"
    for here, end in (sockets[:2], ""), (sockets[2:], ",client"):
        devices = [f"memif:{path}" for path in here] + [f"memif:{line}{end}"]
        switch = lab.make_switch([{"name": f"m{number}", "device": device}
                                  for number, device in enumerate(devices)],
                                 workers={"cores": [0]})
        switch.launch()
        switch.process.until_it_says("answers on")  # the second is a client of the first
    for switch in lab.switches:
        until_equal(switch.links, {"m0": "down", "m1": "down", "m2": "up"}, "the line is up")
    ports = [word for path in sockets for word in ("--port", f"memif:{path},client")]
    done = lab.namespace.run(program("sluice-gen"), *ports, "--pattern", "across", "--rate", "5K",
                             "--count", "500", "--json", "--quiet", seconds=60)
    found = json.loads(done.stdout)
    assert {(flow["sender"], flow["receiver"]) for flow in found["flows"]} == {
        (here, there) for here in range(4) for there in range(4) if here // 2 != there // 2}
    assert found["delivered"] == found["offered"] == 4 * 500 and found["strays"] == 0
    for switch in lab.switches:
        assert switch.port("m2")["rx_frames"] >= 1000, "all of it came by the line"


def test_words_that_it_does_not_know():
    done = run(program("rfc2889_bench"), "--nonsense", check=False)
    assert done.returncode == 2 and "--nonsense" in done.stderr
