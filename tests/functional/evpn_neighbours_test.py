"""ARP and ND suppression: a question for a host that EVPN knows is answered by the switch."""

from evpn_fabric import GATEWAY, GATEWAY6, Fabric, tunnelled
from frames import BROADCAST, arp
from lab import Lab
from scapy.layers.inet6 import (
    ICMPv6ND_NA, ICMPv6ND_NS, ICMPv6NDOptDstLLAddr, ICMPv6NDOptSrcLLAddr, IPv6)
from scapy.layers.l2 import Ether
from tshark import decoded
from waiting import until, until_equal
from wire import Wire

STATION, OTHER = "02:00:00:00:77:01", "02:00:00:00:77:02"
ADDRESS, FREE, ADDRESS6, OTHER6 = "10.0.0.77", "10.0.0.99", "fd00::77", "fd00::78"
MULTICAST6 = "33:33:ff:00:00:77"


def solicitation(source: str, sender: str, target: str) -> bytes:
    number = target[-2:]  # of addresses that end in ::XX
    return bytes(Ether(src=source, dst=f"33:33:ff:00:00:{number}")
                 / IPv6(src=sender, dst=f"ff02::1:ff00:{number}", hlim=255)
                 / ICMPv6ND_NS(tgt=target) / ICMPv6NDOptSrcLLAddr(lladdr=source))


def announces(wire: Wire, mac: str, address: str = ADDRESS) -> None:
    wire.send(arp(mac, address, address))


class Asking:
    """What a host asks, by its wire, and what comes of it at the others."""

    def __init__(self, folder, fabric: Fabric, asker: int = 0):
        self._folder = folder
        self._host = fabric.leaves[asker].host
        self._wire = self._host.wire()
        self._others = [leaf.host.wire() for n, leaf in enumerate(fabric.leaves) if n != asker]

    def _send(self, question: bytes) -> None:
        for wire in (self._wire, *self._others):
            wire.pending()
        self._wire.send(question)

    def answered(self, question: bytes, *fields: str) -> dict[str, str]:
        """By one frame, of which tshark says this; the question reaches no other host."""
        def answers(received: list[bytes]) -> list[bytes]:
            return [one for one in received
                    if (one[:6], one[12:14]) == (question[6:12], question[12:14])]
        self._send(question)
        [answer] = answers(self._wire.collect(answers, "an answer"))
        after = arp(self._host.address, self._host.ipv4, FREE)
        self._wire.send(after)
        for wire in self._others:
            received = wire.collect(lambda received: after in received, "what is not known")
            assert question not in received
        assert answers(self._wire.pending()) == [], "one answer"
        [row] = decoded(self._folder, [answer], *fields, "_ws.malformed")
        assert "_ws.malformed" not in row
        return row

    def answered_arp(self, target: str = ADDRESS) -> str:
        """Where it is said to be."""
        row = self.answered(arp(self._host.address, self._host.ipv4, target), "arp.opcode",
                            "arp.src.hw_mac", "arp.src.proto_ipv4", "eth.dst")
        assert (row["arp.opcode"], row["arp.src.proto_ipv4"]) == ("2", target)
        assert row["eth.dst"] == self._host.address
        return row["arp.src.hw_mac"]

    def flooded(self, question: bytes) -> None:
        """To all others."""
        self._send(question)
        for wire in self._others:
            wire.collect(lambda received: question in received, "it is asked everywhere")


