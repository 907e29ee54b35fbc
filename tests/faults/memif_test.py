"""Clients of a memif that do not do as they should: the switch goes on, and greets the next one."""

import contextlib
import pathlib
import socket
import struct
from typing import Iterator

import pytest

from lab import Lab
from stalls import stalled
from switch import Switch
from threads import threads_of

# Of the protocol, version 2.0: DPDK's drivers/net/memif/memif.h, which is libmemif's. A message is
# 128 octets, its type first.
MESSAGE = 128
HELLO, INIT = 2, 3
VERSION = 2 << 8
ID = 0


def init(ident: int = ID, mode: int = 0, version: int = VERSION) -> bytes:
    return struct.pack("<HHIB", INIT, version, ident, mode).ljust(MESSAGE, b"\0")


@pytest.fixture
def switch(lab: Lab) -> Switch:
    return lab.make_switch([
        {"name": "m", "device": f"memif:{lab.folder / 'memif.sock'}"},
        {"name": "n", "device": "null:"}])


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


def goes_on(lab: Lab, switch: Switch) -> None:
    with client(lab) as own:
        assert greeting(own) == HELLO
    assert switch.process.running(), switch.process.said()
    assert switch.links()["n"] == "up"


def launched(switch: Switch) -> Switch:
    switch.launch()
    switch.process.until_it_says("answers on")
    return switch


def who_serves_sockets(switch: Switch) -> int:
    return next(number for number, thread in threads_of(switch.process.pid).items()
                if thread["Name"] == "eal-intr-thread")


def test_a_client_that_has_gone_before_it_is_greeted(lab: Lab, switch: Switch):
    launched(switch)
    for _ in range(3):
        with stalled(who_serves_sockets(switch)):
            with client(lab):
                pass
        goes_on(lab, switch)


def test_clients_that_come_and_go_as_fast_as_they_can(lab: Lab, switch: Switch):
    launched(switch)
    for _ in range(500):
        with client(lab):
            pass
    goes_on(lab, switch)
    held = len(list(pathlib.Path(f"/proc/{switch.process.pid}/fd").iterdir()))
    for _ in range(500):
        with client(lab):
            pass
    goes_on(lab, switch)
    assert len(list(pathlib.Path(f"/proc/{switch.process.pid}/fd").iterdir())) <= held + 1


@pytest.mark.parametrize("message", [
    init(), init(ident=7), init(mode=1), init(version=1), b"", b"\0", b"\xff" * MESSAGE,
    struct.pack("<H", HELLO).ljust(MESSAGE, b"\0"),
], ids=["right", "unknown id", "wrong mode", "old version", "empty", "short", "unknown", "hello"])
def test_clients_that_say_one_thing_and_go(lab: Lab, switch: Switch, message: bytes):
    launched(switch)
    for _ in range(20):
        with client(lab) as own:
            assert greeting(own) == HELLO
            own.send(message)
        goes_on(lab, switch)


def test_a_stop_leaves_dpdk_nothing_to_look_at(lab: Lab, switch: Switch):
    """Without huge pages, since that memory is unmapped in the end: five of six stops died."""
    switch.configuration["ports"][1]["device"] = "ring:loop"
    switch.eal_arguments = ["--no-huge", "-m", "600", "--no-shconf"]
    for _ in range(4):
        launched(switch).stop()
