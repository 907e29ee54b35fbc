"""Congestion marks: what says that it understands them leaves a deep queue as CE, and is otherwise
what it was; what does not is dropped where the curve says so. Judged octet for octet, by tshark, and
by the counters of a kernel that received it."""

import socket
from typing import Iterator

import pytest

from frames import BROADCAST, frame
from host import Host
from lab import Lab
from namespace import Namespace
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Dot1Q, Ether
from scapy.packet import Raw
from switch import Switch
from tshark import decoded
from waiting import until, until_equal
from wire import Wire

NOT_ECT, ECT1, ECT0, CE = range(4)
DSCP = 10 << 2  # stays what it is
SHAPED = {"rate": "2M"}
# Less than the first of these two is never marked, from the second on everything is.
CURVE = {"low": "4KiB", "high": "16KiB", "probability": 0.5}
DEEP = 60  # frames of 1000 octets, so that more than half of them leave a queue above `high`


# Stations that no kernel answers for.
ONE, TWO = ({"address": f"02:00:00:00:09:{number:02x}", 4: f"192.0.2.{number}",
             6: f"2001:db8::{number}"} for number in (1, 2))


def datagram(version: int, ecn: int, number: int, vlan: int = 0) -> bytes:
    """UDP; with a tag it is of priority 3."""
    octets = Ether(src=ONE["address"], dst=TWO["address"])
    if vlan:
        octets /= Dot1Q(vlan=vlan, prio=3)
    if version == 4:
        octets /= IP(src=ONE[4], dst=TWO[4], tos=DSCP | ecn, id=number * 997 % 65536)
    else:
        octets /= IPv6(src=ONE[6], dst=TWO[6], tc=DSCP | ecn, fl=number)
    return bytes(octets / UDP(sport=4000, dport=9) / Raw(b"%8d" % number * 118))


def shaped(lab: Lab, kind: str, **about) -> tuple[Switch, Wire, Wire]:
    """A switch whose second port is slow, and is known to lead to TWO."""
    lab.add_hosts(2)
    ports = lab.ports(kind, **about)
    ports[1].update(SHAPED)
    switch = lab.make_switch(ports).start()
    first, second = lab.wires()
    hello = frame(TWO["address"], BROADCAST)
    second.send(hello)
    first.expect(hello)
    return switch, first, second


def marks(switch: Switch) -> int:
    return sum(row["marked"] for row in switch.show("queues"))


@pytest.mark.parametrize("version", [4, 6])
def test_capable_frames_of_a_deep_queue_are_marked_and_no_other_octet_changes(
        lab: Lab, kind: str, version):
    switch, first, second = shaped(lab, kind, ecn={0: CURVE})
    kinds = [ECT0, NOT_ECT, ECT1, CE]
    sent = [(kinds[number % 4], datagram(version, kinds[number % 4], number))
            for number in range(DEEP)]
    first.send(*(octets for _, octets in sent))
    received = second.collect(lambda frames: len(frames) == DEEP, "all of them")

    marked = 0
    for number, ((ecn, octets), arrived) in enumerate(zip(sent, received)):
        if ecn in (ECT0, ECT1) and arrived != octets:
            # As if its sender had written CE, the checksum of IPv4 with it.
            octets = as_marked(octets, version)
            marked += 1
        assert arrived.hex(" ") == octets.hex(" "), f"frame {number} of {DEEP}"
    assert marks(switch) == marked == switch.show("queues")[0]["marked"]
    assert DEEP // 4 <= marked < DEEP // 2, "in the deep queue, and not as it ran empty"
    assert switch.drops() == {}

    field = "ip.dsfield.ecn" if version == 4 else "ipv6.tclass.ecn"
    rows = decoded(lab.folder, received, field, "ip.checksum.status", check="ip.check_checksum")
    assert sum(row[field] == "3" for row in rows) == marked + DEEP // 4
    assert sum(row[field] == "0" for row in rows) == DEEP // 4, "not-ECT never"
    if version == 4:
        assert {row["ip.checksum.status"] for row in rows} == {"1"}, "good"


def as_marked(octets: bytes, version: int) -> bytes:
    """The frame with CE in it, built anew."""
    whole = Ether(octets)
    if version == 4:
        whole[IP].tos |= CE
        del whole[IP].chksum
    else:
        whole[IPv6].tc |= CE
    return bytes(whole)


def test_where_the_curve_drops_what_takes_no_mark_is_dropped_and_all_else_arrives(
        lab: Lab, kind: str):
    """Half of what comes is not ECN-capable: it is dropped where the other half is marked."""
    switch, first, second = shaped(lab, kind, ecn={0: {**CURVE, "drop": True}})
    sent = [datagram(4, (ECT0, NOT_ECT)[number % 2], number) for number in range(DEEP)]
    first.send(*sent)
    dropped = lambda: switch.drops("p0").get("wred", 0)
    received = second.collect(lambda frames: len(frames) + dropped() >= DEEP, "all that is sent on")
    lost = dropped()
    assert switch.drops() == {"wred": lost} == switch.drops("p0")
    assert DEEP // 6 <= lost < DEEP // 2, "from a deep queue, and not before"
    assert sum(Ether(octets)[IP].tos & CE == NOT_ECT for octets in received) == DEEP // 2 - lost
    assert sum(Ether(octets)[IP].tos & CE != NOT_ECT for octets in received) == DEEP // 2
    assert switch.show("queues")[0]["dropped"] == lost
    assert marks(switch) > 0


