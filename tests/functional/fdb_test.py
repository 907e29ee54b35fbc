"""The forwarding table: who is learned where, who moves, who is forgotten, who is fixed."""

import time

from frames import BROADCAST, frame
from lab import Lab
from waiting import until, until_equal

ROAMER = "02:00:00:00:05:05"


def test_a_station_that_moves_is_followed(lab: Lab, kind: str):
    switch, (one, two, three) = lab.build(kind, 3)
    first, second, third = lab.wires()
    for wire, port in ((second, two.port), (third, three.port), (second, two.port)):
        wire.send(frame(ROAMER, BROADCAST))
        until_equal(lambda: switch.fdb().get(ROAMER), port, "the table follows")
        for other in (first, second, third):
            if other is not wire:
                other.collect(len, "its broadcast")

        to_it, last = frame(one.address, ROAMER), frame(one.address, BROADCAST)
        first.send(to_it, last)
        for other in (second, third):
            other.expect(*([to_it, last] if other is wire else [last]))


def test_a_silent_station_is_forgotten_and_flooded_again(lab: Lab):
    switch, (one, two, three) = lab.build("af_packet", 3, fdb={"ageing": "1s"})
    first, second, third = lab.wires()
    start = time.monotonic()
    first.send(frame(one.address, BROADCAST))
    until(lambda: one.address in switch.fdb(), "it is learned")
    until(lambda: one.address not in switch.fdb(), "it is forgotten")
    assert 0.8 <= time.monotonic() - start < 5
    second.pending(), third.pending()

    to_it = frame(two.address, one.address)
    second.send(to_it)
    first.expect(to_it)
    third.expect(to_it)


def test_a_station_that_speaks_stays(lab: Lab):
    switch, (one, two) = lab.build("af_packet", 2, fdb={"ageing": "600ms"})
    wire = one.wire()
    end = time.monotonic() + 2
    wire.send(frame(one.address, BROADCAST))
    until(lambda: one.address in switch.fdb(), "it is learned")
    while (sent := time.monotonic()) < end:
        wire.send(frame(one.address, BROADCAST))
        known = switch.fdb()
        # Unless the machine stood still for so long that it was silent.
        assert known == {one.address: one.port} or time.monotonic() - sent > 0.5
    until_equal(switch.fdb, {}, "it is forgotten once it is silent")


def test_ageing_of_zero_is_never(lab: Lab):
    switch, (one, two) = lab.build("af_packet", 2, fdb={"ageing": "300ms"})
    one.wire().send(frame(one.address, BROADCAST))
    until_equal(switch.fdb, {}, "it is forgotten, so ageing works here")
    switch.apply(fdb={"ageing": 0})
    one.wire().send(frame(one.address, BROADCAST))
    until(lambda: switch.fdb(), "it is learned again")
    until(lambda: switch.show("fdb")[0]["age_s"] >= 1, "its age passes what ageing was")
    assert switch.fdb() == {one.address: one.port}


def refused_moves(switch) -> list[dict]:
    return [event for event in switch.show("events") if event["kind"] == "move_refused"]


def test_a_refused_move_is_said(lab: Lab):
    """As of a VRRP router that takes over: its frames are dropped, and the operator sees why."""
    virtual = "00:00:5e:00:01:33"
    switch, (one, two) = lab.build("af_packet", 2, fdb={"moves": "refuse"})
    first, second = lab.wires()
    first.send(frame(virtual, BROADCAST))
    until(lambda: virtual in switch.fdb(), "it is learned")
    assert refused_moves(switch) == []
    second.send(frame(virtual, BROADCAST), frame(virtual, BROADCAST))
    [event] = until(lambda: refused_moves(switch), "it is said")
    assert event["port"] == two.port
    assert event["text"].startswith(
        f"move of {virtual} in VLAN 1 refused: it stays at {one.port} (fdb.moves: refuse)")
    assert "VRRP" in event["text"]
    assert switch.drops() == {"moved_source": 2}


def test_a_static_entry_does_not_move(lab: Lab, kind: str):
    fixed = {"vlan": 1, "address": ROAMER, "port": "p1"}
    switch, (one, two, three) = lab.build(kind, 3, fdb={"static": [fixed]})
    first, second, third = lab.wires()
    [row] = switch.show("fdb")
    assert row == {**fixed, "family": "ethernet", "kind": "static", "vtep": None,
                   "vni": None, "age_s": 0}

    last = frame(three.address, BROADCAST)
    third.send(frame(ROAMER, BROADCAST), last)  # somebody else with its address
    first.expect(last)
    second.expect(last)
    assert switch.drops() == {"static_source": 1}
    [event] = until(lambda: refused_moves(switch), "it is said")
    assert event["port"] == "p2" and "stays at p1 (fdb.static)" in event["text"], event
    assert switch.fdb() == {ROAMER: "p1", three.address: "p2"}

    to_it, last = frame(one.address, ROAMER), frame(one.address, BROADCAST)
    first.send(to_it, last)
    second.expect(to_it, last)
    third.expect(last)

    own = frame(ROAMER, BROADCAST)  # at its own port it may speak
    second.send(own)
    first.expect(own)
    third.expect(own)


