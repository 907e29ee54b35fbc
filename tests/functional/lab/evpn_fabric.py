"""Leaves between which FRR speaks EVPN: switches and the kernel's own VXLAN, in namespaces."""

import json
import signal
import time
from typing import Callable, Optional

from frames import BROADCAST, frame
from frr import Frr, full_mesh
from lab import Lab
from namespace import Namespace
from switch import Switch
from tunnels import cable
from waiting import PATIENCE, until, until_equal
from wire import Wire

VNI = 100
GRACE = 3  # seconds
GATEWAY, GATEWAY6 = "10.0.0.254", "fd00::fe"  # the kernel leaf's, where it suppresses questions


def below(number: int) -> str:
    return f"192.0.2.{number}"


def beside(number: int) -> str:
    """Returns the address of the kernel's stack that speaks BGP."""
    return f"198.51.100.{number}"


def tunnelled(frames: list[bytes]) -> list[bytes]:
    """Returns the frames that VXLAN frames carry."""
    return [octets[50:] for octets in frames
            if octets[12:14] == b"\x08\x00" and octets[23] == 17 and octets[36:38] == b"\x12\xb5"]


def arrives_once(wires: list[Wire], sent: bytes, sender: Wire) -> None:
    """Checks that the frame arrives once at all of them, and not at its sender."""
    for wire in [*wires, sender]:
        wire.pending()
    sender.send(sent)
    for wire in wires:
        wire.collect(lambda received: sent in received, "the frame")
    # Frames keep their order: a second copy would come before the next frame.
    after = frame(sent[6:12].hex(":"), BROADCAST)
    sender.send(after)
    for wire in wires:
        assert sent not in wire.collect(lambda received: after in received, "the next one")
    assert not {sent, after} & set(sender.pending()), "it came back"


class Grace:
    """A grace time that begins now or later. However long the machine takes to say so: what it
    keeps is there if the answer comes while it lasts, and is not gone before it is over."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    def may_be_over(self) -> bool:
        return time.monotonic() >= self._began + GRACE

    def keeps(self, ask: Callable[[], object], wanted: object) -> None:
        answer = ask()
        assert answer == wanted or self.may_be_over(), answer

    def ends(self, is_gone: Callable[[], bool], what: str) -> None:
        until(is_gone, what)
        assert self.may_be_over(), f"too early: {what}"


class Leaf:
    """A namespace with FRR, the kernel's mirror, and a host."""

    wan, port = "wan", "p0"  # interfaces to those below, and to the host

    def __init__(self, fabric: "Fabric", namespace: Namespace, number: int):
        self.number = number
        self.vtep = below(number)
        self.namespace = namespace
        self._fabric = fabric
        for setting in ("all", "default"):
            namespace.set(f"ipv6/conf/{setting}/disable_ipv6", 1)
        cable(namespace, self.wan, fabric.namespace, f"u{number}")
        cable(namespace, "ctl", fabric.namespace, f"c{number}")
        fabric.namespace.ip("link", "set", f"u{number}", "master", "underlay")
        fabric.namespace.ip("link", "set", f"c{number}", "master", "beside")
        namespace.ip("address", "add", f"{beside(number)}/24", "dev", "ctl")
        namespace.ip("link", "set", "ctl", "up")
        self._make_bridge()
        self.frr = Frr(namespace, self._frr_conf())
        self.host = fabric.lab.add_host(self.port, namespace)

    def _frr_conf(self) -> str:
        return full_mesh(beside(self.number), [beside(other) for other in self._others()])

    def _others(self) -> list[int]:
        return [other for other in self._fabric.numbers if other != self.number]

    def _make_bridge(self) -> None:
        namespace = self.namespace
        namespace.ip("link", "add", "br100", "mtu", "1500", "type", "bridge", "mcast_snooping", "0")
        namespace.ip("link", "add", "vx100", "type", "vxlan", "id", str(VNI), "local", self.vtep,
                     "dstport", "4789", "nolearning")
        namespace.ip("link", "set", "vx100", "master", "br100")
        namespace.ip("link", "set", "vx100", "type", "bridge_slave", "learning", "off")
        if self._fabric.neigh_suppress:  # it has neighbours of IPv6 as well, and says nothing
            namespace.ip("link", "set", "br100", "addrgenmode", "none")
            namespace.set("ipv6/conf/br100/disable_ipv6", 0)
        namespace.ip("link", "set", "br100", "up")
        namespace.ip("link", "set", "vx100", "up")

    def underlay(self) -> Wire:
        """Receives the frames that it sends to the other VTEPs from now on."""
        return Wire(self._fabric.namespace, f"u{self.number}")

    def remote(self) -> dict[str, str]:
        """Addresses that FRR gave it as remote, and behind which VTEP."""
        raise NotImplementedError

    def neighbours(self) -> dict[str, tuple[str, str]]:
        """IP address to whether it is remote or local, and its MAC."""
        raise NotImplementedError

    def flooded(self) -> set[str]:
        """VTEPs that get floods."""
        raise NotImplementedError


