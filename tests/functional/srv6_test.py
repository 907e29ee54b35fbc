"""Tunnels by SRv6: with the kernel's End.DX2 and l2encap at the other end, and between two switches
over a network that the kernel routes, straight and by way of the router's own segment."""

import json

import pytest
from frames import BROADCAST, frame, of_priority
from host import Host
from lab import Lab
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import (ICMPv6EchoRequest, ICMPv6ND_NA, ICMPv6ND_NS, ICMPv6NDOptSrcLLAddr,
                                IPv6, IPv6ExtHdrSegmentRouting)
from scapy.layers.l2 import Ether
from scapy.packet import Raw
from switch import Switch, sluice
from tunnels import (LOSSLESS, VLANS, Between, cable, hosts_talk, pauses_cross, ports_of, refused,
                     tunnel, underlay)
from waiting import until_equal
from wire import Wire

NEAR_SID, FAR_SID = "2001:db8:91::d2", "2001:db8:92::d2"
ROUTER_SID = "2001:db8:f::1"
QUIET = {"lldp": {"mode": "disabled"}}


def end_of_tunnel(network: int, local_sid: str, *segments: str, reduced: bool = True,
                  **about) -> list[dict]:
    """In 2001:db8:`network`::/64, whose router is ::fe."""
    return ports_of({"address6": f"2001:db8:{network}::1/64",
                     "gateway6": f"2001:db8:{network}::fe"},
                    {"device": f"srv6:wan/{','.join(segments)}", "local_sid": local_sid,
                     "reduced_srh": reduced}, mtu=1640, **about)


# --- the kernel at the other end -----------------------------------------------------------------

class KernelEnd:
    """A namespace that takes frames out of SRv6 for a host behind it, and puts that one's in. The
    kernel encapsulates what it was sent to route, so its interface to that host has the near host's
    MAC; and neither asks for the other by ARP."""

    below = "2001:db8:1::fe"

    def __init__(self, lab: Lab, near: Host, reduced: bool = True):
        self.namespace = lab.make_namespace("far")
        cable(lab.namespace, "wan", self.namespace, "eth0", 1700)
        self.host = lab.make_namespace("behind")
        self.address, self.inside = "02:00:00:00:00:99", "10.0.0.99"
        cable(self.host, "eth0", self.namespace, "inner")
        self.namespace.ip("link", "set", "inner", "address", near.address)
        self.host.ip("link", "set", "eth0", "address", self.address, "up")
        self.host.run("ethtool", "-K", "eth0", "tx", "off", "tso", "off", "gso", "off")
        self.host.ip("address", "add", f"{self.inside}/24", "dev", "eth0")
        self.host.ip("neigh", "add", near.ipv4, "lladdr", near.address, "dev", "eth0")
        near.namespace.ip("neigh", "add", self.inside, "lladdr", self.address, "dev", "eth0")
        self.namespace.set("ipv6/conf/eth0/disable_ipv6", 0)
        self.namespace.set("ipv4/ip_forward", 1)
        for setting in ("all", "eth0"):
            self.namespace.set(f"ipv6/conf/{setting}/forwarding", 1)
            self.namespace.set(f"ipv6/conf/{setting}/seg6_enabled", 1)
        self.namespace.ip("address", "add", f"{self.below}/64", "dev", "eth0", "nodad")
        self.namespace.ip("-6", "route", "add", f"{FAR_SID}/128", "encap", "seg6local", "action",
                          "End.DX2", "oif", "inner", "dev", "eth0")
        self.namespace.ip("-6", "route", "add", f"{NEAR_SID}/128", "via", "2001:db8:1::1")
        self.namespace.ip("route", "add", f"{self.inside}/32", "dev", "inner")
        self.namespace.ip("route", "add", f"{near.ipv4}/32", "encap", "seg6", "mode",
                          "l2encap.red" if reduced else "l2encap", "segs", NEAR_SID, "dev", "eth0")

    def ping(self, address: str) -> None:
        self.host.run("ping", "-n", "-c", "3", "-i", "0.05", "-w", "10", address)


def with_kernel(lab: Lab, reduced: bool = True, **about) -> tuple[Switch, Host, KernelEnd]:
    [host] = lab.add_hosts(1)
    far = KernelEnd(lab, host, reduced)
    ports = end_of_tunnel(1, NEAR_SID, FAR_SID, reduced=reduced, **about)
    return lab.make_switch(ports, vlans=VLANS).start(), host, far


@pytest.mark.parametrize("reduced", [True, False], ids=["without_header", "with_header"])
def test_the_kernel_is_at_the_other_end(lab: Lab, reduced: bool):
    switch, host, far = with_kernel(lab, reduced)
    host.ping(far.inside)
    far.ping(host.ipv4)
    row = tunnel(switch)
    assert row["up"] and row["encapsulated"] >= 6 and row["decapsulated"] >= 6
    assert (row["encapsulation"], row["remote"], row["local"]) == ("srv6", FAR_SID, NEAR_SID)
    mac = json.loads(far.namespace.ip("-json", "link", "show", "eth0"))[0]["address"]
    assert (row["next_hop"]["ip"], row["next_hop"]["address"]) == (far.below, mac)
    assert refused(switch) == {}
    said = switch.command("show", "tunnels").stdout
    assert FAR_SID in said and NEAR_SID in said and far.below in said


