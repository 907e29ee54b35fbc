"""Frames that are too long for some of the ports that they go to."""

from frames import BROADCAST, frame
from lab import Lab
from waiting import until


def test_a_frame_is_dropped_where_it_is_too_long(lab: Lab, kind: str):
    lab.add_hosts(3)
    ports = lab.ports(kind)
    ports[2]["mtu"] = 256  # frames of 278 octets; of a kernel interface 270, or 274 with a tag
    switch = lab.make_switch(ports).start()
    wires = lab.wires()
    long = frame(lab.hosts[0].address, BROADCAST, length=279)
    fits = frame(lab.hosts[0].address, BROADCAST, length=270)
    wires[0].send(long, fits)
    wires[1].expect(long, fits)
    wires[2].expect(fits)
    assert switch.drops("p0") == {"mtu_exceeded": 1}

    known = frame(lab.hosts[2].address, BROADCAST)
    wires[2].send(known)
    until(lambda: lab.hosts[2].address in switch.fdb(), "the host behind it is known")
    wires[0].send(frame(lab.hosts[0].address, lab.hosts[2].address, length=1514))
    switch.until_dropped("mtu_exceeded", 2, "p0")


def test_the_tag_counts(lab: Lab, kind: str):
    lab.add_hosts(2)
    ports = lab.ports(kind)
    ports[0]["vlan"] = {"mode": "access", "access": 10}
    ports[1] |= {"vlan": {"mode": "trunk", "allowed": [10]}, "mtu": 256}
    switch = lab.make_switch(ports).start()
    wires = lab.wires()
    fits = frame(lab.hosts[0].address, BROADCAST, length=270)
    wires[0].send(frame(lab.hosts[0].address, BROADCAST, length=275), fits)
    wires[1].expect(fits[:12] + bytes.fromhex("8100000a") + fits[12:])
    assert switch.drops() == {"mtu_exceeded": 1}
