"""A switch that everything happens to at random, for SLUICE_SOAK_SECONDS: settings that change and
settings that are none, links that go down, ports that vanish, peers that pause on and on, threads
that stand still. What arrives is whole, in order and there once; what does not is counted; nothing
grows. SLUICE_SEED draws the same again."""

import concurrent.futures
import contextlib
import os
import pathlib
import random
import re
import signal
import threading
import time
from typing import Iterator, NamedTuple

from frames import pause
from host import Host
from lab import Lab
from load import PRIORITY, SEED, drawn
from numbered import Numbered
from stalls import Stalls
from switch import Switch
from threads import worker_threads
from waiting import until

SECONDS = float(os.environ.get("SLUICE_SOAK_SECONDS", "20"))
KINDS = ["af_packet", "af_xdp"]
LIFE = 60  # seconds, of one switch at the most
LIVES = max(len(KINDS), round(SECONDS / LIFE))
HOSTS = 4
ROUND = 1.5  # seconds
MORE_MEMORY = 4096  # KiB, after any number of rounds
LONGEST_STALL = 0.1  # seconds
LONGEST_PAUSE = 65535  # quanta: 34 ms at 1G
BROKEN = ["", "ports: [", "{}", '{"ports": 7}', "\0\xff", "defaults: {rate: -1}\n", "a: &a [*a]"]


def settings(chance: random.Random) -> dict:
    found = drawn(chance)
    found["defaults"] |= {"speed": "1G", "pfc": {"watchdog": {
        "action": chance.choice(["off", "alert", "drop", "forward"]), "poll": "10ms",
        "detection": chance.choice(["20ms", "100ms"]), "restoration": "50ms"}}}
    return found


class Life:
    """One switch from its start to its end, and its hosts."""

    def __init__(self, lab: Lab, kind: str, chance: random.Random):
        self.lab = lab
        self.switch = lab.start_switch(
            kind, workers={"count": chance.choice([1, 2, 2]), "idle": "yield"},
            buffer={"size": "8MiB"}, **settings(chance))
        self.traffic = Numbered(lab.hosts)
        self.living = set(range(HOSTS))
        self.file = threading.Lock()  # of settings: who writes it has it read, too
        self.cables = threading.Lock()

    # --- what happens to it: begun, lasting, ended ------------------------------------------------
    @contextlib.contextmanager
    def other_settings(self, chance: random.Random) -> Iterator[None]:
        with self.file:
            self.switch.apply(**settings(chance))
        yield

    @contextlib.contextmanager
    def broken_settings(self, chance: random.Random) -> Iterator[None]:
        with self.file:
            text, before = self.switch.file.read_text(), self._settings()
            refused = self._refused()
            self.switch.file.write_text(chance.choice(BROKEN), encoding="latin-1")
            self.switch.process.signal(signal.SIGHUP)
            until(lambda: self._refused() > refused, "the broken file is refused")
            assert self._settings() == before
            self.switch.file.write_text(text)
        yield

    @contextlib.contextmanager
    def link_down(self, chance: random.Random) -> Iterator[None]:
        number = self._somebody(chance)
        with self.cables:
            if number in self.living:
                self.lab.hosts[number].set_link(up=False)
        yield
        with self.cables:
            if number in self.living:
                self.lab.hosts[number].set_link(up=True)

    @contextlib.contextmanager
    def pauses(self, chance: random.Random) -> Iterator[None]:
        host, ended = self.lab.hosts[self._somebody(chance)], threading.Event()
        wire = host.wire()

        def storm() -> None:
            while not ended.wait(0.01):
                with contextlib.suppress(OSError):  # its link may be down
                    wire.send(pause(host.address, **{f"p{PRIORITY}": LONGEST_PAUSE}))
        stormer = threading.Thread(target=storm)
        stormer.start()
        yield
        ended.set()
        stormer.join()
        wire.close()

    @contextlib.contextmanager
    def stalls(self, chance: random.Random) -> Iterator[None]:
        stalls = Stalls(worker_threads(self.switch.process.pid), chance, LONGEST_STALL)
        try:
            yield
        finally:
            stalls.end()

    @contextlib.contextmanager
    def vanishing(self, chance: random.Random) -> Iterator[None]:
        number = self._somebody(chance)
        with self.cables:
            self.living.remove(number)
            self.lab.namespace.ip("link", "del", self.lab.hosts[number].port)
        yield

    def _somebody(self, chance: random.Random) -> int:
        return chance.choice(sorted(self.living))

    # --- what holds -------------------------------------------------------------------------------
    def _settings(self) -> list:
        return [(row["port"], row["priority"], row["lossless"], row["xoff_bytes"], row["xon_bytes"],
                 row["headroom_bytes"]) for row in self.switch.show("pfc", all=True)]

    def _refused(self) -> int:
        """The number of the event that says so last."""
        return max((row["number"] for row in self.switch.show("events")
                    if row["kind"] == "refused"), default=-1)

    def held(self) -> dict[str, int]:
        """Of the machine: what must not grow."""
        process = pathlib.Path("/proc", str(self.switch.process.pid))
        text = (process / "status").read_text()
        found = {key: int(re.search(rf"^{key}:\s+(\d+)", text, re.M)[1])
                 for key in ("VmRSS", "HugetlbPages", "Threads")}
        return found | {"fds": len(list((process / "fd").iterdir()))}

    def holds(self) -> None:
        """Nothing is wrong, nothing stays, and everybody still reaches everybody."""
        self.switch.settled()
        up = {self.lab.hosts[number].port for number in self.living}
        until(lambda: up == {port for port, link in self.switch.links().items() if link == "up"},
              "the links of those who live are up, and no others")
        until(lambda: all(row["watchdog"] != "stormed" for row in self.switch.show("pfc")),
              "every pause storm is over")
        self.traffic.all_arrive(self.living)
        self.switch.settled()
        assert self.traffic.faults == []

    def end(self) -> None:
        self.switch.process.signal(signal.SIGTERM)
        assert self.switch.process.wait(15) == 0, self.switch.process.said()
        assert "balanced" in self.switch.process.errors()
        assert self.traffic.received > 0


