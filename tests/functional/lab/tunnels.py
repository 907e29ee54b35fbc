"""Two switches, each with a host and a tunnel to the other, over a network between them; and what
holds of such tunnels, whatever carries their frames."""

from frames import BROADCAST, frame, of_priority, pause
from host import OFFLOADS
from lab import Lab
from namespace import Namespace
from switch import Switch
from tshark import decoded
from waiting import until, until_equal
from wire import Wire

WAN_VLAN = 4000
VLANS = [{"id": 1, "ports": ["p0", "tunnel"]}]


def cable(first: Namespace, name: str, second: Namespace, peer: str, mtu: int = 1600) -> None:
    """Its second end has checksums of its own in every frame."""
    second.ip("link", "add", peer, "mtu", str(mtu), "type", "veth", "peer", "name", name, "netns",
              first.name)
    second.set(f"ipv6/conf/{peer}/disable_ipv6", 1)
    second.run("ethtool", "-K", peer, *[word for name in OFFLOADS for word in (name, "off")])
    second.ip("link", "set", peer, "up")


def ports_of(underlay: dict, tunnel: dict, mtu: int = 1558, **about) -> list[dict]:
    """A port to a host, one below, and the tunnel over it. That below has its VLAN for itself."""
    return [
        {"name": "p0", "device": "af_packet:p0", **about},
        {"name": "wan", "device": "af_packet:wan", "mtu": mtu, "underlay": underlay,
         "vlan": {"mode": "access", "access": WAN_VLAN}, **about},
        {"name": "tunnel", **tunnel, **about}]


def tunnel(switch: Switch) -> dict:
    [row] = switch.show("tunnels")["tunnels"]
    return row


def underlay(switch: Switch) -> dict:
    [row] = switch.show("tunnels")["underlays"]
    return row


def refused(switch: Switch) -> dict[str, int]:
    return {why: frames for why, frames in underlay(switch)["refused"].items() if frames}


class Between:
    """Host, switch, router, switch, host: `left` and `right` are the router's interfaces."""

    def __init__(self, lab: Lab, mtu: int = 1600):
        self.lab = lab
        self.second = lab.make_namespace("switch2")
        self.hosts = [lab.add_host("p0"), lab.add_host("p0", self.second)]
        self.router = lab.make_namespace("router")
        for namespace, interface in ((lab.namespace, "left"), (self.second, "right")):
            cable(namespace, "wan", self.router, interface, mtu)
        self.switches: list[Switch] = []

    def start(self, first: list[dict], second: list[dict]) -> None:
        """Starts both switches with these ports; the router between them exists already."""
        self.switches = [self.lab.make_switch(first, vlans=VLANS),
                         self.lab.make_switch(second, self.second, vlans=VLANS)]
        for switch in self.switches:
            switch.launch()
        for switch in self.switches:
            switch.until_ready()

    def seen(self, folder, frames: list[bytes], ether_type: bytes, *fields: str,
             check: str = "", octets_to=None) -> list[dict[str, str]]:
        """What the router receives from the first switch while its host sends these, as tshark
        decodes it, and in `octets_to` as it is. Of another priority, one may have overtaken
        another."""
        def carriers(received: list[bytes]) -> list[bytes]:
            """Returns the frames without requests for neighbours."""
            return [one for one in received if one[12:14] == ether_type
                    and not (ether_type == b"\x86\xdd" and one[20] == 58)]
        wire = Wire(self.router, "left")
        self.hosts[0].wire().send(*frames)
        received = wire.collect(lambda received: len(carriers(received)) >= len(frames), "all left")
        octets = carriers(received + wire.pending())
        wire.close()
        if octets_to is not None:
            octets_to += octets
        rows = decoded(folder, octets, *fields, check=check)
        assert len(rows) == len(frames)
        return rows


def hosts_talk(between: Between) -> None:
    one, two = between.hosts
    one.ping(two.ipv4)
    two.ping(one.ipv4, size=1472)
    result = one.iperf3(two, seconds=2)
    assert result.octets_received > 1_000_000
    for switch in between.switches:
        assert refused(switch) == {}
        row = tunnel(switch)
        assert row["up"] and row["encapsulated"] > 10 and row["decapsulated"] > 10


# All that a far host sends, which obeys nobody.
LOSSLESS = {"lossless": [3], "pfc": {"xoff": "16KiB", "xon": "8KiB", "headroom": "1MiB"},
            "lldp": {"mode": "disabled"}}


def pauses_cross(between: Between) -> None:
    """The first switch's host is paused, so that switch pauses its tunnel, and is obeyed. Ports are
    LOSSLESS."""
    one, two = between.hosts
    first, second = between.switches
    wire, far = one.wire(), two.wire()
    wire.send(frame(one.address, BROADCAST, vlan=1))  # so that it is known
    until(lambda: one.address in second.fdb(), "the host is known across the tunnel")
    wire.send(pause(one.address, p3=65535))
    until_equal(lambda: first.pfc("p0", 3)["rx_pause"], 1, "the pause is received")
    sent: set[bytes] = set()

    def is_filled() -> bool:
        """3.3 ms at 10G is all that one pause lasts. Frames that the second switch takes when all
        pauses are over do not wait, so more are sent then."""
        more = of_priority(two.address, 3, 400, length=1000, destination=one.address)
        sent.update(more)
        for octets in more:
            wire.send(pause(one.address, p3=65535))
            far.send(octets)
        return first.pfc("tunnel", 3)["tx_pause"] >= 1
    until(is_filled, "the tunnel is paused")
    until(lambda: second.pfc("tunnel", 3)["rx_pause"] >= 1, "and that is received at its other end")
    wire.collect(lambda received: len(received) >= len(sent) and sent <= set(received),
                 "every frame comes, once nobody pauses")
    until(lambda: first.pfc("tunnel", 3)["tx_resume"] >= 1, "the tunnel is resumed")
    for switch in between.switches:  # wan receives what routers say to all
        assert {*switch.drops("p0"), *switch.drops("tunnel")} <= {"mac_control"}
