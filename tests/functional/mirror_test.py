"""Copies of what some ports take or send, seen by a sniffer at another."""

from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether

from frames import BROADCAST, frame, of_priority
from lab import Lab
from tshark import decoded
from waiting import until, until_equal

ONE, TWO, THREE, SNIFFER = range(4)


def build(lab: Lab, kind: str, **configuration):
    lab.add_hosts(4)
    switch = lab.make_switch(lab.ports(kind), **configuration).start()
    return switch, lab.wires()


def test_what_a_port_takes_and_sends(lab: Lab, kind: str):
    switch, wires = build(lab, kind, mirrors=[{"from": ["p0"], "to": "p3"}])
    one, two = lab.hosts[ONE].address, lab.hosts[TWO].address
    asked, answered = frame(one, BROADCAST), frame(two, one)
    wires[ONE].send(asked)
    wires[TWO].expect(asked)
    wires[TWO].send(answered)
    wires[ONE].expect(answered)
    wires[SNIFFER].expect(asked, answered)
    others = frame(two, lab.hosts[THREE].address)
    wires[TWO].send(others)  # unknown, so flooded, to port 0 as well
    wires[ONE].expect(others)
    wires[SNIFFER].expect(others)


def test_the_sniffer_gets_nothing_else_and_nothing_of_it_is_switched(lab: Lab, kind: str):
    switch, wires = build(
        lab, kind, mirrors=[{"from": ["p0"], "direction": "ingress", "to": "p3"}])
    unseen = frame(lab.hosts[TWO].address, BROADCAST)
    wires[TWO].send(unseen)
    wires[ONE].expect(unseen)
    wires[SNIFFER].send(frame(lab.hosts[SNIFFER].address, BROADCAST))
    switch.until_dropped("vlan_filtered", 1, "p3")
    assert lab.hosts[SNIFFER].address not in switch.fdb()
    seen = frame(lab.hosts[ONE].address, BROADCAST)
    wires[ONE].send(seen)
    wires[SNIFFER].expect(seen)
    assert all("p3" not in row["ports"] for row in switch.show("vlan")["vlans"])


def test_a_dissector_reads_the_copies(lab: Lab, kind: str):
    """Bridged between two hosts, and what a third one captures of it is whole."""
    switch, wires = build(lab, kind, mirrors=[{"from": ["p0"], "to": "p3"}])
    packets = [bytes(Ether(src=lab.hosts[ONE].address, dst=BROADCAST)
                     / IP(src="192.0.2.1", dst="192.0.2.2") / UDP(sport=4000 + n, dport=9)
                     / bytes(40)) for n in range(20)]
    wires[ONE].send(*packets)
    received = wires[SNIFFER].collect(lambda frames: len(frames) == 20, "the copies")
    rows = decoded(lab.folder, received, "udp.srcport", "ip.checksum.status",
                   check="ip.check_checksum")
    assert rows == [{"udp.srcport": str(4000 + n), "ip.checksum.status": "1"} for n in range(20)]


def test_a_copy_leaves_as_the_frame_came(lab: Lab, kind: str):
    lab.add_hosts(4)
    ports = lab.ports(kind)
    ports[ONE]["vlan"] = {"mode": "access", "access": 10}
    ports[TWO]["vlan"] = {"mode": "trunk", "allowed": [10]}
    lab.make_switch(ports, mirrors=[{"from": ["p0"], "to": "p3"}]).start()
    wires = lab.wires()
    untagged = frame(lab.hosts[ONE].address, BROADCAST)
    wires[ONE].send(untagged)
    wires[TWO].expect(untagged[:12] + bytes.fromhex("8100000a") + untagged[12:])
    wires[SNIFFER].expect(untagged)
    tagged = frame(lab.hosts[TWO].address, lab.hosts[ONE].address, vlan=10, length=64)
    wires[TWO].send(tagged)
    wires[ONE].expect(tagged[:12] + tagged[16:])
    wires[SNIFFER].expect(tagged)


def test_a_slow_sniffer_pauses_nobody(lab: Lab, kind: str):
    lab.add_hosts(4)
    ports = lab.ports(kind, lossless=[3], pfc={"xoff": "64KiB", "xon": "32KiB"})
    ports[SNIFFER]["rate"] = "1M"
    switch = lab.make_switch(ports, mirrors=[{"from": ["p0"], "to": "p3"}],
                             buffer={"size": "8MiB", "alpha": "1/128"}).start()
    wires = lab.wires()
    wires[TWO].send(frame(lab.hosts[TWO].address, BROADCAST))
    until(lambda: lab.hosts[TWO].address in switch.fdb(), "the receiver is known")
    sent = of_priority(lab.hosts[ONE].address, 3, 2000, length=1000,
                       destination=lab.hosts[TWO].address)
    # A machine that is taken away for 60 ms has these together, and that is more than XOFF.
    wires[ONE].send(*sent, rate=1000)
    wires[TWO].expect(*sent)
    assert switch.pfc("p0", 3)["tx_pause"] == 0
    assert set(switch.drops()) == {"over_threshold"}, "copies alone"
    switch.apply(mirrors=[])
    until_equal(switch.waiting, 0, "the copies that wait have left", 60)


def test_mirrors_come_and_go_while_frames_flow(lab: Lab, kind: str):
    switch, wires = build(lab, kind)
    switch.apply(mirrors=[{"from": ["p0"], "to": "p3"}])

    def is_seen() -> bool:
        probe = frame(lab.hosts[ONE].address, lab.hosts[TWO].address)
        wires[ONE].send(probe)
        return wires[SNIFFER].receive(1) == probe
    hello = frame(lab.hosts[TWO].address, BROADCAST)
    wires[TWO].send(hello)
    until(lambda: switch.fdb().get(lab.hosts[TWO].address) == "p1", "p1's host is known")
    wires[SNIFFER].pending()
    until(is_seen, "copies come")
    switch.apply(mirrors=[])
    until(lambda: not is_seen(), "copies have stopped")
