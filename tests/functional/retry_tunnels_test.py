"""Link-level retry through tunnels: over a network that the kernel routes, and by labels, on links that lose
and reorder, nothing is lost, doubled or out of order."""

import contextlib

import pytest

from delayed_link import DelayedLink
from lab import Lab
from retry_ends import A_SECOND, BY_PFC, RETRY, TEN_MILLION, Ends, losing, overtaking, port_to
from switch import USUAL_BUFFER
from tunnels import WAN_VLAN, cable, refused
from waiting import until_equal

MTU = 1640


class Sites(Ends):
    """one - a = router - b - two, where = is a link that loses and reorders, or a = b without a router."""

    def __init__(self, lab: Lab, routed: bool, device: str = "af_packet", by_memif: bool = False):
        """`device`: what carries the tunnels. `by_memif`: the hosts are a generator."""
        self._device = device
        self._by_memif = by_memif
        self._lab = lab
        self._second = lab.make_namespace("site2")
        losing_link = lab.make_namespace("losing")
        cable(lab.namespace, "wan", losing_link, "near", MTU + 60)
        if routed:
            router = lab.make_namespace("router")
            cable(router, "left", losing_link, "far", MTU + 60)
            cable(self._second, "wan", router, "right", MTU + 60)
            router.ip("link", "set", "left", "up")
            router.set("ipv4/ip_forward", 1)
            router.set("ipv6/conf/all/disable_ipv6", 0)
            for interface, network in (("left", 1), ("right", 2)):
                router.set(f"ipv6/conf/{interface}/disable_ipv6", 0)
                router.set(f"ipv6/conf/{interface}/forwarding", 1)
                router.ip("address", "add", f"192.0.{network}.254/24", "dev", interface)
                router.ip("address", "add", f"2001:db8:{network}::fe/64", "dev", interface, "nodad")
                router.ip("-6", "route", "add", f"2001:db8:9{network}::/64", "via",
                          f"2001:db8:{network}::1", "dev", interface)
            router.set("ipv6/conf/all/forwarding", 1)
        else:
            cable(self._second, "wan", losing_link, "far", MTU + 60)
        self.link = DelayedLink(losing_link, "near", "far", 0.0, losing(0.01), overtaking(0.001))
        self.one = lab.add_host("p0")
        self.two = lab.add_host("p1", self._second)

    def start(self, below: list[dict], tunnels: list[dict[int, dict]]) -> None:
        """`tunnels`: of each site by VLAN."""
        self.a, self.b = (
            self._lab.make_switch(
                [port_to(self._lab, host, self._by_memif) | {"vlan": {"mode": "trunk", "allowed": [*of_site]}},
                 {"name": "wan", "device": f"{self._device}:wan", "mtu": MTU, "underlay": underlay,
                  "vlan": {"mode": "access", "access": WAN_VLAN}, "lldp": {"mode": "disabled"}}]
                + [{"name": f"to{vlan}", "vlan": {"mode": "trunk", "allowed": [vlan]}, **BY_PFC, **RETRY,
                    "pfc": {"response": "5ms"}, **about} for vlan, about in of_site.items()],
                space, lldp={"enabled": True, "chassis_id": host.port}, buffer=USUAL_BUFFER)
            for host, space, underlay, of_site in
            zip((self.one, self.two), (self._lab.namespace, self._second), below, tunnels))
        for switch in (self.a, self.b):
            switch.launch()
        if not self._by_memif:
            for switch in (self.a, self.b):
                switch.until_ready()
        self.until_open()

    def stop(self) -> None:
        super().stop()
        self.link.close()


@contextlib.contextmanager
def routed(lab: Lab, kinds: list[str], **about):
    """A tunnel of each of these kinds, in VLANs 1, 2 and so on."""
    sites = Sites(lab, True, **about)
    below = [{"address": f"192.0.{site}.1/24", "gateway": f"192.0.{site}.254",
              "address6": f"2001:db8:{site}::1/64", "gateway6": f"2001:db8:{site}::fe"}
             for site in (1, 2)]
    ways = [{"vxlan": {"device": f"vxlan:wan/192.0.{far}.1/100"},
             "vxlan6": {"device": f"vxlan:wan/2001:db8:{far}::1/100"},
             "srv6": {"device": f"srv6:wan/2001:db8:9{far}::d2", "local_sid": f"2001:db8:9{near}::d2"}}
            for near, far in ((1, 2), (2, 1))]
    sites.start(below, [{vlan: way[kind] for vlan, kind in enumerate(kinds, 1)} for way in ways])
    yield sites
    sites.stop()


def lost_and_sent_again(sites: Sites) -> None:
    sites.nothing_was_given_up()
    rows = sites.rows()
    assert sum(row["replayed"] for row in rows) > 0 and sum(row["nacks"] for row in rows) > 0, rows
    assert refused(sites.a) == refused(sites.b) == {}


def test_nothing_is_lost_over_a_routed_network_that_loses(lab: Lab):
    with routed(lab, ["vxlan"]) as sites:
        rate = sites.carry_many(10_000)
        sites.carry(sites.two, sites.one, 1)
        lost_and_sent_again(sites)
        print(f"{rate:.0f} frames a second")


@pytest.mark.full
def test_ten_million_frames_are_each_delivered_once_and_in_order_by_vxlan(lab: Lab):
    with routed(lab, ["vxlan"], by_memif=True) as sites:
        sites.carry_of_generator(lab, TEN_MILLION, A_SECOND)
        lost_and_sent_again(sites)


def test_each_kind_of_ip_has_its_session_over_one_port(lab: Lab):
    with routed(lab, ["vxlan", "vxlan6", "srv6"]) as sites:
        sites.carry_many(3000, (1, 2, 3))
        lost_and_sent_again(sites)
        assert {row["taken"] >= 1000 for row in sites.b.show("retry")} == {True}


def test_nothing_is_lost_by_af_xdp(lab: Lab):
    with routed(lab, ["vxlan"], device="af_xdp") as sites:
        sites.carry_many(2000)
        lost_and_sent_again(sites)


def test_nothing_is_lost_by_labels(lab: Lab):
    """This kernel routes no MPLS, so both are at one link."""
    sites = Sites(lab, False)
    sites.start([{"address": f"192.0.2.{near}/24", "gateway": f"192.0.2.{far}"}
                 for near, far in ((1, 2), (2, 1))],
                [{1: {"device": f"mpls:wan/{100 + far}", "local_label": 100 + near, "entropy_label": True}}
                 for near, far in ((1, 2), (2, 1))])
    sites.carry_many(2000)
    lost_and_sent_again(sites)
    sites.stop()
