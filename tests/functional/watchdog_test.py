"""The watchdog: a queue whose peer pauses on and on is found within its time, and the configured
action is taken on that queue and on no other, until the pauses stop."""

import time

import pytest

from frames import BROADCAST, frame, of_priority, pause
from lab import Lab
from switch import Switch
from waiting import until, until_equal

LONGEST = 65535  # quanta: 34 s at 1M
DETECTION, RESTORATION, POLL = 0.4, 0.3, 0.1  # seconds
HELD, LATER = 10, 5  # frames


def watched(action: str, restoration: str = "300ms", **more: str) -> dict:
    return {"speed": "1M", "lossless": [3, 4], "pfc": {"watchdog": {
        "action": action, "detection": "400ms", "restoration": restoration, "poll": "100ms",
        **more}}}


def events(switch: Switch, kind: str) -> list[dict]:
    return [event for event in switch.show("events") if event["kind"] == kind]


def event_of(switch: Switch, kind: str) -> dict:
    """The only event of this kind, once there is one."""
    [event] = until(lambda: events(switch, kind), kind)
    assert event["port"] == "p1" and "priority 3" in event["text"], event
    return event


def storm(lab: Lab, switch: Switch) -> list[bytes]:
    """Priority 3 of p1 is stuck; returns what waits there, when that has been found out."""
    first, second = [host.wire() for host in lab.hosts]
    assert switch.pfc("p1", 3)["watchdog"] == "operational"
    second.send(pause(lab.hosts[1].address, p3=LONGEST))
    until_equal(lambda: switch.pfc("p1", 3)["rx_pause"], 1, "the pause is received")
    held = of_priority(lab.hosts[0].address, 3, HELD)
    start = time.monotonic()
    first.send(*held)
    until_equal(lambda: switch.pfc("p1", 3)["watchdog"], "stormed", "it is found")
    # At the first look, or the second if it sees the frames before they are in; and the asking.
    assert DETECTION <= time.monotonic() - start < DETECTION + 2 * POLL + 1
    event_of(switch, "pfc_storm")
    return held


def check_restored(switch: Switch, since: float) -> None:
    """Found when there was no pause for long enough, and reported."""
    until_equal(lambda: switch.pfc("p1", 3)["watchdog"], "operational", "it is over")
    assert RESTORATION <= time.monotonic() - since < RESTORATION + 3 * POLL + 1
    event_of(switch, "pfc_restored")
    row = switch.pfc("p1", 3)
    assert row["storms"] == row["restored"] == 1
    assert row["storm_ns"] >= RESTORATION * 1e9


def flows(lab: Lab, priority: int) -> None:
    frames = of_priority(lab.hosts[0].address, priority, 5)
    receiver = lab.hosts[1].wire()
    lab.hosts[0].wire().send(*frames)
    receiver.expect(*frames)


def test_drop_drops_what_a_stuck_queue_holds_and_gets(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, defaults=watched("drop"))
    second = two.wire()
    storm(lab, switch)
    switch.until_dropped("pfc_storm", HELD)
    one.wire().send(*of_priority(one.address, 3, LATER))
    switch.until_dropped("pfc_storm", HELD + LATER)
    assert second.pending() == []
    for priority in (0, 4, 7):  # lossy ones, and a lossless one that is not paused
        flows(lab, priority)

    second.send(pause(two.address, p3=0))
    check_restored(switch, time.monotonic())
    flows(lab, 3)
    # Every frame that fell to it is counted once, and shown under every heading that it belongs to.
    assert switch.drops() == {"mac_control": 2, "pfc_storm": HELD + LATER}
    assert switch.pfc("p1", 3)["storm_dropped"] == HELD + LATER
    assert switch.pfc("p1", 4)["storms"] == switch.pfc("p1", 4)["storm_dropped"] == 0
    assert switch.pfc("p0", 3)["storms"] == 0
    crossed = switch.drops("p1").get("pfc_storm", 0)
    storm_dropped = {row["priority"]: row["storm_dropped"] for row in switch.show("queues")}
    assert storm_dropped == {0: 0, 3: HELD + LATER - crossed, 4: 0, 7: 0}
    ledger = switch.settled()
    assert ledger["dropped"] == HELD + LATER + 2


def test_forward_sends_in_spite_of_the_pause(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, defaults=watched("forward"))
    second = two.wire()
    held = storm(lab, switch)
    second.expect(*held)
    flows(lab, 3)
    second.pending()
    second.send(pause(two.address, p3=0))
    check_restored(switch, time.monotonic())

    # Back to normal: a pause holds it again.
    second.send(pause(two.address, p3=LONGEST))
    until_equal(lambda: switch.pfc("p1", 3)["rx_pause"], 2, "the pause is received")
    held = of_priority(one.address, 3, 5)
    one.wire().send(*held)
    until_equal(switch.waiting, 5, "they wait")
    assert second.pending() == []
    second.send(pause(two.address, p3=0))
    second.expect(*held)
    assert switch.drops() == {"mac_control": 4}


