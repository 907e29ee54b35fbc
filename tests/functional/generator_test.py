"""`sluice-gen`: its senders obey PFC if told to, its stations have as many addresses as they are
told to, and its search finds what a switch passes."""

import json
import signal
from collections import Counter

import pytest

from frames import pause
from lab import Lab
from process import Process
from switch import program
from waiting import until_equal
from wire import Wire

LONGEST = 65535  # quanta: 3.4 s at 10 Mb/s
PAUSED, FREE = 3, 5
# What two rings of the generator hold of its shortest frames fits twice.
LOSSLESS = {"lossless": [PAUSED], "pfc": {"headroom": "1MiB"}}
TAG = b"\x81\x00"


# --- PFC ------------------------------------------------------------------------------------------

def priorities(frames: list[bytes]) -> list[int]:
    """Of those that the generator sent; its announcements have no tag."""
    return [octets[14] >> 5 for octets in frames if octets[12:14] == TAG]


def numbers(frames: list[bytes], priority: int) -> list[int]:
    """The sequence numbers of one priority's frames."""
    return [int.from_bytes(octets[46:54], "big") for octets in frames
            if priorities([octets]) == [priority]]


def start(lab: Lab, *words: str) -> tuple[Process, Wire, Wire]:
    """A generator with a station on each of two cables, and their far ends."""
    lab.add_hosts(2)
    first, second = lab.wires()
    generator = lab.namespace.start(
        program("sluice-gen"), "--port", "af_packet:p0", "--port", "af_packet:p1", "--pattern",
        "pairs", "--priority", f"{PAUSED},{FREE}", "--rate", "2K", "--speed", "10M", "--seconds",
        "600", "--json", "--quiet", *words)
    return generator, first, second


def sends_both(wire: Wire) -> list[bytes]:
    return wire.collect(lambda frames: {PAUSED, FREE} <= set(priorities(frames)),
                        "frames of both priorities")


def end(generator: Process) -> dict:
    """Its results. Its frames arrived nowhere, which is a failure."""
    generator.signal(signal.SIGINT)
    assert generator.wait(10) == 1, generator.said()
    return json.loads(generator.output())


def test_a_sender_obeys_a_pause_of_one_priority_until_it_is_let_go(lab: Lab):
    generator, first, second = start(lab, "--pfc")
    told = 0

    def is_silent(frames: list[bytes]) -> bool:
        nonlocal told
        if len(frames) % 10 == 1:  # again and again, so that it does not end meanwhile
            second.send(pause(lab.hosts[1].address, p3=LONGEST))
            told += 1
        return len(frames) >= 100 and set(priorities(frames[-100:])) == {FREE}
    heard = sends_both(second)
    heard += second.collect(is_silent, "100 frames, none of them paused")
    first.pending()
    sends_both(first)  # the other station is not meant

    second.send(pause(lab.hosts[1].address, p3=0))
    heard += second.collect(lambda frames: len(numbers(frames, PAUSED)) == 20, "it goes on")
    for priority in (PAUSED, FREE):
        sent = numbers(heard, priority)
        assert sent == list(range(len(sent))), "nothing is left out, nothing is sent twice"
    assert end(generator)["pfc_heard"] == told + 1


def test_a_pause_of_a_sender_ends_by_itself(lab: Lab):
    generator, _, second = start(lab, "--pfc")
    sends_both(second)
    second.send(pause(lab.hosts[1].address, p3=LONGEST))
    silent = 0

    def goes_on(frames: list[bytes]) -> bool:
        nonlocal silent
        if priorities(frames[-1:]) == [FREE]:
            silent += 1
            return False
        was, silent = silent, 0
        return was >= 100
    second.collect(goes_on, "100 frames of others, and then one of it")
    assert end(generator)["pfc_heard"] == 1


def test_a_sender_that_is_not_told_to_obeys_no_pause(lab: Lab):
    generator, _, second = start(lab)

    def goes_on(frames: list[bytes]) -> bool:
        if len(frames) % 10 == 1:
            second.send(pause(lab.hosts[1].address, p3=LONGEST))
        return priorities(frames).count(PAUSED) >= 200
    second.collect(goes_on, "200 frames of what is paused")
    assert end(generator)["pfc_heard"] > 0


# --- many addresses -------------------------------------------------------------------------------

