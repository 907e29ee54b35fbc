"""RSTP: two links between two switches, a ring of three with Open vSwitch or the kernel's bridge as one
of them and how long it takes to heal, guards, what tshark makes of our BPDUs."""

import os

from frames import BROADCAST, frame
from lab import Lab
from namespace import run
from switch import Switch, program
from tree import CONVERGES, Tree, arrives_once, outage, ports_of, roles, until_connected
from tshark import decoded
from waiting import until, until_equal
from web import LISTEN, get

GROUP = "01:80:c2:00:00:00"
# Seconds; a tenth of one where the machine is idle, and less than any time of the protocol: three hellos.
NO_TIMER = 4.0


def kinds(switch: Switch, port: str = "") -> list[str]:
    return [row["kind"] for row in switch.show("events")
            if row["kind"].startswith("stp") and port in ("", row["port"])]


def bpdu(source: str, root: str, priority: int = 0, cost: int = 0, flags: int = 0x3C) -> bytes:
    """An RST BPDU of a designated port, which forwards."""
    def identifier(address: str) -> bytes:
        return priority.to_bytes(2, "big") + bytes.fromhex(address.replace(":", ""))
    body = (b"\0\0\x02\x02" + bytes([flags]) + identifier(root) + cost.to_bytes(4, "big")
            + identifier(source) + b"\x80\x01" + bytes.fromhex("0000140002000f00") + b"\0")
    header = bytes.fromhex((GROUP + source).replace(":", ""))
    return (header + (len(body) + 3).to_bytes(2, "big") + b"\x42\x42\x03" + body).ljust(60, b"\0")


def two_links(lab: Lab) -> Tree:
    tree = Tree(lab, 2)
    tree.cable(0, 1)
    tree.cable(0, 1, "b")
    tree.add_host(0)
    tree.add_host(1)
    return tree


def test_of_two_links_one_carries_frames_and_the_other_takes_over(lab: Lab):
    tree = two_links(lab)
    root, other = tree.ours(0), tree.ours(1)
    until_equal(lambda: roles(other)["to0"], ("root", "forwarding"), "the first carries", CONVERGES)
    assert roles(other)["to0b"] == ("alternate", "discarding")
    until_equal(lambda: roles(root), {"to1": ("designated", "forwarding"),
                                      "to1b": ("designated", "forwarding"),
                                      "host": ("designated", "forwarding")}, "of the root", CONVERGES)
    until_connected(*tree.hosts)
    shown = other.show("spanning-tree")
    assert shown["mode"] == "rstp" and not shown["is_root"] and shown["root_port"] == "to0"
    assert shown["root_address"] == root.show("spanning-tree")["address"]
    assert shown["root_cost"] == ports_of(other)["to0"]["cost"] == 2000
    assert other.drops("to0b").get("stp_discarding", 0) > 0, "what is flooded comes there too"

    gap = outage(*tree.hosts, lambda: tree.cut(1, "to0"), 10)
    print(f"two links: the other took over within {gap * 1000:.0f} ms")
    assert gap < NO_TIMER
    assert roles(other)["to0b"] == ("root", "forwarding")
    assert "stp_topology_change" in kinds(root)
    tree.mend(1, "to0")
    until_equal(lambda: roles(other).get("to0"), ("root", "forwarding"), "it is back", CONVERGES)
    until_connected(*tree.hosts)


def test_what_an_operator_sees(lab: Lab):
    tree = two_links(lab)
    tree.ours(0)
    other = lab.make_switch(
        [{"name": name, "device": f"af_packet:{name}"} for name in tree.interfaces[1]],
        namespace=tree.places[1], spanning_tree={"mode": "rstp"},
        metrics=LISTEN).start()
    until_equal(lambda: roles(other)["to0b"], ("alternate", "discarding"), "settled", CONVERGES)
    text = run(program("sluice"), "--socket", other.socket, "show", "spanning-tree",
               environment={**os.environ, "COLUMNS": "80"}).stdout
    assert max(map(len, text.splitlines())) <= 80, text
    assert "to0b" in text and "alternate" in text and "discarding" in text
    metrics = get(tree.places[1], "/metrics").text
    assert 'sluice_spanning_tree_port_forwarding{port="to0"} 1' in metrics
    assert 'sluice_spanning_tree_port_forwarding{port="to0b"} 0' in metrics
    assert 'sluice_spanning_tree_port_root{port="to0"} 1' in metrics
    assert "sluice_spanning_tree_is_root 0" in metrics
    assert {"stp_root", "stp_port"} <= set(kinds(other))
    assert [row["port"] for row in other.show("spanning-tree", ports=["to0b"])["ports"]] == ["to0b"]
    other.command("clear", "counters")
    assert ports_of(other)["to0"]["bpdus_in"] < 5


