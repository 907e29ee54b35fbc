"""A virtual machine at its defaults: it leaves checksums and segmentation to its virtio device, and
takes segments of TCP whole. The guest is testpmd's virtio device; what it says is read from a
capture, and what it gets is written to another."""

import os
import socket
import struct

import pytest
from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether
from scapy.utils import RawPcapReader, RawPcapWriter

from host import Host
from lab import Lab
from switch import STARTS, Switch
from testpmd import start_guest
from waiting import until, until_equal

GUEST = "02:00:00:00:08:08"
SEGMENT = 1400  # octets of payload a frame


def network(family: int, source: str = "9", destination: str = "1"):
    if family == 6:
        return IPv6(src=f"fd00::{source}", dst=f"fd00::{destination}")
    return IP(src=f"10.0.0.{source}", dst=f"10.0.0.{destination}", id=77, flags="DF")


def with_guest(lab: Lab) -> tuple[Switch, Host]:
    host = lab.add_hosts(1, offloads=True)[0]
    lab.namespace.run("ethtool", "-K", "p0", "tso", "off")  # which would have frames joined again
    ports = [*lab.ports("af_packet"),
             {"name": "guest", "device": f"vhost:{lab.folder}/guest.sock"}]
    switch = lab.make_switch(ports)
    switch.launch()
    until_equal(switch.links, {"p0": "up", "guest": "down"}, "no guest has attached yet",
                STARTS)
    return switch, host


def attach(lab: Lab, switch: Switch, capture: str, peer: str, *abilities: str, forward: str):
    guest = start_guest(lab.namespace, lab.folder / "commands", forward, peer,
                        f"net_virtio_user0,path={lab.folder}/guest.sock,mac={GUEST}",
                        f"net_pcap0,{capture}", abilities=abilities)
    until(lambda: guest.running() and switch.links()["guest"] == "up", "the guest attaches", STARTS)
    return guest


def counters(switch: Switch) -> dict[str, int]:
    return switch.port("guest")["device_counters"]


def is_whole(octets: bytes) -> bool:
    """Its checksums are those that scapy computes for the same frame."""
    again = Ether(octets)
    for layer, name in ((IP, "chksum"), (TCP, "chksum"), (UDP, "chksum")):
        if layer in again:
            delattr(again[layer], name)
    return bytes(again) == octets


def test_what_a_guest_leaves_is_finished_and_cut(lab: Lab):
    switch, host = with_guest(lab)
    payload = os.urandom(8000)
    played = str(lab.folder / "in.pcap")
    with RawPcapWriter(played, linktype=1) as writer:
        for family in (4, 6):
            for transport, length in ((TCP(sport=1, dport=2, seq=1000, flags="PA"), len(payload)),
                                      (TCP(sport=1, dport=2, seq=1000, flags="PA"), 333),
                                      (UDP(sport=1, dport=2), 333)):
                writer.write(bytes(Ether(src=GUEST, dst=host.address) / network(family) / transport
                                   / payload[:length]))
    wire = host.wire()
    attach(lab, switch, f"rx_pcap={played}", host.address, "tx tcp_tso", "tx tcp_cksum",
           "tx udp_cksum", forward="csum")
    is_mine = lambda octets: octets[6:12].hex(":") == GUEST  # noqa: E731
    frames_of_segment = -(-len(payload) // SEGMENT)
    wanted = 2 * (frames_of_segment + 2)
    came = [octets for octets in wire.collect(
        lambda received: sum(map(is_mine, received)) == wanted, "all arrive", STARTS)
            if is_mine(octets)]
    assert all(map(is_whole, came)), [octets.hex(" ") for octets in came if not is_whole(octets)][:1]
    for family, layer in ((4, IP), (6, IPv6)):
        mine = [Ether(octets) for octets in came if layer in Ether(octets)]
        assert [one[UDP].payload.load for one in mine if UDP in one] == [payload[:333]]
        said = [(one[TCP].seq, one[TCP].payload.load) for one in mine if TCP in one]
        cut = [(1000 + start, payload[start:start + SEGMENT])
               for start in range(0, len(payload), SEGMENT)]
        assert said == [*cut, (1000, payload[:333])], family
    counted = counters(switch)
    assert counted["receive_errors"] == 0
    assert (counted["segments_cut"], counted["frames_cut"]) == (2, 2 * frames_of_segment)
    assert counted["checksums_finished"] == 4


def send_segment(host: Host, family: int, payload: bytes) -> None:
    """As the host's kernel hands it over: one, to be cut."""
    headers = bytes(Ether(src=host.address, dst=GUEST) / network(family, "1", "9")
                    / TCP(sport=1, dport=2, seq=1000, ack=1, flags="A", chksum=0) / payload)
    headers = headers[:-len(payload)]
    kind, start = (4, 54) if family == 6 else (1, 34)
    with host.namespace.entered():
        sending = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
    with sending:
        sending.setsockopt(263, 15, 1)  # SOL_PACKET, PACKET_VNET_HDR
        sending.bind(("eth0", 0))
        sending.send(struct.pack("=BBHHHH", 1, kind, len(headers), SEGMENT, start, 16)
                     + headers + payload)


@pytest.mark.parametrize("takes_segments", [True, False])
def test_a_guest_gets_segments_where_it_takes_them(lab: Lab, takes_segments: bool):
    """And frames of the wire where it does not, though they are the same octets."""
    switch, host = with_guest(lab)
    written = lab.folder / "out.pcap"
    abilities = ["rx tcp_lro", "rx tcp_cksum"] if takes_segments else []
    guest = attach(lab, switch, f"tx_pcap={written}", host.address, *abilities, forward="io")
    guest.until_it_says("Port statistics")
    payloads = [os.urandom(SEGMENT * 9 + 5), os.urandom(SEGMENT * 6)]
    for family, payload in zip((4, 6), payloads):
        send_segment(host, family, payload)
    frames = sum(-(-len(payload) // SEGMENT) for payload in payloads)
    until(lambda: switch.port("guest")["tx_frames"] >= frames, "all are sent", STARTS)
    joined = lambda: (counters(switch)["segments_joined"], counters(switch)["frames_joined"])  # noqa: E731
    if takes_segments:
        until(lambda: joined()[0] >= 2, "they are joined")
    guest.end()
    came = [octets for octets, _ in RawPcapReader(str(written))]
    tcp = [Ether(octets) for octets in came if TCP in Ether(octets)]
    for layer, payload in ((IP, payloads[0]), (IPv6, payloads[1])):
        mine = [one for one in tcp if layer in one]
        assert b"".join(one[TCP].payload.load for one in mine) == payload
        assert [one[TCP].seq for one in mine] == starts(mine)
    longest = max(map(len, came))
    assert longest > 3000 if takes_segments else longest <= 1514
    if not takes_segments:
        assert joined() == (0, 0) and all(map(is_whole, map(bytes, tcp)))


def starts(frames: list) -> list[int]:
    """Where each is to start."""
    at, found = 1000, []
    for one in frames:
        found.append(at)
        at += len(one[TCP].payload.load)
    return found