def test_what_is_no_right_srv6_is_counted_by_reason(lab: Lab):
    switch, host, far = with_kernel(lab, **QUIET)
    own = switch.port("wan")["address"]
    wire = Wire(far.namespace, "eth0")
    inside = host.wire()
    inner = frame("02:00:00:00:00:99", BROADCAST)
    listed = frame("02:00:00:00:00:98", BROADCAST)
    ignored = frame("02:00:00:00:00:97", BROADCAST)  # behind a header of another type

    def sent(payload=inner, header=None, **ip) -> bytes:
        fields = {"src": far.below, "dst": NEAR_SID, "nh": 143 if header is None else 43, **ip}
        octets = Ether(dst=own) / IPv6(**fields)
        return bytes(octets / Raw(payload) if header is None else octets / header / Raw(payload))

    def header(**about) -> IPv6ExtHdrSegmentRouting:
        return IPv6ExtHdrSegmentRouting(**{"nh": 143, "segleft": 0, "lastentry": 0,
                                           "addresses": [NEAR_SID], **about})

    wire.send(sent(header=header(segleft=1)), sent(header=header(type=3, segleft=1)), sent(nh=41),
              sent(nh=44), sent(payload=inner[:13]), sent()[:-1],
              sent(header=header(len=99)),  # of 800 octets, which are not there
              bytes(Ether(dst=own) / IPv6(src=far.below, dst=NEAR_SID) / ICMPv6EchoRequest()),
              sent(tc=3, payload=bytes(Ether(dst=BROADCAST) / IP(tos=0))), sent(),
              sent(header=header(), payload=listed),
              sent(header=header(type=3), payload=ignored))
    inside.expect(inner, listed, ignored)
    until_equal(lambda: refused(switch), {
        "malformed": 1, "segments_left": 2, "next_header": 2, "fragment": 1, "inner_short": 1,
        "length": 1, "ecn": 1}, "each under its reason")
    wire.close()


def test_congestion_below_is_reported_inside(lab: Lab):
    switch, host, far = with_kernel(lab, **QUIET)
    own = switch.port("wan")["address"]
    wire = Wire(far.namespace, "eth0")
    inside = host.wire()
    inner = Ether(src="02:00:00:00:00:99", dst=BROADCAST) / IP(tos=2) / UDP() / bytes(40)
    wire.send(bytes(Ether(dst=own) / IPv6(src=far.below, dst=NEAR_SID, nh=143, tc=3)
                    / Raw(bytes(inner))))
    inner[IP].tos = 3
    inside.expect(bytes(inner))
    wire.close()


def test_solicitations_are_answered_and_a_neighbour_that_moves_is_followed(lab: Lab):
    switch, host, far = with_kernel(lab)
    own = switch.port("wan")["address"]
    wire = Wire(far.namespace, "eth0")
    other = "02:00:00:00:00:77"
    for target, group in (("2001:db8:1::1", "ff02::1:ff00:1"), (NEAR_SID, "ff02::1:ff00:d2")):
        wire.send(bytes(Ether(src=other, dst="33:33:ff:00:00:01")
                        / IPv6(src="2001:db8:1::77", dst=group, hlim=255)
                        / ICMPv6ND_NS(tgt=target) / ICMPv6NDOptSrcLLAddr(lladdr=other)))
        received = wire.collect(lambda received: any(Ether(octets).dst == other
                                                     for octets in received), "the answer")
        answer = next(Ether(octets) for octets in received if Ether(octets).dst == other)
        assert answer[ICMPv6ND_NA].tgt == target and answer.src == own
        assert answer[IPv6].dst == "2001:db8:1::77"
    [neighbour] = underlay(switch)["neighbours"]
    assert neighbour["ip"] == far.below  # who was not asked for leaves no entry
    host.ping(far.inside)
    far.namespace.ip("link", "set", "eth0", "address", "02:00:00:00:00:88")
    far.namespace.ip("-6", "neigh", "flush", "dev", "eth0")
    far.host.run("ping", "-n", "-c", "3", "-W", "1", host.ipv4, check=False)
    until_equal(lambda: tunnel(switch)["next_hop"]["address"], "02:00:00:00:00:88", "it moved")
    host.ping(far.inside)
    wire.close()


# --- two switches over a routed network ----------------------------------------------------------

# The segments to the other end, beside its own SID; and whether the first is left out of the header.
PATHS = {"straight": ((), True), "by_the_router": ((ROUTER_SID,), True),
         "by_the_router_not_reduced": ((ROUTER_SID,), False)}


