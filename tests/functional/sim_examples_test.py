"""Every example of `sluice sim` in full, and what each is to show."""

import json
import pathlib
from typing import NamedTuple

import pytest

from switch import sluice

EXAMPLES = pathlib.Path(__file__).parents[2] / "tools/sim/examples"


class Expected(NamedTuple):
    """Which flows of an example lose frames, and of which it cannot carry what they offer."""
    loses: set[str] = set()
    overloaded: set[str] = set()
    stands_still: bool = False


EXPECTED = {
    "all-reduce": Expected(),
    "credits": Expected(overloaded={"incast"}),
    "csig": Expected(overloaded={"bulk"}),
    "cut-through": Expected(),
    "dcqcn": Expected(overloaded={"h1", "h2", "h3", "h4"}),
    "ecn-before-pfc": Expected(),
    "go-back-n": Expected(loses={"write"}),
    "incast": Expected(overloaded={"incast"}),
    "leaf-spine": Expected(),
    "recovery": Expected(),
    "recovery-mix": Expected(),
    "ring-deadlock": Expected(loses={"h0", "h1", "h2"}, overloaded={"h0", "h1", "h2"}),
    "slow-or-stormed": Expected(loses={"stuck"}),
    "slowdown": Expected(),
    "slow-receiver": Expected(overloaded={"requests"}),
    "trimming": Expected(loses={"write"}),
    "wan-relay": Expected(overloaded={"flow0"}),
}


