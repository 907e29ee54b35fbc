"""Link-level retry between two switches, over a link that loses and reorders: what is lossless arrives
once and in order, by PFC and by credit; a peer without it is found out, and the port goes without."""

import multiprocessing
import random
import statistics

import pytest

from delayed_link import DelayedLink
from faults import at_random, in_bursts, to_these
from frames import of_priority
from lab import Lab
from retry_ends import (A_SECOND, BY_PFC, RETRY, TEN_MILLION, Ends, losing, overtaking,
                        port_to)
from switch import USUAL_BUFFER
from tunnels import cable
from waiting import until, until_equal

BY_CREDIT = {"flow_control": "credit", "lossless": [3], "speed": "1G", "pfc": {"response": "2ms"},
             "credit": {"buffer": "128KiB", "quantum": "8KiB"}}


class Pair(Ends):
    """one - a == b - two, where == is a link in a process of its own that loses what `loses` says, and on
    which frames overtake one another if `overtakes` says so."""

    def __init__(self, lab: Lab, of_a: dict, of_b: dict, loses, overtakes=lambda: False, *,
                 by_memif: bool = False, delay: float = 0.0, **faults):
        second = lab.make_namespace("switch2")
        between = lab.make_namespace("between")
        cable(lab.namespace, "ab", between, "left")
        cable(second, "ba", between, "right")
        self.link = DelayedLink(between, "left", "right", delay, loses, overtakes, **faults)
        self.one = lab.add_host("p0")
        self.two = lab.add_host("p1", second)
        self.a = lab.make_switch([port_to(lab, self.one, by_memif),
                                  {"name": "up", "device": "af_packet:ab", **of_a}],
                                 lldp={"enabled": True, "chassis_id": "a"}, buffer=USUAL_BUFFER)
        self.b = lab.make_switch([{"name": "down", "device": "af_packet:ba", **of_b},
                                  port_to(lab, self.two, by_memif)],
                                 second, lldp={"enabled": True, "chassis_id": "b"},
                                 buffer=USUAL_BUFFER)
        for switch in (self.a, self.b):
            switch.launch()
        if not by_memif:  # whose link waits for the generator
            for switch in (self.a, self.b):
                switch.until_ready()

    def stop(self) -> None:
        super().stop()
        self.link.close()


@pytest.mark.parametrize("by", [BY_PFC, BY_CREDIT], ids=["pfc", "credit"])
def test_nothing_is_lost_on_a_link_that_loses(lab: Lab, by: dict):
    waits = {"retry": {**RETRY["retry"], "init": "block"}}
    pair = Pair(lab, {**by, **waits}, {**by, **waits}, losing(0.01), overtaking(0.001))
    early = of_priority(pair.one.address, 3, 20, 1000, pair.two.address)
    wire = pair.two.wire()
    pair.one.wire().send(*early)
    pair.until_open()
    assert wire.collect(lambda received: len(received) >= len(early), "what waited for a session") == early
    assert {row["unnumbered"] for row in pair.rows()} == {0}, pair.rows()
    if by is BY_CREDIT:
        until_equal(lambda: pair.a.port("up")["credit_state"], "credit", "it goes by credit")
    pair.carry(pair.one, pair.two, 8)
    pair.carry(pair.two, pair.one, 2)
    [up, down] = pair.rows()
    assert up["replayed"] > 0 and up["replays"] > 0, up
    assert down["kept"] > 0 and down["nacks"] > 0, down
    assert down["taken"] >= 1200 and up["taken"] >= 300
    assert up["given_up"] == down["given_up"] == up["flushes"] == 0, [up, down]
    assert 0 < up["most_used_bytes"] <= up["buffer_bytes"] == 1024 * 1024
    until_equal(lambda: pair.rows()[0]["used_bytes"], 0, "all is acknowledged")
    pair.a.command("set", "ports.up.retry.replay_timer", "50ms")
    pair.carry(pair.one, pair.two, 1)
    said = pair.a.command("show", "retry").stdout
    assert "advance" in said and "send_acks" in said and "1 MiB" in said, said
    assert [event["kind"] for event in pair.a.show("events")].count("retry_begun") == 1
    pair.stop()


