"""Two workers, each with ports of its own, are one switch. They yield, so two cores will do. One
that has nothing to do sleeps."""

import itertools
import json
import os
import pathlib
import random
import socket
import statistics
import time
from typing import Any

from bridging_test import carries_tcp
from frames import BROADCAST, frame
from lab import Lab
from switch import USUAL_BUFFER, Switch
from waiting import until, until_equal

TWO = {"count": 2, "idle": "yield"}


def test_ports_are_spread_evenly_and_by_word(lab: Lab):
    lab.add_hosts(4)
    ports = lab.ports("af_packet")
    ports[0]["worker"] = 1
    switch = lab.make_switch(ports, workers=TWO).start()
    assert [(row["index"], row["ports"]) for row in switch.show("workers")] == \
        [(0, ["p2"]), (1, ["p0", "p1", "p3"])]


def test_every_host_pings_every_other(lab: Lab, kind: str):
    switch, hosts = lab.build(kind, 4, workers=TWO)
    assert [row["ports"] for row in switch.show("workers")] == [["p0", "p2"], ["p1", "p3"]]
    for sender, receiver in itertools.permutations(hosts, 2):
        sender.ping(receiver.ipv4, count=2)
    assert switch.fdb() == {host.address: host.port for host in hosts}
    assert all(row["frames"] > 0 for row in switch.show("workers"))
    assert switch.settled()["dropped"] == 0


def test_tcp_between_workers_loses_nothing(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, workers=TWO, buffer=USUAL_BUFFER)
    assert carries_tcp(switch, one, two, "--bidir", "--parallel", "2") > 20e6


def test_frames_between_workers_keep_their_order(lab: Lab, kind: str):
    switch, (one, two, three) = lab.build(kind, 3, workers=TWO)
    first, second, third = lab.wires()
    sent = [frame(one.address, BROADCAST, length=60 + number % 1400) for number in range(500)]
    first.send(*sent, rate=5000)
    second.expect(*sent)  # the other worker's
    third.expect(*sent)  # of the same worker


def test_a_station_moves_between_workers(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, workers=TWO)
    first, second = lab.wires()
    roamer = "02:00:00:00:05:05"
    for wire, port in ((first, "p0"), (second, "p1"), (first, "p0"), (second, "p1")):
        wire.send(frame(roamer, BROADCAST))
        until_equal(lambda: switch.fdb().get(roamer), port, "the table follows")


def test_two_workers_share_one_core(lab: Lab):
    one, two = lab.add_hosts(2)
    switch = lab.make_switch(lab.ports("af_packet"), workers=TWO)
    switch.start("taskset", "--cpu-list", "0")
    assert [row["core"] for row in switch.show("workers")] == [0, 0]
    one.ping(two.ipv4)


def test_one_core_is_enough_for_everything(lab: Lab, kind: str):
    one, two = lab.add_hosts(2)
    switch = lab.make_switch(lab.ports(kind), buffer=USUAL_BUFFER)
    switch.start("taskset", "--cpu-list", "0")
    one.ping(two.ipv4)
    assert carries_tcp(switch, one, two) > 10e6


def seconds_of_workers(switch: Switch) -> float:
    """Of a processor, that the only worker has taken so far."""
    [thread] = [path for path in pathlib.Path(f"/proc/{switch.process.pid}/task").iterdir()
                if (path / "comm").read_text().startswith(("rte-worker", "dpdk-worker"))]
    words = (thread / "stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def test_a_worker_without_work_sleeps(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2)
    before = seconds_of_workers(switch)
    time.sleep(1)
    assert seconds_of_workers(switch) - before < 0.08  # 0.01 where nobody else runs
    one.ping(two.ipv4)


def test_a_worker_with_tunnels_sleeps_too(lab: Lab):
    lab.add_hosts(2)
    switch = lab.make_switch([
        {"name": "p0", "device": "af_packet:p0"},
        {"name": "p1", "device": "af_packet:p1", "vlan": {"mode": "access", "access": 4000},
         "underlay": {"address": "192.0.2.1/24"}, "mtu": 1558},
        {"name": "many", "device": "vxlan:p1/100", "remotes": ["192.0.2.2", "192.0.2.3"]}])
    switch.start()
    before = seconds_of_workers(switch)
    time.sleep(1)
    assert seconds_of_workers(switch) - before < 0.08


def test_it_does_not_spin_at_an_interface_that_is_down(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2)
    one.set_link(False)
    lab.namespace.run("ip", "link", "set", "p1", "down")
    until_equal(lambda: set(switch.links().values()), {"down"}, "the links are down")
    before = seconds_of_workers(switch)
    time.sleep(1)
    assert seconds_of_workers(switch) - before < 0.08
    one.set_link(True)
    lab.namespace.run("ip", "link", "set", "p1", "up")
    until_equal(lambda: set(switch.links().values()), {"up"}, "the links are up")
    one.ping(two.ipv4)


# A sleep has 10 ms, of which a fifth is within these. Were its end awaited, so would be a fifth of
# what is asked: that it is most of so many is less than one chance in 100,000.
SOON = 0.002
OFTEN = 61


def asleep() -> None:
    """By now a worker is, at any moment of its sleep."""
    time.sleep(random.uniform(0.01, 0.04))


def test_a_frame_wakes_it_at_once(lab: Lab, kind: str):
    _, (one, two) = lab.build(kind, 2)
    first, second = lab.wires()
    took = []
    for number in range(OFTEN):
        asleep()
        sent = frame(one.address, two.address, length=60 + number)
        began = time.monotonic()
        first.send(sent)
        second.expect(sent)
        took.append(time.monotonic() - began)
    assert statistics.median(took) < SOON, took


def test_control_wakes_it_at_once(lab: Lab, kind: str):
    switch, (one, _) = lab.build(kind, 2)
    first, _ = lab.wires()

    def ask(client, **words: str) -> Any:
        client.sendall(json.dumps(words).encode() + b"\n")
        return json.loads(client.makefile().readline())["result"]

    def learned(client) -> list:
        first.send(frame(one.address, BROADCAST))
        return ask(client, show="fdb")

    with socket.socket(socket.AF_UNIX) as client:
        client.connect(switch.socket)
        done = 0
        for _ in range(OFTEN):
            until(lambda: learned(client), "the address is learned")
            asleep()
            ask(client, flush="fdb")
            time.sleep(SOON)
            done += ask(client, show="fdb") == []
    assert done > OFTEN / 2
