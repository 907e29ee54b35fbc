"""DCBX: what a port and its peer advertise, what comes of it, and how it ends."""

import pathlib

import pytest

from frames import BROADCAST, frame, lldp, of_priority, pause
from lab import Lab
from lldpd import Lldpd
from switch import Switch
from tshark import decoded
from waiting import until, until_equal
from wire import Wire

GOLDEN = pathlib.Path(__file__).parents[1] / "support/dcbx_golden"
LLDP = {"enabled": True}  # what changes is said at once
PFC_3_AND_4 = bytes.fromhex("fe06 0080c2 0b 08 18")
PFC_NONE = bytes.fromhex("fe06 0080c2 0b 08 00")
WILLING = {"willing": ["pfc", "ets", "application"]}


def golden(*names: str) -> bytes:
    texts = ((GOLDEN / f"{name}.hex").read_text().splitlines() for name in names)
    return b"".join(bytes.fromhex("".join(line for line in lines if line[0] != "#"))
                    for lines in texts)


def row(switch: Switch, feature: str, port: str = "p0") -> dict:
    return next(row for row in switch.show("dcbx")
                if (row["port"], row["feature"]) == (port, feature))


def lossless(switch: Switch, port: str = "p0") -> list[int]:
    return [row["priority"] for row in switch.show("pfc", all=True)
            if row["port"] == port and row["lossless"]]


def until_lossless(switch: Switch, priorities: list[int], what: str, port: str = "p0") -> None:
    until_equal(lambda: lossless(switch, port), priorities, what)


def events(switch: Switch) -> list[str]:
    return [row["kind"].removeprefix("dcbx_") for row in switch.show("events")
            if row["kind"].startswith("dcbx")]


def test_a_port_advertises_what_it_is_set_to(lab: Lab, tmp_path):
    switch, (one,) = lab.build("af_packet", 1, lldp=LLDP, defaults={
        "lossless": [3], "scheduler": {"dwrr": {0: 30, 3: 70}},
        "application": [{"selector": "udp", "protocol": 4791, "priority": 3}]})
    octets = one.wire().receive(10)
    assert octets[12:14] == b"\x88\xcc"
    fields = {"lldp.dcbx.ieee.willing": "0", "lldp.dcbx.ieee.ets.maxtcs": "0",
              "lldp.dcbx.feature.pg.per0": "30", "lldp.dcbx.feature.pg.per3": "70",
              "lldp.dcbx.ieee.ets.tsa0": "2", "lldp.dcbx.ieee.ets.tsa7": "0",
              "lldp.dcbx.feature.pfc.prio3": "1", "lldp.dcbx.feature.pfc.prio4": "0",
              "lldp.dcbx.ieee.pfc.numtcs": "8", "lldp.dcbx.ieee.app.prio": "3",
              "lldp.dcbx.feature.app.proto": "4791"}
    (found,) = decoded(tmp_path, [octets], *fields, "_ws.expert.message")
    assert "_ws.expert.message" not in found
    assert {field: str(int(value, 0)) for field, value in found.items()} == fields


def test_a_port_that_is_not_willing_reports_a_peer_that_differs(lab: Lab, kind: str):
    switch, (one,) = lab.build(kind, 1, lldp=LLDP, defaults={"lossless": [3]})
    peer = Lldpd(one, "server")
    custom = ("lldp", "custom-tlv", "oui", "00,80,c2", "subtype", "11", "oui-info")
    peer.tell("configure", *custom, "08,18")
    until(lambda: row(switch, "pfc")["mismatch"], "it is reported")
    found = row(switch, "pfc")
    assert (found["oper"], found["peer"]) == ([3], [3, 4])
    assert (found["willing"], found["peer_willing"], found["pending"]) == (False, False, False)
    assert lossless(switch) == [3], "nothing follows from it"
    assert "3, 4" in switch.command("show", "dcbx").stdout

    peer.command("unconfigure", "lldp", "custom-tlv")
    peer.tell("configure", *custom, "08,08")
    until(lambda: not row(switch, "pfc")["mismatch"], "and that it is over")
    assert row(switch, "pfc")["mismatches"] == 1
    assert events(switch) == ["mismatch", "mismatch_over"]


