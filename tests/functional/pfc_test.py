"""802.1Qbb on a real cable: a pause that arrives holds its priority and nothing else, and a switch
that fills up pauses its peer, by frames that tshark understands."""

import time

from frames import BROADCAST, MAC_CONTROL, frame, of_priority, pause, times
from lab import Lab
from tshark import decoded_pauses
from waiting import until_equal

LONGEST = 65535  # quanta
# A quantum lasts 512 bit times: at this speed the longest pause is 34 s, which no test waits for.
SLOW = {"speed": "1M", "lossless": [3]}
FILLS_EARLY = {"xoff": "16KiB", "xon": "8KiB", "headroom": "64KiB", "response": 0, "pause": 5000}


def test_a_pause_holds_its_priority_and_no_other(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, defaults=SLOW)
    first, second = lab.wires()
    second.send(pause(two.address, p3=LONGEST))
    until_equal(lambda: switch.pfc("p1", 3)["rx_pause"], 1, "the pause is received")

    held, best_effort, urgent = (of_priority(one.address, priority, 10) for priority in (3, 0, 5))
    first.send(*held, *best_effort, *urgent)
    received = second.collect(lambda frames: len(frames) == 20, "20 frames of other priorities")
    assert sorted(received) == sorted(best_effort + urgent)
    until_equal(switch.waiting, 10, "the ten of priority 3 wait")
    assert second.pending() == []

    second.send(pause(two.address, p3=0))
    second.expect(*held)
    row = switch.pfc("p1", 3)
    assert row["lossless"] and row["paused_ns"] > 0
    assert switch.drops() == {"mac_control": 2} == switch.drops("p1")


def test_a_pause_is_the_business_of_one_port(lab: Lab, kind: str):
    switch, (one, two, three) = lab.build(kind, 3, defaults=SLOW)
    first, second, third = lab.wires()
    second.send(pause(two.address, p3=LONGEST))
    until_equal(lambda: switch.pfc("p1", 3)["rx_pause"], 1, "the pause is received")
    flooded = of_priority(one.address, 3, 5)
    first.send(*flooded)
    third.expect(*flooded)
    assert second.pending() == [] and switch.waiting() == 5
    second.send(pause(two.address, p3=0))
    second.expect(*flooded)


def test_an_asymmetric_port_obeys_pauses_of_lossy_priorities(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, defaults=SLOW | {"pfc": {"asymmetric": True}})
    first, second = lab.wires()
    second.send(pause(two.address, p0=LONGEST))
    until_equal(lambda: switch.pfc("p1", 0)["rx_pause"], 1, "the pause is received")
    held, urgent = (of_priority(one.address, priority, 5) for priority in (0, 5))
    first.send(*held, *urgent)
    second.expect(*urgent)
    until_equal(switch.waiting, 5, "the five of priority 0 wait")
    assert second.pending() == []
    second.send(pause(two.address, p0=0))
    second.expect(*held)
    row = switch.pfc("p1", 0)
    assert not row["lossless"] and row["paused_transitions"] == 1
    assert row["paused_recent_ns"] == row["paused_ns"] > 0 and row["paused_recent_at"].endswith("Z")
    assert switch.pfc("p0", 0)["tx_pause"] == 0 == switch.pfc("p0", 0)["pausing_transitions"]


def test_a_lossy_priority_ignores_pause(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, defaults=SLOW)
    first, second = lab.wires()
    second.send(pause(two.address, p0=LONGEST, p5=LONGEST))
    switch.until_dropped("mac_control", 1)
    flowing = of_priority(one.address, 5, 5)
    first.send(*flowing)
    second.expect(*flowing)
    assert switch.pfc("p1", 5)["rx_pause"] == 0


def test_pause_frames_go_no_further(lab: Lab, kind: str):
    switch, (one, two, three) = lab.build(kind, 3, defaults=SLOW)
    first, second, third = lab.wires()
    last = frame(one.address, BROADCAST)
    first.send(pause(one.address, p3=1), last)
    second.expect(last)
    third.expect(last)


