"""Link-level retry between two switches, over a link that loses and reorders: what is lossless arrives
once and in order, by PFC and by credit; a peer without it is found out, and the port goes without."""

import random
import time

import pytest

from delayed_link import DelayedLink
from frames import of_priority
from lab import Lab
from switch import USUAL_BUFFER
from tunnels import cable
from waiting import until, until_equal

HOLDS_ALL = {"lossless": [3], "pfc": {"xoff": "2MiB", "xon": "1MiB"},
             "lldp": {"mode": "disabled"}}
RETRY = {"retry": {"enabled": True, "replay_timer": "20ms"}}
BY_PFC = {"lossless": [3], "speed": "1G", "pfc": {"response": "20ms"}}
BY_CREDIT = {"flow_control": "credit", "lossless": [3], "speed": "1G", "pfc": {"response": "2ms"},
             "credit": {"buffer": "128KiB", "quantum": "8KiB"}}


def losing(share: float):
    chance = random.Random(7)
    return lambda octets: chance.random() < share


def overtaking(share: float):
    chance = random.Random(8)
    return lambda: chance.random() < share


class Pair:
    """one - a == b - two, where == is a link in a process of its own that loses what `loses` says, and on
    which frames overtake one another if `overtakes` says so."""

    def __init__(self, lab: Lab, of_a: dict, of_b: dict, loses, overtakes=lambda: False):
        second = lab.make_namespace("switch2")
        between = lab.make_namespace("between")
        cable(lab.namespace, "ab", between, "left")
        cable(second, "ba", between, "right")
        self.link = DelayedLink(between, "left", "right", 0.0, loses, overtakes)
        self.one = lab.add_host("p0")
        self.two = lab.add_host("p1", second)
        self.a = lab.make_switch([{"name": "p0", "device": "af_packet:p0", **HOLDS_ALL},
                                  {"name": "up", "device": "af_packet:ab", **of_a}],
                                 lldp={"enabled": True, "chassis_id": "a"}, buffer=USUAL_BUFFER)
        self.b = lab.make_switch([{"name": "down", "device": "af_packet:ba", **of_b},
                                  {"name": "p1", "device": "af_packet:p1", **HOLDS_ALL}],
                                 second, lldp={"enabled": True, "chassis_id": "b"},
                                 buffer=USUAL_BUFFER)
        for switch in (self.a, self.b):
            switch.launch()
        for switch in (self.a, self.b):
            switch.until_ready()

    def rows(self) -> list[dict]:
        return [row for switch in (self.a, self.b) for row in switch.show("retry")]

    def until_open(self) -> None:
        until_equal(lambda: [(row["state"], row["receiver"]) for row in self.rows()],
                    [("advance", "send_acks")] * 2, "retry both ways")

    def carry(self, source, sink, rounds: int) -> None:
        """So many times 150 frames arrive as they went, in their order."""
        wire = sink.wire()
        for _ in range(rounds):
            frames = of_priority(source.address, 3, 150, 1000, sink.address)
            source.wire().send(*frames)
            assert wire.collect(lambda received: len(received) >= len(frames), "all of them",
                                30) == frames

    def stop(self) -> None:
        for switch in (self.a, self.b):
            until(lambda: switch.show("ledger")["balanced"] is True, "its ledger balances")
            switch.stop()
        self.link.close()


@pytest.mark.parametrize("by", [BY_PFC, BY_CREDIT], ids=["pfc", "credit"])
def test_nothing_is_lost_on_a_link_that_loses(lab: Lab, by: dict):
    pair = Pair(lab, {**by, **RETRY}, {**by, **RETRY}, losing(0.01), overtaking(0.001))
    pair.until_open()
    if by is BY_CREDIT:
        until_equal(lambda: pair.a.port("up")["credit_state"], "credit", "it goes by credit")
    pair.carry(pair.one, pair.two, 8)
    pair.carry(pair.two, pair.one, 2)
    [up, down] = pair.rows()
    assert up["replayed"] > 0 and up["replays"] > 0, up
    assert down["missing"] > 0 and down["nacks"] > 0, down
    assert down["taken"] >= 1200 and up["taken"] >= 300
    assert up["given_up"] == down["given_up"] == up["flushes"] == 0, [up, down]
    assert 0 < up["most_used_bytes"] <= up["buffer_bytes"] == 1024 * 1024
    until_equal(lambda: pair.rows()[0]["used_bytes"], 0, "all is acknowledged")
    said = pair.a.command("show", "retry").stdout
    assert "advance" in said and "send_acks" in said and "1 MiB" in said, said
    assert [event["kind"] for event in pair.a.show("events")].count("retry_begun") == 1
    pair.stop()