def test_a_willing_port_does_as_its_peer_says_while_it_says_so(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, lldp=LLDP, defaults={"speed": "10M", "dcbx": WILLING})
    peer = Lldpd(two, "server")
    peer.tell("configure", "lldp", "custom-tlv", "oui", "00,80,c2", "subtype", "11",
              "oui-info", "08,18")
    until_lossless(switch, [3, 4], "both are lossless", "p1")
    assert lossless(switch, "p0") == []
    group = switch.pfc("p1", 4)
    assert group["headroom_bytes"] > 0 and group["xoff_bytes"] > 0

    # And it obeys pauses of what was lossy before.
    first, second = lab.wires()
    second.send(pause(two.address, p4=65535))
    until_equal(lambda: switch.pfc("p1", 4)["rx_pause"], 1, "the pause is received")
    held = of_priority(one.address, 4, 5)
    first.send(*held)
    until_equal(switch.waiting, 5, "the frames wait")
    second.send(pause(two.address, p4=0))
    until_equal(switch.waiting, 0, "and leave at XON")

    peer.stop()
    until_lossless(switch, [], "a shutdown ends it", "p1")
    assert events(switch) == ["applied", "reverted"]


def test_what_is_not_said_again_is_over_with_its_ttl(lab: Lab):
    switch, (one,) = lab.build("af_packet", 1, lldp=LLDP, defaults={"dcbx": WILLING})
    wire = one.wire()
    wire.send(lldp(one.address, "peer", ttl=2, more=PFC_3_AND_4))
    until_lossless(switch, [3, 4], "it is taken")
    until_lossless(switch, [], "it is too old")
    wire.send(lldp(one.address, "peer", more=PFC_3_AND_4))
    until_lossless(switch, [3, 4], "it is back")
    wire.send(lldp(one.address, "peer"))
    until_lossless(switch, [], "a frame without the TLV ends it as well")


def test_a_peers_fault_is_said(lab: Lab):
    """Shares of 99 %: an event, a column and a metric have it, and no answer is awaited."""
    switch, (one,) = lab.build("af_packet", 1, lldp=LLDP, defaults={"lossless": [3]})
    found = row(switch, "ets")
    assert (found["pending"], found["peer_faults"]) == (False, []), "there is no peer"
    shares = bytes.fromhex("fe19 0080c2 09 00 00000000 6300000000000000 0202020202020202")
    one.wire().send(lldp(one.address, "peer", more=shares))
    until_equal(lambda: row(switch, "ets")["peer_faults"], ["bandwidth"], "it is seen")
    until(lambda: "fault" in events(switch), "it is said")
    found = row(switch, "ets")
    assert (found["peer"], found["pending"], found["fault_count"]) == (None, False, 1)
    assert "bandwidth" in switch.command("show", "dcbx").stdout
    one.wire().send(lldp(one.address, "peer", more=PFC_3_AND_4))
    until(lambda: "fault_over" in events(switch), "it is over")


def test_of_two_neighbours_none_is_listened_to(lab: Lab):
    switch, (one,) = lab.build("af_packet", 1, lldp=LLDP,
                               defaults={"lossless": [5], "dcbx": WILLING})
    wire = one.wire()
    wire.send(lldp(one.address, "a", more=PFC_3_AND_4))
    until_lossless(switch, [3, 4], "the first is listened to")
    wire.send(lldp("02:00:00:00:99:01", "b", more=PFC_NONE))
    until_lossless(switch, [5], "a second one: as it is written")
    assert row(switch, "pfc")["peer"] is None
    assert row(switch, "pfc")["faults"] == {"many_neighbours": 1}
    assert row(switch, "pfc")["peers"] == 2
    assert "2 peers: all are ignored" in switch.command("show", "dcbx").stdout
    wire.send(lldp("02:00:00:00:99:01", "b", ttl=0))
    until_lossless(switch, [3, 4], "the first is alone again")
    assert events(switch) == ["applied", "many_peers", "reverted", "many_peers_over", "applied"]
    assert [line["text"] for line in switch.show("events") if line["kind"] == "dcbx_reverted"] == [
        "pfc: 5, as configured; 2 neighbours speak DCBX, so all are ignored"]


