"""What monitoring costs the frame path: a switch that its devices keep busy, while 16
clients and a scraper look ten times a second, and while nobody does, in turns.

    watched.py [--json] BUILD

The devices are captures that DPDK plays for ever, each frame copied to a buffer of its own, so no
generator takes part; the worker has one core, and its control thread shares the other with all who
look: 8 clients of the socket that ask for ports, queues, buffer and pfc, 8 readers of the page's
events with the same, and a scraper of the metrics. `ratio` is the median, over the rounds, of the
rate while they look to that right before and after; with 95 % certainty it lies between
`ratio_least` and `ratio_most` (order statistics: no assumption on how rounds are distributed).
Rounds are short and many, since what disturbs a machine comes and goes by the second.
`looks_a_second` is what they were answered with, 170 if none was late."""

import http.client
import itertools
import json
import math
import os
import pathlib
import socket
import statistics
import struct
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "functional/lab"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "peers"))
from told_to_end import end_in_order  # noqa: E402

ROUNDS = 200
SECONDS = 0.5     # of a round's half
LOOKS_EVERY = 0.1  # seconds
CLIENTS = 8       # of the socket; as many read events
PORT = 9475
NOUNS = ["ports", "queues", "buffer", "pfc"]
CORES = {"lookers": 0, "worker": 1}
FRAMES = 64       # of a capture
FRAME_BYTES = 60


def write_capture(file: pathlib.Path, destination: int, source: int) -> None:
    """Frames of local experiments (IEEE 802, EtherType 0x88B5) from one station to another."""
    octets = (struct.pack("!HIHIH", 0x0200, destination, 0x0200, source, 0x88B5)
              .ljust(FRAME_BYTES, b"\0"))
    record = struct.pack("<IIII", 0, 0, len(octets), len(octets)) + octets
    file.write_bytes(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1) + FRAMES * record)


class Lookers:
    """All who look; between `look` and `rest` each does so every LOOKS_EVERY seconds."""

    def __init__(self, path: str):
        self.path = path
        self.answers = 0
        self._lock = threading.Lock()
        self._resting = threading.Event()
        self._threads: list[threading.Thread] = []
        self._failed: list[BaseException] = []

    def look(self) -> None:
        self._resting.clear()
        jobs = CLIENTS * [self._ask, self._follow] + [self._scrape]
        self._threads = [threading.Thread(target=self._guarded, args=(job,)) for job in jobs]
        for thread in self._threads:
            thread.start()

    def rest(self) -> None:
        self._resting.set()
        for thread in self._threads:
            thread.join()
        if self._failed:
            raise SystemExit(f"watched.py: one who looked got no answer: {self._failed[0]!r}")

    def _guarded(self, job) -> None:
        try:
            job()
        except (OSError, ValueError, http.client.HTTPException) as error:
            self._failed.append(error)

    def _answered(self) -> None:
        with self._lock:
            self.answers += 1

    def _turns(self):
        """Until they rest, once in LOOKS_EVERY; who was late does not make up for it."""
        due = time.monotonic()
        while not self._resting.wait(max(0.0, due - time.monotonic())):
            yield
            due = max(due + LOOKS_EVERY, time.monotonic())

    def _ask(self) -> None:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(10)
            client.connect(self.path)
            answers = client.makefile("rb")
            for _, noun in zip(self._turns(), itertools.cycle(NOUNS)):
                client.sendall(json.dumps({"show": noun}).encode() + b"\n")
                if not answers.readline().endswith(b"\n"):
                    raise ValueError("the control socket was closed")
                self._answered()

    def _follow(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=10)
        every = round(LOOKS_EVERY * 1000)
        connection.request("GET", f"/api/events?show={','.join(NOUNS)}&every={every}")
        response = connection.getresponse()
        while not self._resting.is_set():
            line = response.readline()
            if not line:
                raise ValueError("the page's events ended")
            if line.startswith(b"event: show"):
                self._answered()
        connection.close()

    def _scrape(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=10)
        for _ in self._turns():
            connection.request("GET", "/metrics")
            if not connection.getresponse().read().endswith(b"# EOF\n"):
                raise ValueError("a scrape was cut short")
            self._answered()
        connection.close()


