"""Every file of config/examples is opened, and those of a use are seen to do what they are for."""

import re

import pytest

from example import NAMES, Example
from frames import BROADCAST, frame, pause
from host import Host
from lab import Lab
from switch import STARTS, Switch
from testpmd import start_testpmd
from tunnels import cable
from waiting import until, until_equal
from wire import Wire

# Opened by tests of their own, below; nic-pair on NICs that DPDK drives by tests/emulated/numa as well.
OF_A_USE = {"af-xdp-server", "containers", "evpn", "lossless-roce", "memif", "mpls", "pause-relay",
            "retry-over-wan", "srv6", "virtual-machines", "vxlan"}
STRANGER = "02:00:00:00:0b:ad"
GUEST = "02:00:00:00:08:08"


def opened(lab: Lab, name: str) -> Example:
    example = Example(lab, name)
    example.switch.launch()
    until_equal(example.switch.links, example.links(), "every port is there", STARTS)
    return example


@pytest.mark.parametrize("name", sorted(set(NAMES) - OF_A_USE))
def test_every_example_opens(lab: Lab, name):
    opened(lab, name)


def test_a_server_stays_reachable_by_an_interface_that_it_shares(lab: Lab):
    example = Example(lab, "af-xdp-server")
    lab.namespace.ip("address", "add", "10.0.0.100/24", "dev", "eth0")
    example.switch.start()
    up, down = example.hosts["up"], example.hosts["down"]
    server = lab.namespace.start("iperf3", "--server", "--one-off", "--forceflush")
    server.until_it_says("Server listening")
    up.ping(down.ipv4)
    done = up.namespace.run("iperf3", "--client", "10.0.0.100", "--time", "1")
    assert "receiver" in done.stdout and server.wait(10) == 0
    of_host, (one, two) = Wire(lab.namespace, "eth0"), lab.wires()
    switched, managed, last = (frame(STRANGER, BROADCAST, vlan=vlan) for vlan in (4001, 4000, 4001))
    one.send(switched, managed, last)
    to_host = of_host.collect(lambda frames: managed in frames, "the host has its VLAN")
    to_others = two.collect(lambda frames: last in frames, "what is behind it is switched")
    assert switched in to_others and managed not in to_others and switched not in to_host


@pytest.mark.parametrize("name, address, before", [
    ("vxlan", "192.0.2.254/24", 50), ("retry-over-wan", "192.0.2.254/24", 50),
    ("srv6", "2001:db8:1::fe/64", 54), ("mpls", "192.0.2.254/24", 26)])
def test_a_segment_goes_across_a_network_once_its_router_answers(lab: Lab, name: str, address: str,
                                                                before: int):
    example = Example(lab, name)
    [inner] = set(example.hosts) - {"wan"}
    example.switch.launch()
    until_equal(example.switch.links, example.links() | {"far": "down"}, "nobody answers", STARTS)
    router = example.hosts["wan"].namespace
    if ":" in address:
        router.set("ipv6/conf/all/disable_ipv6", 0)
        router.set("ipv6/conf/eth0/disable_ipv6", 0)
    router.ip("address", "add", address, "dev", "eth0", *(["nodad"] if ":" in address else []))
    until_equal(example.switch.links, example.links(), "the router has answered")
    outside, inside = Wire(router, "eth0"), Wire(example.hosts[inner].namespace, "eth0")
    asked = frame(STRANGER, BROADCAST)
    inside.send(asked)
    outside.collect(lambda frames: any(octets.endswith(asked) and len(octets) == before + len(asked)
                                       for octets in frames), "it is carried")


def test_the_edges_of_a_wan_relay_pauses_by_one_file(lab: Lab):
    """Which both have, but for the addresses that change places as its comment says."""
    second = lab.make_namespace("switch2")
    cable(lab.namespace, "eth0", second, "eth0")
    here = Example(lab, "pause-relay", cabled=["eth0"])
    there = Example(lab, "pause-relay", namespace=second, cabled=["eth0"],
                    change_places=[("192.0.2.1", "192.0.2.2"), ("02:00:00:00:01", "02:00:00:00:02")])
    for edge in (here, there):
        edge.switch.launch()
    for edge in (here, there):
        until_equal(edge.switch.links, {"gateway": "up", "wan": "up", "far": "up"}, "it is up", STARTS)
    for source, paused in (("02:00:00:00:01:11", there), ("02:00:00:00:02:11", here)):
        paused_by = here if paused is there else there
        wire, far = (edge.hosts["gateway"].wire() for edge in (paused_by, paused))
        wire.send(pause(source, p3=65535))
        far.collect(lambda received: any(octets[12:14] == b"\x88\x08" for octets in received),
                    "the far gateway is paused")
        assert paused_by.switch.pfc("gateway", 3)["relayed_pause"] == 1
        assert paused.switch.pfc("far", 3)["relayed_pause"] >= 1
    # Neither takes the other for itself.
    assert not {row["address"] for row in here.switch.show("ports")} & {
        row["address"] for row in there.switch.show("ports")}


