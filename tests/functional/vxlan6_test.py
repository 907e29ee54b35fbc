"""Tunnels by VXLAN over IPv6: with the kernel's at the other end, and between two switches over a
network that the kernel routes."""

import json

from frames import BROADCAST, frame, of_priority
from lab import Lab
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6, IPv6ExtHdrDestOpt, IPv6ExtHdrHopByHop
from scapy.layers.l2 import Ether
from scapy.layers.vxlan import VXLAN
from tunnels import (LOSSLESS, VLANS, Between, cable, hosts_talk, pauses_cross, ports_of, refused,
                     tunnel)
from waiting import until_equal
from wire import Wire

VNI = 100
HERE, BELOW, INSIDE = "2001:db8:1::1", "2001:db8:1::2", "10.0.0.9"


def end_of_tunnel(local: str, remote: str, gateway: str = "", **about) -> list[dict]:
    below = {"address6": f"{local}/64"} | ({"gateway6": gateway} if gateway else {})
    return ports_of(below, {"device": f"vxlan:wan/{remote}/{VNI}"}, mtu=1578, **about)


def kernel_end(lab: Lab):
    """A namespace with an address below and another through the tunnel."""
    far = lab.make_namespace("far")
    cable(lab.namespace, "wan", far, "eth0")
    far.set("ipv6/conf/eth0/disable_ipv6", 0)
    far.ip("address", "add", f"{BELOW}/64", "dev", "eth0", "nodad")
    far.ip("link", "add", "vxlan0", "type", "vxlan", "id", str(VNI), "local", BELOW, "remote", HERE,
           "dstport", "4789", "nolearning", "udp6zerocsumrx")
    far.set("ipv6/conf/vxlan0/disable_ipv6", 1)
    far.run("ethtool", "-K", "vxlan0", "tx", "off")
    far.ip("address", "add", f"{INSIDE}/24", "dev", "vxlan0")
    far.ip("link", "set", "vxlan0", "up")
    return far


def with_kernel(lab: Lab, **about):
    [host] = lab.add_hosts(1)
    far = kernel_end(lab)
    return lab.make_switch(end_of_tunnel(HERE, BELOW, **about), vlans=VLANS).start(), host, far


def test_the_kernel_is_at_the_other_end(lab: Lab):
    """It has a UDP checksum, and takes none."""
    switch, host, far = with_kernel(lab)
    host.ping(INSIDE)
    far.run("ping", "-n", "-c", "3", "-i", "0.05", "-w", "10", host.ipv4)
    row = tunnel(switch)
    assert row["up"] and row["encapsulated"] >= 7 and row["decapsulated"] >= 7
    assert (row["encapsulation"], row["remote"], row["vni"]) == ("vxlan", BELOW, VNI)
    mac = json.loads(far.ip("-json", "link", "show", "eth0"))[0]["address"]
    assert (row["next_hop"]["ip"], row["next_hop"]["address"]) == (BELOW, mac)
    assert refused(switch) == {}


def test_what_is_no_right_vxlan_is_counted_by_reason(lab: Lab):
    switch, host, far = with_kernel(lab, lldp={"mode": "disabled"})
    own = switch.port("wan")["address"]
    wire, inside = Wire(far, "eth0"), host.wire()
    inner = frame("02:00:00:00:00:99", BROADCAST)

    def sent(ip=None, vxlan=None, payload=inner, options=()) -> bytes:
        below = Ether(dst=own) / IPv6(**{"src": BELOW, "dst": HERE, **(ip or {})})
        for header in options:
            below /= header
        return bytes(below / UDP(sport=50000, dport=4789, chksum=0)
                     / VXLAN(**{"vni": VNI, "flags": "Instance", **(vxlan or {})}) / payload)

    wire.send(sent(vxlan={"vni": 7}), sent(ip={"src": "2001:db8:1::77"}), sent(vxlan={"flags": 0}),
              sent(payload=inner[:13]), sent()[:-1], sent(ip={"nh": 44}),
              sent(options=[IPv6ExtHdrHopByHop(), IPv6ExtHdrDestOpt()]),
              sent(ip={"tc": 3}, payload=bytes(Ether(dst=BROADCAST) / IP(tos=0))), sent())
    inside.expect(inner)
    until_equal(lambda: refused(switch), {
        "unknown_vni": 1, "other_source": 1, "no_vni": 1, "inner_short": 1, "length": 1,
        "fragment": 1, "extension_header": 1, "ecn": 1}, "each under its reason")
    wire.close()


# --- two switches over a routed network ----------------------------------------------------------

def routed(lab: Lab, **about) -> Between:
    between = Between(lab)
    router = between.router
    for setting in ("all", "left", "right"):
        router.set(f"ipv6/conf/{setting}/disable_ipv6", 0)
        router.set(f"ipv6/conf/{setting}/forwarding", 1)
    for interface, network in (("left", 1), ("right", 2)):
        router.ip("address", "add", f"2001:db8:{network}::fe/64", "dev", interface, "nodad")
    between.start(end_of_tunnel(HERE, "2001:db8:2::1", "2001:db8:1::fe", **about),
                  end_of_tunnel("2001:db8:2::1", HERE, "2001:db8:2::fe", **about))
    return between


def test_hosts_talk_across_a_routed_network(lab: Lab):
    hosts_talk(routed(lab))


def test_tshark_reads_what_goes_before_the_frames(lab: Lab, tmp_path):
    between = routed(lab, lldp={"mode": "disabled"})
    one = between.hosts[0]
    sent = [bytes(Ether(src=one.address, dst=BROADCAST) / IP(src=one.ipv4, dst="10.0.0.99", tos=2)
                  / UDP(sport=port, dport=9) / bytes(40)) for port in (1000, 1001, 1002) * 2]
    sent += of_priority(one.address, 3, 1) + of_priority(one.address, 7, 1)
    rows = between.seen(tmp_path, sent, b"\x86\xdd", "ipv6.src", "ipv6.dst", "ipv6.tclass.dscp",
                        "ipv6.tclass.ecn", "ipv6.flow", "ipv6.hlim", "udp.srcport", "udp.dstport",
                        "udp.checksum", "vxlan.vni", "vxlan.flags")
    for row in rows:
        assert (row["ipv6.src"], row["ipv6.dst"]) == (HERE, "2001:db8:2::1")
        assert row["ipv6.hlim"] == "64" and row["udp.dstport"] == "4789"
        assert row["udp.checksum"] == "0x0000"
        assert (row["vxlan.vni"], row["vxlan.flags"]) == (str(VNI), "0x0800")
    rows.sort(key=lambda row: int(row["ipv6.tclass.dscp"]))
    flows = [(row["ipv6.flow"], row["udp.srcport"]) for row in rows[:6]]
    assert flows[:3] == flows[3:] and len(set(flows)) == 3
    assert [row["ipv6.tclass.ecn"] for row in rows] == ["2"] * 6 + ["0"] * 2
    assert [row["ipv6.tclass.dscp"] for row in rows] == ["0"] * 6 + ["24", "56"]


def test_pauses_cross_and_hold_the_priority_at_the_other_end(lab: Lab):
    pauses_cross(routed(lab, **LOSSLESS))
