"""Tunnels: with the kernel's VXLAN at the other end, and between two switches over a network that
the kernel routes."""

import json

import pytest
from frames import BROADCAST, frame, of_priority, pause
from host import OFFLOADS, Host, traffic
from lab import Lab
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import ARP, Ether
from scapy.layers.vxlan import VXLAN
from switch import Switch, sluice
from tunnels import (LOSSLESS, VLANS, Between, cable, hosts_talk, pauses_cross, ports_of, refused,
                     tunnel, underlay)
from waiting import until, until_equal
from wire import Wire

VNI = 100


def end_of_tunnel(local: str, remote: str, gateway: str = "", **about) -> list[dict]:
    underlay = {"address": f"{local}/24"} | ({"gateway": gateway} if gateway else {})
    return ports_of(underlay, {"device": f"vxlan:wan/{remote}/{VNI}"}, **about)


# --- the kernel at the other end -----------------------------------------------------------------

class KernelEnd:
    """A namespace with an address below and another through the tunnel."""

    below = "192.0.2.2"
    inside = "10.0.0.9"

    def __init__(self, lab: Lab, vtep: str = below, remote: str = "192.0.2.1"):
        self.namespace = lab.make_namespace("far")
        cable(lab.namespace, "wan", self.namespace, "eth0")
        self.namespace.ip("address", "add", f"{self.below}/24", "dev", "eth0")
        if vtep != self.below:
            self.namespace.ip("address", "add", f"{vtep}/32", "dev", "lo")
            self.namespace.ip("link", "set", "lo", "up")
            self.namespace.ip("route", "add", f"{remote}/32", "dev", "eth0")
        self.namespace.ip("link", "add", "vxlan0", "type", "vxlan", "id", str(VNI), "local",
                          vtep, "remote", remote, "dstport", "4789", "nolearning")
        self.namespace.set("ipv6/conf/vxlan0/disable_ipv6", 1)
        self.namespace.ip("address", "add", f"{self.inside}/24", "dev", "vxlan0")
        self.namespace.ip("link", "set", "vxlan0", "up")

    def ping(self, address: str) -> None:
        self.namespace.run("ping", "-n", "-c", "3", "-i", "0.05", "-w", "10", address)


def with_kernel(lab: Lab, **about) -> tuple[Switch, Host, KernelEnd]:
    [host] = lab.add_hosts(1)
    far = KernelEnd(lab)
    ports = end_of_tunnel("192.0.2.1", far.below, **about)
    return lab.make_switch(ports, vlans=VLANS).start(), host, far


def test_a_tunnel_has_the_speed_that_is_written_below(lab: Lab):
    """Whatever the interface says of its own, such as 10G for a veth."""
    [host] = lab.add_hosts(1)
    far = KernelEnd(lab)
    ports = end_of_tunnel("192.0.2.1", far.below, lossless=[3])
    ports[1]["speed"] = "10M"
    switch = lab.make_switch(ports, vlans=VLANS).start()
    host.ping(far.inside)
    assert switch.port("tunnel")["rate_bps"] == 10_000_000
    events = [row for row in switch.show("events") if row["port"] == "tunnel"]
    assert [row["text"] for row in events if row["kind"] == "link_up"] == ["link up at 10M"]
    assert "headroom_short" not in {row["kind"] for row in events}


def test_the_kernel_is_at_the_other_end(lab: Lab):
    switch, host, far = with_kernel(lab)
    host.ping(far.inside)
    far.ping(host.ipv4)
    row = tunnel(switch)
    assert row["up"] and row["encapsulated"] >= 7 and row["decapsulated"] >= 7
    assert row["next_hop"]["ip"] == far.below
    mac = json.loads(far.namespace.ip("-json", "link", "show", "eth0"))[0]["address"]
    assert row["next_hop"]["address"] == mac
    assert refused(switch) == {}
    said = switch.command("show", "tunnels").stdout
    assert far.below in said and mac in said


