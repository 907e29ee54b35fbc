"""Pause storms, as a worker sees them that is run for a moment only, whenever a pause has come: what
is declared depends on what the peer does, and not on when somebody looks."""

import contextlib
import signal
import time
from typing import Iterator

from frames import of_priority, pause
from lab import Lab
from switch import Switch
from waiting import until_equal

SPEED = 10_000_000
LENGTH = 0.033  # seconds, of a pause
QUANTA = int(LENGTH * SPEED / 512)
AWAY, THERE = 0.083, 0.01  # seconds
HELD = 20  # frames


def watched() -> dict:
    return {"speed": "10M", "lossless": [3],
            "pfc": {"watchdog": {"action": "drop", "detection": "100ms", "restoration": "100ms",
                                 "poll": "50ms"}}}


@contextlib.contextmanager
def stopped(switch: Switch) -> Iterator[None]:
    """None of its threads runs meanwhile."""
    switch.process.signal(signal.SIGSTOP)
    try:
        yield
    finally:
        switch.process.signal(signal.SIGCONT)


def test_a_peer_that_resumes_while_nobody_looks_is_no_storm(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, defaults=watched())
    first, second = lab.wires()
    sent = of_priority(one.address, 3, HELD)
    with stopped(switch):
        second.send(pause(two.address, p3=QUANTA))
        first.send(*sent)
    for _ in range(20):
        time.sleep(THERE)
        with stopped(switch):
            time.sleep(AWAY)
            second.send(pause(two.address, p3=QUANTA))
    second.expect(*sent)
    until_equal(lambda: switch.pfc("p1", 3)["rx_pause"], 21, "every pause is received")
    row = switch.pfc("p1", 3)
    assert (row["storms"], row["storm_dropped"]) == (0, 0), row
    assert row["paused_ns"] > 10 * LENGTH * 1e9, row


def test_a_peer_that_never_resumes_is_one_however_seldom_somebody_looks(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, defaults=watched())
    first, second = lab.wires()
    held = of_priority(one.address, 3, HELD)

    def storm(rounds: int) -> None:
        for _ in range(rounds):
            with stopped(switch):
                for _ in range(5):
                    second.send(pause(two.address, p3=QUANTA))
                    time.sleep(LENGTH / 2)
            second.send(pause(two.address, p3=QUANTA))
            time.sleep(THERE)

    second.send(pause(two.address, p3=65535))
    until_equal(lambda: switch.pfc("p1", 3)["rx_pause"], 1, "the pause is heard")
    first.send(*held)
    storm(20)
    assert switch.pfc("p1", 3)["storms"] == 1
    assert switch.drops()["pfc_storm"] == HELD
    assert second.pending() == []

    until_equal(lambda: switch.pfc("p1", 3)["watchdog"], "operational", "it is over")
    again = of_priority(one.address, 3, HELD)
    first.send(*again)
    second.expect(*again)
