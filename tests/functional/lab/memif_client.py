"""A memif client in a test's own hands: what it says, and what it writes into the memory that it
shares with the switch."""

import contextlib
import ctypes
import fcntl
import mmap
import os
import socket
import struct
from typing import Iterator, Optional

from lab import Lab

# Of the protocol, version 2.0: DPDK's drivers/net/memif/memif.h, which is libmemif's. A message is
# 128 octets, its type first.
MESSAGE = 128
ACK, HELLO, INIT, ADD_REGION, ADD_RING, CONNECT, CONNECTED, DISCONNECT = range(1, 9)
VERSION = 2 << 8
ID = 0
COOKIE = 0x3E31F20
HEADER = 128           # octets before a ring's descriptors
PLACES = 16            # of each ring, the first to the server, where a test asks for no more
BUFFER = 2048


def region_of(places: int) -> int:
    return 2 * (HEADER + 16 * places) + 2 * places * BUFFER


REGION = region_of(PLACES)


def init(ident: int = ID, mode: int = 0, version: int = VERSION) -> bytes:
    return struct.pack("<HHIB", INIT, version, ident, mode).ljust(MESSAGE, b"\0")


@contextlib.contextmanager
def client(lab: Lab, name: str = "memif.sock") -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as own:
        own.connect(str(lab.folder / name))
        own.settimeout(5)
        yield own


def greeting(own: socket.socket) -> int:
    """The type of the message that every client gets."""
    message = own.recv(2 * MESSAGE)
    assert len(message) == MESSAGE
    return struct.unpack_from("<H", message)[0]


def eventfd() -> int:
    """Returns an eventfd that is nearly full: a further write would wait."""
    library = ctypes.CDLL(None)
    number = library.eventfd(0, 0)
    os.write(number, struct.pack("<Q", (1 << 64) - 2))
    return number


class Connected:
    """A client of one ring each way, in the memory of which the test writes."""

    def __init__(self, own: socket.socket, ident: int = ID, seals: int = fcntl.F_SEAL_SHRINK,
                 places: int = PLACES):
        """`places`: of each ring, a power of two."""
        self.own = own
        self.places = places
        self.ring = HEADER + 16 * places
        region = region_of(places)
        log2 = places.bit_length() - 1
        self.file = os.memfd_create("memif", os.MFD_ALLOW_SEALING)
        os.ftruncate(self.file, region)
        fcntl.fcntl(self.file, fcntl.F_ADD_SEALS, seals)
        self.memory = mmap.mmap(self.file, region)
        for ring in range(2):
            struct.pack_into("<I", self.memory, ring * self.ring, COOKIE)
            for place in range(places):
                self.describe(ring, place, BUFFER)
        assert greeting(own) == HELLO
        self.said: list[bytes] = []
        # Full, so that a blocking write to it waits for ever.
        interrupt = eventfd()
        for message, files in [
                (init(ident), []), (struct.pack("<HHQ", ADD_REGION, 0, region), [self.file]),
                (struct.pack("<HHHHIBH", ADD_RING, 1, 0, 0, 0, log2, 0), [interrupt]),
                (struct.pack("<HHHHIBH", ADD_RING, 0, 0, 0, self.ring, log2, 0), [interrupt]),
                (struct.pack("<H", CONNECT), [])]:
            socket.send_fds(own, [message.ljust(MESSAGE, b"\0")], files)
            self.said.append(own.recv(MESSAGE))
            if self.type_of_last() == DISCONNECT:
                break

    def type_of_last(self) -> int:
        return struct.unpack_from("<H", self.said[-1])[0]

    def why(self) -> str:
        """Returns the reason in the last DISCONNECT, or in the next one."""
        if self.type_of_last() != DISCONNECT:
            self.said.append(self.own.recv(MESSAGE))
        assert self.type_of_last() == DISCONNECT
        return self.said[-1][6:].split(b"\0")[0].decode()

    def describe(self, ring: int, place: int, length: int, flags: int = 0, region: int = 0,
                 offset: Optional[int] = None) -> None:
        if offset is None:
            offset = 2 * self.ring + (ring * self.places + place) * BUFFER
        struct.pack_into("<HHIII", self.memory, ring * self.ring + HEADER + 16 * place, flags, region,
                         length, offset, 0)

    def put(self, place: int, frame: bytes) -> None:
        at = 2 * self.ring + place * BUFFER
        self.memory[at:at + len(frame)] = frame
        self.describe(0, place, len(frame))

    def tell_head(self, ring: int, number: int) -> None:
        """Writes with one store: struct.pack_into writes zeros first, which the switch may read."""
        self.head(ring).value = number

    def head(self, ring: int) -> ctypes.c_uint16:
        """The word itself."""
        return ctypes.c_uint16.from_buffer(self.memory, ring * self.ring + 6)
