"""What leaves by an interface with one socket priority (SO_PRIORITY), seen by a packet socket there:
no octet of a frame has it, so a program of five instructions in the kernel looks."""

import ctypes
import os
import socket
import struct

from namespace import Namespace

_libc = ctypes.CDLL(None, use_errno=True)
_SYS_BPF = {"x86_64": 321, "aarch64": 280}[os.uname().machine]
_BPF_PROG_LOAD = 5
_SOCKET_FILTER = 1
_SO_ATTACH_BPF = 50
_ETH_P_ALL = 3
_PRIORITY = 32  # of __sk_buff
_INSTRUCTION = struct.Struct("=BBhi")  # operation, registers, offset, number


def _program(priority: int) -> bytes:
    load, equals, set_to, end = 0x61, 0x15, 0xB7, 0x95
    return b"".join(_INSTRUCTION.pack(*words) for words in (
        (load, 0x10, _PRIORITY, 0), (equals, 0, 2, priority),
        (set_to, 0, 0, 0), (end, 0, 0, 0), (set_to, 0, 0, 0xFFFF), (end, 0, 0, 0)))


class PriorityFilter:
    """Frames that leave by `interface` from now on."""

    def __init__(self, namespace: Namespace, interface: str, priority: int):
        with namespace.entered():
            self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
        code = _program(priority)
        octets, licence = ctypes.create_string_buffer(code, len(code)), ctypes.c_char_p(b"BSD")
        words = struct.pack("=IIQQ", _SOCKET_FILTER, len(code) // _INSTRUCTION.size,
                            ctypes.addressof(octets),
                            ctypes.cast(licence, ctypes.c_void_p).value).ljust(128, b"\0")
        program = _libc.syscall(_SYS_BPF, _BPF_PROG_LOAD, words, len(words))
        assert program >= 0, os.strerror(ctypes.get_errno())
        self._socket.setsockopt(socket.SOL_SOCKET, _SO_ATTACH_BPF, program)
        os.close(program)
        self._socket.bind((interface, _ETH_P_ALL))
        self._socket.setblocking(False)

    def close(self) -> None:
        self._socket.close()

    def seen(self) -> list[bytes]:
        frames = []
        while True:
            try:
                octets, (_, _, kind, _, _) = self._socket.recvfrom(65536)
            except BlockingIOError:
                return frames
            if kind == socket.PACKET_OUTGOING:
                frames.append(octets)
