"""Groups as hosts and routers have them: sockets that join, and queries and reports as octets."""

import contextlib
import socket
import struct
from typing import Iterator, Optional

from scapy.contrib.igmp import IGMP
from scapy.layers.inet import IP, IPOption_Router_Alert
from scapy.layers.inet6 import (ICMPv6MLQuery, ICMPv6MLReport2, IPv6, IPv6ExtHdrHopByHop,
                                RouterAlert)
from scapy.layers.l2 import Ether
from scapy.utils import checksum

from host import Host

ALL_HOSTS = "01:00:5e:00:00:01"
QUERY = 0x11


def address_of(group: str) -> str:
    """The MAC address of frames for it."""
    if ":" in group:
        octets = b"\x33\x33" + socket.inet_pton(socket.AF_INET6, group)[-4:]
    else:
        low = socket.inet_aton(group)[1:]
        octets = bytes([0x01, 0x00, 0x5E, low[0] & 0x7F, low[1], low[2]])
    return octets.hex(":")


@contextlib.contextmanager
def joined(host: Host, group: str) -> Iterator[None]:
    """A program on the host is in the group meanwhile; the kernel reports and leaves."""
    family = socket.AF_INET6 if ":" in group else socket.AF_INET
    with host.namespace.entered():
        index = socket.if_nametoindex("eth0")
        member = socket.socket(family, socket.SOCK_DGRAM)
        if family == socket.AF_INET6:
            what = socket.inet_pton(family, group) + struct.pack("@I", index)
            member.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, what)
        else:
            what = socket.inet_aton(group) + bytes(4) + struct.pack("@i", index)
            member.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, what)
    with member:
        yield


@contextlib.contextmanager
def wants_source(host: Host, group: str, source: str) -> Iterator[None]:
    """A program on the host wants what one source sends to the group meanwhile (IGMPv3, MLDv2); it
    leaves by BLOCK."""
    join_source_group = 46  # MCAST_JOIN_SOURCE_GROUP, with a group_source_req
    family, level = ((socket.AF_INET6, socket.IPPROTO_IPV6) if ":" in group else
                     (socket.AF_INET, socket.IPPROTO_IP))

    def storage(address: str) -> bytes:
        before = 6 if family == socket.AF_INET6 else 2  # port, and flow
        octets = struct.pack("@H", family) + bytes(before) + socket.inet_pton(family, address)
        return octets.ljust(128, b"\0")
    with host.namespace.entered():
        member = socket.socket(family, socket.SOCK_DGRAM)
        interface = struct.pack("@I4x", socket.if_nametoindex("eth0"))
        member.setsockopt(level, join_source_group, interface + storage(group) + storage(source))
    with member:
        yield


def pim_hello(host: Host) -> bytes:
    """Returns a PIM hello with a hold time of 105 s."""
    pim = b"\x20\0\0\0" + struct.pack("!HHH", 1, 2, 105)
    pim = pim[:2] + struct.pack("!H", checksum(pim)) + pim[4:]
    network = IP(src=host.ipv4, dst="224.0.0.13", ttl=1, proto=103)
    octets = bytes(Ether(src=host.address, dst=address_of("224.0.0.13")) / network / pim)
    return octets.ljust(60, b"\0")


def igmp_query(host: Host, source: str = "", interval_code: Optional[int] = None) -> bytes:
    """Version 2, or 3 where it says the interval between queries; answered within a second."""
    network = IP(src=source or host.ipv4, dst="224.0.0.1", ttl=1, proto=2,
                 options=[IPOption_Router_Alert()])
    query = bytes(IGMP(type=QUERY, mrcode=10))
    if interval_code is not None:
        query = bytes([QUERY, 10, 0, 0, 0, 0, 0, 0, 2, interval_code, 0, 0])
        query = query[:2] + struct.pack("!H", checksum(query)) + query[4:]
    octets = bytes(Ether(src=host.address, dst=ALL_HOSTS) / network / query)
    return octets.ljust(60, b"\0")


def is_query_of(group: str, octets: bytes) -> bool:
    """True for an IGMP query of the group without a tag and with a router alert."""
    igmp = octets[38:46]
    return octets[12:14] == b"\x08\0" and octets[23] == 2 and igmp[0] == QUERY and \
        igmp[4:] == socket.inet_aton(group)


def igmp_report(host: Host, group: str, kind: int = 0x16) -> bytes:
    """Version 2; kind 0x17 leaves."""
    network = IP(src=host.ipv4, dst=group, ttl=1, options=[IPOption_Router_Alert()])
    octets = bytes(Ether(src=host.address, dst=address_of(group)) / network /
                   IGMP(type=kind, gaddr=group))
    return octets.ljust(60, b"\0")


def _mld(host: Host, to: str, message) -> bytes:
    network = IPv6(src=f"fe80::{host.ipv6[-1]}", dst=to, hlim=1)
    return bytes(Ether(src=host.address, dst=address_of(to)) / network /
                 IPv6ExtHdrHopByHop(options=[RouterAlert()]) / message)


def mld_query(host: Host) -> bytes:
    """Version 1, answered within a second."""
    return _mld(host, "ff02::1", ICMPv6MLQuery(mrd=1000))


def mld_report(host: Host, group: str) -> bytes:
    """Version 2 with no sources excluded: joins."""
    record = struct.pack("!BBH", 4, 0, 0) + socket.inet_pton(socket.AF_INET6, group)
    return _mld(host, "ff02::16", ICMPv6MLReport2(records_number=1) / record)