def routed(lab: Lab, path: str = "straight", **about) -> Between:
    between = Between(lab, 1700)
    router = between.router
    for setting in ("all", "left", "right"):
        router.set(f"ipv6/conf/{setting}/disable_ipv6", 0)
        router.set(f"ipv6/conf/{setting}/forwarding", 1)
        router.set(f"ipv6/conf/{setting}/seg6_enabled", 1)
    for interface, network, sid in (("left", 1, NEAR_SID), ("right", 2, FAR_SID)):
        router.ip("address", "add", f"2001:db8:{network}::fe/64", "dev", interface, "nodad")
        router.ip("-6", "route", "add", f"{sid}/128", "via", f"2001:db8:{network}::1")
    router.ip("-6", "route", "add", f"{ROUTER_SID}/128", "encap", "seg6local", "action", "End",
              "dev", "left")
    by, reduced = PATHS[path]
    between.start(end_of_tunnel(1, NEAR_SID, *by, FAR_SID, reduced=reduced, **about),
                  end_of_tunnel(2, FAR_SID, *by, NEAR_SID, reduced=reduced, **about))
    return between


@pytest.mark.parametrize("path", PATHS)
def test_hosts_talk_across_a_routed_network(lab: Lab, path: str):
    between = routed(lab, path)
    hosts_talk(between)
    for switch in between.switches:
        assert tunnel(switch)["next_hop"]["ip"].endswith("::fe")


@pytest.mark.parametrize("path", PATHS)
def test_tshark_reads_what_goes_before_the_frames(lab: Lab, tmp_path, path: str):
    between = routed(lab, path, **QUIET)
    # The kernel's seg6local writes the next segment into octets that it shares with who captures.
    between.router.ip("-6", "route", "del", f"{ROUTER_SID}/128")
    one = between.hosts[0]
    sent = [bytes(Ether(src=one.address, dst=BROADCAST) / IP(src=one.ipv4, dst="10.0.0.99", tos=2)
                  / UDP(sport=port, dport=9) / bytes(40)) for port in (1000, 1001, 1002) * 2]
    sent += of_priority(one.address, 3, 1) + of_priority(one.address, 7, 1)
    rows = between.seen(tmp_path, sent, b"\x86\xdd", "ipv6.src", "ipv6.dst", "ipv6.tclass.dscp",
                        "ipv6.tclass.ecn", "ipv6.flow", "ipv6.hlim", "ipv6.nxt",
                        "ipv6.routing.type", "ipv6.routing.segleft", "ipv6.routing.len",
                        "ipv6.routing.srh.last_entry", "ipv6.routing.srh.addr",
                        "_ws.expert.message")
    by, reduced = PATHS[path]
    for row in rows:
        assert (row["ipv6.src"], row["ipv6.dst"]) == ("2001:db8:1::1", [*by, FAR_SID][0])
        assert row["ipv6.hlim"] == "64" and int(row["ipv6.flow"], 0) != 0
        assert "_ws.expert.message" not in row
        if not by:
            assert row["ipv6.nxt"] == "143" and "ipv6.routing.type" not in row
            continue
        assert (row["ipv6.nxt"], row["ipv6.routing.type"]) == ("43", "4")
        assert row["ipv6.routing.segleft"] == "1" and row["ipv6.routing.srh.addr"] == FAR_SID
        listed = 1 if reduced else 2
        assert row["ipv6.routing.len"] == str(2 * listed)
        assert row["ipv6.routing.srh.last_entry"] == str(listed - 1)
    rows.sort(key=lambda row: int(row["ipv6.tclass.dscp"]))
    flows = [row["ipv6.flow"] for row in rows[:6]]
    assert flows[:3] == flows[3:] and len(set(flows)) == 3
    assert [row["ipv6.tclass.ecn"] for row in rows] == ["2"] * 6 + ["0"] * 2
    assert [row["ipv6.tclass.dscp"] for row in rows] == ["0"] * 6 + ["24", "56"]


def test_pauses_cross_and_hold_the_priority_at_the_other_end(lab: Lab):
    pauses_cross(routed(lab, **LOSSLESS))


# --- settings ------------------------------------------------------------------------------------

@pytest.mark.parametrize("change, said", [
    ({"mtu": 1600}, "and the 62 octets around it do not fit the mtu of 1640 of wan"),
    ({"local_sid": "2001:db8:1::1"}, "is the address of wan itself"),
    ({"device": "srv6:wan/192.0.2.1"}, "write srv6:PORT/SID[,SID...]"),
])
def test_settings_that_cannot_work_are_refused(lab: Lab, change, said):
    ports = end_of_tunnel(1, NEAR_SID, FAR_SID)
    ports[2] |= change
    switch = lab.make_switch(ports)
    switch.write()
    checked = sluice("check", str(switch.file), check=False)
    assert checked.returncode != 0 and said in checked.stdout + checked.stderr
