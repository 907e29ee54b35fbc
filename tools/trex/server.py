"""Trex: configures, starts, controls (by TRex's Python API) and stops a TRex server.

TRex is not a part of this project. The user names its folder by `--trex` or `$TREX`; used are
`t-rex-64` and `automation/trex_control_plane/interactive` in it.
"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time

from gen import CannotRun
from outcome import Outcome, Row, asked_of
from streams import LONGEST_FOR_LATENCY, Stream

STARTS = 120          # seconds
STILL = 0.5           # seconds without a frame, after which no more frames arrive
GIVES_UP = 10         # longest wait for STILL, in seconds
MEMIF_RING = 14       # log2 of its size: with 11, the ring loses 1.2 % of 2 Mpps
VETH_RING = 4096      # frames; the driver's default, 512, lost up to 508 frames in a step
RPC_PORT, PUBLISHER_PORT = 4501, 4500
INTERACTIVE = pathlib.Path("automation", "trex_control_plane", "interactive")


def interface(end: str, index: int) -> str:
    """Converts a device of sluice-gen to one of TRex's configuration."""
    kind, _, rest = end.partition(":")
    if kind == "memif":
        return (f"--vdev=net_memif{index},role=client,id=0,socket-abstract=no,"
                f"socket={rest.split(',')[0]},rsize={MEMIF_RING}")
    if kind == "af_packet":
        return f"--vdev=net_af_packet{index},iface={rest.split(',')[0]},framecnt={VETH_RING}"
    if kind == "pci":
        return rest.split(",")[0].removeprefix("0000:")
    raise CannotRun(f"TRex has no port for {end}; it takes memif, af_packet and pci")


def configuration(ends: list[str], cpus: int) -> list[dict]:
    """Returns TRex's platform file. Ports are in pairs; an odd number of ports gets a dummy."""
    interfaces = [interface(end, index) for index, end in enumerate(ends)]
    if len(interfaces) % 2:
        interfaces.append("dummy")
    made = {"version": 2, "port_limit": len(interfaces), "interfaces": interfaces,
            "zmq_pub_port": PUBLISHER_PORT, "zmq_rpc_port": RPC_PORT,
            # Only for TRex's own requests: streams have their own addresses.
            "port_info": [{"src_mac": f"02:53:4e:00:00:{index:02x}",
                           "dest_mac": f"02:53:4e:00:00:{index ^ 1:02x}"}
                          for index in range(len(interfaces))],
            # Without a speed, a search by share of the line rate never ends if the driver has none.
            "port_speed": 10000}
    if cpus < 4:
        # All threads share one core and sleep in turns: measured latencies include the sleep.
        made |= {"low_end": True, "low_end_core": 0}
    else:
        pairs = len(interfaces) // 2
        threads = range(2, min(cpus, 2 + pairs))
        made["platform"] = {
            "master_thread_id": 0, "latency_thread_id": 1,
            "dual_if": [{"socket": 0, "threads": [threads[pair % len(threads)]]}
                        for pair in range(pairs)]}
    return [made]


