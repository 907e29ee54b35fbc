"""EVPN with one port for all VTEPs: two switches and the kernel's own VXLAN, with FRR."""

from evpn_fabric import VNI, Fabric, ToManyLeaf, arrives_once, comes_to_alone
from frames import BROADCAST, frame
from lab import Lab
from switch import Switch
from waiting import until, until_equal


def test_two_switches_and_the_kernel(lab: Lab):
    fabric = Fabric(lab, 2, 1, switched=ToManyLeaf).start()
    one, two, kernel = fabric.leaves
    fabric.all_ping()
    for leaf in fabric.leaves:
        fabric.until_behind(leaf.host.address, leaf)
    row = next(row for row in one.switch.show("fdb") if row["address"] == kernel.host.address)
    assert (row["kind"], row["vtep"], row["port"]) == ("remote", kernel.vtep, "fabric")
    assert {row["vtep"]: row["port"] for row in one.network()["vteps"]} == {
        two.vtep: "fabric", kernel.vtep: "fabric"}
    vteps = one.vteps()
    assert set(vteps) == {two.vtep, kernel.vtep}
    for row in vteps.values():
        assert row["up"] and row["floods"] and row["from"] == "evpn" and row["addresses"] == 1
        assert row["rx_frames"] > 0 and row["tx_frames"] > 0
    # Floods to a VTEP are dropped until its next hop is known, and none from then on.
    fabric.all_ping()
    assert {vtep: row["dropped"] for vtep, row in one.vteps().items()} == {
        vtep: row["dropped"] for vtep, row in vteps.items()}

    # What is flooded comes once to each, and goes round nowhere.
    wires = [leaf.host.wire() for leaf in fabric.leaves]
    for place, sender in enumerate(wires):
        others = [wire for wire in wires if wire is not sender]
        arrives_once(others, frame(fabric.leaves[place].host.address, BROADCAST), sender)

    # A station that moves, between switches, to the kernel and back.
    station = "02:00:00:00:77:01"
    for at in (one, two, kernel, two, one):
        wires[at.number - 1].send(frame(station, BROADCAST))
        fabric.until_behind(station, at)
        comes_to_alone(fabric, wires, station, at)

    # A VTEP dies, and is gone from the list of those that get floods; it returns.
    kernel.frr.kill()
    for leaf in (one, two):
        until(lambda leaf=leaf: kernel.vtep not in leaf.vteps(), f"leaf {leaf.number} has it gone",
              30)
    one.host.ping(two.host.ipv4)
    kernel.frr.start()
    fabric.until_all_flood()
    until_equal(lambda: {row["vtep"] for row in one.vteps().values() if row["up"]},
                {two.vtep, kernel.vtep}, "it is back")
    fabric.all_ping()


class BundleLeaf(ToManyLeaf):
    """Two VLANs with a host in each, by one port; the kernel has a bridge and devices for each."""

    vnis = {10: VNI, 20: 200}

    def _make_bridge(self) -> None:
        super()._make_bridge()
        ip = self.namespace.ip
        ip("link", "add", "br200", "mtu", "1500", "type", "bridge", "mcast_snooping", "0")
        ip("link", "add", "vx200", "type", "vxlan", "id", "200", "local", self.vtep, "dstport",
           "4789", "nolearning")
        ip("link", "add", "sl200", "type", "veth", "peer", "name", "sl200-peer")
        for device in ("vx200", "sl200"):
            ip("link", "set", device, "master", "br200")
        ip("link", "set", "vx200", "type", "bridge_slave", "learning", "off")
        for device in ("br200", "vx200", "sl200"):
            ip("link", "set", device, "up")

    def _make_switch(self) -> Switch:
        switch = super()._make_switch()
        [host, wan, fabric] = switch.configuration["ports"]
        second = {"name": "p1", "device": "af_packet:p1", "vlan": {"mode": "access", "access": 20}}
        host["vlan"] = {"mode": "access", "access": 10}
        fabric.update(device="vxlan:wan", vnis=self.vnis)
        [evpn] = switch.configuration["evpn"]["vnis"]
        switch.configuration["evpn"]["vnis"] = [
            {**evpn, "vlan": 10},
            {"vni": 200, "vlan": 20, "device": "vx200", "local_device": "sl200"}]
        switch.configuration["ports"] = [host, second, wan, fabric]
        del switch.configuration["vlans"]
        self.second = self._fabric.lab.add_host("p1", self.namespace)
        return switch

    def network(self) -> dict:
        return self.switch.show("evpn", all=True)["networks"][0]

    def by_vni(self) -> dict[int, list[str]]:
        return {network["vni"]: [row["vtep"] for row in network["vteps"] if row["floods"]]
                for network in self.switch.show("evpn")["networks"]}


def test_two_vlans_of_a_port_are_two_networks(lab: Lab):
    fabric = Fabric(lab, 2, switched=BundleLeaf).start()
    one, two = fabric.leaves
    for leaf, other in ((one, two), (two, one)):
        until_equal(leaf.by_vni, {VNI: [other.vtep], 200: [other.vtep]}, "both networks flood")
        until(lambda leaf=leaf: all(row["up"] for row in leaf.switch.show("vteps")), "it is known")
    one.host.ping(two.host.ipv4)
    one.second.ping(two.second.ipv4)
    # Each address is in the network of its VLAN alone, as FRR says.
    wanted = {(10, two.host.address): VNI, (20, two.second.address): 200}

    def remote() -> dict[tuple[int, str], int]:
        return {(row["vlan"], row["address"]): row["vni"] for row in one.switch.show("fdb")
                if row["kind"] == "remote" and row["vtep"] == two.vtep}
    until_equal(remote, wanted, "FRR has said where both are")
    rows = {row["vni"]: row for row in one.switch.show("vteps")}
    assert {vni: (row["vlan"], row["addresses"]) for vni, row in rows.items()} == {
        VNI: (10, 1), 200: (20, 1)}
    # One that moves to the other VLAN there is known in both, until FRR says otherwise.
    two.second.wire().send(frame(two.host.address, BROADCAST))
    until_equal(remote, {**wanted, (20, two.host.address): 200}, "it is known in both")


def test_its_ports_stay_while_it_runs(lab: Lab):
    fabric = Fabric(lab, 1, switched=ToManyLeaf)
    [leaf] = fabric.leaves
    leaf.switch.start()
    refusal = leaf.switch.apply(check=False, evpn={"vnis": []})
    assert refusal.returncode != 0 and "has no VTEPs" in refusal.stderr + refusal.stdout
    # Without a VTEP nothing is flooded to it.
    leaf.host.wire().send(frame(leaf.host.address, BROADCAST))
    leaf.switch.until_dropped("no_output", 1, "p0")
