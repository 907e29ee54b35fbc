"""A peer on a wire that says what it likes, without end: addresses, groups, neighbours, pauses. What is
for control is limited, what is kept is bounded, and a lossless incast of others goes on beside it."""

import itertools
import struct
import time
from typing import Callable, Iterator, NamedTuple

import pytest
from scapy.contrib.lacp import LACP, SlowProtocol
from scapy.layers.l2 import Ether

from frames import BROADCAST, frame, lldp, of_priority, pause
from host import Host
from lab import Lab
from membership import igmp_query, igmp_report
from switch import Switch
from waiting import until, until_equal

COUNT = 400  # frames of a flood, four times over
SLOW_PROTOCOLS = "01:80:c2:00:00:02"
MOST_GROWTH = 16 * 1024  # KiB, of memory that is there

Octets = list[bytes]


def macs(first: int) -> Iterator[str]:
    return ((0x0600_0000_0000 + number).to_bytes(6, "big").hex(":") for number in itertools.count(first))


def groups(first: int) -> Iterator[str]:
    return (f"239.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
            for number in itertools.count(first))


def addresses(one: Host, wave: int) -> Octets:
    """More than the table has room for."""
    octets = frame(one.address, BROADCAST)
    return [octets[:6] + bytes.fromhex(mac.replace(":", "")) + octets[12:]
            for mac in itertools.islice(macs(wave * 2000), 2000)]


def claims(one: Host, wave: int) -> Octets:
    """Of another host's address."""
    return [frame("02:00:00:00:00:02", BROADCAST)] * COUNT


def joins(one: Host, wave: int) -> Octets:
    return [igmp_report(one, group) for group in itertools.islice(groups(wave * COUNT), COUNT)]


def leaves(one: Host, wave: int) -> Octets:
    return [igmp_report(one, group, kind=0x17) for group in itertools.islice(groups(wave * COUNT), COUNT)]


def queries(one: Host, wave: int) -> Octets:
    return [igmp_query(one, source=f"10.9.{wave}.{number % 250 + 1}") for number in range(COUNT)]


def neighbours(one: Host, wave: int) -> Octets:
    return [lldp(one.address, f"n{wave}-{number}") for number in range(COUNT)]


def dcbx(one: Host, wave: int) -> Octets:
    """Of one neighbour, each time with other priorities, every other time too short."""
    def pfc(number: int) -> bytes:
        value = bytes.fromhex("0080c20b") + bytes([number & 255, number >> 3 & 255])[:1 + number % 2]
        return struct.pack("!H", 127 << 9 | len(value)) + value
    return [lldp(one.address, "peer", more=pfc(number)) for number in range(COUNT)]


def lacpdus(one: Host, wave: int) -> Octets:
    return [bytes(Ether(src=mac, dst=SLOW_PROTOCOLS) / SlowProtocol() /
                  LACP(actor_system=mac, actor_key=number % 65536, actor_state=0x3D))
            for number, mac in zip(range(COUNT), macs(wave * COUNT))]


def pauses(one: Host, wave: int) -> Octets:
    return [pause(one.address, p3=1)] * COUNT


class Flood(NamedTuple):
    frames: Callable[[Host, int], Octets]
    settings: dict
    limited: str  # the drop under which what is too much is counted; empty: none of it is dropped
    bound: Callable[[Switch], bool]


LOSSLESS = {"defaults": {"lossless": [3], "pfc": {"unproved": "allow"}}}
SNOOPS = {"multicast": {"snooping": ["igmp"], "capacity": 256,
                        "querier": {"vlans": [1], "address": "10.0.0.200"}}}
