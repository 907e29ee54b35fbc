"""EVPN with one port for all VTEPs: two switches and the kernel's own VXLAN, with FRR."""

from evpn_fabric import Fabric, ToManyLeaf, arrives_once, comes_to_alone
from frames import BROADCAST, frame
from lab import Lab
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


def test_its_ports_stay_while_it_runs(lab: Lab):
    fabric = Fabric(lab, 1, switched=ToManyLeaf)
    [leaf] = fabric.leaves
    leaf.switch.start()
    refusal = leaf.switch.apply(check=False, evpn={"vnis": []})
    assert refusal.returncode != 0 and "leads nowhere" in refusal.stderr + refusal.stdout
    # Without a VTEP nothing is flooded to it.
    leaf.host.wire().send(frame(leaf.host.address, BROADCAST))
    leaf.switch.until_dropped("no_output", 1, "p0")