FRAMES = 100_000


def carry_many(pair: Pair, frames: int) -> float:
    """Once each, in their order, 100 under way at the most. Returns how many a second arrived."""
    [first] = of_priority(pair.one.address, 3, 1, 1000, pair.two.address)
    at = first.index(b"frame ") + len(b"frame ")
    source, sink = pair.one.wire(), pair.two.wire()
    arrived = sent = 0
    begun = last = time.monotonic()
    while arrived < frames:
        while sent < min(frames, arrived + 100):
            source.send(first[:at] + b"%8d" % sent + first[at + 8:])
            sent += 1
        octets = sink.receive(0.5)
        if octets is not None and octets[at - 6:at] == b"frame ":
            assert int(octets[at:at + 8]) == arrived, f"after {arrived} frames"
            arrived += 1
            last = time.monotonic()
        assert time.monotonic() - last < 30, f"{arrived} of {sent} frames"
    return frames / (time.monotonic() - begun)


@pytest.mark.full
def test_many_frames_are_each_delivered_once_and_in_order(lab: Lab):
    with_retry = {**BY_PFC, **RETRY}
    pair = Pair(lab, with_retry, with_retry, losing(0.01), overtaking(0.001))
    pair.until_open()
    rate = carry_many(pair, FRAMES)
    [up, down] = pair.rows()
    assert up["given_up"] == down["given_up"] == 0 and down["taken"] >= FRAMES, [up, down]
    print(f"{rate:.0f} frames a second, {up['replayed']} sent again, {up['timeouts']} timeouts")
    pair.stop()


def test_a_port_whose_peer_has_none_goes_without(lab: Lab):
    pair = Pair(lab, {**BY_PFC, **RETRY}, BY_PFC, lambda octets: False)
    until(lambda: [event for event in pair.a.show("events") if event["kind"] == "retry_fallback"
                   and "does not say that it has retry" in event["text"]], "it says so", 15)
    pair.carry(pair.one, pair.two, 1)
    [up] = pair.rows()
    assert up["state"] == "off" and up["unnumbered"] == 150 and up["sent"] == 0, up
    pair.stop()


def test_tcp_of_hosts_as_they_are_goes_by_retry(lab: Lab):
    """Nothing is prepared: hosts with their offloads, a veth between the switches as the kernel makes it."""
    second = lab.make_namespace("switch2")
    lab.namespace.ip("link", "add", "ab", "type", "veth", "peer", "name", "ba", "netns", second.name)
    for space, name in ((lab.namespace, "ab"), (second, "ba")):
        space.ip("link", "set", name, "up")
    one, two = lab.add_host("p0", offloads=True), lab.add_host("p1", second, offloads=True)
    lossless = {"lossless": [3], "dscp_to_priority": {0: 3}}
    switches = [lab.make_switch([{"name": host.port, "device": f"af_packet:{host.port}", **lossless},
                                 {"name": far, "device": f"af_packet:{far}", "retry": {"enabled": True},
                                  **lossless}], space, lldp={"enabled": True, "chassis_id": far})
                for host, far, space in ((one, "ab", lab.namespace), (two, "ba", second))]
    for switch in switches:
        switch.launch()
    for switch in switches:
        switch.until_ready()
        until_equal(lambda: switch.show("retry")[0]["state"], "advance", "a session is open")
    server = two.serve_iperf3()
    client = one.start_iperf3(two, seconds=2)
    assert client.wait(30) == 0, client.said()
    server.wait(10)
    [row] = switches[0].show("retry")
    assert row["sent"] > 1000 and row["given_up"] == 0, row
    assert switches[0].drops().get("too_long_for_interface", 0) == 0
    assert switches[1].show("retry")[0]["taken"] >= row["sent"] - row["used_bytes"]
    for switch in switches:
        until(lambda: switch.show("ledger")["balanced"] is True, "its ledger balances")
        switch.stop()
