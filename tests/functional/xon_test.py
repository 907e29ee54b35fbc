"""Whom a switch that fills up pauses, and that it always sends XON: when the group drains, when its
priority stops being lossless, and when the switch leaves."""

import signal

from frames import MAC_CONTROL, of_priority, pause, times, without_the_hosts_own
from lab import Lab
from switch import Switch
from tshark import decoded_pauses
from waiting import until, until_equal

LONGEST = 65535  # quanta: 34 s at 1M
FILLS_EARLY = {"xoff": "16KiB", "xon": "8KiB", "headroom": "256KiB", "pause": LONGEST}
SLOW = {"speed": "1M", "pfc": FILLS_EARLY}
FILLING = 30  # frames of 1000 octets: beyond XOFF, though 8 KiB of them wait behind the fabric


def fills(lab: Lab, switch: Switch, *priorities: int) -> list[bytes]:
    """p1 is stuck in these priorities, and p0 pauses its peer for each; returns what waits."""
    first, second = [host.wire() for host in lab.hosts]
    second.send(pause(lab.hosts[1].address, **{f"p{priority}": LONGEST for priority in priorities}))
    sent = []
    for priority in priorities:
        until_equal(lambda: switch.pfc("p1", priority)["rx_pause"], 1, "the pause is received")
        sent += of_priority(lab.hosts[0].address, priority, FILLING, length=1000)
        first.send(*sent[-FILLING:])
        until(lambda: switch.pfc("p0", priority)["pausing"], "the sender is paused")
    until_equal(switch.waiting, len(sent), "all wait")
    return sent


def known(lab: Lab) -> dict:
    """Where each host is, so that no frame is flooded."""
    return {"static": [{"address": host.address, "port": host.port} for host in lab.hosts]}


def is_resumed(received: list[bytes]) -> bool:
    return bool(received) and set(times(received[-1]).values()) == {0}


# --- it is resumed --------------------------------------------------------------------------------

def test_when_the_group_drains(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, defaults={**SLOW, "lossless": [3]})
    first, second = lab.wires()
    held = fills(lab, switch, 3)
    received = first.pending()
    assert [times(octets) for octets in received] == [{3: LONGEST}] * len(received) and received
    second.send(pause(two.address, p3=0))
    second.expect(*held)
    assert is_resumed(first.collect(is_resumed, "the XON"))
    row = switch.pfc("p0", 3)
    assert not row["pausing"] and row["tx_resume"] == 1 and row["pausing_ns"] > 0
    assert switch.drops() == {"mac_control": 2}


def test_when_its_priority_stops_being_lossless(lab: Lab, kind: str):
    switch, _ = lab.build(kind, 2, defaults={**SLOW, "lossless": [3]})
    first, second = lab.wires()
    held = fills(lab, switch, 3)
    switch.apply(defaults={**SLOW, "lossless": []})
    assert is_resumed(first.collect(is_resumed, "the XON"))
    second.expect(*held)  # and its own pause is no longer honoured
    assert not switch.pfc("p0", 3)["pausing"] and switch.pfc("p0", 3)["tx_resume"] == 1
    # What comes from here on is lossy, and nobody is paused for it.
    second.send(pause(lab.hosts[1].address, p3=LONGEST))
    flowing = of_priority(lab.hosts[0].address, 3, FILLING, length=1000)
    first.send(*flowing)
    second.expect(*flowing)
    assert first.pending() == []


def test_when_one_of_two_priorities_stops_being_lossless(lab: Lab, kind: str):
    """The other stays paused."""
    switch, (one, two) = lab.build(kind, 2, defaults={**SLOW, "lossless": [3, 4]})
    first, second = lab.wires()
    held = fills(lab, switch, 3, 4)
    switch.apply(defaults={**SLOW, "lossless": [4]})
    received = first.collect(lambda frames: bool(frames) and times(frames[-1]).get(3) == 0,
                             "the XON")
    assert times(received[-1]) == {3: 0, 4: LONGEST}
    second.expect(*held[:FILLING])
    assert switch.pfc("p0", 4)["pausing"] and switch.waiting() == FILLING
    second.send(pause(two.address, p4=0))
    second.expect(*held[FILLING:])
    assert is_resumed(first.collect(is_resumed, "the other XON"))