@pytest.mark.parametrize("cuts", ["the_switch", "the_host"])
def test_tcp_of_hosts_as_they_are_crosses_both_ways(lab: Lab, cuts: str):
    """Offloads are as they are by default: the far kernel leaves segments within its tunnel. Or it
    cuts those itself."""
    host = lab.add_host("p0", offloads=True)
    far = KernelEnd(lab)
    in_tunnels = ["tx-udp_tnl-segmentation", "tx-udp_tnl-csum-segmentation"]
    leaves = {name: "on" for name in OFFLOADS} | {
        name: "off" if cuts == "the_host" else "on" for name in in_tunnels}
    far.namespace.run("ethtool", "-K", "eth0", *[word for pair in leaves.items() for word in pair])
    switch = lab.make_switch(end_of_tunnel("192.0.2.1", far.below), vlans=VLANS).start()
    host.ping(far.inside)
    for server, client, address in ((far.namespace, host.namespace, far.inside),
                                    (host.namespace, far.namespace, host.ipv4)):
        serving = server.start("iperf3", "--server", "--one-off", "--forceflush")
        serving.until_it_says("Server listening")
        sent = traffic(client.start("iperf3", "--client", address, "--json", "--time", "3"), 3)
        assert sent.octets_received > 200_000, sent
        assert serving.wait(10) == 0, serving.said()
    assert refused(switch) == {}
    counted = switch.port("wan")["device_counters"]
    assert counted["receive_errors"] == 0
    assert (counted["segments_cut"] > 0) == (cuts == "the_switch"), counted


def test_a_vtep_on_a_loopback_goes_by_the_gateway_that_is_written(lab: Lab):
    """Both ends, as leaves of EVPN have it: the gateway is of no network of the switch's."""
    host = lab.add_host("p0")
    own, vtep = "203.0.113.1", "203.0.113.2"
    far = KernelEnd(lab, vtep, own)
    ports = end_of_tunnel(own, vtep, gateway=far.below)
    ports[1]["underlay"]["address"] = f"{own}/32"
    switch = lab.make_switch(ports, vlans=VLANS).start()
    host.ping(far.inside)
    far.ping(host.ipv4)
    assert tunnel(switch)["next_hop"]["ip"] == far.below and refused(switch) == {}


def test_a_long_frame_fits_and_a_longer_one_is_dropped(lab: Lab):
    host = lab.add_host("p0", mtu=1600)
    far = KernelEnd(lab)
    ports = end_of_tunnel("192.0.2.1", far.below)
    ports[0]["mtu"] = 1550
    switch = lab.make_switch(ports, vlans=VLANS).start()
    longest = 1522 - 14 - 28  # a frame may have two tags' octets more than 1500 of payload
    host.ping(far.inside, size=longest)
    assert switch.drops("p0") == {}
    host.namespace.run("ping", "-n", "-c", "1", "-W", "1", "-M", "do", "-s", str(longest + 1),
                       far.inside, check=False)
    assert switch.drops("p0") == {"mtu_exceeded": 1}


def test_what_is_no_right_vxlan_is_counted_by_reason(lab: Lab):
    switch, host, far = with_kernel(lab)
    own = switch.port("wan")["address"]
    wire = Wire(far.namespace, "eth0")
    inside = host.wire()
    inner = frame("02:00:00:00:00:99", BROADCAST)

    def sent(ip=None, vxlan=None, payload=inner) -> bytes:
        mine = {"src": far.below, "dst": "192.0.2.1", **(ip or {})}
        return bytes(Ether(dst=own) / IP(**mine) / UDP(sport=50000, dport=4789, chksum=0)
                     / VXLAN(**{"vni": VNI, "flags": "Instance", **(vxlan or {})}) / payload)

    wire.send(sent(vxlan={"vni": 7}), sent(ip={"src": "192.0.2.77"}),
              sent(vxlan={"flags": 0}), sent(ip={"chksum": 0x1234}),
              sent(payload=inner[:13]), sent()[:-1],
              sent(ip={"tos": 3}, payload=bytes(Ether(dst=BROADCAST) / IP(tos=0))), sent())
    inside.expect(inner)
    assert refused(switch) == {
        "unknown_vni": 1, "other_source": 1, "no_vni": 1, "header_checksum": 1,
        "inner_short": 1, "length": 1, "ecn": 1}  # fragments the kernel keeps from the socket
    assert "unknown_vni" in switch.command("show", "tunnels").stdout
    wire.close()


def test_congestion_below_is_reported_inside(lab: Lab):
    switch, host, far = with_kernel(lab)
    own = switch.port("wan")["address"]
    wire = Wire(far.namespace, "eth0")
    inside = host.wire()
    inner = Ether(src="02:00:00:00:00:99", dst=BROADCAST) / IP(tos=2) / UDP() / bytes(40)
    wire.send(bytes(Ether(dst=own) / IP(src=far.below, dst="192.0.2.1", tos=3)
                    / UDP(dport=4789, chksum=0) / VXLAN(vni=VNI, flags="Instance") / inner))
    inner[IP].tos = 3
    inside.expect(bytes(inner))
    wire.close()