def test_containers_come_and_go(lab: Lab):
    example = opened(lab, "containers")
    web, db, world = (example.hosts[name] for name in ("web", "db", "world"))
    web.ping(db.ipv4)
    world.ping(web.ipv4, size=1472)
    # One that nobody thought of, and one that is started anew.
    cache = lab.add_host("cache")
    example.switch.apply(ports=[*example.ports, {"name": "cache", "device": "af_packet:cache"}])
    until_equal(lambda: example.switch.links().get("cache"), "up", "it is added")
    cache.ping(world.ipv4)
    lab.namespace.ip("link", "del", "web")
    until_equal(lambda: example.switch.links()["web"], "gone", "it has ended")
    db.ping(cache.ipv4)
    web.close()
    again = Host(1, web.namespace, lab.namespace, "web")
    until_equal(lambda: example.switch.links()["web"], "up", "it is back")
    again.ping(world.ipv4)
    db.ping(again.ipv4)


def test_hosts_of_a_rack_learn_what_is_lossless(lab: Lab):
    """Each host's NIC is another Sluice, which is willing; the spine's is not."""
    example = opened(lab, "lossless-roce")

    def nic_of(port: str, **about) -> Switch:
        folder = lab.folder / f"nic-{port}"
        folder.mkdir()
        nic = Switch(example.hosts[port].namespace, folder, {
            "lldp": {}, "ports": [{"name": "nic", "device": "af_packet:eth0", **about}]})
        lab.switches.append(nic)
        return nic.start()

    def lossless(switch: Switch, port: str) -> list[int]:
        return [row["priority"] for row in switch.show("pfc", all=True)
                if row["port"] == port and row["lossless"]]

    def dcbx_row(switch: Switch, feature: str) -> dict:
        return next((row for row in switch.show("dcbx") if row["feature"] == feature), {})
    host = nic_of("storage0", dcbx={"willing": ["pfc", "ets", "application"]})
    until_equal(lambda: lossless(host, "nic"), [3], "the host takes what is lossless")
    until(lambda: dcbx_row(host, "application").get("from_peer"), "and of which priority a DSCP is")
    assert [(row["selector"], row["protocol"], row["priority"])
            for row in dcbx_row(host, "application")["oper"]] == [("dscp", 26, 3), ("dscp", 48, 6)]
    assert [row["bandwidth"] for row in dcbx_row(host, "ets")["oper"] if row["selection"] == "ets"] == \
        [50, 50]
    nic_of("spine", lossless=[4])
    until_equal(lambda: lossless(example.switch, "spine"), [4], "the spine is done as it says")
    assert lossless(example.switch, "storage0") == [3]


def test_a_test_bed_connects_by_memif(lab: Lab):
    """By the word of the example's comment, and a host finds it behind the uplink."""
    example = opened(lab, "memif")
    device = re.search(r"--vdev=(\S+)", example.comments)[1]
    testpmd = start_testpmd(lab.namespace, "icmpecho", f"{device},mac={GUEST}")
    until_equal(example.switch.links, {"vpp": "down", "testpmd": "up", "uplink": "up"},
                "it connects", STARTS)
    testpmd.until_it_says("Port statistics")
    host = example.hosts["uplink"]
    host.namespace.ip("neighbour", "add", "10.0.0.88", "lladdr", GUEST, "dev", "eth0")
    host.ping("10.0.0.88", size=1472)
    assert example.switch.fdb()[GUEST] == "testpmd"
    testpmd.end()


@pytest.mark.parametrize("name, vlan, device, queues", [
    ("vm1", 10, "path={folder}/vm1.sock", 1), ("vm2", 10, "path={folder}/vm2.sock,server=1", 1),
    ("vm3", 1, "path={folder}/vm3.sock,queues=2,cq=1", 2)])
def test_a_guest_attaches(lab: Lab, name, vlan, device, queues):
    """vm1 and vm2 are in VLAN 10, which the uplink carries tagged; vm2 listens itself."""
    example = opened(lab, "virtual-machines")
    guest = start_testpmd(
        lab.namespace, "icmpecho",
        f"net_virtio_user0,{device.format(folder=lab.folder)},mac={GUEST}", queues=queues)
    until_equal(example.switch.links, {**example.links(), name: "up"}, "the guest attaches", STARTS)
    guest.until_it_says("Port statistics")
    host, interface, address = example.hosts["uplink"], "eth0", "10.0.0.88"
    if vlan == 10:
        host.add_vlan(10, "10.0.10.1/24")
        interface, address = "vlan10", "10.0.10.88"
    host.namespace.ip("neighbour", "add", address, "lladdr", GUEST, "dev", interface)
    host.ping(address, size=1400)
    assert example.switch.fdb(vlan)[GUEST] == name
    guest.end()