def test_every_example_is_expected():
    assert {path.stem for path in EXAMPLES.glob("*.yaml")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_an_example_shows_what_it_is_to_show(name):
    expected = EXPECTED[name]
    found = json.loads(sluice("sim", "run", str(EXAMPLES / f"{name}.yaml"), "--json").stdout)
    assert found["ledger_balanced"] is True and found["stopped"] is None
    assert found["stands_still"] is expected.stands_still
    assert found["converged"] is (not expected.overloaded)
    for flow in found["flows"]:
        assert flow["received"] > 0
        assert flow["sent"] == (flow["received"] + flow["lost"] + flow["waiting"] +
                                flow.get("refused", 0) + flow.get("trimmed", 0))
    assert {flow["flow"] for flow in found["flows"] if flow["lost"] > 0} == expected.loses
    assert {flow["flow"] for flow in found["flows"]
            if not flow["converged"]} == expected.overloaded


def test_pulls_end_an_incast_sooner_than_what_else_a_lossy_switch_has():
    rows = json.loads(sluice("sim", "run", str(EXAMPLES / "recovery.yaml"), "--json", "--sweep",
                             "variant=pfc,timers,dctcp,trimmed,pulls").stdout)
    took = {row["variant"]: row["mean_round_ns"] / 680_781 for row in rows}
    assert took["pfc"] < 1.01 and took["pulls"] < 1.02
    assert 1.05 < took["trimmed"] < took["dctcp"] < 2 < took["timers"]
    again = {row["variant"]: row["retransmitted"] for row in rows}
    assert again["pfc"] == 0 and 0 < 5 * again["pulls"] < again["trimmed"]


def test_the_watchdog_takes_no_slow_peer_for_a_storm():
    found = json.loads(sluice("sim", "run", str(EXAMPLES / "slow-or-stormed.yaml"), "--json").stdout)
    drops = {port["peer"]: set(port["drops"]) for port in found["ports"]}
    assert drops["stuck"] | drops["b"] == {"pfc_storm"}
    assert not drops["slow"] and not drops["a"]
    paused = {port["peer"]: port["paused_ns"] for port in found["ports"]}
    assert paused["slow"] > 100_000_000, "it did pause for longer than the detection time in all"


def test_transfers_are_reported_by_size():
    [flow] = json.loads(sluice("sim", "run", str(EXAMPLES / "slowdown.yaml"), "--json").stdout)["flows"]
    parts = flow["slowdown_parts"]
    assert len(parts) == 20 and sum(part["transfers"] for part in parts) == flow["transfers"] > 200
    assert flow["unfinished"] == 0 and flow["lost"] == 0
    sizes = [part["longest_bytes"] for part in parts]
    assert sizes == sorted(sizes) and sizes[0] < 400 and sizes[-1] > 1_000_000
    assert all(1 <= part["p50"] <= part["p95"] <= part["p99"] for part in parts)
    assert parts[0]["p95"] < 2, "HPCC leaves the queues all but empty"
    table = said_of("slowdown")
    head = table.index(["transfers", "of", "up", "to", "transfers", "slowdown", "p50", "p95", "p99"])
    assert [line[0] for line in table[head + 1:head + 22]] == ["hadoop"] * 21
    rows = sluice("sim", "run", str(EXAMPLES / "slowdown.yaml"), "--csv").stdout.splitlines()
    assert rows[0].endswith(",transfers,unfinished,slowdown_p50,slowdown_p95,slowdown_p99")


def test_go_back_n_sends_again_what_a_small_buffer_drops_and_nothing_under_pfc():
    example = str(EXAMPLES / "go-back-n.yaml")
    [lossy] = json.loads(sluice("sim", "run", example, "--json").stdout)["flows"]
    assert lossy["rounds"] == 1 and lossy["received"] == 8 * 196
    assert lossy["retransmitted"] > lossy["received"] / 2
    assert lossy["goodput_bps"] < lossy["throughput_bps"] and lossy["waiting"] == 0
    table = said_of("go-back-n")
    head = table.index(["sends", "again", "sent", "again", "refused", "trimmed", "goodput"])
    assert table[head + 1][0] == "write"
    [held] = json.loads(sluice("sim", "run", example, "--set", "switch.defaults.lossless=[3]",
                               "--json").stdout)["flows"]
    assert held["rounds"] == 1 and held["lost"] == held["retransmitted"] == 0
    assert held["mean_round_ns"] < lossy["mean_round_ns"]


def test_what_is_trimmed_is_asked_for_at_once_and_what_is_dropped_waits_for_a_timer():
    example = str(EXAMPLES / "trimming.yaml")
    [trimmed] = json.loads(sluice("sim", "run", example, "--json").stdout)["flows"]
    [dropped] = json.loads(sluice("sim", "run", example, "--set", "switch.defaults.trim.dscp={}",
                                  "--json").stdout)["flows"]
    for flow in (trimmed, dropped):
        assert flow["rounds"] == 1 and flow["waiting"] == 0 and flow["retransmitted"] > 0
    assert trimmed["trimmed"] > 0 == dropped["trimmed"] < dropped["lost"]
    assert trimmed["mean_round_ns"] < dropped["mean_round_ns"] / 1.5


def said_of(name: str) -> list[list[str]]:
    said = sluice("sim", "run", str(EXAMPLES / f"{name}.yaml")).stdout
    return [line.split() for line in said.splitlines()]


def test_a_table_has_rounds_and_notices_of_those_that_have_them():
    of_rounds = said_of("all-reduce")
    head = of_rounds.index(["flow", "rounds", "mean", "round", "longest"])
    assert [line[:2] for line in of_rounds[head + 1:head + 3]] == [["reduce", "10"],
                                                                   ["answers", "10"]]
    of_notices = said_of("dcqcn")
    head = of_notices.index(["flow", "notified"])
    assert all(int(count) > 0 for _, count in of_notices[head + 1:head + 5])
    assert not any("rounds" in line or "notified" in line for line in said_of("incast"))


def test_the_last_sentence_names_what_is_not_carried():
    assert " ".join(said_of("incast")[-1]).endswith("; offered more than is carried: incast.")
    assert "offered" not in said_of("leaf-spine")[-1]


# --- with and without bypass ----------------------------------------------------------------------

@pytest.fixture(name="mixed")
def mixed_fixture(tmp_path):
    """Three priorities at 92 % of eight ports."""
    path = tmp_path / "mixed.yaml"
    path.write_text("""
run: {time: 2ms, warmup: 200us}
cable: {speed: 100G}
topology: {star: {hosts: 8}}
flows:
  - {name: low, from: all, to: all, size: 64B, size_to: 1522B, rate: 30G, pattern: poisson, priority: 1}
  - {name: mid, from: all, to: all, size: 1522B, rate: 30G, pattern: poisson, priority: 3}
  - {name: high, from: all, to: all, size: 64B, size_to: 1522B, rate: 32G, pattern: poisson, priority: 5}
""", encoding="utf-8")
    return path


# A window that goes by bands of delay takes another course once one frame comes some ns later, so
# that of csig says nothing about the schedule.
@pytest.mark.parametrize("name", [*(name for name in EXPECTED if name != "csig"), "mixed"])
def test_a_frame_that_does_not_wait_makes_no_schedule_worse(name, mixed):
    """By the same frames: nothing is carried less, lost more, or later by more than chance makes it."""
    scenario = mixed if name == "mixed" else EXAMPLES / f"{name}.yaml"
    flows = [json.loads(sluice("sim", "run", str(scenario), "--json", "--set",
                               f"switch.fabric.bypass={bypass}", check=False).stdout)["flows"]
             for bypass in ("true", "false")]
    for with_it, without in zip(*flows, strict=True):
        assert with_it["received"] >= 0.998 * without["received"], (with_it, without)
        assert with_it["lost"] <= without["lost"] + 0.002 * without["sent"], (with_it, without)
        for times in (("mean_wait_ns", "mean_delay_ns"), ("p99_delay_ns",)):
            taken, before = (sum(flow[key] for key in times) for flow in (with_it, without))
            assert taken <= 1.02 * before, (times, with_it, without)
