"""Three of our switches over networks that the kernel routes: two edges with a tunnel through a
third, which carries what it does not open; and a hub with a tunnel to each of two others."""

from frames import of_priority, pause
from lab import Lab
from namespace import Namespace
from pause_relay_test import ASKED, EDGES, LONGEST, told
from tunnels import LOSSLESS, VLANS, Between, cable, hosts_talk, refused, tunnel
from vxlan_test import end_of_tunnel
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
    return [end_of_tunnel(near, far, f"{NETWORKS[0]}.254", **about),
            end_of_tunnel(far, near, f"{NETWORKS[1]}.254", **about)]


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
    assert told(near) == (first.port("p0")["address"], ASKED)
    # Nothing between obeys: neither the edges, nor what carries the pause.
    sent = of_priority(one.address, 3, 5)
    near.send(*sent)
    far.expect(*sent)
    far.send(pause(two.address, p3=0))
    while told(near)[1] != 0:
        pass
    for port in ("west", "east"):
        row = transit.third.pfc(port, 3)
        assert (row["rx_pause"], row["tx_pause"]) == (0, 0)
    assert second.pfc("p0", 3)["relayed_pause"] >= 1 and first.pfc("tunnel", 3)["relayed_pause"]
    by_priority = {row["priority"]: row["enqueued"] for row in transit.third.show("queues")
                   if row["output"] == "west"}
    assert by_priority[7] >= 2, "it told them apart by the DSCP outside"
    assert transit.third.drops() == {}
    until(lambda: tunnel(first)["relay"]["answers"], "the delay is measured through it")


def test_a_hub_has_a_tunnel_to_each_of_two_others(lab: Lab):
    between = Between(lab)
    third = lab.make_namespace("switch3")
    cable(third, "wan", between.router, "middle")
    hosts = [*between.hosts, lab.add_host("p0", third)]
    networks = (*NETWORKS, "203.0.113")
    between.router.set("ipv4/ip_forward", 1)
    for interface, network in zip(("left", "right", "middle"), networks):
        between.router.ip("address", "add", f"{network}.254/24", "dev", interface)
    hub, *spokes = (f"{network}.1" for network in networks)
    ports = end_of_tunnel(hub, spokes[0], f"{networks[0]}.254", **LOSSLESS)
    ports.append({**ports[2], "name": "other", "device": f"vxlan:wan/{spokes[1]}/100"})
    switches = [lab.make_switch(ports, vlans=[{"id": 1, "ports": ["p0", "tunnel", "other"]}])]
    for spoke, network, namespace in zip(spokes, networks[1:], (between.second, third)):
        switches.append(lab.make_switch(end_of_tunnel(spoke, hub, f"{network}.254", **LOSSLESS),
                                        namespace, vlans=VLANS))
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
        assert set(switch.drops()) <= {"same_port"}