def test_a_full_switch_pauses_its_peer_and_loses_nothing(lab: Lab, kind: str):
    """The sender stops at XOFF and goes on at XON."""
    one, two = lab.add_hosts(2)
    # Room for a machine so busy that the sender gets its XOFF late.
    ports = lab.ports(kind, lossless=[3], pfc={**FILLS_EARLY, "headroom": "256KiB"})
    ports[1]["rate"] = "5M"  # 600 of these frames a second, which a slow sender exceeds as well
    switch = lab.make_switch(ports).start()
    first, second = lab.wires()

    to_send = of_priority(one.address, 3, 300, length=1000)
    sent, pauses, paused = 0, [], False
    while sent < len(to_send):
        received = first.receive(seconds=5 if paused else 0)
        assert received is not None or not paused, "no XON came"
        if received is not None:
            pauses.append(received)
            paused = times(received)[3] != 0
        else:
            first.send(to_send[sent])
            sent += 1
            time.sleep(0.0002)
    second.expect(*to_send)
    ledger = switch.settled()
    pauses += first.pending()

    assert switch.drops() == {} and ledger["dropped"] == 0
    row = switch.pfc("p0", 3)
    assert row["tx_pause"] >= 2 and row["tx_resume"] >= 2 and not row["pausing"]
    assert row["headroom_used_max"] < row["headroom_bytes"]
    assert ledger["generated"] == len(pauses) == row["tx_pause"] + row["tx_resume"]

    frames = decoded_pauses(lab.folder, pauses)
    own_address = switch.port("p0")["address"]
    for number, fields in enumerate(frames):
        assert fields.pop("eth.src") == own_address
        time_of_3 = fields.pop("macc.cbfc.pause_time.c3")
        assert time_of_3 in ("5000", "0"), f"frame {number}"
        assert fields == {
            "eth.dst": MAC_CONTROL, "frame.len": "60", "macc.opcode": "0x0101",
            "macc.cbfc.enbv": "0x0008",
            **{f"macc.cbfc.pause_time.c{n}": "0" for n in range(8) if n != 3}}
    assert times(pauses[0]) == {3: 5000} and times(pauses[-1]) == {3: 0}


def test_a_pause_is_refreshed_before_it_ends(lab: Lab, kind: str):
    speed = 20_000_000
    lasts = LONGEST * 512 / speed  # 1.7 s
    switch, (one, two) = lab.build(kind, 2, defaults={
        "speed": "20M", "lossless": [3], "pfc": {**FILLS_EARLY, "pause": LONGEST}})
    first, second = lab.wires()
    # The output stands, because its own peer pauses it again and again.
    second.send(pause(two.address, p3=LONGEST))
    until_equal(lambda: switch.pfc("p1", 3)["rx_pause"], 1, "the pause is received")
    held = of_priority(one.address, 3, 40, length=1000)
    first.send(*held)
    received_at = []
    for _ in range(4):
        second.send(pause(two.address, p3=LONGEST))
        received = first.receive(5)
        assert received is not None and times(received) == {3: LONGEST}
        received_at.append(time.monotonic())
    gaps = [after - before for before, after in zip(received_at, received_at[1:])]
    assert all(gap < lasts for gap in gaps), gaps
    assert all(gap > lasts / 4 for gap in gaps), gaps  # refreshed, no more often than needed

    second.send(pause(two.address, p3=0))
    second.expect(*held)
    [resume] = first.collect(len, "the XON")
    assert times(resume) == {3: 0}


def test_a_lossy_priority_drops_at_its_threshold_and_says_so(lab: Lab, kind: str):
    one, two = lab.add_hosts(2)
    ports = lab.ports(kind)
    ports[1]["rate"] = "10M"
    switch = lab.make_switch(ports, buffer={"size": "64KiB", "alpha": 1}).start()
    first, second = lab.wires()
    first.send(*of_priority(one.address, 0, 150, length=1000))
    switch.settled(received=150)

    lost = switch.drops()["over_threshold"]
    assert switch.drops() == {"over_threshold": lost} == switch.drops("p0")
    assert len(second.pending()) == 150 - lost
    [queue] = switch.show("queues")
    # With alpha 1 one queue may take half of the buffer, in cells of 256 octets.
    assert 31 * 1024 <= queue["max_bytes"] <= 32 * 1024 and queue["dropped"] == lost
    assert first.pending() == [], "nobody is paused for a lossy priority"
