"""Two workers, each with ports of its own, are one switch. They yield, so two cores will do."""

import itertools

from bridging_test import carries_tcp
from frames import BROADCAST, frame
from lab import Lab
from waiting import until_equal

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
    switch, (one, two) = lab.build(kind, 2, workers=TWO)
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
    switch = lab.make_switch(lab.ports(kind))
    switch.start("taskset", "--cpu-list", "0")
    one.ping(two.ipv4)
    assert carries_tcp(switch, one, two) > 10e6
