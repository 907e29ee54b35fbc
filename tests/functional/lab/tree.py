"""A ring, or two links, of bridges with a host each: ours, Open vSwitch's or the kernel's. Cables are
pairs of interfaces that are named for their two ends: `to1` of bridge 0 is cabled to `to0` of bridge 1."""

import time
from typing import Optional

from frames import BROADCAST, frame
from host import OFFLOADS, Host
from lab import Lab
from namespace import Namespace
from open_vswitch import OpenVSwitch
from switch import Switch
from waiting import until

CONVERGES = 30.0  # seconds; RSTP takes a second, and the machine may be busy


class Tree:
    def __init__(self, lab: Lab, bridges: int):
        self.lab = lab
        self.places = [lab.make_namespace(f"bridge{number}") for number in range(bridges)]
        self.interfaces: list[list[str]] = [[] for _ in range(bridges)]
        self.hosts: list[Host] = []
        self.switches: dict[int, Switch] = {}
        for place in self.places:
            for setting in ("all", "default"):
                place.set(f"ipv6/conf/{setting}/disable_ipv6", 1)

    def cable(self, one: int, other: int, suffix: str = "") -> None:
        ends = ((one, f"to{other}{suffix}"), (other, f"to{one}{suffix}"))
        (_, near), (_, far) = ends
        # With the same index at both ends the kernel would take a second to report a carrier.
        index = 2000 + 10 * len(self.interfaces[one]) + one
        self.places[one].ip("link", "add", near, "index", str(index), "type", "veth", "peer", "name",
                            far, "netns", self.places[other].name)
        for number, name in ends:
            place = self.places[number]
            place.run("ethtool", "-K", name, *(word for each in OFFLOADS
                                               for word in (each, "off")), check=False)
            place.ip("link", "set", name, "up")
            self.interfaces[number].append(name)

    def cut(self, one: int, name: str) -> None:
        self.places[one].ip("link", "set", name, "down")

    def mend(self, one: int, name: str) -> None:
        self.places[one].ip("link", "set", name, "up")

    def add_host(self, bridge: int, port: str = "host") -> Host:
        host = self.lab.add_host(port, switch=self.places[bridge])
        self.interfaces[bridge].append(port)
        self.hosts.append(host)
        return host

    def ours(self, bridge: int, ports: Optional[dict] = None, **tree) -> Switch:
        """Makes a switch of priority 4096 x `bridge`, unless given; `ports`: further keys of ports."""
        listed = [{"name": name, "device": f"af_packet:{name}", **(ports or {}).get(name, {})}
                  for name in self.interfaces[bridge]]
        switch = self.lab.make_switch(
            listed, namespace=self.places[bridge],
            spanning_tree={"mode": "rstp", "priority": 4096 * bridge, **tree})
        self.switches[bridge] = switch
        return switch.start()

    def open_vswitch(self, bridge: int) -> OpenVSwitch:
        ovs = OpenVSwitch(self.places[bridge])
        self.lab._closing.callback(ovs.close)
        ovs.rstp("br0", *self.interfaces[bridge], priority=4096 * bridge)
        return ovs

    def kernel(self, bridge: int) -> Namespace:
        """A bridge of the kernel, which speaks STP."""
        place = self.places[bridge]
        place.ip("link", "add", "br0", "type", "bridge", "stp_state", "1", "forward_delay", "400",
                 "hello_time", "100", "max_age", "600", "priority", str(4096 * bridge))
        for name in self.interfaces[bridge]:
            place.ip("link", "set", name, "master", "br0")
            # The kernel's own cost, 2 at 10 Gb/s, is of before 2004: all traffic would take this port.
            place.run("bridge", "link", "set", "dev", name, "cost", "20000")
        place.ip("link", "set", "br0", "up")
        return place


def ports_of(switch: Switch) -> dict[str, dict]:
    return {row["port"]: row for row in switch.show("spanning-tree")["ports"]}


def roles(switch: Switch) -> dict[str, tuple[str, str]]:
    return {name: (row["role"], row["state"]) for name, row in ports_of(switch).items()}


def arrives_once(sender: Host, receiver: Host) -> bool:
    """Whether a broadcast of one host reaches the other, once."""
    hello = frame(sender.address, BROADCAST)
    ear = receiver.wire()
    ear.pending()
    sender.wire().send(hello)
    end = time.monotonic() + 0.3
    copies = 0
    while (left := end - time.monotonic()) > 0:
        copies += ear.receive(left) == hello
    return copies == 1


def until_connected(sender: Host, receiver: Host, seconds: float = CONVERGES) -> None:
    until(lambda: arrives_once(sender, receiver) and arrives_once(receiver, sender),
          "a broadcast reaches the other host, once", seconds)


def outage(sender: Host, receiver: Host, change, seconds: float) -> float:
    """For how long nothing arrived while a frame was sent each 5 ms, and `change` was made; within
    `seconds` frames must arrive again, for a second without a break."""
    ear, mouth = receiver.wire(), sender.wire()
    source = bytes.fromhex(sender.address.replace(":", ""))
    ear.pending()
    began = last = arriving_since = time.monotonic()
    changed_at = None
    longest = 0.0
    while True:
        now = time.monotonic()
        if changed_at is None and now > began + 0.5:
            change()
            changed_at = time.monotonic()
        mouth.send(frame(sender.address, BROADCAST))
        end = time.monotonic() + 0.005
        while (left := end - time.monotonic()) > 0:
            octets = ear.receive(left)
            if octets is None or octets[6:12] != source:
                continue
            now = time.monotonic()
            if changed_at is not None:
                longest = max(longest, now - last)
            if now - last > 0.1:
                arriving_since = now
            last = now
        arrives = last > arriving_since + 1 and now < last + 0.1
        if changed_at is not None and arrives and now > changed_at + 2:
            return longest
        assert now < began + seconds, f"nothing arrives since {now - last:.1f} s"
