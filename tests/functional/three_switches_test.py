"""Three of our switches over networks that the kernel routes: two edges with a tunnel through a
third, which carries what it does not open; and a hub with a tunnel of each kind to each of two
others."""

import collections

import mpls_test
import pytest
import srv6_test
import vxlan6_test
import vxlan_test
from frames import of_priority, pause
from lab import Lab
from namespace import Namespace
from pause_relay_test import ASKED, EDGES, LONGEST, relayed_pause
from switch import USUAL_BUFFER, Switch
from tunnels import LOSSLESS, VLANS, Between, cable, hosts_talk, refused, tunnel
from waiting import until

NETWORKS = ("192.0.2", "198.51.100")


class Transit(Between):
    """Host, edge, router, the third switch, router, edge, host."""

    def __init__(self, lab: Lab):
        super().__init__(lab)
        self.right = lab.make_namespace("router2")
        # `right` of the first router goes to the third switch; the second edge to a router anew.
        self.router.ip("link", "del", "right")
        cable(self.second, "wan", self.right, "right")
        middle = lab.make_namespace("transit")
        cable(middle, "west", self.router, "east")
        cable(middle, "east", self.right, "west")
        self.route(self.router, "left", NETWORKS[0], "east", "203.0.113.1", NETWORKS[1])
        self.route(self.right, "right", NETWORKS[1], "west", "203.0.113.2", NETWORKS[0])
        # By the DSCP outside, and lossless: the tunnel's priority 3.
        classes = {"lossless": [3], "trust": ["dscp"], "dscp_to_priority": {24: 3, 56: 7},
                   "mtu": 1600, "lldp": {"mode": "disabled"}}
        self.third = lab.make_switch([{"name": name, "device": f"af_packet:{name}", **classes}
                                      for name in ("west", "east")], middle).start()

    def route(self, router: Namespace, edge: str, network: str, inner: str, address: str,
              far: str) -> None:
        router.set("ipv4/ip_forward", 1)
        router.ip("address", "add", f"{network}.254/24", "dev", edge)
        router.ip("address", "add", f"{address}/24", "dev", inner)
        other = "203.0.113.2" if address == "203.0.113.1" else "203.0.113.1"
        router.ip("route", "add", f"{far}.0/24", "via", other)


def edges(**about) -> list[list[dict]]:
    near, far = (f"{network}.1" for network in NETWORKS)
    return [vxlan_test.end_of_tunnel(near, far, f"{NETWORKS[0]}.254", **about),
            vxlan_test.end_of_tunnel(far, near, f"{NETWORKS[1]}.254", **about)]


def carried(switch: Switch, output: str) -> collections.Counter:
    """Frames to there, by priority."""
    return collections.Counter({row["priority"]: row["enqueued"] for row in switch.show("queues")
                                if row["output"] == output})


def test_two_edges_talk_and_relay_pauses_through_a_third_switch(lab: Lab):
    transit = Transit(lab)
    ends = edges(lossless=[3], speed="10M", lldp={"mode": "disabled"},
                 pfc={"pause": ASKED, "headroom": "256KiB"})
    for number, ports in enumerate(ends):
        ports[0]["pfc"] = {**ports[0]["pfc"], "peer": transit.hosts[number].address}
        ports[2]["pfc"] = {**ports[2]["pfc"], "peer": EDGES[1 - number]}
        ports[2]["address"] = EDGES[number]
        ports[2]["pause_relay"] = {"port": "p0"}
    transit.start(*ends)
    hosts_talk(transit)
    one, two = transit.hosts
    first, second = transit.switches
    near, far = one.wire(), two.wire()
    far.send(pause(two.address, p3=LONGEST))
    assert relayed_pause(near) == (first.port("p0")["address"], ASKED)
    # Nothing between obeys, neither the edges nor what carries the pause: while it is in force,
    # frames of its priority go all the way.
    before = carried(transit.third, "east")[3]
    sent = of_priority(one.address, 3, 5)
    near.send(*sent)
    far.expect(*sent)
    assert first.pfc("p0", 3)["pausing"] and second.pfc("tunnel", 3)["pausing"]
    assert carried(transit.third, "east")[3] == before + 5
    far.send(pause(two.address, p3=0))
    while relayed_pause(near)[1] != 0:
        pass
    assert second.pfc("p0", 3)["relayed_pause"] >= 1 and first.pfc("tunnel", 3)["relayed_pause"]
    assert carried(transit.third, "west")[7] >= 2, "it classified them by the DSCP outside"
    assert transit.third.drops() == {}
    until(lambda: tunnel(first)["relay"]["answers"], "the delay is measured through it")


