"""LACP: Open vSwitch's bond and an aggregation of the switch find each other, lose members and have
them back; what tshark makes of our LACPDUs."""

import contextlib

import pytest
from frames import BROADCAST, frame
from lab import Lab
from member_flows import attached, events, flows_keep_their_order, rows
from open_vswitch import OpenVSwitch
from tshark import decoded
from waiting import until, until_equal
from wire import Wire

ATTACHES = 40.0  # seconds: both ends wait 2 s for all members, and the machine may be busy
SLOW_PROTOCOLS = b"\x88\x09"


def aggregation(mode: str, timeout: str = "short", **more) -> list[dict]:
    return [{"name": "bond0", "ports": ["p0", "p1"], "hash": "l4",
             "lacp": {"mode": mode, "timeout": timeout, **more}}]


class Bond:
    """The switch with two hosts' cables bonded by OVS in one namespace, and a third host beside.
    Unless it is `fast` OVS believes what it received for 90 s."""

    def __init__(self, lab: Lab, kind: str, ours: str, theirs: str, fast: bool = True):
        self.lab = lab
        lab.add_hosts(3)
        # The second cable ends in the first host's namespace, as its eth1.
        one, two, self.other = lab.hosts
        two.namespace.ip("link", "set", "eth0", "down")
        two.namespace.ip("link", "set", "eth0", "name", "eth1", "netns", one.namespace.name)
        self.host = one
        one.namespace.ip("link", "set", "eth1", "up")
        self.ovs = OpenVSwitch(one.namespace)
        lab._closing.callback(self.ovs.close)
        self.switch = lab.make_switch(lab.ports(kind), aggregations=aggregation(ours))
        self.switch.start()
        self.ovs.bond("br0", "eth0", "eth1", lacp=theirs, fast=fast)

    def until_attached(self, *ports: str) -> None:
        until_equal(lambda: attached(self.switch), set(ports), f"{ports} are attached", ATTACHES)

    def set_link(self, interface: str, up: bool) -> None:
        self.host.namespace.ip("link", "set", interface, "up" if up else "down")


@pytest.mark.parametrize("ours, theirs", [("active", "passive"), ("passive", "active"),
                                          ("active", "active")])
def test_open_vswitch_and_the_switch_find_each_other(lab: Lab, ours: str, theirs: str):
    bond = Bond(lab, "af_packet", ours, theirs)
    bond.until_attached("p0", "p1")
    for name, row in rows(bond.switch).items():
        assert row["selected"] and row["reason"] == "" and row["mode"] == ours
        assert {"synchronization", "collecting", "distributing"} <= set(row["actor_state"])
        assert {"synchronization", "collecting", "distributing"} <= set(row["partner_state"])
        assert ("activity" in row["partner_state"]) == (theirs == "active")
        assert row["partner_system"] == "02:00:00:00:0f:01"
        assert events(bond.switch, name) == ["lacp_attached"]

    def ovs_agrees() -> bool:
        members = bond.ovs.lacp()
        return len(members) == 2 and all(
            "current" in member["status"] and "attached" in member["status"] and
            {"synchronized", "collecting", "distributing"} <= set(member["partner state"].split())
            for member in members.values())
    until(ovs_agrees, "Open vSwitch finds both attached", ATTACHES)
    system = rows(bond.switch)["p0"]["actor_system"]
    assert {member["partner sys_id"] for member in bond.ovs.lacp().values()} == {system}


def test_members_leave_and_come_back_and_flows_keep_their_order(lab: Lab):
    bond = Bond(lab, "af_packet", "active", "active")
    bond.until_attached("p0", "p1")
    # What reaches OVS is captured at its bridge, whichever member it came by.
    bond.host.namespace.ip("link", "set", "br0", "up")
    # OVS reports that it collects one turn of its main loop before its bond takes what comes.
    with contextlib.closing(Wire(bond.host.namespace, "br0")) as behind:
        flows_keep_their_order(bond.switch, bond.other.wire(), bond.other.address, behind,
                               lambda up: bond.set_link("eth1", up), patience=ATTACHES, early=5)


def believed(bond: Bond) -> set[str]:
    """The interfaces by which Open vSwitch sends: those whose other end is in sync."""
    return {name for name, member in bond.ovs.lacp().items()
            if "current" in member["status"] and
            "synchronized" in member["partner state"].split()}


def test_a_member_is_taken_away_and_added_while_the_other_carries_frames(lab: Lab):
    bond = Bond(lab, "af_packet", "active", "active", fast=False)
    bond.until_attached("p0", "p1")
    until_equal(lambda: believed(bond), {"eth0", "eth1"}, "OVS sends by both", ATTACHES)
    key = rows(bond.switch)["p1"]["actor_key"]
    bond.switch.command("clear", "counters")

    # The lowest goes, and its peer gets an LACPDU: it would not find out for 90 s otherwise.
    only_p1 = [{**aggregation("active")[0], "ports": ["p1"]}]
    bond.switch.apply(aggregations=only_p1)
    assert attached(bond.switch) == {"p1"}
    until_equal(lambda: believed(bond), {"eth1"}, "OVS leaves it", ATTACHES)
    assert rows(bond.switch)["p1"]["actor_key"] == key

    bond.switch.apply(aggregations=aggregation("active"))
    assert "p1" in attached(bond.switch)
    until(lambda: rows(bond.switch)["p0"]["lacpdus_out"] > 0, "it counts from 0", ATTACHES)
    bond.until_attached("p0", "p1")
    until_equal(lambda: believed(bond), {"eth0", "eth1"}, "OVS sends by both", ATTACHES)
    assert events(bond.switch, "p1") == ["lacp_attached"]
    assert events(bond.switch, "p0") == ["lacp_attached", "lacp_attached"]
    assert "lacp_detached" not in bond.switch.drops("p1")