def test_an_agent_without_dcbx_is_no_peer(lab: Lab):
    switch, (one,) = lab.build("af_packet", 1, lldp=LLDP, defaults={"dcbx": WILLING})
    wire = one.wire()
    wire.send(lldp("02:00:00:00:99:01", "peer", more=PFC_3_AND_4))
    until_lossless(switch, [3, 4], "it is taken")
    other = Lldpd(one, "server")
    until(other.neighbours, "the switch is its neighbour")
    other.command("update")
    until_equal(lambda: len(switch.show("lldp")[0]["neighbours"]), 2, "there is another agent")
    assert row(switch, "pfc")["peers"] == 1
    assert lossless(switch) == [3, 4] and events(switch) == ["applied"]


def test_a_link_that_goes_down_ends_it(lab: Lab):
    switch, (one,) = lab.build("af_packet", 1, lldp=LLDP, defaults={"dcbx": WILLING})
    one.wire().send(lldp(one.address, "peer", more=PFC_3_AND_4))
    until_lossless(switch, [3, 4], "it is taken")
    one.set_link(False)
    until_lossless(switch, [], "it is over")
    one.set_link(True)
    until(lambda: switch.links()["p0"] == "up", "the link is back")
    one.wire().send(lldp(one.address, "peer", more=PFC_3_AND_4))
    until_lossless(switch, [3, 4], "it is taken again")


def test_new_settings_hold_at_once(lab: Lab):
    switch, (one,) = lab.build("af_packet", 1, lldp=LLDP, defaults={"dcbx": WILLING})
    one.wire().send(lldp(one.address, "peer", more=PFC_3_AND_4))
    until_lossless(switch, [3, 4], "it is taken")
    switch.apply(defaults={"lossless": [5]})
    assert lossless(switch) == [5], "the port is not willing any more"
    assert row(switch, "pfc")["mismatch"]
    switch.apply(defaults={"lossless": [5], "dcbx": WILLING})
    assert lossless(switch) == [3, 4], "its peer is still there"
    switch.apply(defaults={"lossless": [5], "dcbx": {"mode": "disabled"}})
    assert lossless(switch) == [5] and switch.show("dcbx") == []


def test_bandwidth_and_applications_are_taken_from_a_peer(lab: Lab):
    switch, (one,) = lab.build("af_packet", 1, lldp=LLDP, defaults={"dcbx": WILLING})
    one.wire().send(lldp(one.address, "peer", more=golden(
        "ieee_ets", "ieee_recommendation", "ieee_pfc", "ieee_application")))
    until(lambda: row(switch, "ets")["from_peer"], "it is taken")
    assert row(switch, "ets")["oper"] == [
        {"class": 0, "priorities": [0, 1, 2, 4, 5], "selection": "ets", "bandwidth": 30},
        {"class": 1, "priorities": [3], "selection": "ets", "bandwidth": 70},
        {"class": 2, "priorities": [6, 7], "selection": "strict", "bandwidth": 0}]
    assert row(switch, "application")["oper"][0] == {
        "selector": "ether_type", "protocol": 0x8906, "priority": 3}


def test_frames_are_classified_as_a_peer_says(lab: Lab):
    switch, (one, two) = lab.build("af_packet", 2, lldp=LLDP, defaults={"dcbx": WILLING})
    first, second = lab.wires()
    of_fcoe = bytearray(frame(one.address, BROADCAST))
    of_fcoe[12:14] = (0x8906).to_bytes(2, "big")

    def enqueued() -> dict[int, int]:
        """By priority, of what came in where the peer is."""
        return {line["priority"]: line["enqueued"] for line in switch.show("queues", all=True)
                if (line["input"], line["output"]) == ("p0", "p1") and line["enqueued"]}

    first.send(bytes(of_fcoe))
    until(lambda: bytes(of_fcoe) in second.pending(), "it arrives")
    assert enqueued() == {0: 1}
    first.send(lldp(one.address, "peer", more=golden("ieee_application")))
    until(lambda: row(switch, "application")["from_peer"], "it is taken")
    first.send(bytes(of_fcoe))
    until(lambda: bytes(of_fcoe) in second.pending(), "it arrives")
    assert enqueued() == {0: 1, 3: 1}


