"""A memif client in the test's own hands: what it says, and what it writes into the memory that it
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
PLACES = 16            # of each ring, the first to the server
RING = HEADER + 16 * PLACES
BUFFER = 2048
REGION = 2 * RING + 2 * PLACES * BUFFER


def init(ident: int = ID, mode: int = 0, version: int = VERSION) -> bytes:
    return struct.pack("<HHIB", INIT, version, ident, mode).ljust(MESSAGE, b"\0")


@contextlib.contextmanager
def client(lab: Lab) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as own:
        own.connect(str(lab.folder / "memif.sock"))
        own.settimeout(5)
        yield own


def greeting(own: socket.socket) -> int:
    """The type of the message that every client gets."""
    message = own.recv(2 * MESSAGE)
    assert len(message) == MESSAGE
    return struct.unpack_from("<H", message)[0]


def eventfd() -> int:
    """As full as can be; a write to it waits."""
    library = ctypes.CDLL(None)
    number = library.eventfd(0, 0)
    os.write(number, struct.pack("<Q", (1 << 64) - 2))
    return number


class Connected:
    """A client of one ring each way, in the memory of which the test writes."""

    def __init__(self, own: socket.socket, ident: int = ID, seals: int = fcntl.F_SEAL_SHRINK):
        self.own = own
        self.file = os.memfd_create("memif", os.MFD_ALLOW_SEALING)
        os.ftruncate(self.file, REGION)
        fcntl.fcntl(self.file, fcntl.F_ADD_SEALS, seals)
        self.memory = mmap.mmap(self.file, REGION)
        for ring in range(2):
            struct.pack_into("<I", self.memory, ring * RING, COOKIE)
            for place in range(PLACES):
                self.describe(ring, place, BUFFER)
        assert greeting(own) == HELLO
        self.said: list[bytes] = []
        # Full, so that a blocking write to it waits for ever.
        interrupt = eventfd()
        for message, files in [
                (init(ident), []), (struct.pack("<HHQ", ADD_REGION, 0, REGION), [self.file]),
                (struct.pack("<HHHHIBH", ADD_RING, 1, 0, 0, 0, 4, 0), [interrupt]),
                (struct.pack("<HHHHIBH", ADD_RING, 0, 0, 0, RING, 4, 0), [interrupt]),
                (struct.pack("<H", CONNECT), [])]:
            socket.send_fds(own, [message.ljust(MESSAGE, b"\0")], files)
            self.said.append(own.recv(MESSAGE))
            if self.type_of_last() == DISCONNECT:
                break

    def type_of_last(self) -> int:
        return struct.unpack_from("<H", self.said[-1])[0]

    def why(self) -> str:
        """Of the DISCONNECT that is the last or comes yet."""
        if self.type_of_last() != DISCONNECT:
            self.said.append(self.own.recv(MESSAGE))
        assert self.type_of_last() == DISCONNECT
        return self.said[-1][6:].split(b"\0")[0].decode()

    def describe(self, ring: int, place: int, length: int, flags: int = 0, region: int = 0,
                 offset: Optional[int] = None) -> None:
        if offset is None:
            offset = 2 * RING + (ring * PLACES + place) * BUFFER
        struct.pack_into("<HHIII", self.memory, ring * RING + HEADER + 16 * place, flags, region,
                         length, offset, 0)

    def put(self, place: int, frame: bytes) -> None:
        at = 2 * RING + place * BUFFER
        self.memory[at:at + len(frame)] = frame
        self.describe(0, place, len(frame))

    def tell_head(self, ring: int, number: int) -> None:
        """By one store: struct.pack_into writes zeros first, which the switch may read."""
        ctypes.c_uint16.from_buffer(self.memory, ring * RING + 6).value = number
