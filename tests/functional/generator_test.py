"""`sluice-gen`: its senders obey PFC under `--pfc`, its stations have as many addresses as
`--addresses` says, and its search finds what a switch passes."""

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


# --- lengths --------------------------------------------------------------------------------------

def test_frames_are_as_long_as_a_port_carries(lab: Lab):
    """9,702 octets of payload and a tag, from one end of a crossed pair of rings to the other."""
    generator = lab.namespace.start(
        program("sluice-gen"), "--port", "ring:long/a", "--port", "ring:long/b", "--pattern",
        "pairs", "--frame-bytes", "64:1+9724:1", "--seconds", "1", "--rate", "500", "--json",
        "--quiet")
    assert generator.wait(60) == 0, generator.said()
    results = json.loads(generator.output())
    assert results["delivered"] == results["offered"] > 0, results


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


def test_a_sender_obeys_a_pause_of_one_priority_until_it_is_resumed(lab: Lab):
    generator, first, second = start(lab, "--pfc")
    pauses_sent = 0

    def is_silent(frames: list[bytes]) -> bool:
        nonlocal pauses_sent
        if len(frames) % 10 == 1:  # again and again, so that it does not end meanwhile
            second.send(pause(lab.hosts[1].address, p3=LONGEST))
            pauses_sent += 1
        return len(frames) >= 100 and set(priorities(frames[-100:])) == {FREE}
    received = sends_both(second)
    received += second.collect(is_silent, "100 frames, none of them paused")
    first.pending()
    sends_both(first)  # the other station is not meant

    second.send(pause(lab.hosts[1].address, p3=0))
    received += second.collect(lambda frames: len(numbers(frames, PAUSED)) == 20, "it goes on")
    for priority in (PAUSED, FREE):
        sent = numbers(received, priority)
        assert sent == list(range(len(sent))), "nothing is left out, nothing is sent twice"
    assert end(generator)["pfc_received"] == pauses_sent + 1


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
    assert end(generator)["pfc_received"] == 1


def test_a_sender_without_the_option_obeys_no_pause(lab: Lab):
    generator, _, second = start(lab)

    def goes_on(frames: list[bytes]) -> bool:
        if len(frames) % 10 == 1:
            second.send(pause(lab.hosts[1].address, p3=LONGEST))
        return priorities(frames).count(PAUSED) >= 200
    second.collect(goes_on, "200 frames of what is paused")
    assert end(generator)["pfc_received"] > 0


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


# --- streams --------------------------------------------------------------------------------------

STREAMS = """\
streams:
  - {name: voice, from: 0, to: 1, rate: 2K, frame_bytes: 128, vlan: 10, pcp: 5, dscp: 46}
  - {name: bulk, from: 0, to: 1, rate: 2K, frame_bytes: "64:1+300:1", pcp: 1, addresses: 4}
  - {name: back, from: 1, to: 0, rate: 1K}
"""


def test_streams_are_what_their_file_says(lab: Lab):
    lab.add_hosts(2)
    first, second = lab.wires()
    path = lab.folder / "streams.yaml"
    path.write_text(STREAMS)
    generator = lab.namespace.start(
        program("sluice-gen"), "--port", "af_packet:p0", "--port", "af_packet:p1", "--streams",
        str(path), "--seconds", "600", "--json", "--quiet")

    def of(frames: list[bytes], priority: int) -> list[bytes]:
        return [octets for octets in frames if priorities([octets]) == [priority]]
    frames = first.collect(
        lambda frames: len(of(frames, 5)) >= 40 and len(of(frames, 1)) >= 40, "both streams")
    for voice in of(frames, 5):
        assert len(voice) == 124 and voice[14:16] == bytes([5 << 5, 10]), "without FCS"
        assert voice[19] == 46 << 2
    bulk = of(frames, 1)
    assert {len(octets) for octets in bulk} == {60, 296}
    assert {octets[14:16] for octets in bulk} == {bytes([1 << 5, 0])}
    assert len({octets[6:12] for octets in bulk}) == 4
    second.collect(lambda frames: len(of(frames, 0)) >= 10, "the way back")

    flows = {flow["stream"]: flow for flow in end(generator)["flows"]}
    assert list(flows) == ["voice", "bulk", "back"]
    assert all(flow["offered"] == flow["lost"] > 0 for flow in flows.values())
    assert (flows["back"]["sender"], flows["back"]["receiver"]) == (1, 0)


