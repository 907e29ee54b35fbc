"""Groups: static ones, and those that hosts report: who gets them, who stops, who is believed."""

import pytest
import tshark

from frames import BROADCAST, frame
from lab import Lab
from membership import (address_of, igmp_query, igmp_report, is_query_of, joined, mld_query,
                        mld_report, pim_hello, wants_source)
from switch import Switch
from waiting import PATIENCE, until, until_equal
from wire import Wire

GROUP, OTHER = "225.1.2.3", "239.7.7.7"
GROUP_6 = "ff15::7:7"


def groups(switch: Switch) -> dict[str, list[str]]:
    """Group to the ports that listen."""
    return {row["group"]: row["ports"] for row in switch.show("multicast")["groups"]}


def routers(switch: Switch) -> list[str]:
    return [port for row in switch.show("multicast")["routers"] for port in row["ports"]]


def until_listens(switch: Switch, group: str, *ports: str) -> None:
    until_equal(lambda: groups(switch).get(address_of(group), []), list(ports),
                f"{group} is known at {ports}")


def who_gets(sender: Wire, others: list[Wire], source: str, group: str) -> list[bool]:
    """Whether a frame for the group arrives, by what comes before a broadcast that is sent later."""
    data, last = frame(source, address_of(group)), frame(source, BROADCAST)
    sender.send(data, last)
    received = [wire.collect(lambda frames: last in frames, "the broadcast") for wire in others]
    return [data in frames for frames in received]


# --- static groups --------------------------------------------------------------------------------

def test_a_static_group_goes_to_its_ports(lab: Lab, kind: str):
    static = [{"address": address_of(GROUP), "ports": ["p1", "p3"]}]
    switch, (one, *_) = lab.build(kind, 4, multicast={"groups": static})
    first, *others = lab.wires()
    assert who_gets(first, others, one.address, GROUP) == [True, False, True]
    assert who_gets(first, others, one.address, OTHER) == [True, True, True]
    [row] = switch.show("multicast")["groups"]
    assert row == {"vlan": 1, "group": address_of(GROUP), "family": "ethernet",
                   "ports": ["p1", "p3"], "static": ["p1", "p3"], "kind": "static", "age_s": 0}

    static[0]["ports"] = ["p2"]
    switch.apply(multicast={"groups": static})
    until_listens(switch, GROUP, "p2")
    assert who_gets(first, others, one.address, GROUP) == [False, True, False]
    assert switch.drops() == {}


def test_a_group_that_nobody_else_is_in_is_counted(lab: Lab):
    static = [{"address": address_of(GROUP), "ports": ["p0"]}]
    switch, (one, two) = lab.build("af_packet", 2, multicast={"groups": static})
    first, second = lab.wires()
    assert who_gets(first, [second], one.address, GROUP) == [False]
    assert switch.drops() == {"no_listener": 1}


# --- hosts that report ----------------------------------------------------------------------------

@pytest.mark.parametrize("version", [1, 2, 3])
def test_only_members_receive(lab: Lab, kind: str, version: int):
    hosts = lab.add_hosts(4)
    for host in hosts:
        host.namespace.set("ipv4/conf/eth0/force_igmp_version", version)
    switch = lab.start_switch(kind, multicast={"snooping": ["igmp"]})
    first, *others = lab.wires()
    source = hosts[0].address
    assert who_gets(first, others, source, GROUP) == [True, True, True]
    with joined(hosts[1], GROUP):
        until_listens(switch, GROUP, "p1")
        assert who_gets(first, others, source, GROUP) == [True, False, False]
        with joined(hosts[3], GROUP):
            until_listens(switch, GROUP, "p1", "p3")
            assert who_gets(first, others, source, GROUP) == [True, False, True]
    assert who_gets(first, others, source, OTHER) == [True, True, True]


