"""Clients of a memif that do not do as they should, with their words or with the memory: the switch
goes on, and greets the next one."""

import contextlib
import struct
from typing import Iterator

import pytest

from lab import Lab
from memif_client import (
    ACK, BUFFER, CONNECT, CONNECTED, DISCONNECT, HELLO, MESSAGE, PLACES, REGION, Connected, client,
    greeting, init)
from stalls import stalled
from switch import Switch
from threads import threads_of
from waiting import until, until_equal

FRAME = bytes.fromhex("ffffffffffff" "020000000031" "0800").ljust(60, b"\0")


@pytest.fixture
def switch(lab: Lab) -> Switch:
    return lab.make_switch([
        {"name": "m", "device": f"memif:{lab.folder / 'memif.sock'}"},
        {"name": "n", "device": "null:"}])


def answers(lab: Lab, switch: Switch) -> None:
    with client(lab) as own:
        assert greeting(own) == HELLO
    assert switch.process.running(), switch.process.said()


def goes_on(lab: Lab, switch: Switch) -> None:
    answers(lab, switch)
    assert switch.links()["n"] == "up"


def launched(switch: Switch) -> Switch:
    switch.launch()
    switch.process.until_it_says("answers on")
    return switch


def who_serves_sockets(switch: Switch) -> int:
    return next(number for number, thread in threads_of(switch.process.pid).items()
                if thread["Name"] == "memif")


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
    held = switch.process.descriptors()
    for _ in range(500):
        with client(lab):
            pass
    goes_on(lab, switch)
    until(lambda: switch.process.descriptors() <= held + 1, "who has gone is forgotten")


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


def received(switch: Switch) -> int:
    return switch.port("m")["rx_frames"]


def test_memory_that_could_be_taken_back_is_refused(lab: Lab, switch: Switch):
    launched(switch)
    with client(lab) as own:
        assert "could shrink" in Connected(own, seals=0).why()
    goes_on(lab, switch)


def test_a_client_that_claims_what_cannot_be_is_sent_away(lab: Lab, switch: Switch):
    launched(switch)
    for head in (PLACES + 1, 5000, 0xFFFF):
        with client(lab) as own:
            peer = Connected(own)
            assert peer.type_of_last() == CONNECTED
            peer.tell_head(0, head)
            assert "claims more" in peer.why()
    with client(lab) as own:
        peer = Connected(own)
        for place in range(PLACES):
            peer.describe(0, place, 60, flags=1)
        peer.tell_head(0, PLACES)
        assert "claims more" in peer.why()
    goes_on(lab, switch)


def test_descriptors_of_no_frame_are_counted_and_the_rest_is_switched(lab: Lab, switch: Switch):
    launched(switch)
    with client(lab) as own:
        peer = Connected(own)
        bad = [{"region": 1}, {"region": 0xFFFF}, {"offset": REGION}, {"offset": 0xFFFFFFFF},
               {"length": 0}, {"length": 0xFFFFFFFF}]
        for place, about in enumerate(bad):
            peer.describe(0, place, **{"length": 60} | about)
        for place in range(len(bad), PLACES):
            peer.put(place, FRAME)
        peer.tell_head(0, PLACES)
        until_equal(lambda: received(switch), PLACES - len(bad), "the good ones are received")
        assert switch.port("m")["device_counters"]["receive_errors"] == len(bad)
        # And again, which it could not if it had been sent away.
        for place in range(PLACES):
            peer.put(place, FRAME)
        peer.tell_head(0, 2 * PLACES)
        until_equal(lambda: received(switch), 2 * PLACES - len(bad), "it goes on")
    goes_on(lab, switch)


def test_a_frame_that_is_longer_than_any_is_dropped_by_that_name(lab: Lab, switch: Switch):
    launched(switch)
    with client(lab) as own:
        peer = Connected(own)
        peer.describe(0, 0, 9000)
        peer.put(1, FRAME)
        peer.tell_head(0, 2)
        until_equal(lambda: received(switch), 2, "both are received")
        assert switch.drops("m")["oversize"] == 1
        assert switch.port("m")["device_counters"]["receive_errors"] == 0
    goes_on(lab, switch)


@contextlib.contextmanager
def peer_and_sender(lab: Lab, switch: Switch) -> Iterator[tuple[Connected, Connected]]:
    """Of a switch with two memif ports: what the second sends for everybody goes to the first."""
    switch.configuration["ports"][1]["device"] = f"memif:{lab.folder / 'memif.sock'},id=1"
    launched(switch)
    with client(lab) as own, client(lab) as others:
        peer, sender = Connected(own), Connected(others, ident=1)
        until(lambda: set(switch.links().values()) == {"up"}, "both are there")
        yield peer, sender


def test_buffers_that_lie_elsewhere_are_not_written_to(lab: Lab, switch: Switch):
    """A client that offers buffers outside of its memory, and another one's frame for everybody."""
    with peer_and_sender(lab, switch) as (peer, sender):
        for place in range(PLACES):
            peer.describe(1, place, BUFFER, offset=0xFFFF0000)
        peer.tell_head(1, PLACES)
        sender.put(0, FRAME)
        sender.tell_head(0, 1)
        assert "claims more" in peer.why()
    assert switch.process.running(), switch.process.said()


def test_a_client_that_connects_again_and_again_is_sent_away(lab: Lab, switch: Switch):
    launched(switch)
    before = None
    for _ in range(20):
        with client(lab) as own:
            peer = Connected(own)
            own.send(struct.pack("<H", CONNECT).ljust(MESSAGE, b"\0"))
            assert "connected already" in peer.why()
        before = before or switch.process.descriptors()
    until(lambda: switch.process.descriptors() <= before + 1, "what it had is given back")
    goes_on(lab, switch)


def test_a_client_that_is_to_be_woken_has_nobody_wait(lab: Lab, switch: Switch):
    with peer_and_sender(lab, switch) as (peer, sender):
        peer.tell_head(1, PLACES)
        for number in range(PLACES):
            sender.put(number, FRAME)
        sender.tell_head(0, PLACES)
        until_equal(lambda: switch.port("m")["tx_frames"], PLACES, "all are sent")
    answers(lab, switch)
    until(lambda: set(switch.links().values()) == {"down"}, "both are gone")


def test_a_client_that_says_nothing_gives_way(lab: Lab, switch: Switch):
    launched(switch)
    with client(lab) as own:
        assert greeting(own) == HELLO
        own.send(init())
        assert own.recv(MESSAGE)[0] == ACK
        with client(lab) as other:
            assert "connected already" in Connected(other).why()
        own.settimeout(10)
        assert struct.unpack_from("<H", own.recv(MESSAGE))[0] == DISCONNECT
        assert own.recv(MESSAGE) == b""
    with client(lab) as own:
        assert Connected(own).type_of_last() == CONNECTED
    goes_on(lab, switch)


def test_more_clients_than_it_keeps(lab: Lab, switch: Switch):
    launched(switch)
    with contextlib.ExitStack() as closing:
        greeted = [closing.enter_context(client(lab)) for _ in range(80)]
        assert sum(1 for own in greeted if own.recv(MESSAGE)) == 64
    goes_on(lab, switch)
