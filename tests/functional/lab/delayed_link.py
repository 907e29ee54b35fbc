"""A link that takes its time: what arrives at one of two interfaces leaves by the other, so many
seconds later, in a process of its own, but for what it is to lose; some may overtake the one before,
come twice, or be damaged in their first octets (faults.py)."""

import collections
import contextlib
import multiprocessing
import select
import time
from typing import Callable

from namespace import Namespace
from wire import Wire


class DelayedLink:
    def __init__(self, namespace: Namespace, left: str, right: str, seconds: float,
                 loses: Callable[[bytes], bool] = lambda octets: False,
                 overtakes: Callable[[], bool] = lambda: False,
                 doubles: Callable[[], bool] = lambda: False,
                 damages: Callable[[], bool] = lambda: False):
        self._ends = [Wire(namespace, left), Wire(namespace, right)]
        self._process = multiprocessing.get_context("fork").Process(
            target=_carry, args=(self._ends, seconds, loses, overtakes, doubles, damages), daemon=True)
        self._process.start()

    def close(self) -> None:
        self._process.kill()
        self._process.join()
        for end in self._ends:
            end.close()


def _carry(ends: list[Wire], seconds: float, loses: Callable[[bytes], bool],
           overtakes: Callable[[], bool], doubles: Callable[[], bool],
           damages: Callable[[], bool]) -> None:
    under_way: collections.deque[tuple[float, Wire, bytes]] = collections.deque()
    while True:
        wait = max(0.0, under_way[0][0] - time.monotonic()) if under_way else None
        ready, _, _ = select.select(ends, [], [], wait)
        due = time.monotonic() + seconds
        for end in ready:
            other = ends[1] if end is ends[0] else ends[0]
            kept = []
            for octets in end.pending():
                if loses(octets):
                    continue
                if damages():  # behind the EtherType, which says whose frame it is
                    octets = octets[:17] + bytes([octets[17] ^ 0xFF]) + octets[18:]
                kept += [(due, other, octets)] * (2 if doubles() else 1)
            for number in range(1, len(kept)):
                if overtakes():
                    kept[number - 1], kept[number] = kept[number], kept[number - 1]
            under_way.extend(kept)
        while under_way and under_way[0][0] <= time.monotonic():
            _, end, octets = under_way.popleft()
            with contextlib.suppress(OSError):  # who has no carrier yet, or any more, gets nothing
                end.send(octets)
