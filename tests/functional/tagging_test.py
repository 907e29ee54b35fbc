"""Access, trunk and provider ports: tags put on, taken off and replaced, on the wire."""

import pytest

from frames import BROADCAST, frame
from lab import Lab
from waiting import until

ACCESS, OTHER, UPLINK, PROVIDER = range(4)


def build_house(lab: Lab, kind: str, **access):
    """Desks in VLANs 10 and 20, an uplink that has both and 30 as its native one, a provider."""
    hosts = lab.add_hosts(4)
    ports = lab.ports(kind)
    ports[ACCESS]["vlan"] = {"mode": "access", "access": 10, **access}
    ports[OTHER]["vlan"] = {"mode": "access", "access": 20}
    ports[UPLINK]["vlan"] = {"mode": "trunk", "native": 30, "allowed": ["10-20"]}
    ports[PROVIDER]["vlan"] = {"mode": "trunk", "allowed": [10], "tpid": "0x88A8"}
    return lab.make_switch(ports).start(), hosts


def tagged(octets: bytes, vlan: int, priority: int = 0, tpid: int = 0x8100) -> bytes:
    control = priority << 13 | vlan
    return octets[:12] + tpid.to_bytes(2, "big") + control.to_bytes(2, "big") + octets[12:]


def test_from_access_to_trunk_and_back(lab: Lab, kind: str):
    switch, hosts = build_house(lab, kind)
    wires = lab.wires()
    asked = frame(hosts[ACCESS].address, BROADCAST)
    wires[ACCESS].send(asked)
    wires[UPLINK].expect(tagged(asked, 10))
    wires[PROVIDER].expect(tagged(asked, 10, tpid=0x88A8))

    answered = frame(hosts[UPLINK].address, hosts[ACCESS].address)
    wires[UPLINK].send(tagged(answered, 10, priority=5))
    wires[ACCESS].expect(answered)
    again = frame(hosts[ACCESS].address, hosts[UPLINK].address)
    wires[ACCESS].send(again)  # known by now, so one port gets it, in the buffer it came in
    wires[UPLINK].expect(tagged(again, 10))
    assert wires[PROVIDER].pending() == [] and wires[OTHER].pending() == []
    assert switch.fdb(10) == {hosts[ACCESS].address: "p0", hosts[UPLINK].address: "p2"}
    assert switch.drops() == {}


def test_the_native_vlan_of_a_trunk_has_no_tag(lab: Lab, kind: str):
    hosts = lab.add_hosts(2)
    ports = lab.ports(kind)
    ports[0]["vlan"] = {"mode": "trunk", "native": 30, "allowed": [10]}
    ports[1]["vlan"] = {"mode": "trunk", "native": 10, "allowed": [30]}
    lab.make_switch(ports).start()
    first, second = lab.wires()
    of_thirty = frame(hosts[0].address, BROADCAST)
    of_ten = frame(hosts[0].address, BROADCAST)
    first.send(of_thirty, tagged(of_ten, 10, priority=3))
    # The priority goes with the tag, so the second of them may overtake.
    received = second.collect(lambda frames: len(frames) == 2, "both frames")
    assert sorted(received) == sorted([tagged(of_thirty, 30), of_ten])


def test_a_vlan_that_is_not_allowed_stays_out(lab: Lab, kind: str):
    switch, hosts = build_house(lab, kind)
    wires = lab.wires()
    other = frame(hosts[UPLINK].address, BROADCAST)
    wires[UPLINK].send(tagged(other, 21), tagged(other, 4000), tagged(other, 20))
    wires[OTHER].expect(other)
    assert wires[ACCESS].pending() == []
    assert switch.drops() == {"vlan_filtered": 2}


def test_a_port_takes_the_frames_it_is_for(lab: Lab, kind: str):
    switch, hosts = build_house(lab, kind, accept="untagged")
    wires = lab.wires()
    last = frame(hosts[ACCESS].address, BROADCAST)
    wires[ACCESS].send(tagged(last, 10), last)
    wires[UPLINK].expect(tagged(last, 10))
    wires[PROVIDER].send(frame(hosts[PROVIDER].address, BROADCAST))
    switch.until_dropped("tag_required", 1)
    assert switch.drops() == {"tag_refused": 1, "tag_required": 1}


