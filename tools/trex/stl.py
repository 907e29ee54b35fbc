"""Converts the profiles to streams of TRex's stateless API. TRex's console runs this file as a
profile:

    start -f /path/to/sluice/tools/trex/stl.py -p 0 1 -t profile=uniform,ports=2,rate=100000

sends the streams of port 0 and port 1; `step` selects one of several steps. TRex's folder
automation/trex_control_plane/interactive must be on Python's path, as it is in TRex's console.
"""

import argparse
import pathlib
import sys
from typing import Optional

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from trex.stl import api  # noqa: E402

import profiles  # noqa: E402
from streams import Stream, announcement, frame, station  # noqa: E402

LEARNED_A_SECOND = 32_000  # announcements a second from each port
FIXED_PART = 2   # offset in an address: the octet before the number, for its overflow
SOURCE = 6       # offset of the source address
IP = 18


class Numbered:
    """TRex's streams, one for each length of a stream, and their counter groups (pg_id)."""

    def __init__(self, streams: list[Stream], rate: float):
        self.groups: dict[str, list[int]] = {}
        self.of_port: dict[int, list] = {}
        number = 0
        for stream in streams:
            total = sum(times for _, times in stream.frame_bytes)
            for octets, times in stream.frame_bytes:
                number += 1
                counted = not stream.octets and stream.format == "standard"
                if counted:
                    self.groups.setdefault(stream.name, []).append(number)
                a_second = (stream.a_second or stream.share * rate) * times / total
                made = one(stream, octets, a_second, number if counted else None,
                           f"{stream.name}-{octets}")
                self.of_port.setdefault(stream.sender, []).append(made)


def packet(octets: bytes, vm: Optional[list] = None) -> api.STLPktBuilder:
    program = api.STLScVmRaw(vm) if vm else None
    return api.STLPktBuilder(pkt_buffer=octets, vm=program, remove_fcs=False)


def one_of(name: str, port: int, count: int, at: int) -> list:
    """Writes the `count` addresses of a port, one after the other, at octet `at`."""
    first = int.from_bytes(station(port)[FIXED_PART:], "big")
    return [api.STLVmFlowVar(name, size=4, op="inc", step=256, min_value=first,
                             max_value=first + 256 * (count - 1)),
            api.STLVmWrFlowVar(name, pkt_offset=at + FIXED_PART)]


def as_it_is(name: str, made: api.STLPktBuilder, mode, group=None) -> api.STLStream:
    return api.STLStream(name=name, packet=made, mode=mode, flow_stats=group,
                         mac_src_override_by_pkt=1,
                         mac_dst_override_mode=api.STLStreamDstMAC_PKT)


def one(stream: Stream, octets: int, a_second: float, number: Optional[int], name: str):
    vm = []
    if stream.addresses > 1:
        vm = (one_of("to", stream.receiver, stream.addresses, 0) +
              one_of("from", stream.sender, stream.addresses, SOURCE))
    group = None
    if number is not None:
        group = (api.STLFlowLatencyStats(pg_id=number) if stream.latency
                 else api.STLFlowStats(pg_id=number))
    return as_it_is(name, packet(frame(stream, octets), vm), api.STLTXCont(pps=a_second), group)


def announcements(streams: list[Stream]) -> dict[int, list]:
    """Returns announcements of all stations, by port. Short ids are not announced."""
    most: dict[tuple[int, int], int] = {}
    for stream in streams:
        if stream.octets or stream.format != "standard":
            continue
        for port in (stream.sender, stream.receiver):
            most[port, stream.vlan] = max(most.get((port, stream.vlan), 1), stream.addresses)
    made: dict[int, list] = {}
    for (port, vlan), count in most.items():
        vm = one_of("from", port, count, SOURCE) if count > 1 else []
        mode = api.STLTXSingleBurst(pps=LEARNED_A_SECOND / max(1, len(most) // 2),
                                    total_pkts=count)
        made.setdefault(port, []).append(
            as_it_is(f"hello-{port}-{vlan}", packet(announcement(port, vlan), vm), mode))
    return made


class Register:
    """The object from which TRex's console requests streams."""

    def get_streams(self, direction=0, tunables=(), port_id=0, **_) -> list:
        words = argparse.ArgumentParser()
        words.add_argument("--profile", choices=profiles.PROFILES, default="uniform")
        words.add_argument("--ports", type=int, default=2)
        words.add_argument("--rate", type=float, default=1000)
        words.add_argument("--step", type=int, default=0)
        wanted = words.parse_args(list(tunables))
        steps = profiles.PROFILES[wanted.profile].steps(profiles.Shape(ports=wanted.ports))
        return Numbered(steps[wanted.step][1], wanted.rate).of_port.get(port_id, [])


def register() -> Register:
    return Register()
