"""How long a pause lasts: its quanta, each 512 bit times of the link, and by each priority's own
timer. What the switch counts is exact, but for a pause that came while a poll took long, which is
taken to have come at its end; what the wire shows is never too early."""

import time

from frames import BROADCAST, frame, of_priority, pause
from lab import Lab
from switch import Switch
from waiting import until, until_equal

LONGEST = 65535  # quanta
SPEED = 10_000_000
QUANTUM_NS = 512 * 10**9 // SPEED
# From half a millisecond to two and a half seconds.
QUANTA = {1: 10, 2: 100, 3: 1000, 4: 10_000, 5: 50_000}
ASKED = {f"p{priority}": quanta for priority, quanta in QUANTA.items()}
# The watchdog looks seldom, so that it is no part of this.
SLOW = {"speed": "10M", "lossless": list(QUANTA),
        "pfc": {"watchdog": {"action": "alert", "detection": "60s", "poll": "10s"}}}


def longest_poll(switch: Switch) -> int:
    """Nanoseconds that a poll of it has taken, if it was more than 100 us: else it does not count,
    and nothing may be added to a pause."""
    longest = max(worker["longest_gap_ns"] for worker in switch.show("workers"))
    return longest if longest > 100_000 else 0


def test_each_priority_is_held_for_what_it_was_asked_to_the_nanosecond(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, defaults=SLOW)
    first, second = lab.wires()
    second.send(pause(two.address, **ASKED))
    until_equal(lambda: [switch.pfc("p1", priority)["rx_pause"] for priority in QUANTA],
                [1] * len(QUANTA), "the pause is received")
    late = longest_poll(switch)
    # All are over when the longest is; what is sent then makes the switch look at all of them.
    held = [octets for priority in sorted(QUANTA, reverse=True)
            for octets in of_priority(one.address, priority, 1)]
    first.send(*held)
    second.collect(lambda received: sorted(received) == sorted(held), "the pauses end")
    for priority, quanta in QUANTA.items():
        assert 0 <= switch.pfc("p1", priority)["paused_ns"] - quanta * QUANTUM_NS <= late, priority


def test_frames_wait_that_long_and_other_priorities_go_on(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, defaults=SLOW)
    first, second = lab.wires()
    second.send(pause(two.address, **{name: LONGEST for name in ASKED}))
    until(lambda: switch.pfc("p1", 5)["rx_pause"], "the pause is received")
    held = {priority: of_priority(one.address, priority, 3) for priority in QUANTA}
    first.send(*(octets for frames in held.values() for octets in frames))
    until_equal(switch.waiting, 3 * len(QUANTA), "all of them wait")
    assert second.pending() == []

    start = time.monotonic()
    second.send(pause(two.address, **ASKED))  # instead of the one before
    free = of_priority(one.address, 6, 5) + [frame(one.address, BROADCAST)]
    first.send(*free)
    arrived: dict[bytes, float] = {}
    for number in range(3 * len(QUANTA) + len(free)):
        received = second.receive(10)
        assert received is not None, f"{number} frames came"
        arrived[received] = time.monotonic() - start
    order = list(arrived)
    for priority, quanta in QUANTA.items():
        lasts = quanta * QUANTUM_NS / 1e9
        assert all(lasts <= arrived[octets] < lasts + 2 for octets in held[priority]), priority
        assert [octets for octets in order if octets in held[priority]] == held[priority]
    assert order[-3:] == held[5] and set(free) <= set(order[:-3]), "they did not wait for it"


def test_a_faster_link_has_shorter_quanta(lab: Lab, kind: str):
    ports = lab.add_hosts(2) and lab.ports(kind, **SLOW)
    ports[1]["speed"] = "100M"
    switch = lab.make_switch(ports).start()
    first, second = lab.wires()
    start = time.monotonic()
    second.send(pause(lab.hosts[1].address, p3=50_000))
    until_equal(lambda: switch.pfc("p1", 3)["rx_pause"], 1, "the pause is received")
    late = longest_poll(switch)
    held = of_priority(lab.hosts[0].address, 3, 1)
    first.send(*held)
    second.expect(*held)
    assert 0.256 <= time.monotonic() - start < 2.25
    assert 0 <= switch.pfc("p1", 3)["paused_ns"] - 256_000_000 <= late