def test_who_is_known_is_not_asked_for(lab: Lab, tmp_path):
    fabric = Fabric(lab, 3, neigh_suppress=True).start()
    one, two, three = fabric.leaves
    fabric.all_ping()
    # FRR has advertised the hosts by what they said to each other: each switch knows each.
    for leaf in fabric.leaves:
        known = {other.host.ipv4: ("local" if other is leaf else "remote", other.host.address)
                 for other in fabric.leaves}
        until_equal(leaf.neighbours, known, f"leaf {leaf.number} knows all neighbours", 20)
    wires = {leaf: leaf.host.wire() for leaf in (two, three)}
    before = one.network()["suppressed"]
    for leaf in fabric.leaves:
        leaf.host.namespace.ip("neigh", "flush", "all")
    one.host.ping(two.host.ipv4)
    assert one.host.neighbours()[two.host.ipv4] == two.host.address
    assert one.network()["suppressed"] > before
    assert one.switch.drops("p0")["neigh_suppressed"] > 0
    for leaf, wire in wires.items():
        rows = decoded(tmp_path, wire.pending(), "arp.opcode", "eth.dst")
        assert not [row for row in rows
                    if row.get("arp.opcode") == "1" and row["eth.dst"] == BROADCAST], leaf.number

    # A station that comes, whose address another takes, elsewhere, and that goes.
    asking = Asking(tmp_path, fabric)
    asking.flooded(arp(one.host.address, one.host.ipv4, ADDRESS))
    announces(wires[two], STATION)
    until_equal(lambda: one.neighbours().get(ADDRESS), ("remote", STATION), "it is advertised")
    assert asking.answered_arp() == STATION
    announces(wires[three], STATION)
    fabric.until_behind(STATION, three)
    until_equal(lambda: three.neighbours().get(ADDRESS), ("local", STATION), "it has moved")
    until_equal(lambda: one.neighbours().get(ADDRESS), ("remote", STATION), "and is advertised")
    assert asking.answered_arp() == STATION
    announces(wires[three], OTHER)
    until_equal(lambda: one.neighbours().get(ADDRESS), ("remote", OTHER), "another has it")
    assert asking.answered_arp() == OTHER
    three.switch.command("flush", "fdb")
    until(lambda: ADDRESS not in one.neighbours(), "it is gone")
    asking.flooded(arp(one.host.address, one.host.ipv4, ADDRESS))

    for leaf in fabric.leaves:  # else the end of where it was could come after its next word
        until(lambda: STATION not in leaf.remote(), "so is its MAC address")

    # Of IPv6, where a router says that it is one; whether an address is free its owner is asked.
    wires[two].send(bytes(
        Ether(src=STATION, dst="33:33:00:00:00:01") / IPv6(src=ADDRESS6, dst="ff02::1", hlim=255)
        / ICMPv6ND_NA(tgt=ADDRESS6, R=1, S=0, O=1) / ICMPv6NDOptDstLLAddr(lladdr=STATION)))
    until_equal(lambda: one.neighbours().get(ADDRESS6), ("remote", STATION), "it is advertised")
    fields = ("icmpv6.type", "icmpv6.nd.na.target_address", "icmpv6.opt.linkaddr",
              "icmpv6.nd.na.flag.r", "icmpv6.nd.na.flag.s", "ipv6.dst")
    said = {"icmpv6.type": "136", "icmpv6.nd.na.target_address": ADDRESS6,
            "icmpv6.opt.linkaddr": STATION, "icmpv6.nd.na.flag.r": "1"}
    question = solicitation(one.host.address, "fd00::1", ADDRESS6)
    row = asking.answered(question, *fields)
    assert row == {**said, "icmpv6.nd.na.flag.s": "1", "ipv6.dst": "fd00::1"}
    # That the router asks for somebody itself says nothing of its being one.
    wires[two].send(solicitation(STATION, ADDRESS6, OTHER6))
    announces(wires[two], STATION)
    until_equal(lambda: one.neighbours().get(ADDRESS), ("remote", STATION), "what it said is read")
    asking.flooded(bytes(
        Ether(src=one.host.address, dst=MULTICAST6)
        / IPv6(src="::", dst="ff02::1:ff00:77", hlim=255) / ICMPv6ND_NS(tgt=ADDRESS6)))
    assert asking.answered(question, *fields)["icmpv6.nd.na.flag.r"] == "1"
    assert one.switch.show("evpn")["refused"] == 0
    assert ADDRESS6 in one.switch.command("show", "evpn", "--all").stdout


def test_the_kernels_leaf_and_ours_answer_for_each_others_hosts(lab: Lab, tmp_path):
    fabric = Fabric(lab, 3, 1, neigh_suppress=True).start()
    one, two, three, kernel = fabric.leaves
    fabric.all_ping()
    kernel.host.ping(GATEWAY)
    hosts = {leaf.host.ipv4: leaf for leaf in fabric.leaves}
    for leaf in fabric.leaves:
        fabric.until_behind(leaf.host.address, leaf)
        known = {(address, "local" if at is leaf else "remote", at.host.address)
                 for address, at in hosts.items()}
        until(lambda: known <= {(address, *about) for address, about in leaf.neighbours().items()},
              f"leaf {leaf.number} knows all neighbours", 20)
    # All find all others anew, and no question is seen between the leaves; nor is an answer.
    between = [leaf.underlay() for leaf in fabric.leaves]
    for leaf in fabric.leaves:
        leaf.host.namespace.ip("neigh", "flush", "all")
    for leaf in fabric.leaves:
        for other in fabric.leaves:
            if other is not leaf:
                leaf.host.ping(other.host.ipv4)
                assert leaf.host.neighbours()[other.host.ipv4] == other.host.address
    for leaf, wire in zip(fabric.leaves, between):
        rows = decoded(tmp_path, tunnelled(wire.pending()), "icmp.type", "ip.dst", "arp.opcode",
                       "eth.dst")
        asked = {row["ip.dst"] for row in rows if row.get("icmp.type") == "8"}
        assert asked == set(hosts) - {leaf.host.ipv4}, "what was looked for is seen there"
        # Later a host may ask another whether it is there still.
        assert not [row for row in rows if "arp.opcode" in row and row["eth.dst"] == BROADCAST]
        wire.close()

    # Of IPv6: a station here and one there, asked for by the hosts at the other kind of leaf.
    here, there = two.host.wire(), kernel.host.wire()
    here.send(bytes(
        Ether(src=STATION, dst="33:33:00:00:00:01") / IPv6(src=ADDRESS6, dst="ff02::1", hlim=255)
        / ICMPv6ND_NA(tgt=ADDRESS6, R=0, S=0, O=1) / ICMPv6NDOptDstLLAddr(lladdr=STATION)))
    there.send(solicitation(OTHER, OTHER6, GATEWAY6))
    for asker, address, mac in ((one, OTHER6, OTHER), (kernel, ADDRESS6, STATION)):
        until_equal(lambda: asker.neighbours().get(address), ("remote", mac), "it is advertised")
        row = Asking(tmp_path, fabric, asker.number - 1).answered(
            solicitation(asker.host.address, "fd00::1", address), "icmpv6.type",
            "icmpv6.nd.na.target_address", "icmpv6.opt.linkaddr", "icmpv6.nd.na.flag.s")
        assert row == {"icmpv6.type": "136", "icmpv6.nd.na.target_address": address,
                       "icmpv6.opt.linkaddr": mac, "icmpv6.nd.na.flag.s": "1"}
