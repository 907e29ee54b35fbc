"""A VLAN device for a host: what its IP stack sends by it goes out tagged, and what arrives with
that tag comes in by it. Made of a TAP interface and a thread, since not every kernel has VLAN
devices of its own."""

import fcntl
import os
import select
import struct
import threading

from namespace import Namespace
from wire import Wire

_TUNSETIFF = 0x400454CA
_IFF_TAP, _IFF_NO_PI = 0x0002, 0x1000


class VlanDevice:
    def __init__(self, namespace: Namespace, wire: Wire, vlan: int, priority: int, address: str,
                 mac: str):
        self._wire = wire
        self._vlan = vlan
        self._tag = struct.pack("!HH", 0x8100, priority << 13 | vlan)
        name = f"vlan{vlan}"
        with namespace.entered():
            self._tap = os.open("/dev/net/tun", os.O_RDWR | os.O_CLOEXEC)
            fcntl.ioctl(self._tap, _TUNSETIFF,
                        struct.pack("16sH22x", name.encode(), _IFF_TAP | _IFF_NO_PI))
        namespace.ip("link", "set", name, "address", mac)
        namespace.ip("address", "add", address, "dev", name)
        namespace.ip("link", "set", name, "up")
        self._end, self._ending = os.pipe()
        self._thread = threading.Thread(target=self._relay)
        self._thread.start()

    def close(self) -> None:
        os.close(self._ending)
        self._thread.join()
        for descriptor in (self._end, self._tap):
            os.close(descriptor)

    def _relay(self) -> None:
        while True:
            ready, _, _ = select.select([self._tap, self._wire.fileno(), self._end], [], [])
            if self._end in ready:
                return
            if self._tap in ready:
                octets = os.read(self._tap, 65536)
                self._wire.send(octets[:12] + self._tag + octets[12:])
            for octets in self._wire.pending():
                if octets[12:14] == b"\x81\x00" and self._is_ours(octets):
                    os.write(self._tap, octets[:12] + octets[16:])

    def _is_ours(self, octets: bytes) -> bool:
        return int.from_bytes(octets[14:16], "big") & 0xFFF == self._vlan