def ring(lab: Lab) -> Tree:
    tree = Tree(lab, 3)
    tree.cable(0, 1)
    tree.cable(1, 2)
    tree.cable(2, 0)
    tree.add_host(0)
    tree.add_host(1)
    return tree


def test_a_ring_of_three_heals(lab: Lab):
    tree = ring(lab)
    root, one, two = (tree.ours(number) for number in range(3))
    until_equal(lambda: roles(two)["to1"], ("alternate", "discarding"), "settled", CONVERGES)
    until_connected(*tree.hosts)
    gap = outage(*tree.hosts, lambda: tree.cut(0, "to1"), 15)
    print(f"a ring of three of ours healed within {gap * 1000:.0f} ms")
    assert gap < NO_TIMER
    assert roles(one)["to2"] == ("root", "forwarding")
    assert roles(two)["to1"] == ("designated", "forwarding")
    tree.mend(0, "to1")
    until_equal(lambda: roles(two)["to1"], ("alternate", "discarding"), "as before", CONVERGES)
    until_connected(*tree.hosts)


def test_a_ring_with_open_vswitch_heals(lab: Lab):
    tree = ring(lab)
    ovs = tree.open_vswitch(2)
    root, one = tree.ours(0), tree.ours(1)
    until_equal(lambda: ovs.rstp_ports().get("to1"), ("alternate", "discarding"),
                "it discards its way to 1", CONVERGES)
    assert roles(one)["to0"] == ("root", "forwarding")
    assert ports_of(one)["to2"]["protocol"] == "rstp"
    until_connected(*tree.hosts)
    gap = outage(*tree.hosts, lambda: tree.cut(0, "to1"), 15)
    print(f"a ring of three with Open vSwitch healed within {gap * 1000:.0f} ms")
    assert gap < NO_TIMER
    assert roles(one)["to2"] == ("root", "forwarding")
    tree.mend(0, "to1")
    until_equal(lambda: roles(one)["to0"], ("root", "forwarding"), "as before", CONVERGES)
    until_connected(*tree.hosts)


def test_a_ring_with_a_bridge_of_the_kernel_heals_in_the_time_of_stp(lab: Lab):
    tree = ring(lab)
    tree.kernel(2)
    short = {"forward_delay": "4s", "max_age": "6s", "hello": "1s"}
    root, one = tree.ours(0, **short), tree.ours(1, **short)
    until_equal(lambda: ports_of(one)["to2"]["protocol"], "stp", "it speaks STP there", CONVERGES)
    assert ports_of(one)["to0"]["protocol"] == "rstp"
    until_connected(*tree.hosts)
    until(lambda: "state blocking" in tree.places[2].ip("-d", "link", "show", "to1"),
          "the kernel's bridge blocks its way to 1", CONVERGES)
    gap = outage(*tree.hosts, lambda: tree.cut(0, "to1"), 40)
    print(f"a ring of three with a bridge of the kernel, by STP, healed within {gap:.1f} s")
    assert gap < 20, "the greatest age and two forward delays, 14 s"
    assert roles(one)["to2"] == ("root", "forwarding")
    until_connected(*tree.hosts)


def test_lossless_traffic_elsewhere_is_untouched(lab: Lab):
    """Two hosts of one switch talk in a lossless priority while its uplinks come and go."""
    tree = two_links(lab)
    far = tree.add_host(1, "beside")
    edge = {"lossless": [3], "spanning_tree": {"edge": "on"}}
    root = tree.ours(0)
    switch = tree.ours(1, {"host": edge, "beside": edge})
    until_connected(*tree.hosts[:2])
    near = tree.hosts[1]
    ear, mouth = far.wire(), near.wire()
    far.wire().send(frame(far.address, BROADCAST))
    until(lambda: switch.fdb().get(far.address) == "beside", "it is known")
    ear.pending()
    sent = [frame(near.address, far.address, vlan=1, priority=3) for _ in range(2000)]
    received: list[bytes] = []
    for number, octets in enumerate(sent):
        if number % 500 == 250:
            (tree.cut if number % 1000 == 250 else tree.mend)(1, "to0")
        mouth.send(octets)
        if (got := ear.receive(0.001)) is not None:
            received.append(got)
    until(lambda: received.extend(ear.pending()) or len(set(received) & set(sent)) == len(sent),
          "all arrive")
    assert [octets for octets in received if octets in set(sent)] == sent, "in order, and once"
    assert "stp_topology_change" in kinds(root)
    assert not {"over_threshold", "headroom_overrun"} & set(switch.drops())
    assert not any(octets in set(sent) for octets in tree.hosts[0].wire().pending()), \
        "the address of a host's port is not forgotten"


