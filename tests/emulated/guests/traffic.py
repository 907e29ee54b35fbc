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


def _gid(vm: Vm, address: str) -> int:
    """The index of an address among those of rxe0, which ends as its GID does."""
    octets = [int(word) for word in address.split(".")]
    ends = "ffff:{:02x}{:02x}:{:02x}{:02x}".format(*octets)
    return int(vm.run(f"until grep -l {ends}$ /sys/class/infiniband/rxe0/ports/1/gids/*; "
                      "do sleep 0.2; done").rsplit("/", 1)[1])


def _words(tool: str, vm: Vm, network: int, words: str) -> str:
    own = f"10.{network}.0.{vm.number}"
    return f"timeout {SLOW:.0f} {tool} -d rxe0 -x {_gid(vm, own)} -F {words}"


def begin_writes(tool: str, here: Vm, there: Vm, network: int, words: str) -> None:
    """One of perftest's tools, over 10.NETWORK.0.0/24."""
    there.start(here.name, _words(tool, there, network, words))
    address = f"10.{network}.0.{there.number}"
    here.start(here.name, tries(_words(tool, here, network, words) + f" {address}"))


def ended_writes(here: Vm, there: Vm, seconds: float = 2 * SLOW) -> float:
    """MB/s, of the row below the heading: octets, messages, MB/s at the most and on average, ..."""
    said = here.ended(here.name, seconds)
    there.ended(here.name, seconds)
    rows = [line.split() for line in said.splitlines()]
    [row] = [rows[at + 1] for at, row in enumerate(rows) if row[:1] == ["#bytes"]]
    return float(row[3])
