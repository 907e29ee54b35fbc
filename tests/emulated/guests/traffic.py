"""What guests send each other besides pings."""

import json
import re

from vms import SLOW, Vm


def tries(command: str) -> str:
    """Until it ends well, since those whom it needs may not listen yet."""
    return (f"(tries=0; until {command}; do "
            "tries=$((tries + 1)); [ $tries -lt 20 ] || exit 1; sleep 1; done)")


def tcp(here: Vm, there: Vm, address: str, octets: int = 4 << 20) -> None:
    """They arrive as they were: whoever receives them says their sum."""
    there.start("sink", "nc -l -p 5001 -e md5sum")
    said = here.run(f"head -c {octets} /dev/urandom >/octets; md5sum </octets; "
                    + tries(f"nc {address} 5001 </octets"))
    sent, received = re.findall(r"^[0-9a-f]{32}", said, re.M)
    assert received == sent
    there.ended("sink")


def udp(here: Vm, there: Vm, address: str, length: int = 1000, datagrams: int = 200) -> None:
    """Slowly, so that a machine that is away for a second loses none."""
    there.run("pidof iperf3 || iperf3 -s -D")
    words = f"-J -u -b 1M -l {length} -k {datagrams} -c {address}"
    said = here.run(tries(f"timeout 60 iperf3 {words} >/iperf.log") + "; cat /iperf.log")
    found = json.loads(said)["end"]["sum"]  # the receiver's, which it tells the sender
    assert found["packets"] >= datagrams and found["lost_packets"] == 0, found


def writes(tool: str, here: Vm, there: Vm, address: str, words: str) -> float:
    """MB/s of one of perftest's tools, connected by rdma_cm."""
    there.start(tool, f"{tool} -d rxe0 -R -F {words}")
    begin_writes(tool, here, address, words)
    there.ended(tool)
    return ended_writes(tool, here)


def begin_writes(tool: str, here: Vm, address: str, words: str) -> None:
    here.start(tool, tries(f"{tool} -d rxe0 -R -F {words} {address}"))


def ended_writes(tool: str, here: Vm, seconds: float = SLOW) -> float:
    """Of the row below the heading: octets, messages, MB/s at the most and on average, ..."""
    said = here.ended(tool, seconds)
    rows = [line.split() for line in said.splitlines()]
    [row] = [rows[at + 1] for at, row in enumerate(rows) if row[:1] == ["#bytes"]]
    return float(row[3])
