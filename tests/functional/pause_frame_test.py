"""Which pause frames are obeyed: the legal ones, of the peer. Every other one is counted by what is
wrong with it, and nothing waits for it."""

import time

import pytest

from frames import link_pause, lldp, of_priority, pause
from lab import Lab
from switch import Switch
from waiting import until_equal
from wire import Wire

LONGEST = 65535  # quanta
STRANGER = "02:00:00:00:0b:ad"
NOBODY = "00:00:00:00:00:00"
SLOW = {"speed": "1M", "lossless": [3]}  # the longest pause is 34 s


def octets(address: str) -> bytes:
    return bytes.fromhex(address.replace(":", ""))


def nothing_is_held(lab: Lab, switch: Switch, first: Wire, second: Wire, priority: int = 3) -> None:
    """Well before a pause would end by itself."""
    flowing = of_priority(lab.hosts[0].address, priority, 5)
    first.send(*flowing)
    second.expect(*flowing)
    row = switch.pfc("p1", priority)
    assert row["rx_pause"] == 0 and row["paused_ns"] == 0


def holds(lab: Lab, switch: Switch, first: Wire, second: Wire, ends: bytes,
          priority: int = 3) -> None:
    """The last pause does, until `ends` is received."""
    held = of_priority(lab.hosts[0].address, priority, 5)
    first.send(*held)
    until_equal(switch.waiting, 5, "they wait")
    assert second.pending() == []
    second.send(ends)
    second.expect(*held)
    assert switch.pfc("p1", priority)["paused_ns"] > 0


# --- what is not legal ----------------------------------------------------------------------------

def illegal(legal: bytes) -> dict[str, list[bytes]]:
    """By the reason that each is to be counted under."""
    tag = bytes.fromhex("8100 0001")
    return {
        "pause_destination": [octets("02:00:00:00:00:01") + legal[6:],
                              octets("ff:ff:ff:ff:ff:ff") + legal[6:],
                              octets("01:80:c2:00:00:02") + legal[6:]],
        "pause_opcode": [legal[:14] + b"\x01\x02" + legal[16:],
                         legal[:14] + b"\0\0" + legal[16:],
                         link_pause(STRANGER, LONGEST),
                         legal[:12] + tag + legal[12:]],
        "pause_length": [legal[:33],  # its last time is cut
                         legal[:16],  # all of them are, and the vector
                         legal[:14]],
        "pause_vector": [legal[:16] + b"\x01" + legal[17:],
                         legal[:16] + b"\x80" + legal[17:]],
        "group_source": [legal[:6] + octets("03:00:00:00:00:01") + legal[12:],
                         legal[:6] + octets("ff:ff:ff:ff:ff:ff") + legal[12:]],
    }


def test_what_is_not_legal_is_counted_by_its_fault_and_pauses_nothing(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, defaults=SLOW)
    first, second = lab.wires()
    frames_by_reason: dict[str, int] = {}
    for reason, frames in illegal(pause(two.address, p3=LONGEST)).items():
        second.send(*frames)
        switch.until_dropped(reason, len(frames), "p1")
        frames_by_reason[reason] = len(frames)
        assert switch.drops() == frames_by_reason
    nothing_is_held(lab, switch, first, second)


def test_a_frame_that_enables_no_class_says_nothing(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, defaults=SLOW)
    first, second = lab.wires()
    times_without_classes = pause(two.address, p3=LONGEST)[:16] + b"\0\0" + b"\xff\xff" * 8
    second.send(pause(two.address), times_without_classes.ljust(60, b"\0"))
    switch.until_dropped("mac_control", 2, "p1")
    nothing_is_held(lab, switch, first, second)


def test_only_enabled_classes_count(lab: Lab, kind: str):
    """One that is not enabled keeps its pause, whatever stands in its time."""
    switch, (one, two) = lab.build(kind, 2, defaults={**SLOW, "lossless": [3, 4]})
    first, second = lab.wires()
    second.send(pause(two.address, p3=LONGEST), pause(two.address, p4=0))
    switch.until_dropped("mac_control", 2, "p1")
    assert switch.pfc("p1", 4)["rx_pause"] == 0, "an XON is no pause"
    holds(lab, switch, first, second, ends=pause(two.address, p3=0))


# --- whom to believe ------------------------------------------------------------------------------

@pytest.mark.parametrize("source", [STRANGER, NOBODY])
def test_a_known_peer_is_the_only_one_that_is_believed(lab: Lab, kind: str, source):
    switch, (one, two) = lab.build(
        kind, 2, defaults={**SLOW, "pfc": {"peer": "02:00:00:00:00:02"}})
    assert two.address == "02:00:00:00:00:02"
    first, second = lab.wires()
    second.send(pause(source, p3=LONGEST))
    switch.until_dropped("pause_source", 1, "p1")
    nothing_is_held(lab, switch, first, second)

    second.send(pause(two.address, p3=LONGEST), pause(source, p3=0))
    switch.until_dropped("pause_source", 2, "p1")
    holds(lab, switch, first, second, ends=pause(two.address, p3=0))
    assert switch.drops() == {"mac_control": 2, "pause_source": 2}


