"""A guest whose kernel is a bridge between its own hosts and the switch: with a spanning tree, which the
switch lets through, and with VLANs of its own."""

from switch import Switch
from vms import SLOW, Bed, Vm
from waiting import until, until_equal

INSIDE = 9  # a host behind the bridge: 10.VLAN.0.9


def bridge(vm: Vm, *cards: int, more: str = "") -> None:
    vm.ip(f"link add br0 type bridge {more}")
    for card in cards:
        vm.ip(f"link set eth{card} master br0 up")


def add_host(vm: Vm, name: str, network: int) -> None:
    """In a namespace of the guest, behind a port of the bridge that is called as it."""
    vm.ip(f"netns add {name}")
    vm.ip(f"link add {name} type veth peer name eth0 netns {name}")
    vm.ip(f"link set {name} master br0 up")
    vm.ip(f"-n {name} link set eth0 up")
    vm.ip(f"-n {name} address add 10.{network}.0.{INSIDE}/24 dev eth0")


def states(vm: Vm) -> dict[str, str]:
    """Of the bridge's ports to the switch."""
    rows = [line.split() for line in vm.run("/usr/bin/bridge link show").splitlines()]
    return {row[1].rstrip(":"): row[row.index("state") + 1] for row in rows
            if row[1].startswith("eth")}


def settled(vm: Vm) -> dict[str, str]:
    """Nothing listens or learns any more."""
    return until(lambda: (found := states(vm)) and
                 set(found.values()) <= {"forwarding", "blocking"} and found,
                 "the spanning tree is settled", SLOW)


def guarded(bed: Bed, bpdus: str) -> Switch:
    """Should there be a loop, not much goes round in it."""
    return bed.switch_of(bpdus=bpdus, defaults={"storm_control": {
        "unit": "frames", "broadcast": 100, "multicast": 100, "unknown_unicast": 100}})


TREE = "stp_state 1 forward_delay 400 hello_time 100 max_age 600"


def test_a_spanning_tree_through_the_switch_breaks_a_loop(bed: Bed):
    """Both cards of the bridge lead to the same switch: it hears itself, and blocks one."""
    switch = guarded(bed, "forward")
    one, _, guest = bed.vms
    one.with_addresses()
    bridge(guest, 0, 1, more=TREE)
    guest.with_addresses("br0")
    assert sorted(settled(guest).values()) == ["blocking", "forwarding"]
    one.ping(guest.ipv4)
    guest.ping(one.ipv4)
    assert "reserved_address" not in switch.drops()

    # The one that carries goes: the other takes over.
    [carries] = [card for card, state in states(guest).items() if state == "forwarding"]
    guest.monitor.do("set_link", name=carries.replace("eth", "card"), up=False)
    until_equal(lambda: sorted(states(guest).values()), ["disabled", "forwarding"],
                "the other carries", SLOW)
    one.ping(guest.ipv4)
    guest.ping(one.ipv4)
    guest.monitor.do("set_link", name=carries.replace("eth", "card"), up=True)
    until_equal(lambda: sorted(states(guest).values()), ["blocking", "forwarding"],
                "one of two again", SLOW)


def test_a_bridge_that_filters_vlans(bed: Bed):
    """Over a trunk of the switch with the same VLANs, to hosts inside the guest that know of none."""
    one, two, three = bed.vms
    trunk = {"vlan": {"mode": "trunk", "allowed": [10, 20]}}
    switch = bed.switch_of(ports=[*one.devices(**trunk), *two.devices(**trunk), *three.devices()])
    for vlan in (10, 20, 30):
        one.add_vlan(vlan)
    bridge(two, 0, more="vlan_filtering 1 vlan_default_pvid 0")
    for vlan in (10, 20, 30):
        add_host(two, f"in{vlan}", vlan)
        two.run(f"/usr/bin/bridge vlan add dev in{vlan} vid {vlan} pvid untagged && "
                f"/usr/bin/bridge vlan add dev eth0 vid {vlan}")
    two.ip("link set br0 up")
    for vlan in (10, 20):
        one.ping(f"10.{vlan}.0.{INSIDE}")
        two.run(f"/usr/bin/ip netns exec in{vlan} ping -c 3 -W 20 10.{vlan}.0.1")
        assert two.ports[0] in switch.fdb(vlan).values()
    said = one.run(f"ping -c 2 -W 2 10.30.0.{INSIDE}", check=False)
    assert "0 packets received" in said
    assert switch.drops(one.ports[0]).get("vlan_filtered", 0) > 0
