"""Link-level retry between two switches, over a link that loses: what is lossless arrives once and in
order, by PFC and by credit; a peer without it is found out, and the port goes without and says so."""

import random

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


class Pair:
    """one - a == b - two, where == is a link in a process of its own that loses what `loses` says."""

    def __init__(self, lab: Lab, of_a: dict, of_b: dict, loses):
        second = lab.make_namespace("switch2")
        between = lab.make_namespace("between")
        cable(lab.namespace, "ab", between, "left")
        cable(second, "ba", between, "right")
        self.link = DelayedLink(between, "left", "right", 0.0, loses)
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
    pair = Pair(lab, {**by, **RETRY}, {**by, **RETRY}, losing(0.01))
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


def test_a_port_whose_peer_has_none_goes_without(lab: Lab):
    pair = Pair(lab, {**BY_PFC, **RETRY}, BY_PFC, lambda octets: False)
    until(lambda: [event for event in pair.a.show("events") if event["kind"] == "retry_fallback"
                   and "does not say that it has retry" in event["text"]], "it says so", 15)
    pair.carry(pair.one, pair.two, 1)
    [up] = pair.rows()
    assert up["state"] == "off" and up["unnumbered"] == 150 and up["sent"] == 0, up
    pair.stop()