def test_nothing_is_lost_in_bursts_or_by_a_list_nor_what_is_damaged_or_doubled(lab: Lab):
    by_list, in_bursts_of_five = to_these(range(60, 80)), in_bursts(0.02, 5, 11)
    pair = Pair(lab, {**BY_PFC, **RETRY}, {**BY_PFC, **RETRY},
                lambda octets: any([by_list(), in_bursts_of_five()]), overtaking(0.001),
                doubles=at_random(0.01, 12), damages=at_random(0.01, 13))
    pair.until_open()
    pair.carry(pair.one, pair.two, 8)
    pair.carry(pair.two, pair.one, 2)
    pair.nothing_was_given_up()
    rows = pair.rows()
    assert sum(row["malformed"] for row in rows) > 0 and sum(row["duplicates"] for row in rows) > 0, rows
    assert sum(row["kept"] for row in rows) > 20, rows
    pair.stop()


@pytest.mark.full
def test_a_link_of_a_millisecond_that_loses_carries_nine_tenths_of_a_clean_one(lab: Lab):
    """The port's rate is what a clean link carries: 6,000 frames a second, of which 12 are under way."""
    loss = multiprocessing.Value("d", 0.0)
    chance = random.Random(9)
    pair = Pair(lab, {**BY_PFC, **RETRY, "rate": "48M"}, {**BY_PFC, **RETRY},
                lambda octets: chance.random() < loss.value, delay=0.001)
    pair.until_open()
    clean, lossy = [], []
    for _ in range(3):
        loss.value = 0.0
        clean.append(pair.carry_many(6_000))
        loss.value = 0.01
        lossy.append(pair.carry_many(6_000))
    pair.nothing_was_given_up()
    assert pair.rows()[0]["replayed"] > 100 and pair.rows()[1]["kept"] > 100, pair.rows()
    print(f"clean {clean}, of which one in 100 was lost {lossy} frames a second")
    assert statistics.median(lossy) >= 0.9 * statistics.median(clean)
    pair.stop()


@pytest.mark.full
def test_ten_million_frames_are_each_delivered_once_and_in_order(lab: Lab):
    with_retry = {**BY_PFC, **RETRY}
    pair = Pair(lab, with_retry, with_retry, losing(0.01), overtaking(0.001), by_memif=True)
    pair.until_open()
    pair.carry_of_generator(lab, TEN_MILLION, A_SECOND)
    pair.nothing_was_given_up()
    assert {row["replayed"] > TEN_MILLION / 200 for row in pair.rows()} == {True}
    pair.stop()


def test_a_port_whose_peer_has_none_goes_without(lab: Lab):
    pair = Pair(lab, {**BY_PFC, **RETRY}, BY_PFC, lambda octets: False)
    until(lambda: [event for event in pair.a.show("events") if event["kind"] == "retry_fallback"],
          "it says that it goes without", 15)
    until_equal(lambda: pair.rows()[0]["why"], "its LLDP neighbour does not advertise retry", "and why")
    pair.carry(pair.one, pair.two, 1)
    [up] = pair.rows()
    assert up["state"] == "off" and up["unnumbered"] == 150 and up["sent"] == 0, up
    pair.stop()


@pytest.mark.parametrize("by", ["link", "vxlan"])
def test_tcp_of_hosts_as_they_are_goes_by_retry(lab: Lab, by: str):
    """Nothing is prepared: hosts with their offloads, a veth between the switches as the kernel makes it."""
    second = lab.make_namespace("switch2")
    lab.namespace.ip("link", "add", "ab", "type", "veth", "peer", "name", "ba", "netns", second.name)
    for space, name in ((lab.namespace, "ab"), (second, "ba")):
        space.ip("link", "set", name, "up")
    one, two = lab.add_host("p0", offloads=True), lab.add_host("p1", second, offloads=True)
    lossless = {"lossless": [3], "dscp_to_priority": {0: 3}}
    switches = []
    for host, far, space, (own, other) in ((one, "ab", lab.namespace, (1, 2)), (two, "ba", second, (2, 1))):
        below = [{"name": "wan", "device": f"af_packet:{far}", "mtu": 1590,
                  "underlay": {"address": f"192.0.2.{own}/24"},
                  "vlan": {"mode": "access", "access": 4000}}] if by == "vxlan" else []
        device = f"vxlan:wan/192.0.2.{other}/100" if below else f"af_packet:{far}"
        switches.append(lab.make_switch(
            [{"name": host.port, "device": f"af_packet:{host.port}", **lossless}, *below,
             {"name": far, "device": device, "retry": {"enabled": True}, **lossless}],
            space, lldp={"enabled": True, "chassis_id": far},
            vlans=[{"id": 1, "ports": [host.port, far]}]))
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