class SluiceLeaf(Leaf):
    def __init__(self, fabric: "Fabric", namespace: Namespace, number: int):
        super().__init__(fabric, namespace, number)
        self.switch: Switch = self._make_switch()

    def _make_bridge(self) -> None:
        super()._make_bridge()
        namespace = self.namespace
        namespace.ip("link", "add", "sl100", "type", "veth", "peer", "name", "sl100-peer")
        namespace.ip("link", "set", "sl100", "master", "br100", "up")
        namespace.ip("route", "add", "192.0.2.0/24", "dev", "ctl")  # so that BGP believes in them

    def _make_switch(self) -> Switch:
        fabric = self._fabric
        tunnels = self._tunnels()
        ports = [{"name": "p0", "device": "af_packet:p0"},
                 {"name": "wan", "device": "af_packet:wan", "mtu": 1558,
                  "underlay": {"address": f"{self.vtep}/24"},
                  "vlan": {"mode": "access", "access": 4000}}, *tunnels]
        for port in ports:
            port.update(fabric.about(self.number, port["name"]))
        return fabric.lab.make_switch(
            ports, self.namespace, lldp={"enabled": fabric.lldp}, fdb=fabric.fdb,
            vlans=[{"id": 1, "ports": ["p0", *(t["name"] for t in tunnels)]}],
            evpn={"vnis": [{"vni": VNI, "device": "vx100", "local_device": "sl100",
                            "neigh_suppress": fabric.neigh_suppress}],
                  "grace": f"{GRACE}s", "daemon_socket": self.frr.socket})

    def _tunnels(self) -> list[dict]:
        return [{"name": f"to{other}", "device": f"vxlan:wan/{below(other)}/{VNI}"}
                for other in self._others()]

    def network(self) -> dict:
        [network] = self.switch.show("evpn", all=True)["networks"]
        return network

    def neighbours(self) -> dict[str, tuple[str, str]]:
        return {row["address"]: (row["kind"], row["mac"]) for row in self.network()["neighbours"]}

    def remote(self) -> dict[str, str]:
        return {row["address"]: row["vtep"] for row in self.switch.show("fdb")
                if row["kind"] == "remote"}

    def flooded(self) -> set[str]:
        return {row["vtep"] for row in self.network()["vteps"] if row["floods"]}

    def start(self) -> None:
        self.switch.start()
        self.frr.start()

    def kill(self) -> None:
        self.switch.process.signal(signal.SIGKILL)
        self.switch.process.wait(PATIENCE)
        self.frr.kill()


class ToManyLeaf(SluiceLeaf):
    """One port in place of a tunnel for each VTEP."""

    def _tunnels(self) -> list[dict]:
        return [{"name": "fabric", "device": f"vxlan:wan/{VNI}"}]

    def vteps(self) -> dict[str, dict]:
        return {row["vtep"]: row for row in self.switch.show("vteps")}