class Happening(NamedTuple):
    what: str
    begins: float  # seconds
    lasts: float


USUAL = ["other_settings", "broken_settings", "link_down", "pauses", "stalls"]


def schedule(chance: random.Random, last: bool) -> list[Happening]:
    """Nobody comes back who vanished, so that is for the end."""
    names = chance.choices(USUAL, k=chance.randint(2, 6))
    if last and chance.random() < 0.5:
        names.append("vanishing")
    return sorted((Happening(name, chance.random() * ROUND / 2, chance.random() * ROUND / 2)
                   for name in names), key=lambda each: each.begins)


def happen(life: Life, seed: str, last: bool) -> None:
    chance = random.Random(seed)
    planned = schedule(chance, last)
    print(f"SLUICE_SEED={SEED} {seed}: " + ", ".join(
        f"{each.what} {each.begins:.2f}+{each.lasts:.2f}" for each in planned))

    def one(number: int, happening: Happening) -> None:
        time.sleep(happening.begins)
        does = getattr(life, happening.what)
        with does(random.Random(f"{seed} {number}")):
            time.sleep(happening.lasts)

    with life.traffic.sending(seed), concurrent.futures.ThreadPoolExecutor() as pool:
        for done in [pool.submit(one, *each) for each in enumerate(planned)]:
            done.result()


def made_again(lab: Lab, vanished: set[int]) -> None:
    for number in vanished:
        old = lab.hosts[number]
        old.close()
        lab.hosts[number] = Host(number + 1, old.namespace, lab.namespace, old.port)


def test_nothing_is_wrong_and_nothing_grows(lab: Lab):
    lab.add_hosts(HOSTS)
    for number in range(LIVES):
        seed = f"{SEED} {number}"
        life = Life(lab, KINDS[number % len(KINDS)], random.Random(seed))
        try:
            live(life, seed, SECONDS / LIVES)
        finally:
            life.traffic.end()
        made_again(lab, set(range(HOSTS)) - life.living)


def live(life: Life, seed: str, seconds: float) -> None:
    ends = time.monotonic() + seconds
    last, number, at_first = False, 0, {}
    while not last:
        last = number >= 2 and time.monotonic() + 2 * ROUND > ends
        happen(life, f"{seed} {number}", last)
        life.holds()
        number += 1
        if number == 2:
            at_first = life.held()
    at_last = life.held()
    print(f"after 2 rounds {at_first}, after {number} {at_last}; {life.traffic.received} frames"
          f" received, dropped: {life.switch.drops()}")
    for thing, most in at_first.items():
        more = MORE_MEMORY if thing == "VmRSS" else 0
        # A descriptor is open for an instant whenever control looks at an interface.
        until(lambda: life.held()[thing] <= most + more, f"{thing} is as after 2 rounds")
    life.end()
