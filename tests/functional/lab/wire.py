"""A host's end of its cable, in octets: what is sent goes out as it is, what arrives is read as it
was, its VLAN tag included, which the kernel takes out and hands over beside the frame."""

import select
import socket
import struct
import time
from typing import Callable, Optional

from namespace import Namespace
from system_calls import SO_RCVBUFFORCE
from waiting import PATIENCE

_SOL_PACKET = 263
_PACKET_AUXDATA = 8
_PACKET_IGNORE_OUTGOING = 23
_PACKET_QDISC_BYPASS = 20
_ETH_P_ALL = 3
_AUXDATA = struct.Struct("=IIIHHHH")  # tpacket_auxdata
_HAS_TAG = 1 << 4   # TP_STATUS_VLAN_VALID
_HAS_TPID = 1 << 6  # TP_STATUS_VLAN_TPID_VALID


class Wire:
    def __init__(self, namespace: Namespace, interface: str, both_ways: bool = False):
        """`both_ways`: frames sent there, by others as well, count as received."""
        self._name = f"{namespace.role}/{interface}"
        with namespace.entered():
            self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        self._socket.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 16 << 20)
        self._socket.setsockopt(_SOL_PACKET, _PACKET_AUXDATA, 1)
        self._socket.setsockopt(_SOL_PACKET, _PACKET_IGNORE_OUTGOING, int(not both_ways))
        self._socket.setsockopt(_SOL_PACKET, _PACKET_QDISC_BYPASS, 1)
        self._socket.bind((interface, _ETH_P_ALL))

    def fileno(self) -> int:
        return self._socket.fileno()

    def close(self) -> None:
        self._socket.close()

    def send(self, *frames: bytes, rate: float = 0) -> None:
        """Sends at most `rate` frames a second; 0: as fast as possible."""
        start = time.monotonic()
        for number, frame in enumerate(frames):
            if rate > 0:
                time.sleep(max(0.0, start + number / rate - time.monotonic()))
            self._socket.send(bytes(frame))

    def receive(self, seconds: float = 0) -> Optional[bytes]:
        """The next frame that arrived or arrives, or nothing."""
        if not select.select([self._socket], [], [], max(0.0, seconds))[0]:
            return None
        octets, beside, _, _ = self._socket.recvmsg(65536, 256)
        for level, kind, data in beside:
            if (level, kind) == (_SOL_PACKET, _PACKET_AUXDATA):
                status, _, _, _, _, control, tag = _AUXDATA.unpack(data[:_AUXDATA.size])
                if status & _HAS_TAG:
                    tag = tag if status & _HAS_TPID else 0x8100
                    octets = octets[:12] + struct.pack("!HH", tag, control) + octets[12:]
        return octets

    def expect(self, *frames: bytes, seconds: float = PATIENCE) -> None:
        """These arrive next, in this order, octet for octet, and nothing between them."""
        deadline = time.monotonic() + seconds
        for number, wanted in enumerate(frames):
            received = self.receive(deadline - time.monotonic())
            assert received is not None, \
                f"{self._name}: {number} of {len(frames)} frames within {seconds} s"
            assert received.hex(" ") == bytes(wanted).hex(" "), \
                f"{self._name}: frame {number} of {len(frames)} is another one"

    def collect(self, enough: Callable[[list[bytes]], bool], what: str,
                seconds: float = PATIENCE) -> list[bytes]:
        """All that arrives until there is enough of it."""
        deadline = time.monotonic() + seconds
        received: list[bytes] = []
        while not enough(received):
            left = deadline - time.monotonic()
            frame = self.receive(left) if left > 0 else None
            assert frame is not None, \
                f"{self._name}: not within {seconds} s: {what}; {len(received)} frames came"
            received.append(frame)
        return received

    def pending(self) -> list[bytes]:
        """Returns the frames that have arrived. Call it once unwanted frames would have arrived."""
        received = []
        while (frame := self.receive()) is not None:
            received.append(frame)
        return received