class Trex:
    name = "TRex"

    def __init__(self, folder: pathlib.Path, ends: list[str], scratch: pathlib.Path):
        self._folder = folder
        self._scratch = scratch
        self._ends = ends
        self._server = None
        self._client = None

    def __enter__(self) -> "Trex":
        for part in ("t-rex-64", INTERACTIVE / "trex"):
            if not (self._folder / part).exists():
                raise CannotRun(f"{self._folder}: there is no {part} in it; a release of TRex has "
                                "both, unpacked")
        sys.path.insert(0, str(self._folder / INTERACTIVE))
        file = self._scratch / "trex_cfg.yaml"
        made = configuration(self._ends, len(os.sched_getaffinity(0)))
        file.write_text(json.dumps(made, indent=1))
        try:
            self._start(file)
        except BaseException:
            self.__exit__()
            raise
        return self

    def _start(self, file: pathlib.Path) -> None:
        with open(self._scratch / "trex.log", "wb") as log:
            self._server = subprocess.Popen(
                ["./t-rex-64", "-i", "--no-scapy-server", "--cfg", str(file)], cwd=self._folder,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        from trex.stl import api
        limit = time.monotonic() + STARTS
        while True:
            client = api.STLClient(sync_port=RPC_PORT, async_port=PUBLISHER_PORT)
            try:
                client.connect()
                break
            except api.TRexError as error:
                ended = self._server.poll() is not None
                if ended or time.monotonic() > limit:
                    said = (self._scratch / "trex.log").read_text(errors="replace")[-3000:]
                    raise CannotRun(f"TRex does not start: {error}\n{said}") from None
                time.sleep(1)
        self._client = client
        client.reset(ports=list(range(len(self._ends))))

    def __exit__(self, *_) -> None:
        if self._client is not None:
            self._client.disconnect()
        if self._server is not None and self._server.poll() is None:
            os.killpg(self._server.pid, signal.SIGINT)
            try:
                self._server.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(self._server.pid, signal.SIGKILL)
                self._server.wait()

    def version(self) -> str:
        return self._client.get_server_version()["version"]

    def run(self, streams: list[Stream], rate: float, seconds: float) -> Outcome:
        import stl
        for stream in streams:
            longest = max(octets for octets, _ in stream.frame_bytes)
            if (stream.latency and longest > LONGEST_FOR_LATENCY
                    and any(end.startswith("memif:") for end in self._ends)):
                raise CannotRun(f"{stream.name}: TRex's memif breaks timed frames above "
                                f"{LONGEST_FOR_LATENCY} octets")
        client, ports = self._client, list(range(len(self._ends)))
        client.reset(ports=ports)
        client.clear_stats()
        self._send(stl.announcements(streams), None)
        client.remove_all_streams(ports=ports)
        numbered = stl.Numbered(streams, rate)
        took = self._send(numbered.of_port, seconds)
        groups = client.get_pgid_stats()
        totals = client.get_stats()
        rows = [row_of(stream, numbered.groups.get(stream.name), groups) for stream in streams]
        devices = [(totals[port]["opackets"], totals[port]["ipackets"]) for port in ports]
        return Outcome(rows, devices, took, asked_of(streams, rate))

    def _send(self, of_port: dict[int, list], seconds) -> float:
        """Sends for `seconds`, or until all bursts are sent; returns the time. The time is measured
        here, since TRex's own durations overrun at too high rates."""
        if not of_port:
            return 0
        for port, streams in of_port.items():
            self._client.add_streams(streams, ports=[port])
        ports = list(of_port)
        start = time.monotonic()
        self._client.start(ports=ports, mult="1", force=True)
        if seconds is None:
            self._client.wait_on_traffic(ports=ports)
        else:
            time.sleep(seconds)
            self._client.stop(ports=ports)
        took = time.monotonic() - start
        self._until_idle()
        return took

    def _until_idle(self) -> None:
        limit = time.monotonic() + GIVES_UP
        before = None
        while time.monotonic() < limit:
            now = [(one["opackets"], one["ipackets"])
                   for port, one in self._client.get_stats().items() if isinstance(port, int)]
            if now == before:
                return
            before = now
            time.sleep(STILL)


def row_of(stream: Stream, groups, found: dict) -> Row:
    """Returns the sums over all lengths of a stream. `found`: result of get_pgid_stats."""
    if groups is None:
        return Row(stream.name, None)
    counts = [found["flow_stats"].get(group, {}) for group in groups]
    sent = sum(one.get("tx_pkts", {}).get("total", 0) for one in counts)
    received = sum(one.get("rx_pkts", {}).get("total", 0) for one in counts)
    row = Row(stream.name, sent, received, sent - received)
    if stream.latency:
        timed = [found["latency"][group] for group in groups if group in found["latency"]]
        faults = [one["err_cntrs"] for one in timed]
        row.reordered = sum(one["out_of_order"] for one in faults)
        row.duplicates = sum(one["dup"] for one in faults)
        if timed:
            row.latency_us = {"average": timed[0]["latency"]["average"],
                              "max": max(one["latency"]["total_max"] for one in timed)}
    return row