@pytest.mark.parametrize("version", [2, 3])
def test_leaving_stops_it(lab: Lab, kind: str, version: int):
    hosts = lab.add_hosts(3)
    for host in hosts:
        host.namespace.set("ipv4/conf/eth0/force_igmp_version", version)
    switch = lab.start_switch(kind, multicast={"snooping": ["igmp"], "leaving": "300ms"})
    first, *others = lab.wires()
    with joined(hosts[2], GROUP):
        with joined(hosts[1], GROUP):
            until_listens(switch, GROUP, "p1", "p2")
        until_listens(switch, GROUP, "p2")
        assert who_gets(first, others, hosts[0].address, GROUP) == [False, True]


@pytest.mark.parametrize("ssm", ["232.1.2.3", "ff3e::4321:1234"])
def test_leaving_a_source_stops_it(lab: Lab, kind: str, ssm: str):
    """Linux says that by BLOCK, and never by TO_IN {}."""
    hosts = lab.add_hosts(3, ipv6=True)
    switch = lab.start_switch(kind, multicast={"snooping": ["igmp", "mld"], "leaving": "300ms"})
    first, *others = lab.wires()
    source = hosts[0].ipv6 if ":" in ssm else hosts[0].ipv4
    with wants_source(hosts[2], ssm, source):
        with wants_source(hosts[1], ssm, source):
            until_listens(switch, ssm, "p1", "p2")
            assert switch.show("multicast")["sources"] == 2
            assert who_gets(first, others, hosts[0].address, ssm) == [True, True]
        until_listens(switch, ssm, "p2")
        assert who_gets(first, others, hosts[0].address, ssm) == [False, True]
    until_listens(switch, ssm)


def test_ipv6_members_receive_until_they_leave(lab: Lab, kind: str):
    hosts = lab.add_hosts(3, ipv6=True)
    switch = lab.start_switch(kind, multicast={"snooping": ["mld"], "fast_leave": True})
    first, *others = lab.wires()
    with joined(hosts[2], GROUP_6):
        with joined(hosts[1], GROUP_6):
            until_listens(switch, GROUP_6, "p1", "p2")
            assert who_gets(first, others, hosts[0].address, GROUP_6) == [True, True]
        until_listens(switch, GROUP_6, "p2")
        assert who_gets(first, others, hosts[0].address, GROUP_6) == [False, True]
    hosts[0].ping(hosts[1].ipv6)  # they still find each other: solicited nodes go to all


def test_of_what_nobody_reported_routers_get_all(lab: Lab):
    switch, hosts = lab.build("af_packet", 4, multicast={
        "snooping": ["igmp"], "unregistered": "router_ports", "router_ports": ["p3"]})
    first, *others = lab.wires()
    assert who_gets(first, others, hosts[0].address, GROUP) == [False, False, True]
    assert who_gets(first, others, hosts[0].address, "224.0.0.251") == [True, True, True]
    with joined(hosts[1], GROUP):
        until_listens(switch, GROUP, "p1")
        assert who_gets(first, others, hosts[0].address, GROUP) == [True, False, True]


# --- routers --------------------------------------------------------------------------------------

def test_reports_go_where_queries_come_from(lab: Lab, kind: str):
    switch, hosts = lab.build(kind, 3, multicast={"snooping": ["igmp"]})
    member, other, router = lab.wires()
    router.send(igmp_query(hosts[2], source="0.0.0.0"))  # announces no router
    query = igmp_query(hosts[2])
    router.send(query)
    other.collect(lambda frames: query in frames, "the query")
    until_equal(lambda: routers(switch), ["p2"], "the router is found by its query")
    report, last = igmp_report(hosts[0], GROUP), frame(hosts[0].address, BROADCAST)
    member.send(report, last)
    assert report in router.collect(lambda frames: last in frames, "the broadcast")
    assert report not in other.collect(lambda frames: last in frames, "the broadcast")
    assert groups(switch) == {address_of(GROUP): ["p0"]}