class Counted:
    """The frames that a switch has sent, by its control socket."""

    def __init__(self, path: str):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(path)
        self._answers = self._socket.makefile("rb")

    def _sent(self) -> tuple[float, int]:
        before = time.monotonic()
        self._socket.sendall(b'{"show": "ledger"}\n')
        sent = json.loads(self._answers.readline())["result"]["sent"]
        return (before + time.monotonic()) / 2, sent

    def mpps(self) -> float:
        """Over SECONDS from now."""
        start, before = self._sent()
        time.sleep(SECONDS)
        end, after = self._sent()
        return (after - before) / (end - start) / 1e6


def middle(values: list[float]) -> tuple[float, float, float]:
    """The median, and the two values between which it would be found with any number of rounds, with
    95 % certainty: of values that were drawn, each is as likely above the true median as below."""
    ordered, count = sorted(values), len(values)
    below, tail = 0, 0.5 ** count
    while tail <= 0.025:
        below += 1
        tail += math.comb(count, below) * 0.5 ** count
    if below == 0:
        raise SystemExit(f"watched.py: {count} rounds are too few to say anything")
    return statistics.median(ordered), ordered[below - 1], ordered[count - below]


def measure(path: str) -> dict:
    counted, lookers = Counted(path), Lookers(path)
    counted.mpps()  # warm
    alone = [counted.mpps()]
    ratios, watched, seconds = [], [], 0.0
    for _ in range(ROUNDS):
        start = time.monotonic()
        lookers.look()
        watched.append(counted.mpps())
        lookers.rest()
        seconds += time.monotonic() - start
        alone.append(counted.mpps())
        ratios.append(2 * watched[-1] / (alone[-2] + alone[-1]))
    median, least, most = middle(ratios)
    return {"bench": "watched", "clients": 2 * CLIENTS, "scrapers": 1,
            "looks_a_second": round(lookers.answers / seconds),
            "mpps_alone": round(statistics.median(alone), 2),
            "mpps": round(statistics.median(watched), 2), "ratio": round(median, 4),
            "ratio_least": round(least, 4), "ratio_most": round(most, 4)}


def main() -> None:
    end_in_order()
    words = [word for word in sys.argv[1:] if word != "--json"]
    os.environ["SLUICE_BUILD"] = os.path.realpath(words[0])
    from peers import PROCESSOR  # noqa: E402  (what it imports wants SLUICE_BUILD)
    from process import Process  # noqa: E402
    from switch import program  # noqa: E402
    if len(os.sched_getaffinity(0)) < 2:
        raise SystemExit("watched.py: it takes two CPUs: one for the worker, one for who looks")
    os.sched_setaffinity(0, {CORES["lookers"], CORES["worker"]})
    with tempfile.TemporaryDirectory(prefix="watched-") as name:
        folder = pathlib.Path(name)
        captures = [folder / "0.pcap", folder / "1.pcap"]
        write_capture(captures[0], 2, 1)
        write_capture(captures[1], 1, 2)
        configuration = {
            "ports": [{"name": f"p{index}",
                       "device": f"vdev:net_pcap{index},rx_pcap={capture},infinite_rx=1"}
                      for index, capture in enumerate(captures)],
            "workers": {"cores": [CORES["worker"]], "idle": "poll"},
            "metrics": {"listen": f"127.0.0.1:{PORT}"},
            "control": {"socket": str(folder / "sluice.sock"), "state": str(folder / "state")}}
        (folder / "sluice.yaml").write_text(json.dumps(configuration))
        switch = Process([program("sluiced"), "-c", str(folder / "sluice.yaml")], folder, "sluiced")
        try:
            switch.until_it_says("answers on")
            os.sched_setaffinity(0, {CORES["lookers"]})
            line = measure(configuration["control"]["socket"])
        finally:
            switch.end()
    line |= {"commit": os.environ.get("SLUICE_COMMIT", "unknown"), "machine": PROCESSOR}
    if "--json" in sys.argv:
        print(json.dumps(line), flush=True)
    else:
        print(f"watched           clients {line['clients']}  scrapers 1  looks a second "
              f"{line['looks_a_second']}  mpps {line['mpps']} of {line['mpps_alone']}  ratio "
              f"{line['ratio']} ({line['ratio_least']} to {line['ratio_most']})", flush=True)


if __name__ == "__main__":
    main()