def shares_of(first: int, second: int) -> bytes:
    """ETS and its recommendation: priority 3 in a class of its own, the second; percentages."""
    tables = b"\0\1\0\0" + bytes([first, second, 0, 0, 0, 0, 0, 0]) + b"\2\2" + bytes(6)
    return b"".join(bytes.fromhex(head) + tables for head in ("fe190080c20900", "fe190080c20a00"))


def measured_share(sender: Wire, receiver: Wire, source: str, destination: str) -> float:
    """Of priority 3, in percent of what leaves while both priorities wait."""
    of_both = zip(of_priority(source, 0, 1000, 1000, destination),
                  of_priority(source, 3, 1000, 1000, destination))
    sent = [octets for pair in of_both for octets in pair]
    ours = frozenset(sent)
    sender.send(*sent, rate=20_000)
    received = receiver.collect(lambda received: len(received) >= len(sent), "all arrive")
    waiting_for_both = [octets for octets in received if octets in ours][100:1100]
    return sum(octets[14] >> 5 == 3 for octets in waiting_for_both) / 10


def test_what_leaves_is_shared_as_the_peer_says(lab: Lab):
    lab.add_hosts(2)
    one, two = lab.hosts
    ports = lab.ports("af_packet", dcbx=WILLING)
    ports[0]["rate"] = "4M"
    switch = lab.make_switch(ports, lldp=LLDP).start()
    first, second = lab.wires()
    first.send(frame(one.address, BROADCAST))
    for share in (70, 20):
        first.send(lldp(one.address, "peer", more=shares_of(100 - share, share)))
        until(lambda: [line["bandwidth"] for line in row(switch, "ets")["oper"]][1] == share,
              "it is taken")
        assert abs(measured_share(second, first, two.address, one.address) - share) < 2


def test_an_automatic_port_answers_cee_in_cee(lab: Lab):
    switch, (one,) = lab.build("af_packet", 1, lldp=LLDP, defaults={"dcbx": WILLING})
    wire = one.wire()
    assert row(switch, "pfc")["dialect"] == "ieee"
    wire.send(lldp(one.address, "peer", more=golden("cee")))
    until_lossless(switch, [3], "it is taken")
    assert row(switch, "pfc")["dialect"] == "cee"
    wire.collect(lambda received: any(b"\x00\x1b\x21\x02" in octets for octets in received), "CEE")
    wire.send(lldp(one.address, "peer", more=golden("cee") + PFC_3_AND_4))
    until_lossless(switch, [3, 4], "with both, IEEE counts")
    assert row(switch, "pfc")["dialect"] == "ieee"


def cee(features: str) -> bytes:
    body = bytes.fromhex("001b2102 020a 0000 00000001 00000001" + features)
    return (127 << 9 | len(body)).to_bytes(2, "big") + body


def test_what_a_cee_peer_has_off_is_no_error_and_its_own_error_is_not_followed(lab: Lab):
    switch, (one,) = lab.build("af_packet", 1, lldp=LLDP, defaults={
        "lossless": [5], "scheduler": {"dwrr": {0: 40, 3: 60}}, "dcbx": {"willing": ["pfc"]}})
    wire = one.wire()
    groups = "0411 00008000 01234567 6400000000000000 08"

    def flags(octets: bytes) -> list[int]:
        """Of the groups and of PFC: Enable, Willing, Error."""
        return [octets[octets.index(head) + 4] for head in (b"\x04\x11\0\0", b"\x06\x06\0\0")]

    def said(why: str, *expected: int) -> None:
        wire.collect(lambda received: any(b"\x00\x1b\x21\x02" in octets and
                                          flags(octets) == list(expected)
                                          for octets in received), why)

    wire.send(lldp(one.address, "peer", more=cee(groups + "0606 00008000 1808")))
    until_lossless(switch, [3, 4], "it is taken")
    said("groups that differ are no error", 0x80, 0xC0)
    assert not row(switch, "ets")["mismatch"]

    wire.send(lldp(one.address, "peer", more=cee(groups + "0606 0000a000 1808")))
    until_lossless(switch, [5], "a peer in error is not followed")
    found = row(switch, "pfc")
    assert (found["peer_error"], found["mismatch_reason"]) == (True, "peer_error")
    assert "3, 4; in error" in switch.command("show", "dcbx").stdout

    wire.send(lldp(one.address, "peer", more=cee(groups + "0606 00000000 1808")))
    until(lambda: row(switch, "pfc")["peer_enabled"] is False, "it has PFC off")
    found = row(switch, "pfc")
    assert (found["mismatch"], found["peer"], found["pending"]) == (False, [3, 4], False)
    wire.send(lldp(one.address, "peer", more=cee(groups)))
    until_equal(lambda: row(switch, "pfc")["mismatch_reason"], "missing", "now it has none")
    said("which is an error", 0x80, 0xE0)


