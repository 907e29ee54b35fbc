"""EVPN: switches with FRR for their tunnels, beside a leaf that is the kernel's own VXLAN."""

import contextlib
import itertools
import pathlib
import threading
from typing import Callable

from evpn_fabric import VNI, Fabric, Grace, arrives_once, comes_to_alone
from evpn_legal import legal_bgp, legal_vxlan
from frames import BROADCAST, arp, frame
from lab import Lab
from waiting import until, until_equal
from wire import Wire


@contextlib.contextmanager
def talking(wire: Wire, *frames: bytes):
    """One of them 100 times a second; of several each once."""
    end = threading.Event()

    def talk() -> None:
        for sent in frames if len(frames) > 1 else itertools.repeat(frames[0]):
            if end.wait(0.01):
                return
            wire.send(sent)

    thread = threading.Thread(target=talk)
    thread.start()
    try:
        yield
    finally:
        end.set()
        thread.join()


def test_three_switches_and_the_kernel(lab: Lab, tmp_path):
    fabric = Fabric(lab, 3, 1)
    one, two, three, kernel = fabric.leaves
    heard = {leaf: [Wire(fabric.namespace, f"{cable}{leaf.number}", both_ways=True)
                    for cable in "cu"] for leaf in (one, kernel)}
    fabric.start()
    fabric.all_ping()
    for leaf in fabric.leaves:
        fabric.until_behind(leaf.host.address, leaf)
    row = next(row for row in one.switch.show("fdb") if row["address"] == kernel.host.address)
    assert (row["kind"], row["vtep"], row["port"]) == ("remote", kernel.vtep, "to4")
    assert kernel.vtep in one.switch.command("show", "fdb").stdout
    assert one.network()["local_addresses"] == 1
    assert one.network()["vteps"][0] == {"vtep": two.vtep, "port": "to2", "floods": True,
                                         "stale": False, "addresses": 1}
    assert "vx100" in one.switch.command("show", "evpn").stdout

    # What is flooded comes once to each, and goes round nowhere.
    wires = [leaf.host.wire() for leaf in fabric.leaves]
    for place, sender in enumerate(wires):
        others = [wire for wire in wires if wire is not sender]
        arrives_once(others, frame(fabric.leaves[place].host.address, BROADCAST), sender)
    # So is a question for who is known, since nobody chose that it be suppressed.
    arrives_once(wires[1:], arp(one.host.address, one.host.ipv4, two.host.ipv4), wires[0])

    # A station that moves, between switches, to the kernel and back; its sequence number grows.
    station = "02:00:00:00:77:01"
    for moves, at in enumerate((one, two, kernel, three, one)):
        wires[at.number - 1].send(frame(station, BROADCAST))
        fabric.until_behind(station, at)
        for leaf in fabric.leaves:
            key = "localSequence" if leaf is at else "remoteSequence"
            until_equal(lambda: leaf.frr.mac(VNI, station).get(key), moves,
                        f"leaf {leaf.number} has its sequence number")
        comes_to_alone(fabric, wires, station, at)
    assert one.switch.show("evpn")["refused"] == 0
    fabric.all_ping()

    # As tshark has it, at a leaf of ours and at the kernel's.
    for leaf, (said, carried) in heard.items():
        others = [other for other in fabric.leaves if other is not leaf]
        legal_bgp(tmp_path, said.pending(), leaf, others)
        legal_vxlan(tmp_path, carried.pending(), leaf, others)
        said.close()
        carried.close()


def test_only_local_addresses_age(lab: Lab):
    fabric = Fabric(lab, 2, 1, fdb={"ageing": "1s"}).start()
    one, two, kernel = fabric.leaves
    ages, stays = "02:00:00:00:77:01", "02:00:00:00:77:02"
    kernel.host.wire().send(frame(stays, BROADCAST))
    fabric.until_behind(stays, kernel)
    with talking(one.host.wire(), frame(ages, BROADCAST)):
        fabric.until_behind(ages, one)
    until(lambda: ages not in one.switch.fdb(), "it said nothing, and ages")
    for leaf in (two, kernel):
        until(lambda: ages not in leaf.remote(), "it is withdrawn")
    for leaf in (one, two):  # where it has been remote for longer
        assert leaf.remote()[stays] == kernel.vtep


def test_a_vtep_dies_and_returns(lab: Lab):
    """One of ours, and the kernel's; meanwhile no frame comes twice or comes back."""
    fabric = Fabric(lab, 3, 1).start()
    one, two, three, kernel = fabric.leaves
    fabric.all_ping()
    for leaf in fabric.leaves:
        fabric.until_behind(leaf.host.address, leaf)
    wires = [leaf.host.wire() for leaf in fabric.leaves]
    for wire in wires:
        wire.pending()
    numbered = [frame(one.host.address, BROADCAST) for _ in range(4_000)]
    with talking(wires[0], *numbered):
        for gone, die, live in ((two, two.kill, two.start),
                                (kernel, kernel.frr.kill, kernel.frr.start)):
            rest = [leaf for leaf in fabric.leaves if leaf is not gone]
            die()
            for leaf in rest:
                others = {other.vtep for other in rest if other is not leaf}
                until_equal(leaf.flooded, others, f"leaf {leaf.number} has it gone")
                until(lambda leaf=leaf: gone.host.address not in leaf.remote(), "and its host")
            one.host.ping(three.host.ipv4)
            live()
            fabric.until_all_flood()
    fabric.all_ping()
    fabric.until_behind(two.host.address, two)
    fabric.until_behind(kernel.host.address, kernel)
    sent = set(numbered)
    back, *arrived = ([each for each in wire.pending() if each in sent] for wire in wires)
    assert back == []
    for frames in arrived:
        assert frames and len(set(frames)) == len(frames)