def test_the_switch_announces_itself_and_receives_the_kernels_announcement(lab: Lab):
    [host] = lab.add_hosts(1)
    far = KernelEnd(lab)
    wire = Wire(far.namespace, "eth0")
    switch = lab.make_switch(end_of_tunnel("192.0.2.1", far.below), vlans=VLANS).start()

    def is_announcement(octets: bytes) -> bool:
        arp = Ether(octets).getlayer(ARP)
        return arp is not None and arp.psrc == arp.pdst == "192.0.2.1"
    said = wire.collect(lambda received: bool(received) and is_announcement(received[-1]),
                        "though its link was up as it started")[-1]
    assert Ether(said)[ARP].hwsrc == Ether(said).src == switch.port("wan")["address"]
    # The kernel announces another MAC. It has nothing to send, and so asks for nobody.
    far.namespace.set("ipv4/conf/eth0/arp_notify", 1)
    far.namespace.ip("link", "set", "eth0", "address", "02:00:00:00:00:88")
    until_equal(lambda: tunnel(switch)["next_hop"]["address"], "02:00:00:00:00:88",
                "it is received", 5)
    # Somebody else says that he has its address, and the kernel, which is asked, that he has not.
    liar = "02:00:00:00:00:99"
    wire.send(bytes(Ether(src=liar, dst=BROADCAST) / ARP(op=1, hwsrc=liar, psrc=far.below,
                                                         pdst=far.below)))
    until(lambda: [event["text"] for event in switch.show("events")
                   if event["kind"] == "neighbour_resolved"][-2:]
          == [f"{far.below} is now at {mac}" for mac in (liar, "02:00:00:00:00:88")],
          "both are received")
    host.ping(far.inside)
    wire.close()


def test_arp_is_answered_and_a_neighbour_that_moves_is_followed(lab: Lab):
    switch, host, far = with_kernel(lab)
    own = switch.port("wan")["address"]
    wire = Wire(far.namespace, "eth0")
    other = "02:00:00:00:00:77"
    ask = Ether(src=other, dst=BROADCAST) / ARP(op=1, hwsrc=other, psrc="192.0.2.77",
                                                pdst="192.0.2.1")
    wire.send(bytes(ask))
    [reply] = [octets for octets in
               wire.collect(lambda received: any(octets[12:14] == b"\x08\x06"
                                                 and ARP in Ether(octets)
                                                 and Ether(octets)[ARP].pdst == "192.0.2.77"
                                                 for octets in received), "the answer")
               if Ether(octets).dst == other]
    answer = Ether(reply)[ARP]
    assert (answer.op, answer.hwsrc, answer.psrc) == (2, own, "192.0.2.1")
    # Who was not asked for leaves no entry.
    [neighbour] = underlay(switch)["neighbours"]
    assert neighbour["ip"] == far.below
    far.namespace.ip("link", "set", "eth0", "address", "02:00:00:00:00:88")
    far.namespace.run("ping", "-n", "-c", "1", "-W", "1", "192.0.2.1", check=False)
    far.namespace.ip("neigh", "flush", "dev", "eth0")
    far.ping(host.ipv4)
    until_equal(lambda: tunnel(switch)["next_hop"]["address"], "02:00:00:00:00:88", "it moved")
    host.ping(far.inside)
    wire.close()


def test_a_tunnel_waits_for_its_next_hop(lab: Lab):
    [host] = lab.add_hosts(1)
    far = lab.make_namespace("far")
    cable(lab.namespace, "wan", far, "eth0")
    ports = end_of_tunnel("192.0.2.1", "192.0.2.2")
    switch = lab.make_switch(ports, vlans=VLANS)
    switch.launch()
    until(lambda: switch.links().get("wan") == "up", "the port below is up", 30)
    assert switch.links()["tunnel"] == "down"
    assert tunnel(switch)["why"] == "waits for the MAC of 192.0.2.2"
    ports[2]["next_hop"] = "02:00:00:00:00:42"
    switch.apply(ports=ports)
    until_equal(lambda: switch.links()["tunnel"], "up", "a next hop that is written is enough")
    wire = Wire(far, "eth0")
    sent = frame(host.address, BROADCAST)
    host.wire().send(sent)
    octets = wire.collect(lambda received: any(len(one) > 100 for one in received), "the frame")[-1]
    assert octets[:6].hex(":") == "02:00:00:00:00:42" and octets[50:] == sent
    wire.close()


# --- two switches over a routed network ----------------------------------------------------------

def routed(lab: Lab, **about) -> Between:
    between = Between(lab)
    for interface, network in (("left", "192.0.2"), ("right", "198.51.100")):
        between.router.ip("address", "add", f"{network}.254/24", "dev", interface)
    between.router.set("ipv4/ip_forward", 1)
    between.start(end_of_tunnel("192.0.2.1", "198.51.100.1", "192.0.2.254", **about),
                  end_of_tunnel("198.51.100.1", "192.0.2.1", "198.51.100.254", **about))
    return between