def test_a_shallow_queue_marks_nothing(lab: Lab, kind: str):
    switch, first, second = shaped(lab, kind, ecn={0: CURVE})
    for number in range(20):
        octets = datagram(4, ECT0, number)
        first.send(octets)
        second.expect(octets)
    assert marks(switch) == 0


def test_each_priority_has_its_own_curve(lab: Lab, kind: str):
    """Priority 3 has one; 0 is as deep and has none."""
    switch, first, second = shaped(lab, kind, ecn={3: CURVE})
    plain = [datagram(4, ECT0, number) for number in range(DEEP)]
    tagged = [datagram(4, ECT0, DEEP + number, vlan=1) for number in range(DEEP)]
    first.send(*plain, *tagged)
    received = second.collect(lambda frames: len(frames) == 2 * DEEP, "all of them")
    assert [octets for octets in received if Ether(octets).type != 0x8100] == plain
    by_priority = {row["priority"]: row["marked"] for row in switch.show("queues")
                   if row["output"] == "p1"}
    assert by_priority[0] == 0 and by_priority[3] >= DEEP // 2
    rows = decoded(lab.folder, received, "ip.dsfield.ecn", "ip.checksum.status",
                   check="ip.check_checksum")
    assert sum(row["ip.dsfield.ecn"] == "3" for row in rows) == by_priority[3]
    assert {row["ip.checksum.status"] for row in rows} == {"1"}


# --- from kernel to kernel ------------------------------------------------------------------------

def counted(namespace: Namespace, version: int) -> dict[str, int]:
    """What its kernel received by IP, by the codepoint of ECN, and with a fault."""
    if version == 6:
        rows = dict(line.split() for line in
                    namespace.run("cat", "/proc/net/snmp6").stdout.splitlines())
        return {"CE": int(rows["Ip6InCEPkts"]), "ECT0": int(rows["Ip6InECT0Pkts"]),
                "faulty": int(rows["Ip6InHdrErrors"])}
    lines = namespace.run("cat", "/proc/net/netstat", "/proc/net/snmp").stdout.splitlines()
    rows = {}
    for names, values in zip(lines[::2], lines[1::2]):
        group = names.split(":")[0]
        rows.update({f"{group}.{name}": int(value)
                     for name, value in zip(names.split()[1:], values.split()[1:])})
    return {"CE": rows["IpExt.InCEPkts"], "ECT0": rows["IpExt.InECT0Pkts"],
            "faulty": rows["Ip.InHdrErrors"] + rows["IpExt.InCsumErrors"]}


def sockets(one: Host, two: Host, version: int) -> Iterator[socket.socket]:
    """UDP from one host, ECT(0), and to the other."""
    family = socket.AF_INET if version == 4 else socket.AF_INET6
    for host in (one, two):
        with host.namespace.entered():
            yield socket.socket(family, socket.SOCK_DGRAM)


@pytest.mark.parametrize("version", [4, 6])
def test_kernels_send_capable_frames_and_count_the_marks(lab: Lab, kind: str, version):
    one, two = lab.add_hosts(2, ipv6=True)
    ports = lab.ports(kind, ecn={0: CURVE})
    ports[1].update(SHAPED)
    switch = lab.make_switch(ports).start()
    address = two.ipv4 if version == 4 else two.ipv6
    one.ping(address)

    sender, receiver = sockets(one, two, version)
    with sender, receiver:
        if version == 4:
            sender.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, ECT0)
        else:
            sender.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_TCLASS, ECT0)
        receiver.bind((address, 9000))
        receiver.settimeout(10)
        sent = [b"%8d" % number + bytes(950) for number in range(DEEP)]
        for octets in sent:
            sender.sendto(octets, (address, 9000))
        assert [receiver.recv(2000) for _ in sent] == sent
    found = counted(two.namespace, version)
    assert found["faulty"] == 0
    assert found["CE"] == marks(switch) >= DEEP // 2
    assert found["ECT0"] == DEEP - found["CE"] > 0


# --- before PFC -----------------------------------------------------------------------------------

def test_senders_are_marked_to_slow_down_before_they_are_stopped(lab: Lab, kind: str):
    """A lossless priority is marked from 8 KiB on, and paused from 64 KiB on."""
    switch, first, second = shaped(
        lab, kind, lossless=[3], ecn={3: {"low": "8KiB", "high": "16KiB", "probability": 1}},
        pfc={"xoff": "64KiB", "xon": "32KiB", "headroom": "256KiB"})
    sent = [datagram(4, ECT0, number, vlan=1) for number in range(160)]
    first.send(*sent[:40])
    until(lambda: marks(switch), "the first marks")
    row = switch.pfc("p0", 3)
    assert row["tx_pause"] == 0 and row["occupancy_bytes"] < row["xoff_bytes"]
    assert first.pending() == []

    first.send(*sent[40:])
    until(lambda: switch.pfc("p0", 3)["tx_pause"], "the sender is paused")
    received = second.collect(lambda frames: len(frames) == len(sent), "all of them")
    until_equal(lambda: switch.pfc("p0", 3)["pausing"], False, "it may go on")
    codepoints = [Ether(octets)[IP].tos & 3 for octets in received]
    assert codepoints.count(CE) == marks(switch) and set(codepoints) == {CE, ECT0}
    assert switch.drops() == {}