def test_more_than_a_peer_can_pause_is_taken_and_reported(lab: Lab):
    switch, (one,) = lab.build("af_packet", 1, lldp=LLDP, defaults={
        "speed": "10M", "dcbx": WILLING})
    one.wire().send(lldp(one.address, "peer", more=bytes.fromhex("fe06 0080c2 0b 42 ff")))
    until_lossless(switch, list(range(8)), "it is taken")
    found = row(switch, "pfc")
    assert (found["peer_pfc_capability"], found["peer_macsec_bypass"]) == (2, True)
    assert found["mismatch_reason"] == "capability"
    assert events(switch) == ["applied", "mismatch"]
    assert "2 paused at a time, MACsec bypass" in switch.command("show", "dcbx").stdout


def test_what_a_peer_recommends_may_differ_from_what_it_has(lab: Lab):
    switch, (one,) = lab.build("af_packet", 1, lldp=LLDP, defaults={"dcbx": WILLING})
    has = "fe19 0080c2 09 43 00112222 283c000000000000 0202000000000000"
    one.wire().send(lldp(one.address, "peer",
                         more=bytes.fromhex(has) + golden("ieee_recommendation")))
    until(lambda: row(switch, "ets")["from_peer"], "it is taken")
    found = row(switch, "ets")
    assert not found["mismatch"] and found["oper"] == found["recommended"] != found["peer"]
    assert (found["peer_max_classes"], found["peer_credit_based_shaper"]) == (3, True)


def test_malformed_tlvs_are_absent_and_counted(lab: Lab):
    switch, (one, two) = lab.build("af_packet", 2, lldp=LLDP, defaults={"dcbx": WILLING})
    first, second = lab.wires()
    bad = {"length": "fe05 0080c2 0b 08", "traffic_class": "fe06 0080c2 0b 0f 18",
           "table_length": "fe07 0080c2 0c 00 6189", "other_dialect": "fe05 0080c2 08 03",
           "bandwidth": "fe19 0080c2 09 00 00000000 6300000000000000 0200000000000000"}
    for number, (fault, text) in enumerate(bad.items()):
        first.send(lldp(one.address, "peer", name=b"%d" % number, more=bytes.fromhex(text)))
        until_equal(lambda: row(switch, "pfc")["faults"].get(fault), 1, f"{fault} is counted")
    assert row(switch, "pfc")["faults"] == dict.fromkeys(bad, 1)
    assert lossless(switch) == []
    last = frame(one.address, two.address)
    first.send(last)
    second.collect(lambda received: last in received, "frames pass")