def test_a_pim_router_that_does_not_query_gets_reports_and_groups(lab: Lab, kind: str):
    """The lower address of two queries, and the higher is the designated router."""
    switch, hosts = lab.build(kind, 3, multicast={
        "snooping": ["igmp"], "unregistered": "router_ports"})
    member, other, router = lab.wires()
    hello = pim_hello(hosts[2])
    router.send(hello)
    assert hello in other.collect(lambda frames: hello in frames, "it goes to everybody")
    until_equal(lambda: routers(switch), ["p2"], "the router is found by its Hello")
    report, last = igmp_report(hosts[0], GROUP), frame(hosts[0].address, BROADCAST)
    member.send(report, last)
    assert report in router.collect(lambda frames: last in frames, "the broadcast")
    other.collect(lambda frames: last in frames, "the broadcast")
    assert who_gets(other, [member, router], hosts[1].address, OTHER) == [False, True]


def test_who_answers_queries_stays_and_who_is_silent_goes(lab: Lab):
    switch, hosts = lab.build("af_packet", 3, multicast={"snooping": ["igmp"], "ageing": "6s"})
    silent, _, router = lab.wires()
    silent.send(igmp_report(hosts[0], OTHER))  # from nobody who would answer
    with joined(hosts[1], GROUP):
        until_listens(switch, GROUP, "p1")
        while address_of(OTHER) in groups(switch):
            router.send(igmp_query(hosts[2]))
            until(lambda: switch.show("multicast")["groups"][0]["age_s"] == 0, "it is answered")
        router.send(igmp_query(hosts[2]))
        assert groups(switch) == {address_of(GROUP): ["p1"]}
        until_equal(lambda: (groups(switch), routers(switch)), ({}, []),
                    "without queries all is forgotten", seconds=2 * PATIENCE)


def test_mld_reports_go_where_queries_come_from(lab: Lab):
    switch, hosts = lab.build("af_packet", 3, multicast={"snooping": ["mld"]})
    member, other, router = lab.wires()
    router.send(mld_query(hosts[2]))
    until_equal(lambda: routers(switch), ["p2"], "the router is found by its query")
    report, last = mld_report(hosts[0], GROUP_6), frame(hosts[0].address, BROADCAST)
    member.send(report, last)
    assert report in router.collect(lambda frames: last in frames, "the broadcast")
    assert report not in other.collect(lambda frames: last in frames, "the broadcast")
    assert groups(switch) == {address_of(GROUP_6): ["p0"]}


# --- the switch asks itself ----------------------------------------------------------------------

QUERIER = {"vlans": [1], "interval": "1s", "response": "200ms"}


def querier(switch: Switch, protocol: str = "igmp") -> dict:
    [row] = [row for row in switch.show("multicast")["queriers"] if row["protocol"] == protocol]
    return row


@pytest.mark.parametrize("version", [2, 3])
def test_who_answers_the_switch_stays_and_who_is_silent_goes(lab: Lab, kind: str, version: int):
    """The kernel of a host answers; nobody else is there to ask."""
    hosts = lab.add_hosts(3)
    switch = lab.start_switch(kind, multicast={
        "snooping": ["igmp"], "ageing": "6s", "querier": {**QUERIER, "igmp_version": version}})
    silent = hosts[0].wire()
    with joined(hosts[1], GROUP):
        until_listens(switch, GROUP, "p1")

        def is_known() -> bool:
            return address_of(OTHER) in groups(switch)

        def is_known_after_a_report() -> bool:  # from nobody who would answer
            silent.send(igmp_report(hosts[0], OTHER))
            return is_known()

        until(is_known_after_a_report, "the silent one is known", interval=1)
        until(lambda: not is_known(), "the silent one is forgotten", seconds=2 * PATIENCE)
        assert groups(switch) == {address_of(GROUP): ["p1"]}
        sent = querier(switch)["queries"]
        until(lambda: querier(switch)["queries"] >= sent + 9, "three more queries at three ports")
        assert groups(switch) == {address_of(GROUP): ["p1"]}
    assert querier(switch)["own"] and querier(switch)["address"] == "0.0.0.0"
    assert "nobody else" not in str(switch.show("events")), "it was never silenced"