FLOODS = [
    Flood(addresses, {"fdb": {"capacity": 1024}}, "", lambda switch: len(switch.show("fdb")) <= 1024),
    Flood(claims, {"fdb": {"moves": "refuse"}}, "moved_source",
          lambda switch: switch.fdb()["02:00:00:00:00:02"] == "p1"),
    Flood(joins, SNOOPS, "", lambda switch: switch.show("multicast")["known"] == 256),
    Flood(leaves, SNOOPS, "", lambda switch: switch.show("multicast")["known"] == 0),
    Flood(queries, SNOOPS, "", lambda switch: len(switch.show("multicast")["queriers"]) == 1),
    Flood(neighbours, {"lldp": {"enabled": True}}, "lldp_limit",
          lambda switch: len(switch.show("lldp")[0]["neighbours"]) <= 4),
    Flood(dcbx, {"lldp": {"enabled": True}}, "lldp_limit",
          lambda switch: len(switch.show("lldp")[0]["neighbours"]) == 1),
    Flood(lacpdus,
          {"aggregations": [{"name": "bond", "ports": ["p0"], "lacp": {"mode": "active"}}]},
          "lacp_limit", lambda switch: len(switch.show("lacp")) >= 1),
    Flood(pauses, {"defaults": {"lossless": [3], "pfc": {"unproved": "allow", "rx_limit": 100}}},
          "pause_limit", lambda switch: switch.pfc("p1", 3)["rx_pause"] == 0),
]


def resident(switch: Switch) -> int:
    """KiB."""
    with open(f"/proc/{switch.process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


@pytest.mark.parametrize("flood", FLOODS, ids=lambda flood: flood.frames.__name__)
def test_a_flood_keeps_nobody_from_talking_and_nothing_of_it_grows(lab: Lab, flood: Flood):
    switch, (one, two, *others) = lab.build("af_packet", 4, **(LOSSLESS | flood.settings))
    wire, second, *senders = lab.wires()
    second.send(frame(two.address, BROADCAST))
    until(lambda: switch.fdb().get(two.address) == "p1", "the second is known")
    before = 0
    began = time.monotonic()
    for wave in range(4):
        wire.send(*flood.frames(one, wave))
        incast = [of_priority(host.address, 3, 30, 1000, two.address) for host in others]
        for each in zip(*incast):
            for sender, octets in zip(senders, each):
                sender.send(octets)
        received = second.collect(lambda frames: all(mine[-1] in frames for mine in incast),
                                  "what the others send")
        for mine in incast:
            assert [octets for octets in received if octets in mine] == mine
        assert {row["name"] for row in switch.show("ports")} >= {"p0", "p1", "p2", "p3"}
        if wave == 1:
            before = resident(switch)
    assert resident(switch) < before + MOST_GROWTH
    assert flood.bound(switch)
    if flood.limited:
        until(lambda: switch.drops("p0").get(flood.limited, 0) > 0, f"{flood.limited} is counted")
    # At once a few of each kind, and then about one a second.
    events = switch.show("events")
    assert len(events) < 40 + 4 * (time.monotonic() - began), events
    # When it is over the switch is as before.
    second.send(frame(two.address, BROADCAST))
    last = frame(others[0].address, two.address)
    senders[0].send(last)
    second.collect(lambda frames: last in frames, "one more")


def test_queries_that_are_forged_end_and_the_switch_asks_again(lab: Lab):
    """A forger silences it only as long as he goes on, whatever interval he says: groups would age."""
    switch, (one, two) = lab.build("af_packet", 2, multicast={
        "snooping": ["igmp"], "ageing": "3s", "querier": {
            "vlans": [1], "address": "10.0.0.200", "interval": "1s", "response": "200ms"}})
    wire = one.wire()

    def told() -> list[str]:
        return [event["kind"] for event in switch.show("events") if "querier" in event["kind"]]

    wire.send(*[igmp_query(one, source=f"10.0.0.{number}") for number in range(1, 100)],
              igmp_query(one, interval_code=0xFF))  # 31744 s
    until_equal(told, ["querier_other", "querier_began"], "the forger is believed, and forgotten")
    assert switch.show("multicast")["queriers"][0]["own"]