@pytest.mark.parametrize("mode", ["ieee", "draft0409", "cee", "auto"])
def test_two_switches_agree_in_each_dialect(lab: Lab, mode: str):
    lab.namespace.ip("link", "add", "ab", "type", "veth", "peer", "name", "ba")
    for end in ("ab", "ba"):
        lab.namespace.ip("link", "set", end, "up")
    announced = {"lossless": [3], "scheduler": {"dwrr": {0: 40, 3: 60}},
                 "application": [{"selector": "ethertype", "protocol": 0x8906, "priority": 3}],
                 "dcbx": {"mode": mode}}
    leaf = lab.make_switch([{"name": "p0", "device": "af_packet:ab", **announced}], lldp=LLDP).start()
    host = lab.make_switch(
        [{"name": "p0", "device": "af_packet:ba", "dcbx": {"mode": mode, **WILLING},
          "scheduler": {"dwrr": {0: 50, 3: 50}}}], lldp=LLDP).start()
    until_lossless(host, [3], "the willing one follows")
    until(lambda: row(host, "ets")["from_peer"], "in bandwidths as well")
    shares = {share["class"]: share["bandwidth"] for share in row(host, "ets")["oper"]}
    assert (shares[0], shares[3]) == (40, 60)
    assert row(host, "application")["oper_text"] == "ether_type 0x8906: 3"
    for switch in (leaf, host):
        until(lambda: not any(row(switch, feature)["pending"] for feature in ("pfc", "ets")),
              "they come to rest")
        assert not any(line["mismatch"] for line in switch.show("dcbx"))
        assert row(switch, "pfc")["faults"] == {}
    assert lossless(leaf) == [3]

    leaf.stop()
    until_lossless(host, [], "a switch that stops says so")


def test_a_port_that_holds_sends_once_the_peers_defences_are_off(lab: Lab):
    switch, (one, two) = lab.build("af_packet", 2, lldp=LLDP, defaults={
        "lossless": [3], "dcbx": {"mode": "draft0409", "hold": True}})
    first, second = lab.wires()
    held = of_priority(one.address, 3, 5)
    first.send(*held)
    until_equal(switch.waiting, 5, "nobody said anything")
    pfc_3_defended, pfc_3 = (bytes.fromhex(f"fe07 0080c2 0b 08 08 {on}") for on in ("08", "00"))
    second.send(lldp(two.address, "peer", more=pfc_3_defended))
    until_equal(lambda: row(switch, "pfc", "p1")["peer"], [3], "the peer is heard")
    assert row(switch, "pfc", "p1")["held"] == [3] and switch.waiting() == 5
    assert "holds 3" in switch.command("show", "dcbx").stdout
    second.send(lldp(two.address, "peer", more=pfc_3))
    until_equal(switch.waiting, 0, "and they leave")
    assert [octets for octets in second.pending() if octets in held] == held
    until_equal(lambda: events(switch), ["hold", "hold", "hold_over"], "of both ports, and of one")


def test_a_port_says_that_it_has_no_congestion_notification_and_shows_the_peers(lab: Lab, tmp_path):
    """IEEE's on p0, as tshark decodes it; 0409v3's on p1, which tshark takes for EVB's."""
    one, two = lab.add_hosts(2)
    ports = lab.ports("af_packet")
    ports[1]["dcbx"] = {"mode": "draft0409"}
    switch = lab.make_switch(ports, lldp=LLDP, defaults={"dcbx": {"congestion": True}}).start()
    first, second = lab.wires()
    masks = [f"lldp.ieee.802_1qau.{mask}.prio{n}" for mask in ("cnpv", "ready") for n in range(8)]
    (found,) = decoded(tmp_path, [first.receive(10)], *masks, "_ws.malformed",
                       "_ws.expert.message")
    assert {field: int(value) for field, value in found.items()} == dict.fromkeys(masks, 0)
    none_here = bytes.fromhex("fe07 0080c2 0d 00 00 00")
    assert none_here in second.receive(10)
    (found,) = decoded(tmp_path, [lldp(two.address, "alone", more=none_here)], "_ws.malformed",
                       "_ws.expert.message")
    assert found == {}

    first.send(lldp(one.address, "peer", more=golden("ieee_congestion")))
    second.send(lldp(two.address, "peer", more=bytes.fromhex("fe07 0080c2 0d 00 10 10")))
    until(lambda: row(switch, "congestion", "p1")["mismatch"], "in 0409v3 they are to be alike")
    assert row(switch, "congestion", "p1")["peer_text"] == "4; discards 4"
    assert (row(switch, "congestion")["peer_text"], row(switch, "congestion")["mismatch"]) == \
        ("3, 4; ready 3", False)
    assert "3, 4; ready 3" in switch.command("show", "dcbx").stdout
    until_equal(lambda: events(switch), ["mismatch"], "one")
