"""Frames that are no frames: dropped, counted by their reason, and no trouble for the others."""

import struct

import pytest

from frames import BROADCAST, frame
from lab import Lab
from scapy.utils import RawPcapWriter

STATION = "02:00:00:00:07:07"
HEADER = bytes.fromhex("ffffffffffff" "020000000707")
IPV4 = HEADER + b"\x08\x00" + bytes.fromhex("4500002c000100004011000000000000ffffffff")
LONG_IPV4 = HEADER + b"\x08\x00" + bytes.fromhex("4f00003c000100004011000000000000ffffffff")
IPV6 = HEADER + b"\x86\xdd" + bytes.fromhex("6000000000001140") + bytes(32)
TAG = bytes.fromhex("8100000a")
INNER = HEADER + TAG + TAG  # and nothing behind the second tag

TRUNCATED_IP = {
    "ipv4_without_header": IPV4[:14],
    "ipv4_one_octet": IPV4[:15],
    "ipv4_header_cut": IPV4[:33],
    "ipv4_options_cut": LONG_IPV4 + bytes(39),
    "ipv4_in_a_tag": HEADER + TAG + IPV4[12:33],
    "ipv6_without_header": IPV6[:14],
    "ipv6_header_cut": IPV6[:53],
    "ipv6_in_two_tags": HEADER + TAG + TAG + IPV6[12:53],
}
TRUNCATED_TAG = {
    **{f"tag_{end}": (HEADER + TAG + b"\x08")[:end] for end in range(14, 18)},
    **{f"inner_tag_{end}": (INNER + b"\x08")[:end] for end in range(18, 22)},
}
SHORTEST_OF_A_PACKET_SOCKET = 20  # with a tag; what is shorter the kernel keeps to itself
RUNTS = {f"runt_{length}": IPV4[:length] for length in range(1, 14)}


def test_cut_headers_are_counted(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2)
    first, second = lab.wires()
    cut_tags = [octets for octets in TRUNCATED_TAG.values()
                if kind == "af_xdp" or len(octets) >= SHORTEST_OF_A_PACKET_SOCKET]
    last = frame(one.address, BROADCAST)
    first.send(*TRUNCATED_IP.values(), *cut_tags, last)
    second.expect(last)
    assert switch.drops() == {"truncated_ip": len(TRUNCATED_IP), "truncated_tag": len(cut_tags)}
    assert switch.fdb() == {one.address: "p0"}, "the source of such a frame is not learned"


@pytest.mark.parametrize("reason, bad", [
    ("runt", RUNTS), ("truncated_tag", TRUNCATED_TAG), ("truncated_ip", TRUNCATED_IP)],
    ids=["runt", "tag", "ip"])
def test_what_no_kernel_would_hand_over(lab: Lab, reason, bad):
    """From a capture, since an interface of the kernel's sends nothing below 14 octets."""
    [host] = lab.add_hosts(1)
    capture, last = str(lab.folder / "bad.pcap"), frame(STATION, BROADCAST)
    with RawPcapWriter(capture, linktype=1) as writer:
        for octets in (*bad.values(), last):
            writer.write(octets)
    wire = host.wire()
    switch = lab.make_switch([{"name": "file", "device": f"pcap:{capture}"},
                              *lab.ports("af_packet")]).start()
    wire.expect(last)
    assert switch.drops() == {reason: len(bad)} == switch.drops("file")


def test_a_header_that_ends_with_the_frame_passes(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2)
    first, second = lab.wires()
    whole = [IPV4, IPV6, HEADER + TAG + IPV4[12:], HEADER + b"\x88\xb5",
             HEADER + TAG + b"\x88\xb5" + bytes(2)]
    first.send(*whole)
    second.expect(*whole)
    assert switch.drops() == {}


def test_a_wrong_ip_version_is_none_of_a_switch_s_business(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2)
    first, second = lab.wires()
    odd = [IPV4[:14] + b"\x65" + IPV4[15:], IPV6[:14] + b"\x40" + IPV6[15:]]
    first.send(*odd)
    second.expect(*odd)


def test_too_long_is_dropped_and_what_just_fits_passes(lab: Lab, kind: str):
    one, two = lab.add_hosts(2)
    # The kernel's own limits out of the way; the switch sets that of its end as it starts.
    for host in (one, two):
        host.namespace.ip("link", "set", "eth0", "mtu", "2000")
    switch = lab.start_switch(kind)
    for host in (one, two):
        lab.namespace.ip("link", "set", host.port, "mtu", "2000")
    first, second = lab.wires()
    longest = frame(one.address, BROADCAST, length=1522)
    last = frame(one.address, BROADCAST)
    first.send(longest, frame(one.address, BROADCAST, length=1523),
               frame(one.address, BROADCAST, length=1900), last)
    second.expect(longest, last)
    assert switch.port("p0")["max_frame"] == 1522
    assert switch.drops() == {"oversize": 2}


def test_a_larger_mtu_takes_longer_frames(lab: Lab, kind: str):
    lab.add_hosts(2, mtu=3000)
    switch = lab.start_switch(kind, defaults={"mtu": 3000})
    one, two = lab.hosts
    one.ping(two.ipv4, size=2972)
    assert switch.drops() == {}


def test_noise_of_every_length_harms_nobody(lab: Lab, kind: str):
    """Every EtherType that the switch looks into, at every length; then hosts talk as before."""
    switch, (one, two) = lab.build(kind, 2)
    first = one.wire()
    types = (0x0800, 0x86DD, 0x8100, 0x88A8, 0x8808, 0x88CC, 0x0000, 0x05DC, 0xFFFF)
    noise = [HEADER + struct.pack("!H", kind_of) + bytes([fill]) * length
             for kind_of in types for length in (0, 1, 2, 3, 4, 5, 19, 20, 39, 40, 41, 46, 100)
             for fill in (0x00, 0xFF, 0x45, 0x81)]
    first.send(*noise, rate=5000)
    one.ping(two.ipv4)
    ledger = switch.settled()
    assert ledger["received"] <= len(noise) + 20
