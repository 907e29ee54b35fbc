"""Traffic of which every frame says what it is to be: its flow, its number in it and its length,
and the octets that follow from them. A receiver therefore knows whether it is whole, whose it
is, and that it is neither late nor there twice. That one does not come is nobody's fault here."""

import contextlib
import os
import random
import struct
import threading
import time
from typing import Iterator, NamedTuple, Optional

from frames import BROADCAST, EXPERIMENTAL, is_pause
from host import Host
from load import beside
from waiting import until
from wire import Wire

PRIORITIES = (0, 3)
SHORTEST, LONGEST = 64, 1500  # octets
_BURST = 24  # frames
_ABOUT = struct.Struct("!HIH")
_NOISE = random.Random(1).randbytes((1 << 16) + LONGEST)
_TOLD = 20  # faults; the first of them says most


class Flow(NamedTuple):
    source: int
    destination: Optional[int]  # none: everybody
    priority: int


def _octets(address: str) -> bytes:
    return bytes.fromhex(address.replace(":", ""))


class Numbered:
    """From each host to every other and to all. `hosts` may be others later, in the same places."""

    def __init__(self, hosts: list[Host]):
        count = len(hosts)
        self.flows = [Flow(source, destination, priority)
                      for source in range(count) for priority in PRIORITIES
                      for destination in [*(set(range(count)) - {source}), None]]
        self._headers = [self._header(hosts, flow) for flow in self.flows]
        self._sent = [0] * len(self.flows)
        self._last: dict[tuple[int, int], int] = {}  # by receiver, and the flow
        self.received = 0
        self.faults: list[str] = []
        self._wires = [host.wire() for host in hosts]
        self._ended = threading.Event()
        self._ears = [threading.Thread(target=self._listen, args=(number, wire))
                      for number, wire in enumerate(self._wires)]
        for ear in self._ears:
            ear.start()

    @staticmethod
    def _header(hosts: list[Host], flow: Flow) -> bytes:
        to = BROADCAST if flow.destination is None else hosts[flow.destination].address
        return _octets(to) + _octets(hosts[flow.source].address) + \
            struct.pack("!HHH", 0x8100, flow.priority << 13 | 1, EXPERIMENTAL)

    def _frame(self, flow: int, number: int, length: int) -> bytes:
        octets = self._headers[flow] + _ABOUT.pack(flow, number, length)
        start = (flow * 7919 + number * 31) % (1 << 16)
        return octets + _NOISE[start:start + length - len(octets)]

    def _send(self, flow: int, wire: Wire, length: int) -> int:
        """The next of a flow, whether or not its cable is there; returns its number."""
        self._sent[flow] += 1
        with contextlib.suppress(OSError):
            wire.send(self._frame(flow, self._sent[flow], length))
        return self._sent[flow]

    @contextlib.contextmanager
    def sending(self, seed: str) -> Iterator[None]:
        def send(host: int, ended: threading.Event) -> None:
            # On one core: the kernel has a queue of what arrived for each, and no order among them.
            cores = sorted(os.sched_getaffinity(0))
            os.sched_setaffinity(0, {cores[host % len(cores)]})
            chance = random.Random(f"{seed} {host}")
            own = [number for number, flow in enumerate(self.flows) if flow.source == host]
            while not ended.is_set():
                for _ in range(chance.randrange(1, _BURST)):
                    self._send(chance.choice(own), self._wires[host],
                               chance.randint(SHORTEST, LONGEST))
                time.sleep(chance.random() * 0.01)

        with beside(len(self._wires), send):
            yield

    def all_arrive(self, living: set[int]) -> None:
        """One more of each flow among these, which nobody disturbs."""
        awaited = {}
        for number, (source, destination, _) in enumerate(self.flows):
            if source in living and destination in living:
                awaited[destination, number] = self._send(number, self._wires[source], SHORTEST)
        until(lambda: all(self._last.get(who, 0) == number for who, number in awaited.items()),
              "one more of each flow arrives")

    def _listen(self, host: int, wire: Wire) -> None:
        while not self._ended.is_set():
            # With the link down the socket says so, once.
            with contextlib.suppress(OSError):
                octets = wire.receive(0.05)
                if octets is not None and not is_pause(octets):
                    self._look(host, octets)

    def _look(self, host: int, octets: bytes) -> None:
        fault = self._fault(host, octets)
        if fault and len(self.faults) < _TOLD:
            self.faults.append(
                f"host {host}: {fault}: {octets[:32].hex(' ')}, {len(octets)} octets")

    def _fault(self, host: int, octets: bytes) -> str:
        if len(octets) < SHORTEST:
            return "a frame that nobody sent"
        index, number, length = _ABOUT.unpack_from(octets, 18)
        if index >= len(self.flows) or number > self._sent[index]:
            return "a frame that nobody sent"
        if octets != self._frame(index, number, length):
            return "a frame that is not as it was sent"
        flow = self.flows[index]
        if flow.source == host:
            return f"its own frame, {number} of {flow}"
        last = self._last.get((host, index), 0)
        self._last[host, index] = number
        self.received += 1
        return "" if number > last else f"{number} of {flow} after {last}"

    def end(self) -> None:
        self._ended.set()
        for ear in self._ears:
            ear.join()
