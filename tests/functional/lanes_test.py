"""Ports in shared memory, and a kernel interface, that two workers receive from, each from a queue
of its own: nothing is lost, no flow leaves its order, and levels are the port's."""

import json
import struct
from typing import Any

import pytest
from scapy.layers.inet import IP
from scapy.layers.l2 import Ether
from scapy.packet import Raw

from frames import LLDP, frame
from lab import Lab
from switch import USUAL_BUFFER, Switch, program
from waiting import until, until_equal

TWO = {"count": 2, "idle": "yield"}
# 12288 of the generator's shortest frames. It has a core with one of the workers, which cannot send
# XOFF while it sends; so senders have a RATE at which that takes them 60 ms.
LOSSLESS = {"lossless": [3], "pfc": {"xoff": "128KiB", "headroom": "3MiB"}}
RATE = "200K"


def memif(lab: Lab, name: str, **about: Any) -> dict:
    """A port of two queues, the first lane of which is of either worker."""
    return {"name": name, "device": f"memif:{lab.folder / name}.sock,queues=2", **about}


def generate(lab: Lab, names: list[str], *words: str) -> dict:
    """What stations at these ports of switches get of each other's frames."""
    ports = [word for name in names
             for word in ("--port", f"memif:{lab.folder / name}.sock,client,queues=2,spread")]
    done = lab.namespace.run(program("sluice-gen"), *ports, "--rate", RATE, "--json", "--quiet",
                             *words, seconds=120)
    return json.loads(done.stdout)


def lanes(switch: Switch, name: str) -> list[dict]:
    return switch.port(name)["lanes"]


def carried(found: dict) -> bool:
    return (found["lost"] == found["reordered"] == found["duplicates"] == 0
            and found["delivered"] == found["offered"] > 0)


def test_every_lane_receives_and_no_flow_leaves_its_order(lab: Lab):
    names = ["m0", "m1", "m2", "m3"]
    switch = lab.make_switch(
        [memif(lab, name, lanes=[number % 2, 1 - number % 2]) for number, name in enumerate(names)],
        workers=TWO, defaults=LOSSLESS, buffer=USUAL_BUFFER)
    switch.launch()
    until_equal(switch.links, dict.fromkeys(names, "down"), "it waits for the generator")
    found = generate(lab, names, "--pattern", "uniform", "--priority", "3", "--pfc", "--count",
                     "100000")
    assert carried(found), found
    switch.settled()
    assert not {"over_threshold", "headroom_overrun"} & switch.drops().keys()
    for number, name in enumerate(names):
        rows = lanes(switch, name)
        assert [row["worker"] for row in rows] == [number % 2, 1 - number % 2]
        assert sum(row["rx_frames"] for row in rows) == switch.port(name)["rx_frames"]
    # Of a port with three flows one lane may get none; of all ports together neither does.
    for lane in range(2):
        assert sum(lanes(switch, name)[lane]["rx_frames"] for name in names) > 50_000


def test_lanes_pause_their_peer_for_their_port(lab: Lab):
    """Two ports fill a third that sends slowly. Whoever is paused obeys, so nothing is lost."""
    names = ["m0", "m1", "m2"]
    ports = [memif(lab, name, lanes=[0, 1]) for name in names]
    ports[0]["rate"] = "200M"
    switch = lab.make_switch(ports, workers=TWO, defaults=LOSSLESS, buffer=USUAL_BUFFER)
    switch.launch()
    until_equal(switch.links, dict.fromkeys(names, "down"), "it waits for the generator")
    found = generate(lab, names, "--pattern", "incast", "--priority", "3", "--pfc", "--count",
                     "20000")
    assert carried(found), found
    assert found["pfc_received"] > 0
    senders = [switch.pfc(name, 3) for name in names[1:]]
    assert any(row["tx_pause"] > 0 for row in senders)
    # The last pauses end once all has left.
    until(lambda: not any(switch.pfc(name, 3)["pausing"] for name in names), "nobody is paused")
    switch.settled()


def test_a_switch_spreads_what_it_sends_over_the_lanes_of_another(lab: Lab):
    """Stations of two switches, and a trunk between these."""
    trunk = f"memif:{lab.folder / 'trunk'}.sock"
    first = lab.make_switch(
        [*(memif(lab, name, lanes=[0, 1]) for name in ("a0", "a1", "a2")),
         {"name": "trunk", "device": f"{trunk},queues=2,spread", "lanes": [0, 1]}],
        workers=TWO, defaults=LOSSLESS, buffer=USUAL_BUFFER)
    second = lab.make_switch(
        [*(memif(lab, name, lanes=[1, 0]) for name in ("b0", "b1", "b2")),
         {"name": "trunk", "device": f"{trunk},client,queues=2,spread", "lanes": [1, 0]}],
        workers=TWO, defaults=LOSSLESS, buffer=USUAL_BUFFER)
    first.launch()
    until(lambda: len(first.links()) == 4, "the first waits")
    second.launch()
    until(lambda: first.links().get("trunk") == second.links().get("trunk") == "up",
          "the trunk is up")
    found = generate(lab, ["a0", "a1", "a2", "b0", "b1", "b2"], "--pattern", "uniform",
                     "--priority", "3", "--pfc", "--count", "20000")
    assert carried(found), found
    for switch in (first, second):
        assert all(row["rx_frames"] > 1000 for row in lanes(switch, "trunk"))


@pytest.mark.parametrize("layer", ["by MAC addresses", "by IPv4 addresses"])
def test_two_workers_receive_from_one_kernel_interface(lab: Lab, layer: str):
    """Each frame comes by one of them, and those of a flow by the same: in order."""
    sender, receiver = lab.add_hosts(2)
    ports = lab.ports("af_packet")
    ports[0] |= {"device": "af_packet:p0,queues=2", "lanes": [0, 1]}
    switch = lab.make_switch(ports, workers=TWO).start()
    flows, rounds = 16, 40

    def octets(number: int, flow: int) -> bytes:
        if layer == "by MAC addresses":
            return bytes(Ether(src=f"02:00:00:00:01:{flow:02x}", dst=receiver.address, type=0x88B5)
                         / Raw(struct.pack("!BI41x", flow, number)))
        return bytes(Ether(src=sender.address, dst=receiver.address)
                     / IP(src=f"10.0.1.{flow}", dst="10.0.2.1", proto=253)
                     / Raw(struct.pack("!BI21x", flow, number)))
    at = len(octets(0, 0)) - (46 if layer == "by MAC addresses" else 26)
    arriving = receiver.wire()
    sent = [octets(number, flow) for number in range(rounds) for flow in range(flows)]
    sender.wire().send(*sent, rate=20_000)
    received = arriving.collect(lambda frames: len(frames) == len(sent), "all of them")
    switch.settled()
    assert arriving.pending() == [], "none came twice"
    assert sorted(received) == sorted(sent)
    for flow in range(flows):
        numbers = [each for each in received if each[at] == flow]
        assert numbers == sorted(numbers), f"flow {flow} keeps its order"
    found = lanes(switch, "p0")
    assert [row["worker"] for row in found] == [0, 1]
    assert all(row["rx_frames"] >= rounds for row in found)
    # What is for the neighbour alone comes by the first.
    before = found[1]["rx_frames"]
    sender.wire().send(*[frame(sender.address, LLDP) for _ in range(50)])
    until(lambda: lanes(switch, "p0")[0]["rx_frames"] >= found[0]["rx_frames"] + 50, "they came")
    assert lanes(switch, "p0")[1]["rx_frames"] == before
