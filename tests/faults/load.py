"""What a switch is kept busy with at random: settings that change, and hosts that send."""

import contextlib
import os
import random
import threading
import time
from typing import Callable, Iterator

from frames import BROADCAST, frame
from lab import Lab

# What is drawn at random is drawn again where SLUICE_SEED says so.
SEED = int(os.environ.get("SLUICE_SEED", "0")) or random.SystemRandom().randrange(1, 1 << 32)
PRIORITY = 3  # lossless at times


def drawn(chance: random.Random) -> dict:
    """Settings that may change while it runs, and that all let frames leave soon."""
    return {
        "defaults": {
            "lossless": chance.choice([[], [PRIORITY], [PRIORITY, 4]]),
            "rate": chance.choice(["0", "100M", "1G"]),
            "scheduler": chance.choice([{}, {"dwrr": {0: 30, 3: 70}}, {"wrr": {0: 1, 3: 2}}]),
            "pfc": {"watchdog": {"action": "off"}},
        },
        "fabric": {"quantum": chance.choice(["2KiB", "4KiB", "16KiB"]),
                   "slots": chance.choice([1, 4]), "rule": chance.choice(["strict", "weighted"])},
    }


@contextlib.contextmanager
def beside(hosts: int, send: Callable[[int, threading.Event], None]) -> Iterator[None]:
    """A thread for each host that sends until the event is set."""
    ended = threading.Event()
    threads = [threading.Thread(target=send, args=(host, ended)) for host in range(hosts)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        for thread in threads:
            thread.join()


@contextlib.contextmanager
def traffic(lab: Lab, seed: float) -> Iterator[None]:
    """Every host sends to every other and to all, as fast as it can."""

    def send(number: int, ended: threading.Event) -> None:
        own = lab.hosts[number]
        others = [host.address for host in lab.hosts if host is not own] + [BROADCAST]
        frames = [frame(own.address, other, vlan=1, priority=priority, length=length)
                  for other in others for priority in (0, PRIORITY) for length in (64, 1000)]
        wire = own.wire()
        random.Random(seed + number).shuffle(frames)
        while not ended.is_set():
            wire.send(*frames)
            time.sleep(0.001)

    with beside(len(lab.hosts), send):
        yield
