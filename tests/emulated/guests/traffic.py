"""What guests send each other besides pings."""

import json

from vms import SLOW, Vm


def iperf(here: Vm, there: Vm, address: str, words: str) -> dict:
    """What the receiver reports at its end. The sender tries until the other listens."""
    there.start("server", "iperf3 -s -1 -J")
    here.run(f"tries=0; until iperf3 -J -c {address} {words} >/client.log; do "
             "tries=$((tries + 1)); [ $tries -lt 20 ] || { cat /client.log; exit 1; }; sleep 1; done")
    return json.loads(there.ended("server"))["end"]


def tcp(here: Vm, there: Vm, address: str, octets: int = 4 << 20) -> None:
    """They arrive as they were."""
    there.start("sink", "nc -l -p 5001 | md5sum")
    sent = here.run(f"head -c {octets} /dev/urandom >/octets; md5sum </octets; "
                    f"tries=0; until nc {address} 5001 </octets; do "
                    "tries=$((tries + 1)); [ $tries -lt 20 ] || exit 1; sleep 1; done")
    assert there.ended("sink").split()[0] in sent.split()


def udp(here: Vm, there: Vm, address: str, length: int = 1000, datagrams: int = 200) -> None:
    """Slowly, so that a machine that is away for a second loses none."""
    found = iperf(here, there, address, f"-u -b 1M -l {length} -k {datagrams}")["sum"]
    assert found["packets"] >= datagrams and found["lost_packets"] == 0, found


def writes(tool: str, here: Vm, there: Vm, address: str, words: str) -> float:
    """MB/s of one of perftest's tools, connected by rdma_cm."""
    there.start(tool, f"{tool} -d rxe0 -R -F {words}")
    begin_writes(tool, here, address, words)
    there.ended(tool)
    return ended_writes(tool, here)


def begin_writes(tool: str, here: Vm, address: str, words: str) -> None:
    here.start(tool, f"tries=0; until {tool} -d rxe0 -R -F {words} {address}; do "
                     "tries=$((tries + 1)); [ $tries -lt 20 ] || exit 1; sleep 1; done")


def ended_writes(tool: str, here: Vm, seconds: float = SLOW) -> float:
    """Of the row below the heading: octets, messages, MB/s at the most and on average, ..."""
    said = here.ended(tool, seconds)
    rows = [line.split() for line in said.splitlines()]
    [row] = [rows[at + 1] for at, row in enumerate(rows) if row[:1] == ["#bytes"]]
    return float(row[3])
