"""The recorder: bursts that a generator of the test's own writes into shared memory, found with their
start by the generator's clock, who fed them and what they cost; what is kept around a trigger; orders
and settings of it, good and bad."""

import contextlib
import csv
import io
import json
import time
from typing import Iterator

import pytest

from frames import frame
from lab import Lab
from memif_client import Connected, client
from switch import Switch, sluice
from waiting import until, until_equal

HERE = "02:00:00:00:09:01"
THERE = "02:00:00:00:09:02"  # behind `out`
PLACES = 128
BURST = 64
OCTETS = 1000
MICROSECOND = 1000  # ns
RATE = 1_000_000_000
RECORDER = {"enabled": True, "period": "1us", "depth": "8KiB", "triggers": ["depth"],
            "before": "100us", "after": "2ms"}


def switch_of(lab: Lab, recorder: dict = RECORDER, rate: str = "1G", **about) -> Switch:
    """Two feeders by memif, and a slow output that nothing has to be read from."""
    feeders = [{"name": name, "device": f"memif:{lab.folder / name}.sock"}
               for name in ("a", "b")]
    ports = [*feeders, {"name": "out", "device": "null:", "rate": rate}]
    return lab.make_switch(
        ports, workers={"idle": "poll"}, recorder=recorder,
        fdb={"static": [{"vlan": 1, "address": THERE, "port": "out"}]}, **about)


class Generator:
    """One feeder. Its clock is CLOCK_MONOTONIC."""

    def __init__(self, own):
        self.memif = Connected(own, places=PLACES)
        self.head = 0

    def burst(self, frames: int, octets: bytes) -> tuple[int, int]:
        """Shows the switch all of them at once; when, at the earliest and at the latest, in ns."""
        for number in range(frames):
            self.memif.put((self.head + number) % PLACES, octets)
        self.head += frames
        before = time.monotonic_ns()
        self.memif.tell_head(0, self.head & 0xFFFF)
        return before, time.monotonic_ns()


@contextlib.contextmanager
def generators(lab: Lab, *names: str) -> Iterator[list[Generator]]:
    with contextlib.ExitStack() as stack:
        yield [Generator(stack.enter_context(client(lab, f"{name}.sock"))) for name in names]


def launched(switch: Switch) -> None:
    switch.launch()
    until(lambda: sluice("--socket", switch.socket, "show", "version", check=False).returncode == 0,
          "it answers")


def record(switch: Switch, *words: str, check: bool = True):
    return sluice("--socket", switch.socket, "record", *words, check=check)


def last_burst(switch: Switch, recordings: int) -> dict:
    """The first one of the last recording, once there are so many."""
    def made() -> list[dict]:
        return [one for one in switch.show("bursts") if one["recording"] >= recordings]
    return until(made, f"a burst in recording {recordings}")[0]


def feed(burst: dict) -> dict[str, int]:
    return {row["port"]: row["frames"] + row["dropped"] for row in burst["fed_by"]}


def payload(priority: int = 0) -> bytes:
    return frame(HERE, THERE, vlan=1, priority=priority, length=OCTETS)


def test_a_burst_of_64_frames_begins_when_its_generator_says(lab: Lab):
    """On a core that others use, too, samples may be far apart: then the record says so, and begins
    no earlier than the sample before; where the worker kept its core it is right to 2 us."""
    switch = switch_of(lab)
    launched(switch)
    punctual = []
    with generators(lab, "a") as (generator,):
        until_equal(lambda: switch.port("a")["link"], "up", "the link is up")
        for number in range(200):
            before, after = generator.burst(BURST, payload())
            burst = last_burst(switch, number + 1)
            assert (burst["port"], burst["priority"]) == ("out", 0)
            assert feed(burst) == {"a": BURST} and burst["frames"] == BURST
            assert burst["dropped"] == burst["marked"] == burst["xoffs"] == 0
            assert not burst["began_before"]
            # A frame of a thousand octets for each has left meanwhile, but what was sent at once.
            assert OCTETS * BURST / 2 < burst["peak_bytes"] < 1.1 * (OCTETS + 256) * BURST
            late = burst["start_ns"] - after
            early = before - burst["start_ns"]
            assert late < burst["since_sample_ns"] + 2 * MICROSECOND, burst
            assert early < burst["until_sample_ns"] + 2 * MICROSECOND, burst
            if burst["since_sample_ns"] > 2 * MICROSECOND or after - before > 2 * MICROSECOND or \
                    burst["until_sample_ns"] > 20 * MICROSECOND:
                continue
            # As long as the shaper takes for what it did not let go at once.
            whole = BURST * (OCTETS + 24) * 8 * 1_000_000_000 / RATE
            if not burst["goes_on"]:
                assert 0.6 * whole < burst["length_ns"], burst
            punctual.append(max(late, early, 0))
            if len(punctual) == 10:
                break
    assert len(punctual) == 10, "the worker has its core for ten of two hundred bursts"
    assert max(punctual) <= 2 * MICROSECOND, punctual
