"""RFC 8239 6, incast of TCP and of what is not TCP: hosts of the kernel, each at a port of its own, all
send to one at a port that sends less than any of them.

    incast.py [--json] [--seconds S] [--rate R] [--ports N] BUILD

Some of the hosts keep a TCP connection full (iperf3), the others send bursts of UDP back to back, all
at the same time. Told is what TCP carried (goodput: octets of the application), how late UDP came (from
the call that sends it to the stamp of the receiver's kernel) and how much of it was lost: by how many
ports send what, and by whether the output's queue marks by ECN, which the hosts' TCP then asks for.
Since TCP fills whatever queue there is, latency is how long the queue was let grow. A switch gives a
latency to its TCP-free priority of its own by `pcp_to_priority`; here all share one, as the RFC has it.
Ports are of AF_XDP over veth pairs, so rates are far below what the dataplane carries; hence `--rate`,
in bits a second, of the output."""

import argparse
import contextlib
import itertools
import json
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

MARKING = {0: {"low": "16KiB", "high": "64KiB", "probability": 0.2}}
UDP_PORT = 9000
TCP_PORT = 9100   # and the next, one a connection
BURST = 32        # datagrams, as fast as the kernel takes them
BURSTS_EVERY = 0.02  # seconds
UDP_BYTES = 1000  # of a datagram
STAMP = struct.Struct("!IQ")  # its number, and when it was sent in nanoseconds
SETTLES = 1.0     # seconds that TCP is given to find the rate
RECEIVE_BUFFER = 64 << 20
# asm-generic/socket.h, which the socket module does not name.
SO_RCVBUFFORCE = 33
SO_TIMESTAMPNS = 35


class Bursts:
    """Datagrams of some hosts to one, each burst at the same time from all."""

    def __init__(self, senders: list, receiver):
        self._to = (receiver.ipv4, UDP_PORT)
        self._sockets = [self._open(host) for host in senders]
        self._receiving = self._open(receiver)
        self._receiving.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, RECEIVE_BUFFER)
        self._receiving.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        self._receiving.settimeout(0.5)
        self._receiving.bind(self._to)
        self.sent = 0
        self.latencies: list[int] = []  # nanoseconds

    @staticmethod
    def _open(host) -> socket.socket:
        with host.namespace.entered():
            return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def close(self) -> None:
        for one in [*self._sockets, self._receiving]:
            one.close()

    def run(self, seconds: float) -> None:
        """Returns when what was sent has come, or will not any more."""
        listening = threading.Thread(target=self._receive)
        listening.start()
        end = time.monotonic() + seconds
        for due in itertools.count(time.monotonic(), BURSTS_EVERY):
            if due >= end:
                break
            time.sleep(max(0.0, due - time.monotonic()))
            for _ in range(BURST):
                for one in self._sockets:
                    one.sendto(STAMP.pack(self.sent, time.time_ns()).ljust(UDP_BYTES), self._to)
                    self.sent += 1
        listening.join()

    def _receive(self) -> None:
        with contextlib.suppress(TimeoutError):  # nothing has come for a while
            while True:
                datagram, about, _, _ = self._receiving.recvmsg(UDP_BYTES, 64)
                seconds, nanoseconds = struct.unpack("qq", about[0][2])
                _, sent = STAMP.unpack_from(datagram)
                self.latencies.append(seconds * 1_000_000_000 + nanoseconds - sent)


def trial(hosts: list, tcp: int, seconds: float) -> dict:
    """The first `tcp` hosts have connections to the last, the other ones send bursts to it."""
    *senders, receiver = hosts
    servers = [receiver.namespace.start("iperf3", "--server", "--one-off", "--forceflush", "--port",
                                        str(TCP_PORT + index)) for index in range(tcp)]
    for server in servers:
        server.until_it_says("Server listening")
    clients = [host.namespace.start(
        "iperf3", "--client", receiver.ipv4, "--port", str(TCP_PORT + index), "--json", "--omit",
        str(SETTLES), "--time", str(seconds)) for index, host in enumerate(senders[:tcp])]
    time.sleep(SETTLES)
    bursts = Bursts(senders[tcp:], receiver)
    with contextlib.closing(bursts):
        bursts.run(seconds)
    goodput, retransmits = 0.0, 0
    for client in clients:
        if client.wait(seconds + 20) != 0:
            raise SystemExit(f"incast.py: iperf3: {client.said()}")
        end = json.loads(client.output())["end"]
        goodput += end["sum_received"]["bits_per_second"]
        retransmits += end["sum_sent"]["retransmits"]
    for server in servers:
        server.wait(20)
    if len(bursts.latencies) < 2:
        raise SystemExit(f"incast.py: {len(bursts.latencies)} of {bursts.sent} datagrams came")
    cuts = statistics.quantiles(bursts.latencies, n=100)
    return {"tcp_ports": tcp, "udp_ports": len(senders) - tcp, "goodput_mbps": round(goodput / 1e6, 1),
            "retransmits": retransmits,
            "lost_percent": round(100 * (1 - len(bursts.latencies) / bursts.sent), 2),
            "p50_ns": round(cuts[49]), "p99_ns": round(cuts[98]), "max_ns": max(bursts.latencies)}


def measure(options: argparse.Namespace):
    from lab import Lab  # noqa: E402  (it wants SLUICE_BUILD)
    for marking in (False, True):
        with tempfile.TemporaryDirectory(prefix="incast-") as folder, \
                contextlib.closing(Lab(pathlib.Path(folder))) as lab:
            hosts = lab.add_hosts(options.ports + 1)
            for host in hosts:
                host.namespace.set("ipv4/tcp_ecn", int(marking))
            ports = lab.ports("af_xdp")
            ports[-1] |= {"rate": options.rate} | ({"ecn": MARKING} if marking else {})
            lab.make_switch(ports).start()
            for host in hosts[:-1]:
                host.ping(hosts[-1].ipv4, 1)
            for tcp in range(1, options.ports):
                yield {"bench": "incast", "rate": options.rate, "marking": marking,
                       **trial(hosts, tcp, options.seconds)}
            lab.finish()


def main() -> None:
    end_in_order()
    words = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    words.add_argument("--json", action="store_true")
    words.add_argument("--seconds", type=float, default=10, help="of a trial")
    words.add_argument("--rate", default="200M", help="of the output")
    words.add_argument("--ports", type=int, default=4, help="that send to it; 2 or more")
    words.add_argument("build")
    options = words.parse_args()
    if options.ports < 2:
        words.error("--ports: 2 or more: one of TCP and one of UDP")
    os.environ["SLUICE_BUILD"] = os.path.realpath(options.build)
    from peers import PROCESSOR  # noqa: E402
    for line in measure(options):
        line |= {"commit": os.environ.get("SLUICE_COMMIT", "unknown"), "machine": PROCESSOR}
        if options.json:
            print(json.dumps(line), flush=True)
        else:
            print(f"incast  {line['tcp_ports']} ports of TCP, {line['udp_ports']} of UDP, "
                  f"{'ECN' if line['marking'] else 'no ECN'}  goodput {line['goodput_mbps']} Mbps of "
                  f"{line['rate']}  UDP p50 {line['p50_ns'] / 1e6:.2f} ms  p99 "
                  f"{line['p99_ns'] / 1e6:.2f} ms  max {line['max_ns'] / 1e6:.2f} ms  lost "
                  f"{line['lost_percent']} %", flush=True)


if __name__ == "__main__":
    main()
