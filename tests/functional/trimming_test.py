"""Packet trimming: what finds no room at a slow port arrives cut to its headers, judged by tshark and
by the sum of what came, was trimmed and was dropped. What was trimmed before is not trimmed again."""

import pytest

from capture_test import begin, end, seen
from frames import BROADCAST, frame
from lab import Lab
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Dot1Q, Ether
from scapy.layers.vxlan import VXLAN
from scapy.packet import Raw
from switch import Switch
from tshark import decoded, dissected
from waiting import until_equal
from wire import Wire

DATA, TRIMMED, LAST_HOP = 10, 11, 12
ECT0 = 2
SIZE = 128
MANY = 400
ONE, TWO = "02:00:00:00:09:01", "02:00:00:00:09:02"  # stations that no kernel answers for
TRIM = {"dscp": {DATA: TRIMMED}, "size": SIZE}
# A VOQ holds some 20 frames of 1000 octets.
BUFFER = {"size": "64KiB", "alpha": 0.5}


def ip(version: int, dscp: int):
    if version == 4:
        return IP(src="192.0.2.1", dst="192.0.2.2", tos=dscp << 2 | ECT0, id=7)
    return IPv6(src="2001:db8::1", dst="2001:db8::2", tc=dscp << 2 | ECT0)


def datagram(kind: str, dscp: int = DATA) -> bytes:
    """Of some 1000 octets."""
    octets = Ether(src=ONE, dst=TWO)
    if "tagged" in kind:
        octets /= Dot1Q(vlan=1, prio=0)
    octets /= ip(6 if "ipv6" in kind else 4, dscp)
    if "vxlan" in kind:
        octets /= UDP(sport=4000, dport=4789) / VXLAN(vni=5) / Ether(src=TWO, dst=ONE) / ip(4, 0)
    return bytes(octets / UDP(sport=4000, dport=4791) / Raw(bytes(range(250)) * 4))


def slow(lab: Lab, rate: str = "5M", **trim) -> tuple[Switch, Wire, Wire]:
    """A switch whose second port is slow, trims, and is known to lead to TWO."""
    lab.add_hosts(2)
    ports = lab.ports("af_packet")
    ports[1].update(rate=rate, trim=TRIM | trim)
    switch = lab.make_switch(ports, buffer=BUFFER).start()
    first, second = lab.wires()
    hello = frame(TWO, BROADCAST)
    second.send(hello)
    first.expect(hello)
    return switch, first, second


def burst(switch: Switch, first: Wire, second: Wire, octets: bytes) -> list[bytes]:
    """What arrives of many such frames that are sent at once."""
    before = switch.port("p0")["rx_frames"]
    first.send(*[octets] * MANY)
    until_equal(lambda: switch.port("p0")["rx_frames"] - before, MANY, "they came")
    switch.settled()
    return second.pending()


def queue(switch: Switch, priority: int) -> dict:
    return next(row for row in switch.show("queues", all=True)
                if (row["input"], row["output"], row["priority"]) == ("p0", "p1", priority))


@pytest.mark.parametrize("kind", ["ipv4", "ipv6", "tagged", "tagged ipv6", "vxlan", "vxlan ipv6"])
def test_what_finds_no_room_arrives_cut_and_everything_adds_up(lab: Lab, kind: str):
    switch, first, second = slow(lab)
    sent = datagram(kind)
    received = burst(switch, first, second, sent)
    whole = [octets for octets in received if len(octets) == len(sent)]
    cut = [octets for octets in received if len(octets) != len(sent)]
    assert {len(octets) for octets in cut} == {SIZE} and set(whole) == {sent}

    drops = switch.drops("p0")
    assert len(whole) + len(cut) + sum(drops.values()) == MANY
    assert set(drops) <= {"over_threshold", "trim_refused"}
    port, data, trimmed = switch.port("p1"), queue(switch, 0), queue(switch, 6)
    refused = drops.get("trim_refused", 0)
    assert port["trimmed"] == data["trimmed"] == len(cut) + refused
    assert port["trim_dropped"] == data["trim_dropped"] == refused
    assert data["enqueued"] == len(whole)
    assert data["dropped"] == drops.get("over_threshold", 0)
    assert (trimmed["enqueued"], trimmed["dropped"]) == (len(cut), refused)
    ledger = switch.show("ledger")
    assert ledger["balanced"] and ledger["trimmed"] == len(cut)

    version = "ipv6" if "ipv6" in kind else "ip"
    length = "ipv6.plen" if version == "ipv6" else "ip.len"
    class_ = "ipv6.tclass" if version == "ipv6" else "ip.dsfield"
    network = 18 if "tagged" in kind else 14
    rows = dissected(lab.folder, cut, f"{class_}.dscp", f"{class_}.ecn", length, "vlan.id",
                     "ip.checksum.status", "vxlan.vni", "udp.dstport",
                     checks=("ip.check_checksum",))
    for row in rows:
        assert row[f"{class_}.dscp"][0] == str(TRIMMED) and row[f"{class_}.ecn"][0] == str(ECT0)
        assert int(row[length][0]) == SIZE - network - (40 if version == "ipv6" else 0)
        if version == "ip":
            assert row["ip.checksum.status"][0] == "1"
        assert ("vlan.id" in row) == ("tagged" in kind)
        assert row["udp.dstport"][-1] == "4791", "the inner headers are there"
        assert ("vxlan.vni" in row) == ("vxlan" in kind)