def test_a_tree_that_is_switched_on_ends_a_storm(lab: Lab):
    tree = two_links(lab)
    for number in (0, 1):
        tree.ours(number, mode="off")
    hello = frame(tree.hosts[0].address, BROADCAST)
    tree.hosts[0].wire().send(hello)
    first, second = tree.switches[0], tree.switches[1]
    until(lambda: first.port("to1")["rx_frames"] > 1000, "it goes round")
    assert roles(first) == {}
    first.apply(spanning_tree={"mode": "rstp", "priority": 4096})
    second.apply(spanning_tree={"mode": "rstp"})
    until_equal(lambda: roles(second).get("to0b"), ("alternate", "discarding"), "settled", CONVERGES)
    until_connected(*tree.hosts)
    tree.cut(1, "to0b")
    second.apply(spanning_tree={"mode": "off"})
    assert second.show("spanning-tree")["mode"] == "off"


def test_a_switch_that_starts_closes_no_loop(lab: Lab):
    """Others forward meanwhile: nothing goes twice, not for a moment."""
    tree = two_links(lab)
    edge = {"host": {"spanning_tree": {"edge": "on"}}}
    root, other = tree.ours(0, edge), tree.ours(1, edge)
    until_connected(*tree.hosts)
    other.stop()
    other.start()
    ear = tree.hosts[1].wire()
    mouth = tree.hosts[0].wire()
    sent = [frame(tree.hosts[0].address, BROADCAST) for _ in range(800)]
    mouth.send(*sent, rate=100)
    received = ear.collect(lambda frames: sent[-1] in frames, "the last, since the tree is one again")
    received += ear.pending()
    assert max(received.count(octets) for octets in sent) == 1


def test_bpdu_guard_shuts_a_port_and_its_link_opens_it(lab: Lab):
    lab.add_hosts(2)
    ports = lab.ports("af_packet")
    ports[0]["spanning_tree"] = {"edge": "on", "bpdu_guard": True}
    switch = lab.make_switch(ports, spanning_tree={"mode": "rstp"}).start()
    one, two = lab.hosts
    until_equal(lambda: roles(switch)["p0"], ("designated", "forwarding"), "an edge port")
    one.wire().send(bpdu(one.address, one.address))
    until_equal(lambda: ports_of(switch)["p0"]["guard"], "bpdu_guard", "it is shut")
    assert roles(switch)["p0"] == ("disabled", "discarding")
    assert switch.show("spanning-tree")["is_root"]
    one.wire().send(frame(one.address, BROADCAST))
    switch.until_dropped("stp_discarding", 1, "p0")
    assert "stp_bpdu_guard" in kinds(switch, "p0")
    one.set_link(False)
    until_equal(lambda: ports_of(switch)["p0"]["guard"], "", "its link went")
    one.set_link(True)
    until_equal(lambda: roles(switch)["p0"], ("designated", "forwarding"), "it is opened", CONVERGES)
    assert kinds(switch, "p0").count("stp_bpdu_guard_over") == 1
    until(lambda: arrives_once(one, two), "it carries frames", CONVERGES)

    # By time, without a BPDU; and with a filter none is heard of.
    ports[0]["spanning_tree"]["recovery"] = "2s"
    switch.apply(ports=ports)
    one.wire().send(bpdu(one.address, one.address))
    until_equal(lambda: ports_of(switch)["p0"]["guard"], "bpdu_guard", "it is shut again")
    until_equal(lambda: ports_of(switch)["p0"]["guard"], "", "it recovers", CONVERGES)
    ports[0]["spanning_tree"] = {"bpdu_filter": True}
    switch.apply(ports=ports)
    one.wire().send(bpdu(one.address, one.address))
    until_equal(lambda: ports_of(switch)["p0"]["filtered_in"], 1, "it is filtered")
    assert switch.show("spanning-tree")["is_root"]


