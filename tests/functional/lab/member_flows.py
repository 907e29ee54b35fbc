"""LACP's view of an aggregation's members, and what becomes of flows while one of them is away."""

import struct
import time
from typing import Callable

from frames import BROADCAST
from switch import Switch
from waiting import until, until_equal
from wire import Wire

FLOWS = 16


def rows(switch: Switch) -> dict[str, dict]:
    return {row["port"]: row for row in switch.show("lacp")}


def attached(switch: Switch) -> set[str]:
    return {name for name, row in rows(switch).items() if row["attached"]}


def events(switch: Switch, port: str) -> list[str]:
    return [row["kind"] for row in switch.show("events")
            if row["port"] == port and row["kind"].startswith("lacp")]


def numbered(source: str, destination: str, flow: int, number: int) -> bytes:
    """UDP of a flow, with its number."""
    payload = struct.pack("!II", flow, number).ljust(26, b"\0")
    udp = struct.pack("!HHHH", 10000 + flow, 7, 8 + len(payload), 0) + payload
    header = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0,
                         bytes([10, 0, 0, 3]), bytes([10, 0, 0, 99]))
    total = sum(struct.unpack("!10H", header))
    total = (total & 0xFFFF) + (total >> 16)
    header = header[:10] + struct.pack("!H", 0xFFFF & ~(total + (total >> 16))) + header[12:]
    macs = bytes.fromhex((destination + source).replace(":", ""))
    return macs + b"\x08\x00" + header + udp


def flows_of(received: list[bytes]) -> dict[int, list[int]]:
    numbers: dict[int, list[int]] = {}
    for octets in received:
        if octets[12:14] != b"\x08\x00" or octets[23] != 17:
            continue
        flow, number = struct.unpack("!II", octets[42:50])
        numbers.setdefault(flow, []).append(number)
    return numbers


def flows_keep_their_order(switch: Switch, sender: Wire, source: str, behind: Wire,
                           set_link: Callable[[bool], None], *, interval: float = 0.01,
                           patience: float = 40.0, early: int = 0) -> None:
    """Frames of many flows for everybody go into the switch by `sender`, and are read `behind` the
    bond at the other end of p0 and p1, while `set_link` takes p1's cable away and gives it back.
    Of each flow the bond may lose the first few when p1 is back, so many as come `early`: it says
    that it collects before it does."""
    number, sent = 0, {flow: [] for flow in range(FLOWS)}
    received: list[bytes] = []

    def send(seconds: float) -> None:
        nonlocal number
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            for flow in range(FLOWS):
                sender.send(numbered(source, BROADCAST, flow, number))
                sent[flow].append(number)
                received.extend(behind.pending())  # a cable holds few
            number += 1
            time.sleep(interval)

    def used() -> list[int]:
        return [switch.port(name)["tx_frames"] for name in ("p0", "p1")]

    def both_carry() -> bool:
        before = used()
        send(100 * interval)
        return all(now > then + 20 for now, then in zip(used(), before))
    until(both_carry, "both carry flows")

    def send_until(members: set[str]) -> None:
        limit = time.monotonic() + patience
        while attached(switch) != members and time.monotonic() < limit:
            send(20 * interval)
        until_equal(lambda: attached(switch), members, f"{members} are attached", patience)
    set_link(False)
    send_until({"p0"})
    cut = number
    send(100 * interval)
    set_link(True)
    given_back = number
    send_until({"p0", "p1"})
    seen_back = number
    send(100 * interval)
    until(lambda: received.extend(behind.pending()) or
          {flow for flow, numbers in flows_of(received).items() if numbers[-1] == number - 1} ==
          set(range(FLOWS)), "the last of each flow is received", patience)
    for flow, numbers in flows_of(received).items():
        assert numbers == sorted(set(numbers)), f"flow {flow} is out of order, or twice there"
        lost = sorted(number for number in set(sent[flow]) - set(numbers) if number >= cut)
        # A member attached by `seen_back` at the latest may have been attached at that very moment.
        assert len(lost) <= early and \
            all(given_back <= number < seen_back + early for number in lost), \
            f"flow {flow} lost {lost} though the cut was seen by {cut}; back {seen_back}"
    assert events(switch, "p1")[:3] == ["lacp_attached", "lacp_detached", "lacp_attached"]