def test_hosts_talk_across_a_routed_network(lab: Lab):
    between = routed(lab)
    hosts_talk(between)
    for switch in between.switches:
        assert tunnel(switch)["next_hop"]["ip"].endswith(".254")


def test_tshark_reads_what_goes_before_the_frames(lab: Lab, tmp_path):
    between = routed(lab)
    one = between.hosts[0]
    sent = [bytes(Ether(src=one.address, dst=BROADCAST) / IP(src=one.ipv4, dst="10.0.0.99", tos=2)
                  / UDP(sport=port, dport=9) / bytes(40)) for port in (1000, 1001, 1002) * 2]
    sent += of_priority(one.address, 3, 1) + of_priority(one.address, 7, 1)
    rows = between.seen(tmp_path, sent, b"\x08\x00", "ip.src", "ip.dst", "ip.dsfield.dscp",
                        "ip.dsfield.ecn", "ip.checksum.status", "ip.flags.df", "ip.ttl",
                        "udp.srcport", "udp.dstport", "udp.checksum", "vxlan.vni", "vxlan.flags",
                        "_ws.expert.message", check="ip.check_checksum")
    for row in rows:
        assert (row["ip.src"], row["ip.dst"]) == ("192.0.2.1", "198.51.100.1")
        assert row["ip.checksum.status"] == "1" and row["ip.ttl"] == "64"
        assert row["udp.dstport"] == "4789" and row["udp.checksum"] == "0x0000"
        assert (row["vxlan.vni"], row["vxlan.flags"]) == (str(VNI), "0x0800")
        assert 49152 <= int(row["udp.srcport"]) <= 65535
        assert "_ws.expert.message" not in row
    rows.sort(key=lambda row: int(row["ip.dsfield.dscp"]))  # the higher may have gone first
    flows = [row["udp.srcport"] for row in rows[:6]]
    assert flows[:3] == flows[3:] and len(set(flows)) == 3
    assert [row["ip.dsfield.ecn"] for row in rows] == ["2"] * 6 + ["0"] * 2
    assert [row["ip.dsfield.dscp"] for row in rows] == ["0"] * 6 + ["24", "56"]


def test_pauses_cross_and_hold_the_priority_at_the_other_end(lab: Lab):
    pauses_cross(routed(lab, **LOSSLESS))


def test_a_pause_of_the_underlay_holds_its_tunnels(lab: Lab):
    """By the peer of the first switch's port below."""
    between = routed(lab, lossless=[3])
    one = between.hosts[0]
    first = between.switches[0]
    wire, router = one.wire(), Wire(between.router, "left")
    before = tunnel(first)["encapsulated"]
    router.send(pause("02:00:00:00:00:fe", p3=65535))
    until_equal(lambda: first.pfc("wan", 3)["rx_pause"], 1, "the pause is received")
    router.send(*[pause("02:00:00:00:00:fe", p3=65535)] * 3)
    wire.send(*of_priority(one.address, 3, 5))
    until_equal(lambda: tunnel(first)["encapsulated"], before + 5, "all leave by themselves")
    assert first.pfc("tunnel", 3)["rx_pause"] == 0 and first.pfc("tunnel", 3)["paused_ns"] == 0
    router.close()


# --- settings ------------------------------------------------------------------------------------

@pytest.mark.parametrize("change, said", [
    ({"mtu": 1501}, "write 1500 or less, or mtu: 1559 or more there"),
    ({"device": "vxlan:wan/fd00::2/100"}, "write underlay.address6 at wan"),
    ({"device": "vxlan:wan/203.0.113.1/100"}, "write underlay.gateway at wan"),
])
def test_settings_that_cannot_work_are_refused(lab: Lab, change, said):
    ports = end_of_tunnel("192.0.2.1", "192.0.2.2")
    ports[2] |= change
    switch = lab.make_switch(ports)
    switch.write()
    checked = sluice("check", str(switch.file), check=False)
    assert checked.returncode != 0 and said in checked.stdout + checked.stderr


def test_ports_below_stay_as_they_are_while_it_runs(lab: Lab):
    switch, host, far = with_kernel(lab)
    ports = end_of_tunnel("192.0.2.3", far.below)
    refusal = switch.apply(ports=ports, check=False)
    assert refusal.returncode != 0 and "underlay" in refusal.stderr + refusal.stdout
    host.ping(far.inside)