def test_bgp_and_switches_die_and_return(lab: Lab):
    fabric = Fabric(lab, 3).start()
    one, two, three = fabric.leaves
    fabric.all_ping()
    for leaf in fabric.leaves:
        fabric.until_behind(leaf.host.address, leaf)

    # BGP, for a while: what it advertised stays, and goes if it is not advertised again.
    station = "02:00:00:00:77:01"
    wire = three.host.wire()

    def lost_while(restart: Callable[[], Grace]) -> None:
        wire.send(frame(station, BROADCAST))
        fabric.until_behind(station, three)
        restart().ends(lambda: station not in one.remote(), "what is not advertised again")
        fabric.until_all_flood()
        fabric.until_behind(three.host.address, three)
        until_equal(lambda: one.network()["stale"], 0, "nothing is stale")

    def forget() -> None:
        """The station, by its own switch, while the first gets no updates."""
        three.switch.command("flush", "fdb")
        three.host.ping(two.host.ipv4)
        until(lambda: station not in two.remote(), "it is forgotten")

    def bgp() -> Grace:
        grace = Grace()
        one.frr.kill("bgpd")
        until(lambda: one.network()["stale"] == 5 or grace.may_be_over(),
              "three addresses and two VTEPs are stale")
        grace.keeps(lambda: one.remote().get(station), three.vtep)
        grace.keeps(one.flooded, {two.vtep, three.vtep})
        forget()
        one.frr.start()
        return grace

    def both() -> Grace:
        one.frr.kill()
        forget()
        assert one.remote().get(station) == three.vtep, "while nobody could write it again"
        grace = Grace()
        one.frr.start()
        grace.keeps(lambda: one.remote().get(station), three.vtep)
        return grace

    lost_while(bgp)
    sweeps = one.network()["sweeps"]
    lost_while(both)
    assert one.network()["sweeps"] == sweeps + 1

    # A switch: a station behind it stays advertised meanwhile, and no longer if it says nothing.
    one.host.wire().send(frame(station, BROADCAST))
    fabric.until_behind(station, one)
    one.switch.stop()
    assert two.remote().get(station) == one.vtep
    grace = Grace()
    one.switch.start()
    grace.keeps(lambda: two.remote().get(station), one.vtep)
    grace.ends(lambda: station not in two.remote(), "it said nothing")
    fabric.all_ping()
    fabric.until_behind(one.host.address, one)

    # A host that talks all the time, and moved meanwhile.
    one.host.wire().send(frame(station, BROADCAST))
    fabric.until_behind(station, one)
    two.switch.stop()
    with talking(two.host.wire(), frame(station, BROADCAST)):
        two.switch.start()
        fabric.until_behind(station, two)


def test_devices_that_do_not_fit_are_reported(lab: Lab):
    fabric = Fabric(lab, 2)
    one, two = fabric.leaves
    one.namespace.ip("link", "set", "sl100", "nomaster")
    for leaf in fabric.switched:
        leaf.switch.launch()
    for leaf in fabric.switched:
        leaf.switch.until_ready()
    # Control keeps what it takes to write into a bridge.
    status = pathlib.Path("/proc", str(one.switch.process.pid), "status").read_text()
    assert f"CapEff:\t{1 << 12:016x}\n" in status
    until_equal(lambda: one.network()["why"], "vx100 and sl100 are not in one bridge", "why")
    one.namespace.ip("link", "set", "sl100", "master", "br100")
    until(lambda: one.network()["up"], "it is followed")
    # The part of the routing daemon, by hand: a VTEP without a tunnel.
    one.namespace.run("bridge", "fdb", "append", "00:00:00:00:00:00", "dev", "vx100", "dst",
                      "192.0.2.9", "self", "permanent")
    until(lambda: any(event["kind"] == "evpn_no_tunnel" and "192.0.2.9" in event["text"]
                      for event in one.switch.show("events")), "it is reported")
    assert one.network()["vteps"] == [{"vtep": "192.0.2.9", "port": None, "floods": True,
                                       "stale": False, "addresses": 0}]
    # Without a VTEP nothing is flooded to any tunnel.
    one.host.wire().send(frame(one.host.address, BROADCAST))
    one.switch.until_dropped("no_output", 1, "p0")
    one.namespace.ip("link", "del", "vx100")
    until_equal(lambda: one.network()["why"], "vx100 does not exist", "why")
    refusal = one.switch.apply(
        check=False, evpn={"vnis": [{"vni": VNI, "device": "vx200", "local_device": "sl100"}]})
    assert refusal.returncode != 0 and "evpn.vnis" in refusal.stderr + refusal.stdout