def test_when_the_switch_leaves(lab: Lab, kind: str):
    """Two priorities that change together are one frame, and a legal one."""
    switch, _ = lab.build(kind, 2, defaults={**SLOW, "lossless": [3, 4]})
    first, _ = lab.wires()
    fills(lab, switch, 3, 4)
    pauses = first.collect(lambda frames: bool(frames) and len(times(frames[-1])) == 2, "both XOFFs")
    assert times(pauses[-1]) == {3: LONGEST, 4: LONGEST}
    address = switch.port("p0")["address"]
    switch.process.signal(signal.SIGTERM)
    pauses += without_the_hosts_own(
        first.collect(lambda frames: is_resumed(without_the_hosts_own(frames)), "the last XON"))
    assert times(pauses[-1]) == {3: 0, 4: 0}
    assert switch.process.wait(10) == 0, switch.process.said()
    assert without_the_hosts_own(first.pending()) == [], "that was its last word"

    rows = decoded_pauses(lab.folder, pauses)
    for fields, octets in zip(rows, pauses):
        both = times(octets).items()
        assert fields == {
            "eth.dst": MAC_CONTROL, "eth.src": address, "frame.len": "60", "macc.opcode": "0x0101",
            "macc.cbfc.enbv": f"0x{sum(1 << priority for priority, _ in both):04x}",
            **{f"macc.cbfc.pause_time.c{n}": str(dict(both).get(n, 0)) for n in range(8)}}
    assert rows[-1]["macc.cbfc.enbv"] == "0x0018"


# --- who is paused --------------------------------------------------------------------------------

def test_a_priority_is_lossless_only_where_both_its_ports_have_it(lab: Lab, kind: str):
    """Towards p2, where priority 3 is lossy, nobody is paused for it; towards p1 the sender is."""
    one, two, three = lab.add_hosts(3)
    ports = lab.ports(kind, **SLOW, lossless=[3])
    ports[2].update(lossless=[], rate="2M")
    switch = lab.make_switch(ports, fdb=known(lab)).start()
    first, second, third = lab.wires()
    lossy = of_priority(one.address, 3, 2 * FILLING, 1000, three.address)
    first.send(*lossy)
    until(lambda: max((group["occupancy_max"] for group in switch.show("buffer")["groups"]),
                      default=0) > 20 * 1024, "more waits than XOFF")
    third.expect(*lossy)
    assert switch.pfc("p0", 3)["tx_pause"] == 0

    second.send(pause(two.address, p3=LONGEST))
    until_equal(lambda: switch.pfc("p1", 3)["rx_pause"], 1, "the pause is received")
    held = of_priority(one.address, 3, FILLING, 1000, two.address)
    first.send(*held)
    until(lambda: switch.pfc("p0", 3)["pausing"], "now the sender is paused")
    second.send(pause(two.address, p3=0))
    second.expect(*held)
    assert switch.drops() == {"mac_control": 2}


def test_the_crowd_at_an_output_is_paused_and_nobody_else(lab: Lab, kind: str):
    """By the depth of an output, `trigger: egress`: two senders that share p2 are paused, though
    neither holds as much as XOFF; a third that holds as much for others is not."""
    one, two, three, four, five = lab.add_hosts(5)
    crowd = {"xoff": "24KiB", "xon": "4KiB", "headroom": "256KiB", "trigger": "egress",
             "pause": LONGEST}
    switch = lab.start_switch(kind, fdb=known(lab),
                              defaults={"speed": "1M", "lossless": [3], "pfc": crowd})
    wires = lab.wires()
    for wire, host in ((wires[2], three), (wires[4], five)):
        wire.send(pause(host.address, p3=LONGEST))
    until_equal(lambda: [switch.pfc(host.port, 3)["rx_pause"] for host in (three, five)], [1, 1],
                "both outputs stand")

    each = 22  # KiB; together above XOFF, though 8 of them wait behind the fabric
    crowding = {host.port: of_priority(host.address, 3, each, 1000, three.address)
                for host in (one, two)}
    alone = of_priority(four.address, 3, each, 1000, five.address)
    wires[3].send(*alone)
    until_equal(switch.waiting, each, "the third's wait")
    for wire, port in zip(wires, crowding):
        wire.send(*crowding[port])
    until_equal(lambda: [row["port"] for row in switch.show("pfc") if row["pausing"]], ["p0", "p1"],
                "who crowds it is paused")
    for port in crowding:
        row = switch.pfc(port, 3)
        assert row["trigger"] == "egress" and row["occupancy_bytes"] < row["xoff_bytes"]
        assert row["because_of"] == [{"output": "p2", "pauses": 1}]
    assert switch.pfc("p3", 3)["tx_pause"] == 0 and wires[3].pending() == []

    for wire, host in ((wires[2], three), (wires[4], five)):
        wire.send(pause(host.address, p3=0))
    wires[4].expect(*alone)
    received = wires[2].collect(lambda frames: len(frames) == 2 * each, "the crowd gets through")
    assert sorted(received) == sorted(crowding["p0"] + crowding["p1"])
    for wire in wires[:2]:
        pauses = wire.collect(is_resumed, "the XON")
        assert times(pauses[0]) == {3: LONGEST}
    assert switch.drops().keys() == {"mac_control"}