def test_root_guard_keeps_a_port_from_the_root(lab: Lab):
    lab.add_hosts(2)
    ports = lab.ports("af_packet")
    ports[0]["spanning_tree"] = {"root_guard": True}
    switch = lab.make_switch(ports, spanning_tree={"mode": "rstp", "hello": "1s"}).start()
    one, two = lab.hosts
    one.wire().send(bpdu(one.address, one.address))
    until_equal(lambda: ports_of(switch)["p0"]["guard"], "root_guard", "it is kept from it")
    assert roles(switch)["p0"] == ("alternate", "discarding")
    assert switch.show("spanning-tree")["is_root"]
    until_equal(lambda: ports_of(switch)["p0"]["guard"], "", "the claim is over", CONVERGES)
    assert kinds(switch, "p0")[:1] != [] and "stp_root_guard" in kinds(switch, "p0")
    # Without the guard it is believed.
    two.wire().send(bpdu(two.address, two.address))
    until_equal(lambda: switch.show("spanning-tree")["root_port"], "p1", "it is the root port")
    until_equal(lambda: switch.show("spanning-tree")["is_root"], True, "nobody speaks", CONVERGES)


def test_tshark_reads_our_bpdus(lab: Lab):
    lab.add_hosts(1)
    ports = lab.ports("af_packet")
    ports[0]["spanning_tree"] = {"priority": 16, "edge": "off"}
    switch = lab.make_switch(ports, spanning_tree={"mode": "rstp", "priority": 8192}).start()
    wire = lab.hosts[0].wire()

    def ours(frames: list[bytes]) -> list[bytes]:
        return [octets for octets in frames if octets[:6] == bytes.fromhex(GROUP.replace(":", ""))]
    received = wire.collect(lambda frames: len(ours(frames)) >= 2, "two BPDUs", CONVERGES)
    [fields] = decoded(
        lab.folder, ours(received)[:1], "frame.len", "eth.dst", "stp.version", "stp.type",
        "stp.flags.port_role", "stp.flags.proposal", "stp.flags.agreement", "stp.root.prio",
        "stp.root.hw", "stp.root.cost", "stp.bridge.prio", "stp.bridge.hw", "stp.port",
        "stp.msg_age", "stp.max_age", "stp.hello", "stp.forward", "_ws.malformed")
    address = switch.show("spanning-tree")["address"]
    assert "_ws.malformed" not in fields
    assert fields["frame.len"] == "60" and fields["eth.dst"] == GROUP
    assert int(fields["stp.version"], 0) == 2 and int(fields["stp.type"], 0) == 2
    assert int(fields["stp.flags.port_role"], 0) == 3
    assert fields["stp.flags.proposal"] in ("1", "True")
    assert fields["stp.root.hw"] == fields["stp.bridge.hw"] == address
    assert fields["stp.root.prio"] == fields["stp.bridge.prio"] == "8192"
    assert fields["stp.root.cost"] == "0" and int(fields["stp.port"], 0) == 0x1001
    assert [float(fields[f"stp.{time}"]) for time in ("msg_age", "max_age", "hello", "forward")] == \
        [0, 20, 2, 15]


def test_an_aggregation_is_one_port_of_the_tree(lab: Lab):
    tree = Tree(lab, 2)
    for suffix in ("", "b", "c"):
        tree.cable(0, 1, suffix)
    tree.add_host(0)
    tree.add_host(1)
    switches = []
    for number, far in ((0, "to1"), (1, "to0")):
        switches.append(lab.make_switch(
            [{"name": name, "device": f"af_packet:{name}"} for name in tree.interfaces[number]],
            namespace=tree.places[number], spanning_tree={"mode": "rstp", "priority": 4096 * number},
            aggregations=[{"name": "bond", "ports": [far, f"{far}b"],
                           "lacp": {"mode": "active", "timeout": "short"}}]).start())
    other = switches[1]
    until_equal(lambda: roles(other), {"bond": ("root", "forwarding"),
                                       "to0c": ("alternate", "discarding"),
                                       "host": ("designated", "forwarding")}, "settled", CONVERGES)
    assert ports_of(other)["bond"]["cost"] == 1000, "of two links of 10 G"
    assert ports_of(other)["bond"]["members"] == ["to0", "to0b"]
    until_connected(*tree.hosts)
    tree.cut(1, "to0")
    until_connected(*tree.hosts)
    assert roles(other)["bond"] == ("root", "forwarding"), "a member that goes changes no tree"
    tree.cut(1, "to0b")
    until_equal(lambda: roles(other)["to0c"], ("root", "forwarding"), "the third carries", CONVERGES)
    until_connected(*tree.hosts)