def test_flush_forgets_the_learned_and_keeps_the_static(lab: Lab):
    fixed = {"address": ROAMER, "port": "p1"}
    switch, (one, two) = lab.build("af_packet", 2, fdb={"static": [fixed]})
    one.wire().send(frame(one.address, BROADCAST))
    until_equal(switch.fdb, {one.address: "p0", ROAMER: "p1"}, "one is learned")
    switch.command("flush", "fdb")
    until_equal(switch.fdb, {ROAMER: "p1"}, "only the static entry is left")


def test_flush_may_be_of_a_vlan_or_a_port(lab: Lab):
    switch, (one, two) = lab.build("af_packet", 2)
    first, second = lab.wires()

    def learn():
        for vlan in (10, 20):
            first.send(frame(one.address, BROADCAST, vlan=vlan))
            second.send(frame(two.address, BROADCAST, vlan=vlan))
            until_equal(lambda: switch.fdb(vlan), {one.address: "p0", two.address: "p1"}, "both")
    learn()
    reply = switch.command("flush", "fdb", "--vlan", "10").stdout
    assert reply == "Every address learned in VLAN 10 is forgotten; static addresses stay.\n"
    until_equal(lambda: switch.fdb(10), {}, "VLAN 10 is forgotten")
    assert len(switch.fdb(20)) == 2

    learn()
    switch.command("flush", "fdb", "--port", "p1")
    until_equal(lambda: (switch.fdb(10), switch.fdb(20)),
                ({one.address: "p0"}, {one.address: "p0"}), "p1 is forgotten")
    said = [event["text"] for event in switch.show("events") if event["kind"] == "fdb_flushed"]
    assert said == ["every address learned in VLAN 10 forgotten",
                    "every address learned there forgotten"]

    refused = switch.command("flush", "fdb", "--port", "p9", check=False)
    assert refused.returncode == 2 and 'no port is called "p9"' in refused.stderr


def test_addresses_are_learned_in_their_vlan_only(lab: Lab):
    switch, (one, two) = lab.build("af_packet", 2)
    first, second = lab.wires()
    first.send(frame(ROAMER, BROADCAST, vlan=10))
    second.send(frame(ROAMER, BROADCAST, vlan=20))
    until_equal(lambda: (switch.fdb(10), switch.fdb(20), switch.fdb(1)),
                ({ROAMER: "p0"}, {ROAMER: "p1"}, {}), "one address in two VLANs")


def test_many_stations(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2)
    first, second = lab.wires()
    stations = [f"02:00:00:01:{number >> 8:02x}:{number & 255:02x}" for number in range(1000)]
    first.send(*(frame(station, BROADCAST) for station in stations), rate=5000)
    until_equal(switch.fdb, {station: "p0" for station in stations}, "all are learned")


def test_a_move_may_be_refused_until_the_link_goes(lab: Lab):
    switch, (one, two, three) = lab.build("af_packet", 3, fdb={"moves": "refuse"})
    first, second, third = lab.wires()
    first.send(frame(ROAMER, BROADCAST))
    until_equal(lambda: switch.fdb().get(ROAMER), "p0", "it is learned")
    second.send(frame(ROAMER, BROADCAST))
    switch.until_dropped("moved_source", 1, "p1")
    assert switch.fdb()[ROAMER] == "p0"

    one.namespace.ip("link", "set", "eth0", "down")
    until(lambda: ROAMER not in switch.fdb(), "its port has lost it")
    second.send(frame(ROAMER, BROADCAST))
    until_equal(lambda: switch.fdb().get(ROAMER), "p1", "it is known where it went")


def test_a_sticky_port_keeps_its_stations(lab: Lab):
    hosts = lab.add_hosts(2)
    ports = lab.ports("af_packet")
    ports[0]["fdb"] = {"sticky": True}
    switch = lab.make_switch(ports, fdb={"ageing": "300ms"}).start()
    first, second = lab.wires()
    first.send(frame(ROAMER, BROADCAST))
    second.send(frame(hosts[1].address, BROADCAST))
    until_equal(switch.fdb, {ROAMER: "p0"}, "only the sticky one is left")
    [row] = switch.show("fdb")
    assert row["kind"] == "sticky"
    hosts[0].namespace.ip("link", "set", "eth0", "down")
    until(lambda: switch.links()["p0"] == "down", "the link is lost")
    second.send(frame(ROAMER, BROADCAST))
    switch.until_dropped("moved_source", 1, "p1")
    switch.command("flush", "fdb", "--port", "p0")
    until(lambda: ROAMER not in switch.fdb(), "it is forgotten on request")


def test_a_full_table_may_refuse_strangers(lab: Lab):
    switch, (one, two) = lab.build("af_packet", 2, fdb={"capacity": 64, "when_full": "drop"})
    first, second = lab.wires()
    stations = [f"02:00:00:00:06:{number:02x}" for number in range(65)]
    first.send(*(frame(station, BROADCAST) for station in stations), rate=5000)
    switch.until_dropped("fdb_full", 1, "p0")
    assert set(switch.fdb()) == set(stations[:-1])
