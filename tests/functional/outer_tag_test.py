"""Tunnels whose network below is a VLAN: what has its tag is theirs, and they send no other."""

import pytest
from frames import BROADCAST, frame, of_priority
from lab import Lab
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import ARP, Dot1Q, Ether
from scapy.layers.vxlan import VXLAN
from tshark import decoded
from tunnels import VLANS, Between, cable, ports_of, refused, tunnel
from vlan_device import VlanDevice
from waiting import until
from wire import Wire

VLAN, VNI = 77, 100
HERE, BELOW, INSIDE = "192.0.2.1", "192.0.2.2", "10.0.0.9"
QUIET = {"lldp": {"mode": "disabled"}}


def tagged(**below) -> dict:
    return {"vlan": VLAN, "pcp": {3: 5}, **below}


class KernelEnd:
    """The kernel's VXLAN by a VLAN device."""

    def __init__(self, lab: Lab):
        self.namespace = lab.make_namespace("far")
        cable(lab.namespace, "wan", self.namespace, "eth0")
        for setting in ("all", "default"):  # it is to say nothing before the cable has two ends
            self.namespace.set(f"ipv6/conf/{setting}/disable_ipv6", 1)
        self.wire = Wire(self.namespace, "eth0")
        self.device = VlanDevice(self.namespace, self.wire, VLAN, 0, f"{BELOW}/24",
                                 "02:00:00:00:00:77")
        self.namespace.ip("link", "set", f"vlan{VLAN}", "mtu", "1600")
        self.namespace.ip("link", "set", "eth0", "promisc", "on")
        self.namespace.ip("link", "add", "vxlan0", "type", "vxlan", "id", str(VNI), "local", BELOW,
                          "remote", HERE, "dstport", "4789", "nolearning")
        self.namespace.set("ipv6/conf/vxlan0/disable_ipv6", 1)
        self.namespace.run("ethtool", "-K", "vxlan0", "tx", "off")
        self.namespace.ip("address", "add", f"{INSIDE}/24", "dev", "vxlan0")
        self.namespace.ip("link", "set", "vxlan0", "up")


@pytest.fixture
def far(lab: Lab):
    end = KernelEnd(lab)
    yield end
    end.device.close()
    end.wire.close()


def test_the_kernel_is_at_the_other_end(lab: Lab, far: KernelEnd, tmp_path):
    [host] = lab.add_hosts(1)
    ports = ports_of(tagged(address=f"{HERE}/24"), {"device": f"vxlan:wan/{BELOW}/{VNI}"}, **QUIET)
    switch = lab.make_switch(ports, vlans=VLANS).start()
    host.ping(INSIDE)
    host.ping(INSIDE, size=1472)
    far.namespace.run("ping", "-n", "-c", "3", "-i", "0.05", "-w", "10", host.ipv4)
    row = tunnel(switch)
    assert (row["next_hop"]["ip"], row["next_hop"]["address"]) == (BELOW, "02:00:00:00:00:77")
    assert refused(switch) == {}
    # By who is not ours.
    wire = Wire(far.namespace, "eth0")
    host.wire().send(*of_priority(host.address, 3, 1), *of_priority(host.address, 7, 1))
    octets = wire.collect(lambda received: len([one for one in received if b"frame " in one]) == 2,
                          "both frames")
    rows = decoded(tmp_path, [one for one in octets if b"frame " in one], "vlan.id",
                   "vlan.priority", "ip.dsfield.dscp", "vxlan.vni")
    assert sorted((row["vlan.id"], row["vlan.priority"], row["ip.dsfield.dscp"], row["vxlan.vni"])
                  for row in rows) == [(str(VLAN), "5", "24", "100"), (str(VLAN), "7", "56", "100")]
    wire.close()


def test_what_has_another_tag_or_none_is_not_the_tunnels(lab: Lab, far: KernelEnd):
    [host] = lab.add_hosts(1)
    ports = ports_of(tagged(address=f"{HERE}/24"), {"device": f"vxlan:wan/{BELOW}/{VNI}"}, **QUIET)
    switch = lab.make_switch(ports, vlans=VLANS).start()
    own = switch.port("wan")["address"]
    wire, inside = Wire(far.namespace, "eth0"), host.wire()
    inner = [frame("02:00:00:00:00:99", BROADCAST) for _ in range(3)]

    def sent(payload: bytes, *tag) -> bytes:
        octets = Ether(src="02:00:00:00:00:77", dst=own)
        for one in tag:
            octets /= one
        return bytes(octets / IP(src=BELOW, dst=HERE) / UDP(dport=4789, chksum=0)
                     / VXLAN(vni=VNI, flags="Instance") / payload)

    wire.send(sent(inner[0]), sent(inner[1], Dot1Q(vlan=VLAN + 1)),
              sent(inner[2], Dot1Q(vlan=VLAN, prio=4)))
    inside.expect(inner[2])
    other = "02:00:00:00:00:66"
    for address, tag in (("192.0.2.77", ()), ("192.0.2.78", (Dot1Q(vlan=VLAN, prio=0),))):
        ask = Ether(src=other, dst=BROADCAST)
        for one in tag:
            ask /= one
        wire.send(bytes(ask / ARP(op=1, hwsrc=other, psrc=address, pdst=HERE)))
    received = wire.collect(lambda octets: any(Ether(one).dst == other for one in octets),
                            "the one is answered")
    [answer] = [Ether(one) for one in received if Ether(one).dst == other]
    assert answer[Dot1Q].vlan == VLAN and answer[Dot1Q].prio == 7
    assert answer[ARP].pdst == "192.0.2.78" and answer[ARP].hwsrc == own
    wire.close()


# Devices of both ends, and their keys.
KINDS = {
    "vxlan": [{"device": f"vxlan:wan/192.0.2.{far}/{VNI}"} for far in (2, 1)],
    "vxlan_over_ipv6": [{"device": f"vxlan:wan/2001:db8:1::{far}/{VNI}"} for far in (2, 1)],
    "srv6": [{"device": f"srv6:wan/2001:db8:1::d{far}", "local_sid": f"2001:db8:1::d{near}"}
             for near, far in ((1, 2), (2, 1))],
    "mpls": [{"device": f"mpls:wan/{100 + far}", "local_label": 100 + near,
              "entropy_label": True} for near, far in ((1, 2), (2, 1))],
}


@pytest.mark.parametrize("kind", KINDS)
def test_two_switches_talk_by_each_kind_of_tunnel(lab: Lab, kind: str):
    between = Between(lab, 1700)
    between.router.ip("link", "add", "bridge", "mtu", "1700", "type", "bridge")
    for interface in ("left", "right"):
        between.router.ip("link", "set", interface, "master", "bridge")
    between.router.ip("link", "set", "bridge", "up")
    ends = [ports_of(tagged(address=f"192.0.2.{near}/24", gateway=f"192.0.2.{far}",
                            address6=f"2001:db8:1::{near}/64"), device, mtu=1640)
            for (near, far), device in zip(((1, 2), (2, 1)), KINDS[kind])]
    between.start(*ends)
    one, two = between.hosts
    wire = Wire(between.router, "right")
    one.ping(two.ipv4)
    two.ping(one.ipv4, size=1472)
    octets = wire.pending()
    wire.close()
    until(lambda: all(tunnel(switch)["decapsulated"] >= 6 for switch in between.switches),
          "both took what came")
    for switch in between.switches:
        assert refused(switch) == {}
    ours = [one for one in octets if len(one) > 100]
    assert ours and all(one[12:14] == b"\x81\x00" and
                        int.from_bytes(one[14:16], "big") & 0xFFF == VLAN for one in ours)