# --- a hub: edge 1 has a tunnel to each of 2 and 3 ------------------------------------------------

INTERFACES = {1: "left", 2: "right", 3: "middle"}  # of the router


def sid(edge: int, other: int) -> str:
    """Of an edge, for what another sends."""
    return f"2001:db8:9{edge}::d{other}"


def mac_of(edge: int) -> str:
    return f"02:00:00:00:0f:0{edge}"


def by_vxlan(edge: int, other: int) -> list[dict]:
    return vxlan_test.end_of_tunnel(f"198.18.{edge}.1", f"198.18.{other}.1", f"198.18.{edge}.254",
                                    **LOSSLESS)


def by_vxlan6(edge: int, other: int) -> list[dict]:
    return vxlan6_test.end_of_tunnel(f"2001:db8:{edge}::1", f"2001:db8:{other}::1",
                                     f"2001:db8:{edge}::fe", **LOSSLESS)


def by_srv6(edge: int, other: int) -> list[dict]:
    return srv6_test.end_of_tunnel(edge, sid(edge, other), sid(other, edge), **LOSSLESS)


def by_mpls(edge: int, other: int) -> list[dict]:
    """Labels are numbers of both, its own first. This kernel routes none: a bridge is between."""
    ports = mpls_test.end_of_tunnel(edge, int(f"1{edge}{other}"), int(f"1{other}{edge}"),
                                    **LOSSLESS)
    ports[1]["address"] = mac_of(edge)
    ports[2]["next_hop"] = mac_of(other)
    return ports


def route(router: Namespace) -> None:
    """Between all that edges have, by IPv4, IPv6 and to their SIDs."""
    router.set("ipv4/ip_forward", 1)
    router.set("ipv6/conf/all/forwarding", 1)
    for edge, interface in INTERFACES.items():
        router.set(f"ipv6/conf/{interface}/disable_ipv6", 0)
        router.ip("address", "add", f"198.18.{edge}.254/24", "dev", interface)
        router.ip("address", "add", f"2001:db8:{edge}::fe/64", "dev", interface, "nodad")
        for other in {*INTERFACES} - {edge}:
            router.ip("-6", "route", "add", f"{sid(edge, other)}/128", "via", f"2001:db8:{edge}::1")


def bridge(router: Namespace) -> None:
    router.ip("link", "add", "bridge", "type", "bridge")
    router.ip("link", "set", "bridge", "up")
    for interface in INTERFACES.values():
        router.ip("link", "set", interface, "master", "bridge")


@pytest.mark.parametrize("by, between", [(by_vxlan, route), (by_vxlan6, route), (by_srv6, route),
                                         (by_mpls, bridge)],
                         ids=["vxlan", "vxlan6", "srv6", "mpls"])
def test_a_hub_has_a_tunnel_to_each_of_two_others(lab: Lab, by, between):
    edges_at = Between(lab, 1700)
    third = lab.make_namespace("switch3")
    cable(third, "wan", edges_at.router, INTERFACES[3], 1700)
    hosts = [*edges_at.hosts, lab.add_host("p0", third)]
    between(edges_at.router)
    ports = by(1, 2)
    ports.append({**by(1, 3)[2], "name": "other"})
    switches = [lab.make_switch(ports, vlans=[{"id": 1, "ports": ["p0", "tunnel", "other"]}],
                                buffer=USUAL_BUFFER),
                lab.make_switch(by(2, 1), edges_at.second, vlans=VLANS),
                lab.make_switch(by(3, 1), third, vlans=VLANS)]
    for switch in switches:
        switch.launch()
    for switch in switches:
        switch.until_ready()
    for host in hosts:
        for other in hosts:
            if other is not host:
                host.ping(other.ipv4)
    assert hosts[1].iperf3(hosts[2], seconds=1).octets_received > 1_000_000
    for switch in switches:
        assert refused(switch) == {}
        for port in ("p0", "tunnel"):  # the port below receives what the router says to all
            assert set(switch.drops(port)) <= {"same_port"}