@pytest.mark.parametrize("source", [STRANGER, NOBODY])
def test_without_a_known_peer_pauses_of_any_source_are_obeyed(lab: Lab, kind: str, source):
    switch, _ = lab.build(kind, 2, defaults=SLOW)
    first, second = lab.wires()
    second.send(pause(source, p3=LONGEST))
    until_equal(lambda: switch.pfc("p1", 3)["rx_pause"], 1, "it is received")
    holds(lab, switch, first, second, ends=pause(source, p3=0))
    assert switch.drops() == {"mac_control": 2}


def test_a_strict_port_obeys_its_neighbour_alone(lab: Lab):
    """By any address of it that LLDP shows, and only until LLDP says that it is gone."""
    chassis = "02:00:00:00:0c:a5"
    switch, (one, two) = lab.build(
        "af_packet", 2, lldp={},
        defaults={**SLOW, "pfc": {"strict": True}, "lldp": {"mode": "rx"}})
    first, second = lab.wires()

    def peers():
        return switch.pfc("p1", 3)["peers"]

    assert peers() == []
    second.send(pause(two.address, p3=LONGEST))
    switch.until_dropped("pause_source", 1, "p1")
    nothing_is_held(lab, switch, first, second)

    second.send(lldp(two.address, chassis, kind=4, ttl=60))
    until_equal(peers, [two.address, chassis], "the neighbour is known")
    second.send(pause(STRANGER, p3=LONGEST))
    switch.until_dropped("pause_source", 2, "p1")
    nothing_is_held(lab, switch, first, second)
    second.send(pause(two.address, p3=LONGEST), pause(STRANGER, p3=0))
    switch.until_dropped("pause_source", 3, "p1")
    holds(lab, switch, first, second, ends=pause(chassis, p3=0))

    second.send(lldp(two.address, chassis, kind=4, ttl=0))
    until_equal(peers, [], "it is gone")
    second.send(pause(two.address, p3=LONGEST))
    switch.until_dropped("pause_source", 4, "p1")


def test_any_of_several_known_peers_is_believed(lab: Lab):
    switch, (one, two) = lab.build(
        "af_packet", 2, defaults={**SLOW, "pfc": {"peer": [STRANGER, "02:00:00:00:00:02"]}})
    first, second = lab.wires()
    assert switch.pfc("p1", 3)["peers"] == [STRANGER, two.address]
    second.send(pause("02:00:00:00:00:77", p3=LONGEST), pause(STRANGER, p3=LONGEST))
    switch.until_dropped("pause_source", 1, "p1")
    holds(lab, switch, first, second, ends=pause(two.address, p3=0))


# --- 802.3x ---------------------------------------------------------------------------------------

def test_a_pause_of_the_link_holds_every_priority_where_it_is_asked_for(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, defaults={**SLOW, "pfc": {"link_pause": True}})
    first, second = lab.wires()
    second.send(link_pause(two.address, LONGEST))
    until_equal(lambda: [switch.pfc("p1", priority)["rx_pause"] for priority in range(8)],
                [1] * 8, "every priority is paused by it")
    held = [octets for priority in (0, 3, 7)
            for octets in of_priority(one.address, priority, 2)]
    first.send(*held)
    until_equal(switch.waiting, len(held), "lossy and lossless ones wait")
    assert second.pending() == []
    second.send(link_pause(two.address, 0))
    received = second.collect(lambda frames: len(frames) == len(held), "all that was held")
    assert sorted(received) == sorted(held)


def test_a_pause_of_the_link_ends_by_itself(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, defaults={**SLOW, "pfc": {"link_pause": True}})
    first, second = lab.wires()
    start = time.monotonic()
    second.send(link_pause(two.address, 1000))  # 512 ms
    until_equal(lambda: switch.pfc("p1", 0)["rx_pause"], 1, "it is received")
    held = of_priority(one.address, 0, 5)
    first.send(*held)
    second.expect(*held)
    assert 0.512 <= time.monotonic() - start < 2.5


def test_a_pause_of_the_link_needs_its_time(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, defaults={**SLOW, "pfc": {"link_pause": True}})
    first, second = lab.wires()
    second.send(link_pause(two.address, LONGEST)[:17])
    switch.until_dropped("pause_length", 1, "p1")
    nothing_is_held(lab, switch, first, second, priority=0)


# --- how many -------------------------------------------------------------------------------------

def test_pauses_beyond_the_limit_are_counted_and_not_obeyed(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, defaults={**SLOW, "pfc": {"rx_limit": 2}})
    first, second = lab.wires()
    start = time.monotonic()
    second.send(*[pause(two.address, p3=LONGEST)] * 31)
    until_equal(lambda: sum(switch.drops("p1").values()), 31, "all are counted")
    within = time.monotonic() - start
    drops = switch.drops("p1")
    obeyed = drops.pop("mac_control")
    assert drops == {"pause_limit": 31 - obeyed}
    assert 1 <= obeyed <= 2.02 * within + 1

    # An XON is obeyed at any time.
    assert switch.pfc("p1", 3)["rx_pause"] == obeyed
    holds(lab, switch, first, second, ends=pause(two.address, p3=0))
    assert switch.drops("p1")["mac_control"] == obeyed + 1