def test_hosts_of_ipv6_answer_the_switch(lab: Lab):
    hosts = lab.add_hosts(2, ipv6=True)
    switch = lab.start_switch("af_packet", multicast={
        "snooping": ["mld"], "ageing": "4s", "querier": QUERIER})
    with joined(hosts[1], GROUP_6):
        until_listens(switch, GROUP_6, "p1")
        sent = querier(switch, "mld")["queries"]
        until(lambda: querier(switch, "mld")["queries"] >= sent + 8, "four more queries")
        assert groups(switch)[address_of(GROUP_6)] == ["p1"]
    assert querier(switch, "mld")["address"].startswith("fe80::")


def test_a_router_silences_the_switch_until_it_is_gone(lab: Lab):
    switch, hosts = lab.build("af_packet", 2, multicast={
        "snooping": ["igmp"], "querier": {**QUERIER, "address": "10.0.0.200"}})
    router = hosts[1].wire()
    until(lambda: querier(switch)["queries"] > 0, "it queries")
    router.send(igmp_query(hosts[1], source="10.0.0.201"))  # goes behind
    router.send(igmp_query(hosts[1]))

    def told() -> list[tuple[str, str]]:
        return [(event["kind"], event["port"]) for event in switch.show("events")
                if event["kind"].startswith("querier")]

    until_equal(told, [("querier_other", "p1"), ("querier_began", "")],
                "the router queries, and is gone")
    assert querier(switch)["own"]
    router.send(igmp_query(hosts[1], source="10.0.0.201"))
    with joined(hosts[0], GROUP):
        until_listens(switch, GROUP, "p0")
    assert len(told()) == 2


def test_others_behind_a_port_stay_when_one_leaves(lab: Lab):
    """The switch asks there; the kernel at the port answers for who is still in the group."""
    switch, hosts = lab.build("af_packet", 2, multicast={
        "snooping": ["igmp"], "leaving": "3s", "querier": {"vlans": [1]}})
    wire = hosts[1].wire()
    with joined(hosts[1], GROUP):
        until_listens(switch, GROUP, "p1")
        wire.send(igmp_report(hosts[1], GROUP, kind=0x17))
        asked = wire.collect(lambda frames: sum(is_query_of(GROUP, octets) for octets in frames) >= 2,
                             "two queries of the group")
        assert len({octets for octets in asked if is_query_of(GROUP, octets)}) == 1
        until(lambda: switch.show("multicast")["groups"][0]["age_s"] >= 4, "its time is over",
              2 * PATIENCE)
        assert groups(switch) == {address_of(GROUP): ["p1"]}
    until_listens(switch, GROUP)


def test_tshark_reads_the_queries_of_each_vlan(lab: Lab, tmp_path):
    """One host's port takes VLAN 10 with a tag."""
    lab.add_hosts(2)
    ports = lab.ports("af_packet")
    ports[1]["vlan"] = {"mode": "trunk", "native": 1}
    switch = lab.make_switch(ports, multicast={
        "snooping": ["igmp", "mld"], "querier": {"vlans": [1, 10], "address": "10.0.0.200"}})
    wire = lab.hosts[1].wire()
    switch.start()

    def kinds(frames: list[bytes]) -> set[bytes]:
        return {octets[12:24] for octets in frames}

    frames = wire.collect(lambda frames: len(kinds(frames)) >= 4, "of two protocols in two VLANs")
    fields = ("vlan.id", "ip.src", "igmp.version", "igmp.type", "icmpv6.type", "ip.opt.type",
              "igmp.checksum.status", "icmpv6.checksum.status", "ip.checksum.status",
              "_ws.malformed", "_ws.expert.message")
    rows = tshark.dissected(tmp_path, frames, *fields, checks=("ip.check_checksum",))
    by_igmp = [row for row in rows if "igmp.type" in row]
    assert {row.get("vlan.id", [""])[0] for row in by_igmp} == {"", "10"}
    for row in by_igmp:
        assert (row["ip.src"], row["igmp.version"], row["igmp.type"]) == \
            (["10.0.0.200"], ["3"], ["0x11"]), row
        assert row["igmp.checksum.status"] == row["ip.checksum.status"] == ["1"], row
        assert row["ip.opt.type"] == ["148"], "router alert"
    by_mld = [row for row in rows if "icmpv6.type" in row]
    assert {row.get("vlan.id", [""])[0] for row in by_mld} == {"", "10"}
    for row in by_mld:
        assert (row["icmpv6.type"], row["icmpv6.checksum.status"]) == (["130"], ["1"]), row
    assert len(by_igmp) + len(by_mld) == len(frames)
    assert not any("_ws.malformed" in row or "_ws.expert.message" in row for row in rows), rows