@pytest.mark.parametrize("how", ["down", "removed", "without LACP"])
def test_a_partner_learns_of_a_member_that_goes(lab: Lab, how: str):
    bond = Bond(lab, "af_packet", "active", "active", fast=False)
    bond.until_attached("p0", "p1")
    until_equal(lambda: believed(bond), {"eth0", "eth1"}, "OVS sends by both", ATTACHES)
    ports, [bundle] = lab.ports("af_packet"), aggregation("active")
    stays = how != "without LACP"
    if how == "down":
        ports[0]["admin_status"] = "down"
        bond.switch.apply(ports=ports)
    elif how == "removed":
        bond.switch.apply(ports=ports[1:], aggregations=[{**bundle, "ports": ["p1"]}])
    else:
        del bundle["lacp"]
        bond.switch.apply(aggregations=[bundle])
    until_equal(lambda: believed(bond), {"eth1"} if stays else set(), "OVS leaves it", ATTACHES)
    if stays:
        assert attached(bond.switch) == {"p1"}
        assert events(bond.switch, "p1") == ["lacp_attached"]


def test_a_partner_that_falls_silent_is_left_and_found_again(lab: Lab):
    bond = Bond(lab, "af_packet", "active", "active")
    bond.until_attached("p0", "p1")
    # The link stays, and LACPDUs do not come any more.
    bond.ovs.configure("set", "port", "bond0", "lacp=off")
    bond.until_attached()
    until_equal(lambda: {row["reason"] for row in rows(bond.switch).values()}, {"no_partner"},
                "nobody is there", ATTACHES)
    wire = bond.other.wire()
    wire.send(frame(bond.other.address, BROADCAST))
    until(lambda: bond.switch.drops("p2").get("no_output"), "a detached member is no output")
    bond.ovs.configure("set", "port", "bond0", "lacp=active")
    bond.until_attached("p0", "p1")
    assert events(bond.switch, "p0") == ["lacp_attached", "lacp_detached", "lacp_attached"]


def test_a_member_without_a_partner_takes_and_sends_control_alone(lab: Lab, kind: str):
    lab.add_hosts(3)
    switch = lab.make_switch(lab.ports(kind), aggregations=aggregation("active")).start()
    wires = lab.wires()
    wires[0].send(*[frame(lab.hosts[0].address, BROADCAST) for _ in range(5)])
    switch.until_dropped("lacp_detached", 5, "p0")
    wires[2].send(frame(lab.hosts[2].address, BROADCAST))
    switch.until_dropped("no_output", 1, "p2")
    assert attached(switch) == set() and rows(switch)["p0"]["reason"] == "no_partner"
    # It speaks all the same, and says nothing else.
    received = wires[0].collect(lambda frames: len(frames) >= 3, "three LACPDUs", ATTACHES)
    assert {octets[12:14] for octets in received} == {SLOW_PROTOCOLS}
    assert rows(switch)["p0"]["lacpdus_out"] >= 3

    # Without LACP in the configuration it carries frames at once.
    switch.apply(aggregations=[{"name": "bond0", "ports": ["p0", "p1"]}])
    wires[0].send(hello := frame(lab.hosts[0].address, BROADCAST))
    assert wires[2].collect(lambda frames: hello in frames, "what p0 takes")
    assert switch.show("lacp") == []


def test_tshark_reads_our_lacpdus(lab: Lab, tmp_path):
    lab.add_hosts(2)
    switch = lab.make_switch(lab.ports("af_packet"),
                             aggregations=aggregation("active", system_priority=4096)).start()
    octets = lab.hosts[0].wire().receive(ATTACHES)
    row = rows(switch)["p0"]
    [fields] = decoded(
        tmp_path, [octets], "eth.dst", "frame.len", "slow.subtype", "lacp.version",
        "lacp.actor.sysid", "lacp.actor.sys_priority", "lacp.actor.key", "lacp.actor.port",
        "lacp.actor.state.activity", "lacp.actor.state.timeout",
        "lacp.actor.state.aggregation", "lacp.actor.state.defaulted",
        "lacp.actor.state.collecting", "lacp.partner.sysid", "_ws.malformed",
        "_ws.expert.message")
    true, false = ({"1", "True", "true"}, {"0", "False", "false"})
    assert fields["eth.dst"] == "01:80:c2:00:00:02" and fields["frame.len"] == "124"
    assert int(fields["slow.subtype"], 0) == 1 and int(fields["lacp.version"], 0) == 1
    assert fields["lacp.actor.sysid"] == row["actor_system"]
    assert fields["lacp.actor.sys_priority"] == "4096"
    assert int(fields["lacp.actor.key"]) == row["actor_key"] == 1
    assert int(fields["lacp.actor.port"]) == row["actor_port"] == 1
    for bit in ("activity", "timeout", "aggregation"):
        assert fields[f"lacp.actor.state.{bit}"] in true, fields
    assert fields["lacp.actor.state.collecting"] in false
    assert fields["lacp.partner.sysid"] == "00:00:00:00:00:00"
    assert "_ws.malformed" not in fields and "_ws.expert.message" not in fields
