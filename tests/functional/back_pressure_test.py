"""PFC by back-pressure (`pfc: {by: nic}`): ports with a queue for each priority, both ways, and peers
that stop at a full one. Nothing lossless is lost, and no pause frame is sent by anybody."""

import json
import pathlib
import subprocess

import pytest

from lab import Lab
from switch import Switch, program
from waiting import until, until_equal

BY_NIC = {"lossless": [3], "pfc": {"by": "nic"}}


def rings(tmp_path: pathlib.Path, stations: int, pfc: str) -> dict:
    """What the demo's four traffics come to on a switch of so many rings."""
    file = tmp_path / "rings.yaml"
    ports = "\n".join(f"  - {{name: p{n}, device: \"ring:bp{n}/a,queues=8\"}}"
                      for n in range(stations))
    file.write_text(f"defaults: {{lossless: [3], pfc: {{{pfc}}}}}\n"
                    f"buffer: {{size: 32MiB}}\nfabric: {{slots: 64}}\nports:\n{ports}\n")
    done = subprocess.run(
        [program("sluice-demo"), "--config", str(file), "--json", "--quiet", "--seconds", "1"],
        cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr + done.stdout
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("senders", [3, 15])
def test_an_incast_over_rings_loses_nothing_and_sends_no_pause(tmp_path, senders):
    found = rings(tmp_path, senders + 1, "by: nic")
    assert found["pfc_sent"] == found["pfc_received"] == 0
    phases = {phase["name"]: phase for phase in found["phases"]}
    incast = phases["many_to_one_lossless"]
    assert incast["lost"] == 0 and incast["offered"] == incast["delivered"] > 1000
    assert sum(incast["drops"].values()) == 0
    assert phases["many_to_one_lossy"]["lost"] > 0, "what is lossy is dropped by the switch"
    assert found["ledger_balanced"]


def memif(lab: Lab, name: str, **about) -> dict:
    return {"name": name, "device": f"memif:{lab.folder / name}.sock,queues=8", **about}


def generate(lab: Lab, names: list[str], *words: str) -> dict:
    ports = [word for name in names
             for word in ("--port", f"memif:{lab.folder / name}.sock,client,queues=8")]
    done = lab.namespace.run(program("sluice-gen"), *ports, "--queue-a-priority", "--json",
                             "--quiet", *words, seconds=120)
    return json.loads(done.stdout)


def started(lab: Lab, ports: list[dict], names: list[str]) -> Switch:
    switch = lab.make_switch(ports, defaults=BY_NIC)
    switch.launch()
    until_equal(switch.links, dict.fromkeys(names, "down"), "it waits for the generator")
    return switch


def pauses(switch: Switch, names: list[str]) -> int:
    """XOFFs and XONs, either way."""
    return sum(switch.pfc(name, 3)[key] for name in names
               for key in ("rx_pause", "tx_pause", "tx_resume"))


@pytest.mark.parametrize("senders", [3, 15])
def test_an_incast_over_memif_loses_nothing_and_sends_no_pause(lab: Lab, senders):
    names = [f"m{n}" for n in range(senders + 1)]
    ports = [memif(lab, name, rx_descriptors=256, tx_descriptors=256) for name in names]
    ports[0]["rate"] = "200M"
    switch = started(lab, ports, names)
    found = generate(lab, names, "--pattern", "incast", "--priority", "3", "--pfc", "--count",
                     str(60_000 // senders))
    assert found["lost"] == found["reordered"] == found["duplicates"] == 0
    assert found["delivered"] == found["offered"] == 60_000 // senders * senders
    assert found["pfc_received"] == 0
    ledger = switch.settled()
    assert ledger["generated"] == 0 == pauses(switch, names)
    assert not {"over_threshold", "headroom_overrun"} & switch.drops().keys()
    rows = [switch.pfc(name, 3) for name in names[1:]]
    assert all(row["by"] == "nic" and row["queue_stops"] > 0 and row["pausing_ns"] > 0
               for row in rows), rows
    assert all(row["because_of"][0]["output"] == "m0" for row in rows)
    assert all(row["headroom_used_max"] <= row["headroom_bytes"] / 2 for row in rows)
    until(lambda: not any(switch.pfc(name, 3)["pausing"] for name in names), "none is stopped")


STREAMS = """streams:
  - {name: full1, from: 1, to: 0, rate: 100K, pcp: 3}
  - {name: full2, from: 2, to: 0, rate: 100K, pcp: 3}
  - {name: aside, from: 1, to: 2, rate: 2K, pcp: 0}
  - {name: ahead, from: 2, to: 1, rate: 2K, pcp: 5}
"""


def test_lossy_priorities_of_a_stopped_port_keep_their_rate(lab: Lab):
    names = ["m0", "m1", "m2"]
    ports = [memif(lab, name, rx_descriptors=256, tx_descriptors=256) for name in names]
    ports[0]["rate"] = "20M"
    switch = started(lab, ports, names)
    file = lab.folder / "streams.yaml"
    file.write_text(STREAMS)
    found = generate(lab, names, "--streams", str(file), "--pfc", "--seconds", "2")
    rows = {row["stream"]: row for row in found["flows"]}
    assert found["lost"] == 0
    for name in ("full1", "full2"):
        assert rows[name]["offered"] < 100_000, "of 200,000: they stop at a full queue"
    for name in ("aside", "ahead"):
        assert rows[name]["delivered"] == rows[name]["offered"] > 2_000, "of 4,000"
    assert pauses(switch, names) == 0
    assert all(switch.pfc(name, 3)["queue_stops"] > 0 for name in ("m1", "m2"))


def test_a_pair_of_switches_stops_from_end_to_end(lab: Lab):
    """Two senders at one switch, a slow output at another, and a trunk between these."""
    trunk = f"memif:{lab.folder / 'trunk'}.sock"
    first = lab.make_switch(
        [memif(lab, "a0"), memif(lab, "a1"), {"name": "trunk", "device": f"{trunk},queues=8"}],
        defaults=BY_NIC)
    second = lab.make_switch(
        [memif(lab, "b0", rate="50M"),
         {"name": "trunk", "device": f"{trunk},client,queues=8"}], defaults=BY_NIC)
    first.launch()
    until(lambda: len(first.links()) == 3, "the first waits")
    second.launch()
    until(lambda: first.links().get("trunk") == second.links().get("trunk") == "up",
          "the trunk is up")
    found = generate(lab, ["b0", "a0", "a1"], "--pattern", "incast", "--priority", "3", "--pfc",
                     "--count", "10000")
    assert found["lost"] == 0 and found["delivered"] == found["offered"] == 20_000
    assert pauses(first, ["a0", "a1", "trunk"]) + pauses(second, ["b0", "trunk"]) == 0
    held = first.pfc("trunk", 3)
    assert held["queue_refusals"] > 0 and held["paused_ns"] > 0, "the second stopped the first"
    assert second.pfc("trunk", 3)["queue_stops"] > 0


def test_what_it_is_is_reported(lab: Lab):
    switch = started(lab, [memif(lab, "m0"), memif(lab, "m1")], ["m0", "m1"])
    port = switch.port("m0")
    assert (port["pfc_rx"], port["pfc_tx"]) == ("hardware", "hardware")
    assert port["xoff_bound_ns"] == port["reaction_bound_ns"] == 0
    assert switch.pfc("m0", 3)["by"] == "nic" and switch.pfc("m0", 3)["unproven"] == []


def test_a_device_without_queues_for_priorities_is_refused(lab: Lab):
    for device, what in (("ring:x", "it does not have a queue for each priority; write `queues=8`"),
                         ("null:", "it has no queue for each priority with PFC of its own")):
        switch = lab.make_switch([{"name": "p0", "device": device}], defaults=BY_NIC)
        assert switch.launch().wait(20) == 2
        assert "ports[0].pfc.by" in switch.process.said() and what in switch.process.said()
