"""Streams: describes the frames of a profile as data, so that TRex and sluice-gen send the same.

A frame is a probe of sluice-gen (tools/gen/probe.h) without its numbers: 802.1Q tag, IPv4, UDP
from port 21324 to 9, stations 02-53-4C-<number>-<port>. Lengths include the FCS.
TRex numbers and times the frames of a stream with `latency`, in 16 octets of payload: such a frame
has at least 68 octets, and over memif at most 128, since TRex's memif driver corrupts longer ones.
sluice-gen numbers and times every stream.
The frames of a stream with `octets` are these octets; their arrival is not checked.
"""

import dataclasses
import struct
from typing import Optional

IMIX = ((64, 7), (594, 4), (1518, 1))
SHORTEST_FOR_LATENCY, LONGEST_FOR_LATENCY = 68, 128
FCS, PREAMBLE_AND_GAP = 4, 20
NETWORK = 198 << 24 | 18 << 16  # 198.18.0.0, RFC 2544's
PAUSE_ADDRESS = bytes.fromhex("0180C2000001")
SHORT_IDS = ("afh_gen2_16b", "afh_lite")  # formats
KEY_WORD_SHORT_IDS = 0x80  # of dataplane/types/frame_format.h


@dataclasses.dataclass(frozen=True)
class Stream:
    name: str
    sender: int
    receiver: Optional[int] = None  # None: a stream of `octets`
    share: float = 1                # share of the port's rate; not used with `a_second`
    a_second: Optional[float] = None  # frames
    frame_bytes: tuple[tuple[int, int], ...] = ((64, 1),)  # lengths, and the frequency of each
    vlan: int = 0
    pcp: int = 0
    addresses: int = 1              # addresses of either station
    latency: bool = False
    format: str = "standard"        # format of the port, as in a configuration
    octets: bytes = b""
    may_lose: bool = False          # the profile expects losses

    def mean_bytes(self) -> float:
        return (sum(octets * times for octets, times in self.frame_bytes) /
                sum(times for _, times in self.frame_bytes))


def station(port: int, number: int = 0) -> bytes:
    return bytes.fromhex("02534C") + struct.pack(">HB", number, port)


def checksum(header: bytes) -> int:
    total = sum(struct.unpack(f">{len(header) // 2}H", header))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def addresses_of(stream: Stream) -> bytes:
    """Returns the first 12 octets in the layout of the port's format."""
    if stream.format in SHORT_IDS:
        return struct.pack(">BxxxHBxxxH", stream.pcp << 2, stream.receiver + 1,
                           KEY_WORD_SHORT_IDS, stream.sender + 1)
    both = station(stream.receiver) + station(stream.sender)
    if stream.format == "afh_gen1":
        both = both[:6] + bytes([stream.pcp << 2]) + both[7:]
    return both


def frame(stream: Stream, frame_bytes: int) -> bytes:
    """Returns a frame without FCS."""
    if stream.octets:
        return stream.octets
    length = frame_bytes - FCS - 18
    ip = struct.pack(">BBHHHBBHII", 0x45, stream.pcp << 5, length, 0, 0, 64, 17, 0,
                     NETWORK | stream.sender + 1, NETWORK | stream.receiver + 1)
    ip = ip[:10] + struct.pack(">H", checksum(ip)) + ip[12:]
    udp = struct.pack(">HHHH", 21324, 9, length - 20, 0)
    tag = struct.pack(">HHH", 0x8100, stream.pcp << 13 | stream.vlan, 0x0800)
    made = addresses_of(stream) + tag + ip + udp
    return made.ljust(frame_bytes - FCS, b"\0")


def announcement(port: int, vlan: int, number: int = 0) -> bytes:
    """Returns a broadcast frame from a station, so that a switch learns its address."""
    tag = struct.pack(">HH", 0x8100, vlan) if vlan else b""
    return (b"\xFF" * 6 + station(port, number) + tag + b"\x88\xB5").ljust(60, b"\0")


def pause(port: int, priorities: tuple[int, ...], quanta: int) -> bytes:
    """Returns a PFC frame (802.1Q 36.2.1): XOFF of these priorities for `quanta`."""
    times = [quanta if priority in priorities else 0 for priority in range(8)]
    vector = sum(1 << priority for priority in priorities)
    return (PAUSE_ADDRESS + station(port) +
            struct.pack(">HHH8H", 0x8808, 0x0101, vector, *times)).ljust(60, b"\0")