class KernelLeaf(Leaf):
    def __init__(self, fabric: "Fabric", namespace: Namespace, number: int):
        super().__init__(fabric, namespace, number)
        namespace.ip("address", "add", f"{self.vtep}/24", "dev", "wan")
        namespace.ip("link", "set", "wan", "mtu", "1600", "up")
        namespace.ip("link", "set", "p0", "master", "br100", "up")
        for device in ("vx100", "wan"):  # each checksum is on the wire
            namespace.run("ethtool", "-K", device, "tx", "off")
        if fabric.neigh_suppress:  # it knows the hosts that talk to it, and FRR reads that
            namespace.ip("link", "set", "vx100", "type", "bridge_slave", "neigh_suppress", "on")
            namespace.ip("address", "add", f"{GATEWAY}/24", "dev", "br100")
            namespace.ip("address", "add", f"{GATEWAY6}/64", "dev", "br100", "nodad")

    def _entries(self) -> list[dict]:
        said = self.namespace.run("bridge", "-json", "fdb", "show", "dev", "vx100").stdout
        return json.loads(said)

    def neighbours(self) -> dict[str, tuple[str, str]]:
        rows = json.loads(self.namespace.ip("-json", "neigh", "show", "dev", "br100"))
        return {row["dst"]: ("remote" if "extern_learn" in row else "local", row["lladdr"])
                for row in rows if "lladdr" in row}

    def remote(self) -> dict[str, str]:
        entries = self._entries()
        of_bridge = {entry["mac"] for entry in entries if "master" in entry}
        return {entry["mac"]: entry["dst"] for entry in entries
                if "dst" in entry and entry["mac"] in of_bridge}

    def flooded(self) -> set[str]:
        return {entry["dst"] for entry in self._entries() if entry["mac"] == "00:00:00:00:00:00"}


class Fabric:
    """Leaves around a network below and one beside, both bridges of the kernel. `about`: what a
    switch of that number says more of its port of that name."""

    def __init__(self, lab: Lab, switches: int, kernels: int = 0, neigh_suppress: bool = False,
                 lldp: bool = False, fdb: Optional[dict] = None,
                 switched: type[SluiceLeaf] = SluiceLeaf,
                 about: Callable[[int, str], dict] = lambda number, port: {}):
        self.lab = lab
        self.neigh_suppress = neigh_suppress
        self.lldp = lldp
        self.fdb = fdb or {}
        self.about = about
        self.numbers = range(1, switches + kernels + 1)
        self.namespace = lab.make_namespace("fabric")
        for name in ("underlay", "beside"):
            self.namespace.ip("link", "add", name, "type", "bridge", "mcast_snooping", "0")
            self.namespace.set(f"ipv6/conf/{name}/disable_ipv6", 1)
            self.namespace.ip("link", "set", name, "up")
        namespaces = [lab.namespace, *(lab.make_namespace(f"leaf{number}")
                                       for number in self.numbers[1:])]
        self.leaves = [(switched if number <= switches else KernelLeaf)(self, namespace, number)
                       for number, namespace in zip(self.numbers, namespaces)]
        self.switched = self.leaves[:switches]

    def start(self) -> "Fabric":
        """Each floods to all others."""
        for leaf in self.switched:
            leaf.switch.launch()
        for leaf in self.leaves:
            leaf.frr.start()
        for leaf in self.switched:
            leaf.switch.until_ready()
        self.until_all_flood()
        return self

    def until_all_flood(self) -> None:
        for leaf in self.leaves:
            others = {other.vtep for other in self.leaves if other is not leaf}
            until_equal(leaf.flooded, others, f"leaf {leaf.number} floods to all others", 30)

    def until_behind(self, address: str, at: Leaf) -> None:
        """All others know it there."""
        for leaf in self.leaves:
            if leaf is at:
                until(lambda: address not in leaf.remote(), f"{address} is local")
            else:
                until_equal(lambda: leaf.remote().get(address), at.vtep,
                            f"leaf {leaf.number} has {address} behind {at.number}")

    def all_ping(self) -> None:
        for leaf in self.leaves:
            for other in self.leaves[leaf.number:]:
                leaf.host.ping(other.host.ipv4)


def comes_to_alone(fabric: Fabric, wires: list[Wire], station: str, at: Leaf) -> None:
    """Checks that frames of the next leaf's host to the station reach this leaf's host alone."""
    number = at.number % len(wires)
    far, source = wires[number], fabric.leaves[number].host.address
    for wire in wires:
        wire.pending()
    sent, after = frame(source, station), frame(source, BROADCAST)
    far.send(sent, after)
    for leaf, wire in zip(fabric.leaves, wires):
        if wire is not far:
            received = wire.collect(lambda received: after in received, "the next one")
            assert received.count(sent) == (leaf is at), "it comes to where it is alone"
    assert sent not in far.pending()
