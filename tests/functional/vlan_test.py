"""Tags go through as they came, and with `vlans` a port passes only what lists it."""

import pytest

from frames import BROADCAST, frame
from lab import Lab

# Two offices and a trunk, as config/examples/vlan.yaml has it.
OFFICES = [{"id": 10, "ports": ["p0", "p2"]}, {"id": 20, "ports": ["p1", "p2"]}]


def build_offices(lab: Lab, kind: str):
    hosts = lab.add_hosts(3)
    ports = lab.ports(kind)
    ports[0]["default_vlan"], ports[1]["default_vlan"] = 10, 20
    return lab.make_switch(ports, vlans=OFFICES).start(), hosts


def test_hosts_talk_in_a_vlan(lab: Lab, kind: str):
    switch, hosts = lab.build(kind, 3)
    for number, host in enumerate(hosts, start=1):
        host.add_vlan(10, f"10.10.0.{number}/24", priority=5)
    hosts[0].ping("10.10.0.2")
    hosts[1].ping("10.10.0.3", size=1468)  # 1514 octets with the tag
    hosts[2].ping("10.10.0.1", size=1472)  # 1518: the tag comes on top of the MTU
    assert switch.fdb(10) == {host.address: host.port for host in hosts}
    # The frames were of the priority that the tag says.
    assert {row["priority"] for row in switch.show("queues")} == {5}
    assert switch.drops() == {}


@pytest.mark.parametrize("vlan, priority", [(1, 0), (10, 3), (4094, 7), (0, 5)])
def test_a_tag_arrives_intact(lab: Lab, kind: str, vlan, priority):
    switch, (one, two) = lab.build(kind, 2)
    first, second = lab.wires()
    canary = bytearray(frame(one.address, BROADCAST, vlan=vlan, priority=priority, length=64))
    dropped_first = bytearray(canary)
    dropped_first[14] |= 0x10  # drop eligible: the bit between priority and VLAN
    first.send(bytes(canary), bytes(dropped_first))
    second.expect(bytes(canary), bytes(dropped_first))


def test_two_tags_arrive_intact(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2)
    first, second = lab.wires()
    canary = frame(one.address, BROADCAST, service_vlan=100, vlan=10, length=64)
    first.send(canary)
    second.expect(canary)
    assert switch.fdb(100) == {one.address: "p0"}


def test_a_vlan_stays_among_its_members(lab: Lab, kind: str):
    switch, (sales, research, trunk) = build_offices(lab, kind)
    first, second, third = lab.wires()

    of_sales = frame(sales.address, BROADCAST)
    first.send(of_sales)
    third.expect(of_sales)

    of_research = frame(trunk.address, BROADCAST, vlan=20)
    third.send(of_research)
    second.expect(of_research)

    for_sales = frame(trunk.address, BROADCAST, vlan=10)
    third.send(for_sales)
    first.expect(for_sales)
    assert second.pending() == [] and switch.drops() == {}


def test_who_is_outside_a_vlan_neither_sends_nor_receives(lab: Lab, kind: str):
    switch, (sales, research, trunk) = build_offices(lab, kind)
    first, second, third = lab.wires()
    last = frame(sales.address, BROADCAST)
    first.send(frame(sales.address, BROADCAST, vlan=20),
               frame(sales.address, trunk.address, vlan=20),
               frame(sales.address, BROADCAST, vlan=30),  # a VLAN that there is not
               last)
    third.expect(last)
    assert second.pending() == []
    assert switch.drops() == {"vlan_filtered": 3}
    assert switch.drops("p0") == {"vlan_filtered": 3}
    assert switch.fdb(20) == {} and switch.fdb(30) == {}, "who is not let in is not learned"


def test_hosts_of_two_offices_do_not_meet_and_the_trunk_meets_both(lab: Lab, kind: str):
    switch, (sales, research, trunk) = build_offices(lab, kind)
    sales.cannot_ping(research.ipv4)

    # Tags are neither added nor taken, so hosts that talk to the trunk's VLANs have them as well.
    for host, vlan, address in ((sales, 10, "10.10.0.1/24"), (trunk, 10, "10.10.0.3/24"),
                                (research, 20, "10.20.0.2/24"), (trunk, 20, "10.20.0.3/24")):
        host.add_vlan(vlan, address)
    trunk.ping("10.10.0.1")
    trunk.ping("10.20.0.2")


def test_a_tag_of_vlan_0_is_a_priority_in_the_port_s_vlan(lab: Lab, kind: str):
    switch, (sales, research, trunk) = build_offices(lab, kind)
    first, second, third = lab.wires()
    tagged = frame(sales.address, BROADCAST, vlan=0, priority=6)
    first.send(tagged)
    third.expect(tagged)
    assert switch.fdb(10) == {sales.address: "p0"}
    [queue] = switch.show("queues")
    assert (queue["output"], queue["priority"]) == ("p2", 6)


def test_show_vlan_says_who_is_where(lab: Lab):
    switch, _ = build_offices(lab, "af_packet")
    usual = {"name": "", "tagged": [], "learning": True, "flood_unknown": True}
    assert switch.show("vlan") == {"filtering": True, "vlans": [
        {"vlan": 1, "ports": [], "untagged": ["p2"], **usual},
        {"vlan": 10, "ports": ["p0", "p2"], "untagged": ["p0"], **usual},
        {"vlan": 20, "ports": ["p1", "p2"], "untagged": ["p1"], **usual}]}


def test_a_vlan_may_neither_learn_nor_flood_to_strangers(lab: Lab):
    hosts = lab.add_hosts(3)
    ports = [{**port, "default_vlan": 10} for port in lab.ports("af_packet")]
    everybody = [host.port for host in hosts]
    fixed = {"vlan": 10, "address": hosts[1].address, "port": "p1"}
    switch = lab.make_switch(
        ports, fdb={"static": [fixed]},
        vlans=[{"id": 10, "ports": everybody, "learning": False, "flood_unknown": False}]).start()
    first, second, third = lab.wires()
    to_stranger = frame(hosts[0].address, hosts[2].address)
    to_known, last = frame(hosts[0].address, hosts[1].address), frame(hosts[0].address, BROADCAST)
    third.send(frame(hosts[2].address, BROADCAST))
    first.collect(len, "its broadcast"), second.collect(len, "its broadcast")
    first.send(to_stranger, to_known, last)
    second.expect(to_known, last)
    third.expect(last)
    assert switch.drops() == {"unknown_unicast": 1}
    assert switch.fdb(10) == {hosts[1].address: "p1"}