def test_a_provider_carries_the_tags_of_its_customers(lab: Lab, kind: str):
    hosts = lab.add_hosts(3)
    ports = lab.ports(kind)
    for port in ports[:2]:
        port["vlan"] = {"mode": "access", "access": 100, "tpid": "0x88A8"}
    ports[2]["vlan"] = {"mode": "trunk", "allowed": [100, 200], "tpid": "0x88A8"}
    switch = lab.make_switch(ports).start()
    first, second, trunk = lab.wires()
    of_customer = tagged(frame(hosts[0].address, BROADCAST), 7, priority=6)
    first.send(of_customer)
    second.expect(of_customer)
    trunk.expect(tagged(of_customer, 100, priority=6, tpid=0x88A8))

    back = tagged(frame(hosts[2].address, hosts[0].address), 7)
    trunk.send(tagged(back, 100, tpid=0x88A8), tagged(back, 200, tpid=0x88A8))
    first.expect(back)
    assert second.pending() == []
    # Nobody else is in VLAN 200.
    assert switch.fdb(100) == {hosts[0].address: "p0", hosts[2].address: "p2"}
    assert switch.drops() == {"no_output": 1}


@pytest.mark.parametrize("length", [1514, 1500, 60])
def test_a_burst_that_is_tagged_arrives_whole_and_in_order(lab: Lab, kind: str, length):
    switch, hosts = build_house(lab, kind)
    wires = lab.wires()
    wires[UPLINK].send(tagged(frame(hosts[UPLINK].address, BROADCAST), 10))
    until(lambda: hosts[UPLINK].address in switch.fdb(10), "the uplink's host is known")
    burst = [frame(hosts[ACCESS].address, hosts[UPLINK].address, length=length) for _ in range(200)]
    wires[ACCESS].send(*burst)
    wires[UPLINK].expect(*[tagged(octets, 10) for octets in burst])


def test_a_frame_that_loses_its_tag_stays_long_enough(lab: Lab, kind: str):
    switch, hosts = build_house(lab, kind)
    wires = lab.wires()
    short = tagged(frame(hosts[UPLINK].address, BROADCAST, length=56), 10)
    wires[UPLINK].send(short)
    wires[ACCESS].expect(short[:12] + short[16:] + bytes(4))


def test_a_tag_that_is_put_on_has_the_priority_that_the_port_writes(lab: Lab, kind: str):
    lab.add_hosts(3)
    ports = lab.ports(kind)
    ports[0]["vlan"] = {"mode": "access", "access": 10}
    ports[0]["default_priority"] = 3
    for port in ports[1:]:
        port["vlan"] = {"mode": "trunk", "allowed": [10]}
    ports[1]["remark"] = {"pcp": {3: 6}}
    lab.make_switch(ports).start()
    wires = lab.wires()
    flooded = frame(lab.hosts[0].address, BROADCAST)
    wires[0].send(flooded)
    wires[1].expect(tagged(flooded, 10, priority=6))
    wires[2].expect(tagged(flooded, 10, priority=3))


def test_modes_change_while_frames_flow(lab: Lab, kind: str):
    switch, hosts = build_house(lab, kind)
    wires = lab.wires()
    ports = switch.configuration["ports"]
    ports[ACCESS]["vlan"] = {"mode": "access", "access": 20}
    switch.apply(ports=ports)
    assert {row["vlan"]: (row["untagged"], row["tagged"])
            for row in switch.show("vlan")["vlans"] if row["vlan"] in (10, 20, 30)} == {
                10: ([], ["p2", "p3"]), 20: (["p0", "p1"], ["p2"]), 30: (["p2"], [])}

    def arrives() -> bool:  # adopted between two bursts, when the worker gets there
        probe = frame(hosts[ACCESS].address, BROADCAST)
        wires[ACCESS].send(probe)
        return wires[OTHER].receive(1) == probe
    until(arrives, "the desk is in VLAN 20")
