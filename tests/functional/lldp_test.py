"""LLDP: lldpd and the switch see each other; what comes, changes, goes, or is a flood."""

from frames import BROADCAST, frame, lldp, lldp_ttl, of_priority
from lab import Lab
from lldpd import SLOW, Lldpd
from switch import Switch
from tshark import decoded
from waiting import until, until_equal

FAST = {"interval": "1s", "system_name": "sw1", "management_address": "192.0.2.1"}


def neighbours(switch: Switch, port: str) -> list[dict]:
    return next(row for row in switch.show("lldp") if row["port"] == port)["neighbours"]


def chassis_of(switch: Switch, port: str) -> list[str]:
    return [row["chassis_id"] for row in neighbours(switch, port)]


def events(switch: Switch, port: str) -> list[str]:
    return [row["kind"].removeprefix("lldp_neighbour_") for row in switch.show("events")
            if row["port"] == port and row["kind"].startswith("lldp")]


def test_a_second_link_to_the_same_bridge_is_reported(lab: Lab):
    """Here a cable between two ports; a tree takes care of it."""
    switch = lab.make_switch([{"name": "one", "device": "ring:cable/a"}, {"name": "two", "device": "ring:cable/b"}],
                             lldp={"interval": "1s"}).start()

    def reported() -> list[tuple[str, str]]:
        return [(row["kind"], row["port"]) for row in switch.show("events")
                if row["kind"].startswith("parallel_links")]
    until_equal(reported, [("parallel_links", "two")], "it is reported, at one end")
    (text,) = {row["text"] for row in switch.show("events") if row["kind"] == "parallel_links"}
    assert text.startswith("is cabled to one of this switch, and both have VLAN 1: ")
    switch.apply(spanning_tree={"mode": "rstp"})
    until_equal(reported, [("parallel_links", "two"), ("parallel_links_over", "two")], "a tree runs")


def is_lldp(octets: bytes) -> bool:
    return octets[12:14] == b"\x88\xcc"


def test_lldpd_and_the_switch_see_each_other(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, lldp=FAST)
    peer = Lldpd(one, "server1")

    (received,) = until(peer.neighbours, "the switch is lldpd's neighbour", SLOW)
    assert received["name"] == "eth0"
    (chassis,), (port,) = received["chassis"], received["port"]
    assert chassis["id"][0]["type"] == "mac"
    assert chassis["id"][0]["value"] == switch.show("lldp")[0]["chassis_id"]
    assert chassis["name"][0]["value"] == "sw1"
    assert chassis["descr"][0]["value"] == "Sluice, a lossless Ethernet switch in software"
    assert chassis["mgmt-ip"][0]["value"] == "192.0.2.1"
    assert {"type": "Bridge", "enabled": True} in chassis["capability"]
    assert port["id"] == [{"type": "ifname", "value": "p0"}]
    assert port["descr"] == [{"value": "p0"}]
    assert port["ttl"] == [{"value": "5"}]

    (seen,) = until(lambda: neighbours(switch, "p0"), "lldpd is the switch's neighbour")
    until_equal(lambda: neighbours(switch, "p0")[0]["system_name"], "server1", "its name is seen")
    assert seen["port_id"] == one.address
    assert seen["source"] == one.address
    assert neighbours(switch, "p1") == []

    peer.stop()
    until(lambda: not neighbours(switch, "p0"), "lldpd's shutdown is received")
    assert [events(switch, "p0")[0], events(switch, "p0")[-1]] == ["added", "removed"]


def test_lldpd_is_notified_when_the_switch_stops(lab: Lab, kind: str):
    switch, (one,) = lab.build(kind, 1, lldp=FAST)
    peer = Lldpd(one, "server1")
    until(peer.neighbours, "the switch is lldpd's neighbour", SLOW)
    switch.stop()
    until(lambda: not peer.neighbours(), "lldpd receives a shutdown")


