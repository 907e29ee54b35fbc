"""What names a switch to its peers is its own: two switches with equal files differ, and a switch is
the same one after a restart."""

from lab import Lab
from switch import STARTS, Switch
from tunnels import cable
from vxlan_test import end_of_tunnel
from waiting import until_equal


def names_of(switch: Switch) -> dict[str, str]:
    """Addresses by port, and what LLDP calls it."""
    names = {row["name"]: row["address"] for row in switch.show("ports")}
    return {**names, "chassis": switch.show("lldp")[0]["chassis_id"]}


def test_two_switches_that_name_a_tunnel_alike_differ_and_stay(lab: Lab):
    second = lab.make_namespace("switch2")
    cable(lab.namespace, "wan", second, "wan")
    switches = []
    for namespace, local, remote in ((lab.namespace, "192.0.2.1", "192.0.2.2"),
                                     (second, "192.0.2.2", "192.0.2.1")):
        [_, wan, tunnel] = end_of_tunnel(local, remote)
        loops = [{"name": f"r{number}", "device": f"ring:r{number}"} for number in (0, 1)]
        switches.append(lab.make_switch([*loops, wan, tunnel], namespace, lldp={"enabled": True},
                                        vlans=[{"id": 1, "ports": ["r0", "r1", "tunnel"]}]))
    for switch in switches:
        switch.launch()
    for switch in switches:
        switch.until_ready()
    first, other = (names_of(switch) for switch in switches)
    assert not set(first.values()) & set(other.values())
    for switch in switches:
        switch.stop()
    for switch in switches:
        switch.launch()
    for switch in switches:
        switch.until_ready()
    assert [names_of(switch) for switch in switches] == [first, other]


def test_a_memif_has_its_address_again(lab: Lab):
    switch = lab.make_switch([{"name": "m", "device": f"memif:{lab.folder / 'm.sock'}"},
                              {"name": "loop", "device": "ring:loop"}], lldp={"enabled": True})

    def once() -> dict[str, str]:
        switch.launch()
        until_equal(switch.links, {"m": "down", "loop": "up"}, "nobody has connected", STARTS)
        names = names_of(switch)
        switch.stop()
        return names
    assert once() == once()