def test_alert_reports_and_touches_nothing(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, defaults=watched("alert"))
    second = two.wire()
    held = storm(lab, switch)
    assert switch.waiting() == HELD and second.pending() == []
    flows(lab, 4)
    second.pending()
    second.send(pause(two.address, p3=0))
    since = time.monotonic()
    second.expect(*held)
    check_restored(switch, since)
    assert switch.drops() == {"mac_control": 2}


def test_a_storm_lasts_as_long_as_its_pauses(lab: Lab, kind: str):
    """A peer that goes on pausing is not forgiven, although it is silent between two pauses."""
    switch, (one, two) = lab.build(kind, 2, defaults=watched("drop", restoration="1500ms"))
    second = two.wire()
    storm(lab, switch)
    start = time.monotonic()
    while time.monotonic() - start < 2:
        second.send(pause(two.address, p3=200))  # 102 ms
        time.sleep(0.2)
    row = switch.pfc("p1", 3)
    assert row["watchdog"] == "stormed" and row["storms"] == 1 and row["restored"] == 0
    assert row["storm_ns"] > 1.9e9


def test_a_storm_that_returns_says_when_it_ends(lab: Lab, kind: str):
    """Its end takes longer, as `longest_restoration` allows, and events and the table say so."""
    switch, (one, two) = lab.build(kind, 2, defaults=watched("drop", longest_restoration="500ms"))
    second = two.wire()
    for number, (returns, after) in enumerate([(0, "300ms"), (1, "500ms")], start=1):
        second.send(pause(two.address, p3=LONGEST))
        until_equal(lambda: switch.pfc("p1", 3)["rx_pause"], number, "the pause is received")
        one.wire().send(*of_priority(one.address, 3, HELD))
        until_equal(lambda: switch.pfc("p1", 3)["storms"], number, "it is found")
        row = switch.pfc("p1", 3)
        assert row["storm_returns"] == returns
        assert row["restores_after_ns"] == int(after.removesuffix("ms")) * 10**6
        text = until(lambda: events(switch, "pfc_storm")[number - 1:], "it is said")[0]["text"]
        assert f"until there is no pause for {after}" in text, text
        assert ("the storm returned 1 time in a row" in text) == (returns == 1), text
        second.send(pause(two.address, p3=0))
        until_equal(lambda: switch.pfc("p1", 3)["restored"], number, "it is over")
        text = until(lambda: events(switch, "pfc_restored")[number - 1:], "it is said")[0]["text"]
        assert text.endswith(f"no pause for {after}"), text


@pytest.mark.parametrize("held_by", ["shaper", "turns"])
def test_a_queue_that_only_is_slow_is_no_storm(lab: Lab, kind: str, held_by):
    """One shaped to 121 frames a second, and the same paused most of the time, but resumed again
    and again: neither is stuck."""
    lab.add_hosts(2)
    ports = lab.ports(kind, **watched("drop"))
    ports[1]["rate"] = "1M"
    switch = lab.make_switch(ports).start()
    first, second = lab.wires()
    sent = of_priority(lab.hosts[0].address, 3, 100, length=1000)
    first.send(*sent)
    received = []
    if held_by == "turns":
        for _ in range(12):
            second.send(pause(lab.hosts[1].address, p3=200))  # 102 ms, then it ends by itself
            frame_of_this_turn = second.receive(5)
            assert frame_of_this_turn is not None
            received.append(frame_of_this_turn)
    received += second.collect(lambda more: len(received) + len(more) == len(sent), "all of them")
    assert received == sent
    row = switch.pfc("p1", 3)
    assert row["storms"] == row["storm_dropped"] == 0 and row["watchdog"] == "operational"
    if held_by == "turns":
        assert row["paused_ns"] > DETECTION * 1e9, "long enough, had it been in one piece"
    assert events(switch, "pfc_storm") == []


def test_a_pause_of_an_empty_queue_is_no_storm(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, defaults=watched("drop"))
    first, second = lab.wires()
    second.send(pause(two.address, p3=LONGEST))
    until(lambda: switch.pfc("p1", 3)["paused_ns"] > (DETECTION + 3 * POLL) * 1e9, "it lasts")
    assert switch.pfc("p1", 3)["storms"] == 0
    second.send(pause(two.address, p3=0))
    last = frame(one.address, BROADCAST)
    first.send(last)
    second.expect(last)
    assert switch.drops() == {"mac_control": 2}


def test_off_looks_at_nothing(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, defaults=watched("off"))
    first, second = lab.wires()
    second.send(pause(two.address, p3=LONGEST))
    until_equal(lambda: switch.pfc("p1", 3)["rx_pause"], 1, "the pause is received")
    held = of_priority(one.address, 3, HELD)
    first.send(*held)
    until(lambda: switch.pfc("p1", 3)["paused_ns"] > (DETECTION + 3 * POLL) * 1e9, "it lasts")
    row = switch.pfc("p1", 3)
    assert row["watchdog"] == "off" and row["storms"] == 0
    second.send(pause(two.address, p3=0))
    second.expect(*held)
    assert events(switch, "pfc_storm") == []
