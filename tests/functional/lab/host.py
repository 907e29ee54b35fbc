"""A host: a namespace with one cable, `eth0`, to a port of the switch. Quiet: it says nothing of
itself until the test lets it (no IPv6 unless asked for)."""

import json
import re
from dataclasses import dataclass

from namespace import Namespace
from process import Process
from vlan_device import VlanDevice
from wire import Wire

# Offloads by which a host leaves work to hardware: a switch must get whole frames.
OFFLOADS = "rx tx sg tso gso gro rxvlan txvlan".split()


@dataclass
class Traffic:
    bits_per_second: float
    octets_sent: int
    octets_received: int
    retransmits: int


class Host:
    def __init__(self, number: int, namespace: Namespace, switch: Namespace, port: str, *,
                 ipv6: bool = False, mtu: int = 1500, offloads: bool = False,
                 waits: bool = False):
        """`offloads`: it leaves to hardware what hosts leave by default. `waits`: its cable is a
        TAP of the switch, which it is to `take` once there is one."""
        self.address = f"02:00:00:00:00:{number:02x}"
        self.ipv4 = f"10.0.0.{number}"
        self.ipv6 = f"fd00::{number}"
        self.overlay = ("", "")
        self.port = port
        self.namespace = namespace
        self._switch = switch
        self._has_ipv6 = ipv6
        self._mtu = mtu
        self._wires: list[Wire] = []
        self._vlans: list[VlanDevice] = []
        for setting in ("all", "default"):
            self.namespace.set(f"ipv6/conf/{setting}/disable_ipv6", 0 if ipv6 else 1)
            self.namespace.set(f"ipv6/conf/{setting}/router_solicitations", 0)
        if waits:
            return
        # With the same index at both ends the kernel would take a second to report a carrier.
        cable = f"link add eth0 index {1000 + number} address {self.address} mtu {mtu} type veth " \
                f"peer name {port} netns {switch.name}"
        self.namespace.ip_each(cable, *self._addresses())
        if not offloads:
            self._whole_frames("eth0")
        self.set_link(True)

    def take(self) -> None:
        """The switch's TAP of its port's name becomes its cable."""
        self._switch.ip("link", "set", self.port, "netns", self.namespace.name)
        self.namespace.ip_each(
            f"link set {self.port} name eth0 address {self.address} mtu {self._mtu}",
            *self._addresses(), "link set eth0 up")

    def _addresses(self) -> list[str]:
        ipv6 = [f"address add {self.ipv6}/64 dev eth0 nodad"] if self._has_ipv6 else []
        return [f"address add {self.ipv4}/24 dev eth0", *ipv6]

    def close(self) -> None:
        for device in self._vlans:
            device.close()
        for wire in self._wires:
            wire.close()

    def _whole_frames(self, interface: str) -> None:
        changes = [word for name in OFFLOADS for word in (name, "off")]
        self.namespace.run("ethtool", "-K", interface, *changes)

    def wire(self) -> Wire:
        """Returns its end of the cable, which keeps arriving frames from now on."""
        wire = Wire(self.namespace, "eth0")
        self._wires.append(wire)
        return wire

    def add_vlan(self, vlan: int, address: str, priority: int = 0) -> None:
        """Adds a VLAN device with an IP address; its frames have `priority` in their tags."""
        self._vlans.append(VlanDevice(self.namespace, self.wire(), vlan, priority, address,
                                      self.address))

    def add_vxlan(self, local: str, remote: str) -> None:
        """A VXLAN device of its kernel, over its cable to another host; `overlay`: its addresses."""
        number = self.ipv4.rsplit(".", 1)[1]
        self.overlay = (f"198.51.100.{number}", f"2001:db8::{number}")
        self.namespace.ip_each(
            f"link add overlay type vxlan id 7 local {local} remote {remote} dstport 4789",
            f"address add {self.overlay[0]}/24 dev overlay",
            f"address add {self.overlay[1]}/64 dev overlay nodad",
            "link set overlay up")

    def set_link(self, up: bool) -> None:
        self.namespace.ip("link", "set", "eth0", "up" if up else "down")

    def ping(self, address: str, count: int = 3, size: int = 56) -> None:
        """Each echo comes back, and once. A late one is waited for, while ping sends more."""
        said = self.namespace.run("ping", "-n", "-c", str(count), "-i", "0.05", "-w", "10", "-s",
                                  str(size), address, check=False).stdout
        numbers = [int(number) for number in re.findall(r"icmp_seq=(\d+) ttl", said)]
        assert len(numbers) >= count and numbers == list(range(1, len(numbers) + 1)), said

    def cannot_ping(self, address: str) -> None:
        said = self.namespace.run("ping", "-n", "-c", "2", "-i", "0.1", "-W", "0.5", address,
                                  check=False).stdout
        assert "2 packets transmitted, 0 received" in said, said

    def counted(self) -> tuple[int, int]:
        """Frames that left it by its cable, and that arrived."""
        [link] = json.loads(self.namespace.ip("-json", "-s", "link", "show", "eth0"))
        return link["stats64"]["tx"]["packets"], link["stats64"]["rx"]["packets"]

    def neighbours(self) -> dict[str, str]:
        """Addresses that it has found out: IP to MAC."""
        rows = json.loads(self.namespace.ip("-json", "neigh", "show") or "[]")
        return {row["dst"]: row["lladdr"] for row in rows if "lladdr" in row}

    def serve_iperf3(self) -> Process:
        server = self.namespace.start("iperf3", "--server", "--one-off", "--forceflush")
        server.until_it_says("Server listening")
        return server

    def start_iperf3(self, server: "Host", *words: str, seconds: float) -> Process:
        """A client, running; give its result to `traffic`."""
        return self.namespace.start("iperf3", "--client", server.ipv4, "--json", "--time",
                                    str(seconds), *words)

    def iperf3(self, server: "Host", *words: str, seconds: float = 2) -> Traffic:
        """TCP from here to `server`, run to the end."""
        serving = server.serve_iperf3()
        result = traffic(self.start_iperf3(server, *words, seconds=seconds), seconds)
        assert serving.wait(10) == 0, serving.said()
        return result


def traffic(client: Process, seconds: float) -> Traffic:
    """Returns the results of an iperf3 client, once it has ended."""
    status = client.wait(seconds + 20)
    assert status == 0, client.said()
    end = json.loads(client.output())["end"]
    return Traffic(bits_per_second=end["sum_received"]["bits_per_second"],
                   octets_sent=end["sum_sent"]["bytes"],
                   octets_received=end["sum_received"]["bytes"],
                   retransmits=end["sum_sent"]["retransmits"])