def test_what_was_trimmed_is_captured_as_it_came(lab: Lab):
    switch, first, second = slow(lab)
    file = lab.folder / "drops.pcapng"
    capture = begin(switch, "p1", "--drops", "-w", str(file))
    sent = datagram("ipv4")
    cut = [octets for octets in burst(switch, first, second, sent) if len(octets) == SIZE]
    end(capture)
    comments = [(int(length), comment) for *_, comment, length in seen(file, "frame.len")]
    trimmed = [row for row in comments if row[1].startswith("trimmed; VOQ from p0 to p1, priority 0")]
    assert {length for length, _ in trimmed} == {len(sent)}
    assert len(trimmed) == len(cut) == queue(switch, 6)["enqueued"] > 0
    assert all(comment.startswith("dropped: ") for _, comment in comments
               if (len(sent), comment) not in trimmed)


def test_what_came_trimmed_is_not_trimmed_again(lab: Lab):
    switch, first, second = slow(lab, last_hop=LAST_HOP)
    for dscp in (TRIMMED, LAST_HOP):
        sent = datagram("ipv4", dscp)
        assert set(burst(switch, first, second, sent)) == {sent}
    assert set(switch.drops("p0")) == {"over_threshold"}
    assert switch.port("p1")["trimmed"] == 0


def test_the_last_hop_says_so(lab: Lab):
    switch, first, second = slow(lab, last_hop=LAST_HOP)
    received = burst(switch, first, second, datagram("ipv4"))
    rows = decoded(lab.folder, [octets for octets in received if len(octets) == SIZE],
                   "ip.dsfield.dscp")
    assert {row["ip.dsfield.dscp"] for row in rows} == {str(LAST_HOP)}


def test_of_kernels_at_twice_the_rate_all_is_sent_trimmed_or_dropped(lab: Lab):
    """iperf3 over UDP: each frame that its kernel sends is one of the three, and what is trimmed takes
    no more than its share."""
    one, two = lab.add_hosts(2)
    ports = lab.ports("af_packet")
    ports[1].update(rate="20M", trim={"dscp": {0: TRIMMED}, "size": SIZE, "share": 0.125})
    switch = lab.make_switch(ports, buffer={"size": "1MiB", "alpha": 0.25}).start()
    before, _ = one.counted()
    server = two.serve_iperf3()
    client = one.start_iperf3(two, "--udp", "--bitrate", "40M", "--length", "1400", seconds=2)
    assert client.wait(30) == 0, client.said()
    server.wait(10)
    switch.settled()
    came = one.counted()[0] - before
    rows = {row["name"]: row for row in switch.show("ports")}
    missed = rows["p0"]["device_counters"].get("missed", 0)
    ledger, drops = switch.show("ledger"), switch.drops("p0")
    assert set(drops) <= {"over_threshold", "trim_refused"}
    whole = rows["p1"]["tx_frames"] - ledger["trimmed"]
    assert ledger["balanced"] and ledger["trimmed"] > 100
    assert whole + ledger["trimmed"] + sum(drops.values()) + missed == came > 2000
    assert ledger["trimmed"] * SIZE <= rows["p1"]["tx_bytes"] / 8 + 32 * 1024