def test_a_frame_says_what_others_read(lab: Lab, tmp_path):
    switch, (one,) = lab.build("af_packet", 1, lldp=FAST)
    wire = one.wire()
    received = wire.collect(lambda received: any(map(is_lldp, received)), "LLDP")
    octets = next(filter(is_lldp, received))
    ours = switch.show("lldp")[0]
    (fields,) = decoded(tmp_path, [octets], "eth.dst", "eth.src", "lldp.chassis.id.mac",
                        "lldp.port.id", "lldp.time_to_live", "lldp.port.desc",
                        "lldp.tlv.system.name", "lldp.mgn.addr.ip4",
                        "lldp.tlv.system_cap.bridge", "lldp.tlv.enable_system_cap.bridge",
                        "_ws.expert.message")
    assert fields == {
        "eth.dst": "01:80:c2:00:00:0e", "eth.src": switch.port("p0")["address"],
        "lldp.chassis.id.mac": ours["chassis_id"], "lldp.port.id": "p0", "lldp.time_to_live": "5",
        "lldp.port.desc": "p0", "lldp.tlv.system.name": "sw1", "lldp.mgn.addr.ip4": "192.0.2.1",
        "lldp.tlv.system_cap.bridge": "1", "lldp.tlv.enable_system_cap.bridge": "1"}
    assert lldp_ttl(octets) == 5


def test_a_neighbour_is_believed_for_its_ttl(lab: Lab):
    switch, (one,) = lab.build("af_packet", 1, lldp={"enabled": True})
    one.wire().send(lldp(one.address, "brief", ttl=2))
    until_equal(lambda: chassis_of(switch, "p0"), ["brief"], "it is there")
    until_equal(lambda: chassis_of(switch, "p0"), [], "it is not believed any more")
    assert switch.show("lldp")[0]["ageouts"] == 1
    assert events(switch, "p0") == ["added", "removed"]


def test_a_shutdown_removes_one_neighbour_alone(lab: Lab):
    switch, (one,) = lab.build("af_packet", 1, lldp={"enabled": True})
    wire = one.wire()
    wire.send(lldp(one.address, "a"), lldp(one.address, "b"), lldp(one.address, "a", ttl=0))
    until_equal(lambda: chassis_of(switch, "p0"), ["b"], "only one is left")


def test_each_group_address_is_heard_and_by_setting_spoken(lab: Lab, kind: str):
    """As systemd-networkd and phones use them: neighbours of each address are others, and DCBX's
    peer is the nearest bridge alone."""
    others = {"nearest_non_tpmr_bridge": "01:80:c2:00:00:03",
              "nearest_customer_bridge": "01:80:c2:00:00:00"}
    switch, (one,) = lab.build(kind, 1, lldp={"interval": "1s"}, defaults={
        "lldp": {"destinations": ["nearest_bridge", *others]}})
    wire = one.wire()
    wire.send(lldp(one.address, "host"), *(lldp(one.address, "host", to=to)
                                           for to in others.values()))
    until_equal(lambda: sorted(row["destination"] for row in neighbours(switch, "p0")),
                ["nearest_bridge", *reversed(others)], "all three are heard")
    assert chassis_of(switch, "p0") == ["host"] * 3
    assert switch.show("dcbx")[0]["peers"] == 0
    spoken = wire.collect(
        lambda frames: len({octets[:6] for octets in frames if is_lldp(octets)}) == 3,
        "LLDP to all three")
    assert {octets[:6].hex(":") for octets in spoken if is_lldp(octets)} == \
        {"01:80:c2:00:00:0e", *others.values()}


def test_a_tag_of_no_vlan_is_none(lab: Lab):
    switch, (one,) = lab.build("af_packet", 1, lldp={"enabled": True})
    one.wire().send(lldp(one.address, "tagged", priority=7))
    until_equal(lambda: chassis_of(switch, "p0"), ["tagged"], "it is received")


def test_one_as_long_as_the_mtu_and_tagged_is_received(lab: Lab):
    switch, (one,) = lab.build("af_packet", 1, lldp={"enabled": True})
    unknown = b"".join((127 << 9 | length).to_bytes(2, "big") + bytes.fromhex("00010203") +
                       bytes(length - 4) for length in (511, 511, 430))
    longest = lldp(one.address, "big", priority=7, more=unknown)
    assert len(longest) == 14 + 4 + 1500
    one.wire().send(longest)
    until_equal(lambda: chassis_of(switch, "p0"), ["big"], "it is received")