# --- what changes nothing -------------------------------------------------------------------------

def test_damaged_reports_do_nothing(lab: Lab, kind: str):
    switch, hosts = lab.build(kind, 2, multicast={"snooping": ["igmp", "mld"]})
    first, second = lab.wires()
    sound = igmp_report(hosts[0], GROUP)
    sound_6 = mld_report(hosts[0], GROUP_6)
    damaged = []
    for octets, places in ((sound, (22, 24, 40, 44)), (sound_6, (21, 30, 46, 66, 80))):
        for place in places:  # in the IP header, before the message, and in it
            worse = bytearray(octets)
            worse[place] ^= 0x40
            damaged.append(bytes(worse))
    last = frame(hosts[0].address, BROADCAST)
    first.send(*damaged, last)
    second.expect(last)
    assert groups(switch) == {}
    assert switch.drops() == {"membership_damaged": len(damaged)}
    first.send(sound, sound_6)
    until_equal(lambda: groups(switch),
                {address_of(GROUP): ["p0"], address_of(GROUP_6): ["p0"]}, "as they are they count")


def test_where_nobody_listens_reports_are_frames_like_any_other(lab: Lab):
    switch, hosts = lab.build("af_packet", 2, multicast={"snooping": ["igmp"], "vlans": ["10"]})
    first, second = lab.wires()
    report = igmp_report(hosts[0], GROUP)
    first.send(report)
    second.expect(report)
    assert groups(switch) == {} and switch.drops() == {}


def test_a_link_that_goes_down_leaves(lab: Lab):
    switch, hosts = lab.build("af_packet", 3, multicast={"snooping": ["igmp"]})
    first, second, third = lab.wires()
    second.send(igmp_report(hosts[1], GROUP))
    third.send(igmp_report(hosts[2], GROUP))
    until_listens(switch, GROUP, "p1", "p2")
    hosts[1].set_link(False)
    until_listens(switch, GROUP, "p2")


def test_when_all_places_are_taken_the_rest_is_flooded_and_counted(lab: Lab):
    switch, hosts = lab.build("af_packet", 3,
                              multicast={"snooping": ["igmp"], "capacity": 1})
    first, *others = lab.wires()
    others[0].send(igmp_report(hosts[1], GROUP), igmp_report(hosts[1], OTHER))
    until(lambda: switch.show("multicast")["full"] == 1, "the second found no place")
    assert who_gets(first, others, hosts[0].address, GROUP) == [True, False]
    assert who_gets(first, others, hosts[0].address, OTHER) == [True, True]


def test_two_workers_share_what_they_snoop(lab: Lab):
    switch, hosts = lab.build("af_packet", 4, multicast={"snooping": ["igmp"]},
                              workers={"count": 2})
    first, *others = lab.wires()
    with joined(hosts[1], GROUP), joined(hosts[2], GROUP):
        until_listens(switch, GROUP, "p1", "p2")
        assert who_gets(first, others, hosts[0].address, GROUP) == [True, True, False]
