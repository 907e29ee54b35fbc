"""Addresses of 802.1Q table 8-1: what is for the neighbour only goes no further than the switch."""

from frames import BROADCAST, LLDP, frame
from lab import Lab


def test_reserved_addresses_are_never_forwarded(lab: Lab, kind: str):
    switch, (one, two, three) = lab.build(kind, 3)
    first, second, third = lab.wires()
    reserved = [frame(one.address, f"01:80:c2:00:00:{last:02x}") for last in range(16)]
    next_to_it = frame(one.address, "01:80:c2:00:00:10")
    first.send(*reserved, next_to_it)
    second.expect(next_to_it)
    third.expect(next_to_it)
    assert switch.drops() == {"reserved_address": 16}


def test_nor_is_a_tag_a_way_round(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2)
    first, second = lab.wires()
    last = frame(one.address, BROADCAST)
    first.send(frame(one.address, "01:80:c2:00:00:00", vlan=5), last)
    second.expect(last)
    assert switch.drops() == {"reserved_address": 1}


def test_lldp_is_kept_and_counted(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2)
    first, second = lab.wires()
    lldp = bytearray(frame(one.address, LLDP))
    lldp[12:14] = b"\x88\xcc"
    last = frame(one.address, BROADCAST)
    first.send(bytes(lldp), last)
    second.expect(last)
    assert switch.drops() == {"lldp": 1}
    assert switch.fdb() == {one.address: "p0"}


def test_a_group_is_no_source(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2)
    first, second = lab.wires()
    last = frame(one.address, BROADCAST)
    first.send(frame("03:00:00:00:00:01", BROADCAST), last)
    second.expect(last)
    assert switch.drops() == {"group_source": 1}


def test_other_multicast_is_flooded(lab: Lab, kind: str):
    switch, (one, two, three) = lab.build(kind, 3)
    first, second, third = lab.wires()
    multicast = frame(one.address, "01:00:5e:00:00:fb")
    first.send(multicast)
    second.expect(multicast)
    third.expect(multicast)
