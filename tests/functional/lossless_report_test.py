"""What `sluice show` says after an incast: who pauses whom, and because of which port."""

import re
from typing import Iterator

import pytest

from frames import of_priority, pause
from lab import Lab
from switch import Switch
from waiting import until, until_equal

LONGEST = 65535  # quanta: 34 s at 1M
EACH = 30  # frames of 1000 octets


@pytest.fixture
def incast(lab: Lab) -> Iterator[Switch]:
    """p0 and p1 send to p2, whose peer does not resume; both are paused for it."""
    lab.add_hosts(3)
    switch = lab.start_switch(
        "af_packet",
        defaults={"speed": "1M", "lossless": [3], "pfc": {
            "xoff": "16KiB", "xon": "8KiB", "headroom": "256KiB",
            "watchdog": {"detection": "200ms", "poll": "100ms"}}},
        fdb={"static": [{"address": host.address, "port": host.port} for host in lab.hosts]})
    one, two, three = lab.hosts
    stuck = three.wire()
    stuck.send(pause(three.address, p3=LONGEST))
    until_equal(lambda: switch.pfc("p2", 3)["rx_pause"], 1, "the pause is received")
    for host in (one, two):
        host.wire().send(*of_priority(host.address, 3, EACH, 1000, three.address))
        until(lambda: switch.pfc(host.port, 3)["pausing"], "the sender is paused")
    until_equal(switch.waiting, 2 * EACH, "all wait")
    yield switch
    stuck.send(pause(three.address, p3=0))


def table(text: str, first: str) -> dict[tuple[str, ...], dict[str, str]]:
    """The rows below the line of headings that begins with `first`, by port and priority."""
    lines = text.splitlines()
    at = next(number for number, line in enumerate(lines) if first in line)
    names = re.split(r"  +", lines[at].strip())
    rows = {}
    for line in lines[at + 1:]:
        cells = re.split(r"  +", line.strip())
        if len(cells) < 2:
            break
        rows[tuple(cells[:names.index("PRIORITY") + 1])] = dict(zip(names, cells))
    return rows


def test_pfc_names_the_reason(incast: Switch):
    rows = {row["port"]: row for row in incast.show("pfc")}
    for port in ("p0", "p1"):
        assert rows[port]["because_of"] == [{"output": "p2", "pauses": 1}]
        assert rows[port]["holds_up"] == [] and rows[port]["pausing_ns"] > 0
    assert rows["p2"]["because_of"] == []
    held_up = sorted((row["input"], row["pauses"]) for row in rows["p2"]["holds_up"])
    assert held_up == [("p0", 1), ("p1", 1)]

    said = incast.command("show", "pfc").stdout
    received, sent = table(said, "XOFF RX"), table(said, "XOFF TX")
    assert received[("p2", "3")]["HOLDS UP"] in ("p0 (1), p1 (1)", "p1 (1), p0 (1)"), said
    assert received[("p2", "3")]["XOFF RX"] == "1"
    for port in ("p0", "p1"):
        assert sent[(port, "3")]["PAUSING"] == "yes"
        assert sent[(port, "3")]["BECAUSE OF"] == "p2 (1)", said
    assert sent[("p2", "3")]["PAUSING"] == "-"


def test_the_time_of_a_pause_is_reported_while_it_lasts(incast: Switch):
    def grows(port: str, key: str) -> None:
        before = incast.pfc(port, 3)[key]
        until(lambda: incast.pfc(port, 3)[key] > before, f"{key} of {port} grows")
    grows("p2", "paused_ns")
    grows("p0", "pausing_ns")
    until(lambda: incast.pfc("p2", 3)["paused_last_second_ns"] > 0, "a second of it is over")
    row = incast.pfc("p2", 3)
    assert row["paused_last_second_ns"] <= 1e9
    assert row["paused_last_second_ns"] <= row["paused_last_minute_ns"] <= row["paused_ns"]


def test_buffer_and_queues_name_ports_and_priorities(incast: Switch):
    said = incast.command("show", "buffer").stdout
    groups = table(said, "LOSSLESS")
    assert set(groups) == {("p0", "3"), ("p1", "3")}
    for row in groups.values():
        assert row["LOSSLESS"] == "yes"
        assert (row["XOFF"], row["XON"], row["HEADROOM"]) == ("16 KiB", "8 KiB", "256 KiB"), said
        assert row["OF IT USED"] != "0 B"

    queues = table(incast.command("show", "queues").stdout, "INPUT")
    assert set(queues) == {("p0", "p2", "3"), ("p1", "p2", "3")}
    crossed = 2 * EACH - sum(int(row["WAITING"]) for row in queues.values())
    assert 0 < crossed < 16
    assert all((row["DROPPED"], row["STORM DROPS"], row["MARKED"]) == ("0", "0", "0")
               for row in queues.values())


def test_the_events_name_the_port_that_does_not_resume(incast: Switch):
    until(lambda: incast.pfc("p2", 3)["storms"], "it is found")
    text = until(lambda: next((event["text"] for event in incast.show("events")
                               if (event["kind"], event["port"]) == ("pfc_storm", "p2")), ""),
                 "it is reported")
    assert text.startswith("pause storm on priority 3")
    [line] = [line for line in incast.command("show", "events").stdout.splitlines()
              if "pfc_storm" in line]
    assert re.search(r"\bp2\b", line) and text in line
    # The default only reports.
    assert incast.waiting() == 2 * EACH and incast.drops() == {"mac_control": 1}
