"""Two senders, and a receiver that does not take what they send: the usual trouble of a lossless
network."""

import contextlib
import threading
from typing import Iterator

from frames import of_priority, pause
from host import Host
from lab import Lab
from switch import Switch
from waiting import until
from web import LISTEN

LONGEST = 65535  # quanta: 3.4 s at 10M
EACH = 30  # frames of 1000 octets


class Stuck:
    """A peer that pauses priority 3 again and again, long before a pause is over, so that what waits
    goes on waiting however busy the machine is."""

    def __init__(self, host: Host):
        self._wire, self._address = host.wire(), host.address
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        while not self._over.wait(0.3):
            self._wire.send(pause(self._address, p3=LONGEST))

    def end(self) -> None:
        if self._over.is_set():
            return
        self._over.set()
        self._thread.join()
        self._wire.send(pause(self._address, p3=0))


@contextlib.contextmanager
def slow_receiver(lab: Lab) -> Iterator[tuple[Switch, Stuck]]:
    """p0 and p1 send to p2, whose peer does not resume; both are paused for it. p3 has nothing to
    do with it."""
    one, two, three, _ = lab.add_hosts(4)
    switch = lab.start_switch(
        "af_packet", metrics=LISTEN, lldp={"enabled": True, "system_name": "leaf"},
        defaults={"speed": "10M", "lossless": [3], "pfc": {
            "xoff": "16KiB", "xon": "8KiB", "headroom": "64KiB", "response": 0,
            "watchdog": {"action": "off"}}},
        fdb={"static": [{"address": host.address, "port": host.port} for host in lab.hosts]})
    stuck = Stuck(three)
    try:
        until(lambda: switch.pfc("p2", 3)["rx_pause"] > 0, "the pause is received")
        for host in (one, two):
            host.wire().send(*of_priority(host.address, 3, EACH, 1000, three.address))
            until(lambda: switch.pfc(host.port, 3)["pausing"], "the sender is paused")
        yield switch, stuck
    finally:
        stuck.end()