def test_a_switch_learns_every_address_of_every_station_before_they_talk(lab: Lab):
    names = ["m0", "m1", "m2"]
    switch = lab.make_switch([{"name": name, "device": f"memif:{lab.folder / name}.sock"}
                              for name in names], defaults=LOSSLESS)
    switch.launch()
    until_equal(switch.links, dict.fromkeys(names, "down"), "it waits for the generator")
    ports = [word for name in names
             for word in ("--port", f"memif:{lab.folder / name}.sock,client")]
    generator = lab.namespace.start(
        program("sluice-gen"), *ports, "--addresses", "1000", "--priority", str(PAUSED), "--pfc",
        "--rate", "20K", "--seconds", "600", "--json", "--quiet")
    until_equal(lambda: Counter(switch.fdb().values()), dict.fromkeys(names, 1000),
                "all are learnt")
    known = switch.fdb()  # which forgets them with the links of the generator
    generator.signal(signal.SIGINT)
    assert generator.wait(10) == 0, generator.said()
    found = json.loads(generator.output())
    assert found["addresses"] == 1000
    # A flow is still a pair of stations, and keeps its order in a switch without lanes.
    assert len(found["flows"]) == 6
    assert found["lost"] == found["reordered"] == found["duplicates"] == 0
    assert found["delivered"] == found["offered"] > 0
    assert found["strays"] == 0, "nothing was flooded"
    for number, name in enumerate(names):
        of_station = {f"02:53:4c:{host >> 8:02x}:{host & 255:02x}:{number:02x}"
                      for host in range(1000)}
        assert {address for address, port in known.items() if port == name} == of_station


# --- the search -----------------------------------------------------------------------------------

def search(lab: Lab, limits: list[dict], *words: str, **configuration) -> list[dict]:
    """A row a length, of what passes a switch with two ports in shared memory."""
    sockets = [str(lab.folder / name) for name in ("a.sock", "b.sock")]
    switch = lab.make_switch([{"name": f"m{number}", "device": f"memif:{path}", **limits[number]}
                              for number, path in enumerate(sockets)], **configuration)
    switch.launch()
    until_equal(switch.links, {"m0": "down", "m1": "down"}, "it waits for the generator")
    ports = [word for path in sockets for word in ("--port", f"memif:{path},client")]
    done = lab.namespace.run(program("sluice-gen"), *ports, "--pattern", "pairs", "--throughput",
                             "--json", *words, seconds=240)
    found = json.loads(done.stdout)
    rows = found["throughput"]
    tried = [line for line in done.stderr.splitlines() if " octets, trial " in line]
    assert len(tried) == sum(len(row["trials"]) for row in rows)
    for row in rows:
        best = max((trial for trial in row["trials"] if trial["passed"]),
                   key=lambda trial: trial["offered_fps"])
        assert best["lost"] == 0 and best["delivered"] == best["offered"] > 0
        assert row["rate_fps"] == pytest.approx(best["offered_fps"]) and row["rate_fps"] > 0
        assert row["latency_ns"] == best["latency_ns"] and row["latency_ns"]["p50"] > 0
        assert all(trial["lost"] > 0 for trial in row["trials"] if not trial["passed"])
    return rows


def test_the_search_finds_a_rate_without_loss_for_each_length(lab: Lab):
    rows = search(lab, [{}, {}], "--frame-bytes", "64,1518", "--seconds", "0.2")
    assert [row["frame_bytes"] for row in rows] == [64, 1518]
    # The first trial is as fast as it goes, and nothing else is tried if that passes.
    for row in rows:
        first = row["trials"][0]
        assert first["asked_fps"] is None
        assert (len(row["trials"]) == 1) == first["passed"]


def test_the_search_finds_the_limit_that_a_switch_has(lab: Lab):
    """Two outputs of 20 Mb/s each, and room for 50 ms of frames, which a busy machine needs. It is
    offered so much more that it loses even if the generator hardly runs."""
    [row] = search(lab, [{"rate": "20M"}] * 2, "--frame-bytes", "1518", "--seconds", "0.5",
                   "--rate", "400Mbps", buffer={"size": "256KiB", "alpha": 1})
    assert not row["trials"][0]["passed"]
    assert 4e6 < row["rate_bps"] < 60e6


def test_a_search_that_is_broken_off_is_a_failure(lab: Lab):
    generator, _, second = start(lab, "--throughput")
    sends_both(second)
    [row] = end(generator)["throughput"]
    assert row["rate_fps"] == 0 and row["trials"] == []
