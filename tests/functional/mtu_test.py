"""Frames that are too long for some of the ports that they go to."""

from frames import BROADCAST, frame
from lab import Lab
from waiting import until


def test_a_frame_is_dropped_where_it_is_too_long(lab: Lab, kind: str):
    lab.add_hosts(3)
    ports = lab.ports(kind)
    ports[2]["mtu"] = 256  # frames of 278 octets, all of them of a kernel interface as well
    switch = lab.make_switch(ports).start()
    wires = lab.wires()
    long = frame(lab.hosts[0].address, BROADCAST, length=279)
    fits = frame(lab.hosts[0].address, BROADCAST, length=278)
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


def test_two_tags_go_beyond_the_mtu(lab: Lab, kind: str):
    lab.add_hosts(2, mtu=1600)
    lab.start_switch(kind)
    first, second = lab.wires()
    sent = [frame(lab.hosts[0].address, BROADCAST, service_vlan=9, vlan=7, length=length)
            for length in (1522, 1521, 1518, 60)]
    first.send(*sent)
    second.expect(*sent)


def test_a_provider_s_tag_goes_beyond_the_mtu(lab: Lab, kind: str):
    lab.add_hosts(2, mtu=1600)
    ports = lab.ports(kind)
    ports[0]["vlan"] = {"mode": "access", "access": 10, "tpid": "0x88A8"}
    ports[1]["vlan"] = {"mode": "trunk", "allowed": [10], "tpid": "0x88A8"}
    lab.make_switch(ports).start()
    first, second = lab.wires()
    sent = [frame(lab.hosts[0].address, BROADCAST, length=length) for length in (1514, 1513, 60)]
    first.send(*sent)
    second.expect(*[octets[:12] + bytes.fromhex("88a8000a") + octets[12:] for octets in sent])


def test_a_host_that_takes_less_is_named_at_start(lab: Lab, kind: str):
    """Its end of the cable is in another namespace."""
    lab.add_hosts(1, mtu=1400)
    lab.add_hosts(1)
    process = lab.start_switch(kind).process
    process.until_it_says("p0: the far end of p0, eth0, has an MTU of 1400 and the port one of 1500")
    said = process.said()
    assert "ip link set dev eth0 mtu 1500" in said and "mtu: 1400B" in said
    assert "p1: the far end" not in said