def test_streams_come_through_a_switch_each_by_itself(lab: Lab):
    sockets = [str(lab.folder / name) for name in ("a.sock", "b.sock")]
    vlan = {"mode": "trunk", "native": 1, "allowed": [10]}
    switch = lab.make_switch([{"name": f"m{number}", "device": f"memif:{path}", "vlan": vlan}
                              for number, path in enumerate(sockets)])
    switch.launch()
    until_equal(switch.links, {"m0": "down", "m1": "down"}, "it waits for the generator")
    path = lab.folder / "streams.yaml"
    path.write_text(STREAMS)
    ports = [word for socket in sockets for word in ("--port", f"memif:{socket},client")]
    done = lab.namespace.run(program("sluice-gen"), *ports, "--streams", str(path), "--seconds", "1",
                             "--json", "--quiet", seconds=60)
    found = json.loads(done.stdout)
    assert [flow["stream"] for flow in found["flows"]] == ["voice", "bulk", "back"]
    for flow in found["flows"]:
        assert flow["delivered"] == flow["offered"] > 0 and flow["reordered"] == 0
    assert found["strays"] == found["lost"] == 0


def test_faults_of_streams_are_reported_by_line_and_column(lab: Lab):
    path = lab.folder / "streams.yaml"
    path.write_text("streams:\n  - {from: 0, to: 7}\n  - {from: 0, to: 1, pcb: 3}\n")
    generator = lab.namespace.start(program("sluice-gen"), "--port", "ring:a", "--port", "ring:b",
                                    "--streams", str(path))
    assert generator.wait(20) == 2
    assert [line.partition(": ")[0] for line in generator.errors().splitlines()] == [
        f"{path}:2:19", f"{path}:3:22"]


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


def test_a_search_that_stands_noise_reports_both_bounds(lab: Lab):
    sockets = [str(lab.folder / name) for name in ("a.sock", "b.sock")]
    switch = lab.make_switch([{"name": f"m{number}", "device": f"memif:{path}", "rate": "20M"}
                              for number, path in enumerate(sockets)],
                             buffer={"size": "256KiB", "alpha": 1})
    switch.launch()
    until_equal(switch.links, {"m0": "down", "m1": "down"}, "it waits for the generator")
    ports = [word for path in sockets for word in ("--port", f"memif:{path},client")]
    done = lab.namespace.run(
        program("sluice-gen"), *ports, "--pattern", "pairs", "--throughput", "--search", "mlr",
        "--frame-bytes", "1518", "--rate", "400Mbps", "--seconds", "0.3", "--duration-sum", "0.9",
        "--width", "10", "--json", seconds=240)
    found = json.loads(done.stdout)
    assert found["search"] == "mlr" and found["goal"]["width_percent"] == 10
    [row] = found["throughput"]
    assert 0 < row["rate_fps"] <= row["lower_fps"] < row["upper_fps"]
    assert row["upper_fps"] - row["lower_fps"] <= 0.1 * row["upper_fps"] + 2
    # Both outputs, 20 Mb/s each, with preamble and gap; and what the buffers hold of a short trial.
    assert 4e6 < row["lower_fps"] * 8 * 1538 < 60e6
    assert len([line for line in done.stderr.splitlines() if " octets, trial " in line]) == len(
        row["trials"])


def test_a_search_that_is_broken_off_is_a_failure(lab: Lab):
    generator, _, second = start(lab, "--throughput")
    sends_both(second)
    [row] = end(generator)["throughput"]
    assert row["rate_fps"] == 0 and row["trials"] == []
