"""Frames as octets, made with scapy. Each test frame has a number, so that no two are alike."""

import itertools
from typing import Optional

from scapy.contrib.lldp import (
    LLDPDUChassisID, LLDPDUEndOfLLDPDU, LLDPDUPortID, LLDPDUSystemName, LLDPDUTimeToLive)
from scapy.contrib.mac_control import MACControlClassBasedFlowControl, MACControlPause
from scapy.layers.l2 import ARP, Dot1AD, Dot1Q, Ether
from scapy.packet import Raw

BROADCAST = "ff:ff:ff:ff:ff:ff"
MAC_CONTROL = "01:80:c2:00:00:01"
LLDP = "01:80:c2:00:00:0e"
LLDP_TYPE = 0x88CC
EXPERIMENTAL = 0x88B5  # EtherType that no host understands
_number = itertools.count(1)


def frame(source: str, destination: str, *, vlan: Optional[int] = None, priority: int = 0,
          service_vlan: Optional[int] = None, length: int = 60) -> bytes:
    """A frame of `length` octets with a number of its own; priority needs a VLAN, or 0 for none."""
    octets = Ether(src=source, dst=destination)
    if service_vlan is not None:
        octets /= Dot1AD(vlan=service_vlan, prio=priority)
    if vlan is not None:
        octets /= Dot1Q(vlan=vlan, prio=priority)
    octets.lastlayer().type = EXPERIMENTAL
    octets = bytes(octets / Raw(b"frame %8d " % next(_number)))
    return octets + bytes(index % 251 for index in range(length - len(octets)))


def arp(source: str, sender: str, target: str, **fields) -> bytes:
    """A request, to everybody."""
    return bytes(Ether(src=source, dst=BROADCAST)
                 / ARP(op=1, hwsrc=source, psrc=sender, pdst=target, **fields)).ljust(60, b"\0")


def of_priority(source: str, priority: int, count: int, length: int = 64,
                destination: str = BROADCAST) -> list[bytes]:
    return [frame(source, destination, vlan=1, priority=priority, length=length)
            for _ in range(count)]


def pause(source: str, **times: int) -> bytes:
    """PFC: pause(mac, p3=65535) pauses priority 3, p3=0 ends that."""
    fields = {}
    for priority, quanta in times.items():
        fields[f"c{priority[1]}_enabled"] = 1
        fields[f"c{priority[1]}_pause_time"] = quanta
    octets = bytes(Ether(src=source, dst=MAC_CONTROL) / MACControlClassBasedFlowControl(**fields))
    return octets.ljust(60, b"\0")


def link_pause(source: str, quanta: int) -> bytes:
    """802.3x: pauses the whole link; 0 ends that."""
    octets = bytes(Ether(src=source, dst=MAC_CONTROL) / MACControlPause(pause_time=quanta))
    return octets.ljust(60, b"\0")


def lldp(source: str, chassis: str, *, port: str = "1", ttl: int = 120, name: bytes = b"",
         kind: int = 7, priority: Optional[int] = None, more: bytes = b"",
         to: str = LLDP) -> bytes:
    """A frame of LLDP; with a priority it has a tag of no VLAN. `more`: TLVs of others, whole.
    `kind` of the chassis id: 4, an address, or 7, any word."""
    octets = Ether(src=source, dst=to)
    if priority is not None:
        octets /= Dot1Q(vlan=0, prio=priority)
    octets.lastlayer().type = LLDP_TYPE
    octets /= LLDPDUChassisID(subtype=kind, id=chassis if kind == 4 else chassis.encode())
    octets /= LLDPDUPortID(subtype=5, id=port.encode())
    octets /= LLDPDUTimeToLive(ttl=ttl)
    if name:
        octets /= LLDPDUSystemName(system_name=name)
    whole = bytes(octets / LLDPDUEndOfLLDPDU())
    ttl_tlv = b"\x06\x02" + ttl.to_bytes(2, "big")
    behind_it = whole.index(ttl_tlv) + len(ttl_tlv)
    return (whole[:behind_it] + more + whole[behind_it:]).ljust(60, b"\0")


def lldp_ttl(octets: bytes) -> int:
    """Returns the TTL as scapy reads it."""
    return Ether(octets)[LLDPDUTimeToLive].ttl


def is_pause(octets: bytes) -> bool:
    return octets[12:14] == b"\x88\x08"


def times(octets: bytes) -> dict[int, int]:
    """Returns the times of a PFC frame: priority to quanta."""
    assert is_pause(octets), octets.hex(" ")
    return {priority: int.from_bytes(octets[18 + 2 * priority:20 + 2 * priority], "big")
            for priority in range(8) if octets[17] & 1 << priority}


def without_the_hosts_own(frames: list[bytes]) -> list[bytes]:
    """Once a switch has stopped, the kernel has its interfaces again and speaks IPv6 there."""
    return [octets for octets in frames if not octets.startswith(b"\x33\x33")]
