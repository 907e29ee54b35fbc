"""`sluice watch`: events as they come, each once, and none missed by who says where it stopped."""

import json
import re
import socket

import pytest

from lab import Lab
from switch import Switch, program, sluice
from waiting import until

RINGS = [{"name": "p0", "device": "ring:watched/a"}, {"name": "p1", "device": "ring:watched/b"}]


@pytest.fixture
def switch(lab: Lab) -> Switch:
    return lab.make_switch(RINGS).start()


def numbers(lines: str) -> list[int]:
    return [json.loads(line)["number"] for line in lines.splitlines()]


def test_events_come_as_they_happen_and_none_from_before(switch: Switch):
    watching = switch.namespace.start(program("sluice"), "watch", "--json", "--count", "2",
                                      "--socket", switch.socket)
    known = len(switch.show("events"))
    until(lambda: watching.running(), "it runs")
    # It prints from when it began: what comes before it has asked is not its.
    until(lambda: switch.command("flush", "fdb") and watching.output(), "it has one")
    switch.command("flush", "fdb")
    assert watching.wait(10) == 0
    shown = [json.loads(line) for line in watching.output().splitlines()]
    assert [event["kind"] for event in shown] == ["fdb_flushed"] * 2
    assert shown[0]["number"] > known and shown[1]["number"] == shown[0]["number"] + 1
    assert shown[0] in switch.show("events")


def test_who_says_where_it_stopped_misses_nothing(switch: Switch):
    for _ in range(5):
        switch.command("flush", "fdb")
    all_of_them = numbers(switch.command("watch", "--json", "--since", "0", "--count", "6").stdout)
    assert all_of_them == [1, 2, 3, 4, 5, 6]
    assert numbers(switch.command("watch", "--json", "--since", "4", "--count", "2").stdout) == [5, 6]


def test_people_get_a_line_each(switch: Switch):
    [line] = switch.command("watch", "--since", "0", "--count", "1").stdout.splitlines()
    number, at, kind, text = line.split(" ", 3)
    assert (number, kind) == ("1", "started") and at.endswith("Z")
    assert re.fullmatch(r"workers run, \d+ ms after the start", text), text


def test_what_was_forgotten_is_reported(switch: Switch):
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(switch.socket)
        lines = client.makefile("rw")
        for _ in range(1010):
            lines.write('{"flush": "fdb"}\n')
            lines.flush()
            lines.readline()
    done = switch.command("watch", "--json", "--since", "3", "--count", "1")
    [first] = numbers(done.stdout)
    assert first > 4
    assert done.stderr == f"sluice: events 4 to {first - 1} are lost: " \
                          "sluiced keeps only the latest events\n"


def test_a_number_of_another_life_begins_again(switch: Switch):
    done = switch.command("watch", "--json", "--since", "999", "--count", "1")
    assert numbers(done.stdout) == [1]
    assert done.stderr == \
        "sluice: sluiced was restarted after event 999; printing from its first event\n"


def test_it_ends_with_the_switch(switch: Switch):
    watching = switch.namespace.start(program("sluice"), "watch", "--since", "0", "--socket",
                                      switch.socket)
    watching.until_it_says("started")
    switch.stop()
    assert watching.wait(10) == 1
    assert "sluiced hung up" in watching.errors()


@pytest.mark.parametrize("words", [("watch",), ("top",), ("show", "ports", "--watch")])
def test_none_at_all_is_no_count(words):
    done = sluice(*words, "--count", "0", check=False)
    assert done.returncode == 2 and "--count" in done.stderr