def test_words_of_strangers_write_on_no_terminal(lab: Lab):
    switch, (one,) = lab.build("af_packet", 1, lldp={"enabled": True})
    one.wire().send(lldp(one.address, "a", name=b"\x1b[2Jevil\xff\n"))
    (seen,) = until(lambda: neighbours(switch, "p0"), "it is received")
    assert seen["system_name"] == r"\x1B[2Jevil\xFF\x0A"
    for noun in ("lldp", "events"):
        shown = switch.command("show", noun).stdout
        assert r"\x1B[2Jevil\xFF\x0A" in shown and "\x1b" not in shown


def test_a_flood_of_neighbours_is_bounded(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, lldp={"enabled": True})
    wire, quiet = lab.wires()
    wire.send(lldp(one.address, "first"))
    until(lambda: neighbours(switch, "p0"), "the first is there")
    flood = [lldp(one.address, f"n{number}") for number in range(2000)]
    wire.send(*flood, rate=1000)
    last = frame(one.address, BROADCAST)
    wire.send(last)
    until(lambda: last in quiet.pending(), "data still passes")
    assert len(chassis_of(switch, "p0")) == 4 and "first" in chassis_of(switch, "p0")
    assert switch.show("lldp")[0]["too_many_neighbours"]
    drops = switch.drops("p0")
    assert drops["lldp"] + drops["lldp_limit"] == 2001
    assert drops["lldp"] <= 32 * 10
    until_equal(lambda: switch.show("lldp")[0]["frames_in"], drops["lldp"], "all were taken")
    assert len(events(switch, "p0")) == 4
    quiet.send(lldp(two.address, "other"))
    until_equal(lambda: chassis_of(switch, "p1"), ["other"], "another port is not hurt")


def test_a_link_takes_its_neighbours_with_it(lab: Lab):
    switch, (one,) = lab.build("af_packet", 1, lldp={"enabled": True})
    wire = one.wire()
    wire.send(lldp(one.address, "a"))
    until(lambda: neighbours(switch, "p0"), "it is there")
    one.set_link(up=False)
    until(lambda: not neighbours(switch, "p0"), "it is gone with the link")
    before = switch.show("lldp")[0]["frames_out"]
    one.set_link(up=True)
    until(lambda: switch.show("lldp")[0]["frames_out"] >= before + 4, "it starts fast")


def test_lldp_overtakes_a_backlog(lab: Lab, kind: str):
    one, two = lab.add_hosts(2)
    ports = lab.ports(kind)
    ports[0]["rate"] = "2M"
    switch = lab.make_switch(ports, lldp=FAST).start()
    slow, fast = lab.wires()
    burst = of_priority(two.address, 0, 1500, length=1500)  # 9 s at 2 Mb/s
    fast.send(*burst, rate=3000)
    assert switch.waiting() > 100
    slow.pending()  # what came before the backlog
    seen = slow.collect(lambda received: sum(map(is_lldp, received)) >= 2, "two frames of LLDP")
    assert switch.waiting() > 100, "and the backlog still stands"
    assert len(seen) > 2
    fast.send(lldp(two.address, "busy"))
    until_equal(lambda: chassis_of(switch, "p1"), ["busy"], "LLDP is received")
    two.set_link(up=False)
    one.set_link(up=False)  # nobody waits for the rest
    until(lambda: switch.waiting() == 0, "the backlog is dropped")


def test_what_is_applied_holds_at_once(lab: Lab):
    switch, (one,) = lab.build("af_packet", 1, lldp={"system_name": "before"})
    wire = one.wire()

    def is_shutdown(octets: bytes) -> bool:
        return is_lldp(octets) and lldp_ttl(octets) == 0

    def says_after(octets: bytes) -> bool:
        return is_lldp(octets) and b"after" in octets
    wire.collect(lambda received: any(map(is_lldp, received)), "LLDP")
    switch.apply(lldp={"system_name": "after"})
    wire.collect(lambda received: any(map(says_after, received)), "the new name")
    switch.apply(lldp={"enabled": False})
    wire.collect(lambda received: any(map(is_shutdown, received)), "a shutdown")
