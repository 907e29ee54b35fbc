"""`sluice capture`: frames of real hosts in files that tshark reads: which port, which way, and of a
drop why; and that a capture, even one that stalls, costs the switch nothing."""

import contextlib
import json
import pathlib
import shlex
import signal
import socket
import time
from typing import Callable, Iterator

import pytest
from scapy.error import Scapy_Exception
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import ARP, Dot1Q, Ether
from scapy.utils import RawPcapNgReader

from frames import BROADCAST, frame, of_priority
from lab import Lab
from namespace import run
from process import Process
from switch import Switch, program
from waiting import until

FIELDS = ("frame.interface_name", "frame.packet_flags_direction", "frame.comment")
IN, OUT = "inbound", "outbound"
DIRECTIONS = {1: IN, 2: OUT}


def begin(switch: Switch, *words: str) -> Process:
    """A capture, once every worker knows of it."""
    capture = switch.namespace.start(program("sluice"), "capture", *words, "--socket",
                                     switch.socket)
    capture.until_it_says("captures ")
    return capture


def end(capture: Process) -> str:
    """By Ctrl-C; the summary."""
    capture.signal(signal.SIGINT)
    assert capture.wait(10) == 0, capture.said()
    return capture.errors().splitlines()[-1]


def written(file: pathlib.Path, matching: Callable[[bytes], bool] = bool) -> int:
    """Frames so far, while it is being written: the last block may not be whole yet. Asked often, and
    so not of tshark, which takes a second to begin."""
    frames = 0
    with contextlib.suppress(EOFError, Scapy_Exception), \
            contextlib.closing(RawPcapNgReader(str(file))) as reader:
        for octets, _ in reader:
            frames += matching(octets)
    return frames


def is_answer(octets: bytes) -> bool:
    """An echo reply without a tag."""
    return octets[12:14] == b"\x08\x00" and octets[23] == 1 and octets[34] == 0


def seen(file: pathlib.Path, *more: str, matching: str = "") -> list[tuple]:
    """By tshark: interface, direction, comment and `more` fields of each frame."""
    words = ["-Y", matching] if matching else []
    for field in (*FIELDS, *more):
        words += ["-e", field]
    said = run("tshark", "-n", "-r", str(file), "-T", "fields", "-E", "separator=|", *words).stdout
    rows = []
    for line in said.splitlines():
        interface, direction, *rest = line.split("|")
        rows.append((interface, DIRECTIONS[int(direction, 0)], *rest))
    return rows


def test_pings_go_in_and_out(lab: Lab, kind: str, tmp_path):
    switch, (one, two) = lab.build(kind, 2)
    file = tmp_path / "p0.pcapng"
    capture = begin(switch, "p0", "-w", str(file))
    started = time.time()
    one.ping(two.ipv4, count=3)
    until(lambda: written(file, is_answer) >= 3, "they are in the file")
    summary = end(capture)
    icmp = seen(file, "icmp.type", "frame.len", matching="icmp")
    asked = ("p0", IN, "priority 0", "8", "98")
    answered = ("p0", OUT, "from p1, priority 0", "0", "98")
    # An answer that is late comes after the next question.
    assert set(icmp) == {asked, answered} and icmp[0] == asked
    assert icmp.count(asked) >= icmp.count(answered) >= 3
    numbered = seen(file, "icmp.type", "icmp.ident", "icmp.seq", matching="icmp")
    assert len(numbered) == len(set(numbered)), "each is there once"
    times = [float(row[3]) for row in seen(file, "frame.time_epoch")]
    assert times == sorted(times)
    assert started - 1 < times[0] and times[-1] < time.time() + 1
    assert summary == f"{len(times)} frames captured, 0 filtered out, 0 lost"


def test_tags_and_priorities_are_as_on_the_wire(lab: Lab, kind: str, tmp_path):
    switch, (one, two) = lab.build(kind, 2)
    first, second = lab.wires()
    file = tmp_path / "p.pcapng"
    capture = begin(switch, "p0", "p1", "--priority", "3", "-c", "4", "-w", str(file))
    for priority in (3, 5, 3):
        first.send(*of_priority(one.address, priority, 1))
    assert capture.wait(10) == 0, capture.said()
    rows = seen(file, "vlan.priority", "vlan.id")
    assert sorted(rows) == [("p0", IN, "priority 3", "3", "1")] * 2 + \
        [("p1", OUT, "from p0, priority 3", "3", "1")] * 2


def test_what_the_switch_makes_itself_goes_out(lab: Lab, kind: str, tmp_path):
    lab.add_hosts(2)
    switch = lab.start_switch(kind, lldp={"enabled": True, "interval": "1s"})
    file = tmp_path / "lldp.pcapng"
    capture = begin(switch, "p0", "--out", "--filter", "ether proto 0x88cc", "-c", "1", "-w",
                    str(file))
    assert capture.wait(15) == 0, capture.said()
    assert seen(file, matching="lldp") == [("p0", OUT, "made by the switch")]


def test_drops_say_why_and_where_they_were_to_wait(lab: Lab, kind: str, tmp_path):
    one, two = lab.add_hosts(2)
    ports = lab.ports(kind)
    ports[1]["rate"] = "10M"
    switch = lab.make_switch(ports, buffer={"size": "64KiB", "alpha": 1}).start()
    first, second = lab.wires()
    at_input, at_output = tmp_path / "p0.pcapng", tmp_path / "p1.pcapng"
    captures = [begin(switch, port, "--drops", "-w", str(file))
                for port, file in (("p0", at_input), ("p1", at_output))]
    first.send(*of_priority(one.address, 4, 150, length=1000))
    first.send(frame(one.address, one.address, vlan=1, priority=4))
    switch.settled(received=151)
    lost = switch.drops("p0")["over_threshold"]
    assert switch.drops("p0")["same_port"] == 1
    # Whoever looks at the output sees who could not get there.
    files = ((at_input, ["dropped: same_port; from p0, priority 4"]), (at_output, []))
    for file, others in files:
        until(lambda: written(file) == lost + len(others), "all drops are in the file")
    for capture in captures:
        assert end(capture).endswith(" 0 lost")
    for file, others in files:
        comments = seen(file)
        deep = [comment for *_, comment in comments if "over_threshold" in comment]
        assert [comment for *_, comment in comments if "over_threshold" not in comment] == others
        assert {(interface, way) for interface, way, _ in comments} == {("p0", IN)}
        for comment in deep:
            before, depth = comment.removesuffix(" octets deep").rsplit(" ", 1)
            assert before == "dropped: over_threshold; VOQ from p0 to p1, priority 4,"
            assert 1000 < int(depth) <= 64 * 1024


@pytest.mark.parametrize("source, sink, vlan", [(0, 1, None), (1, 0, 10)],
                         ids=["access to trunk", "trunk to access"])
def test_a_drop_has_the_tag_that_it_came_with(lab: Lab, kind: str, tmp_path, source, sink, vlan):
    hosts = lab.add_hosts(2)
    ports = lab.ports(kind)
    ports[0]["vlan"] = {"mode": "access", "access": 10}
    ports[1]["vlan"] = {"mode": "trunk", "allowed": [10]}
    ports[sink]["rate"] = "10M"
    switch = lab.make_switch(ports, buffer={"size": "64KiB", "alpha": 1}).start()
    file = tmp_path / "drops.pcapng"
    capture = begin(switch, f"p{sink}", "--drops", "-w", str(file))
    lab.wires()[source].send(*(frame(hosts[source].address, BROADCAST, vlan=vlan, length=1000)
                               for _ in range(150)))
    switch.settled(received=150)
    lost = switch.drops(f"p{source}")["over_threshold"]
    until(lambda: written(file) == lost, "all drops are in the file")
    end(capture)
    assert set(row[3:] for row in seen(file, "eth.dst", "eth.src", "vlan.id", "frame.len")) == \
        {(BROADCAST, hosts[source].address, str(vlan or ""), "1000")}


def test_what_a_port_that_goes_down_drops_is_seen(lab: Lab, kind: str, tmp_path):
    one, two = lab.add_hosts(2)
    ports = lab.ports(kind)
    ports[1]["rate"] = "1M"
    switch = lab.make_switch(ports).start()
    first, second = lab.wires()
    file = tmp_path / "p1.pcapng"
    capture = begin(switch, "p1", "--drops", "-w", str(file))
    first.send(*of_priority(one.address, 3, 400, length=1000))  # three seconds
    until(lambda: switch.waiting() > 100, "they wait")
    two.set_link(False)
    until(lambda: switch.drops().get("egress_down", 0) and switch.waiting() == 0,
          "they are dropped")
    lost = switch.drops()["egress_down"]
    until(lambda: written(file) == lost, "they are in the file")
    end(capture)
    # Most had not crossed the fabric.
    rows = seen(file)
    assert {row[:2] for row in rows} == {("p0", IN), ("p1", OUT)}
    assert all(comment.startswith("dropped: egress_down; VOQ from p0 to p1, priority 3, ")
               for *_, comment in rows)


def arp_of(source: str, vlan: int = 0) -> bytes:
    octets = Ether(src=source, dst=BROADCAST)
    if vlan:
        octets /= Dot1Q(vlan=vlan, prio=3)
    return bytes(octets / ARP(pdst="10.0.0.9")).ljust(60, b"\0")


@pytest.mark.parametrize("expression, passes", [
    ("arp", [0]), ("vlan and arp", [1]), ("udp port 4791", [2]), ("vlan 10", [1]),
    ("ether host 02:00:00:00:00:01 and not ip", [0, 1])])
def test_a_filter_is_libpcaps(lab: Lab, tmp_path, expression, passes):
    switch, (one, _) = lab.build("af_packet", 2)
    wire = one.wire()
    file = tmp_path / "filtered.pcapng"
    sent = [arp_of(one.address), arp_of(one.address, vlan=10),
            bytes(Ether(src=one.address, dst="02:00:00:00:00:99") /  # whom nobody answers for
                  IP(src="10.0.0.1", dst="10.0.0.9") / UDP(dport=4791) / bytes(30))]
    capture = begin(switch, "p0", "--in", "--filter", expression, "--snaplen", "40", "-w",
                    str(file))
    wire.send(*sent)
    until(lambda: switch.port("p0")["rx_frames"] >= 3, "they came")
    until(lambda: written(file) >= len(passes), "they are in the file")
    summary = end(capture)
    assert summary == f"{len(passes)} frames captured, {3 - len(passes)} filtered out, 0 lost"
    rows = seen(file, "frame.len", "frame.cap_len")
    assert [row[3:] for row in rows] == [(str(len(sent[n])), "40") for n in passes]


def test_into_a_pipe_to_tshark(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2)
    words = shlex.join([program("sluice"), "capture", "p1", "--filter", "icmp", "-c", "4", "-w",
                        "-", "--socket", switch.socket])
    piped = switch.namespace.start(
        "sh", "-c", f"{words} | tshark -n -r - -T fields -e frame.interface_name -e icmp.type")
    piped.until_it_says("captures ")
    one.ping(two.ipv4, count=2)
    assert piped.wait(20) == 0, piped.said()
    lines = piped.output().splitlines()  # a second question may come before the first answer
    assert len(lines) == 4 and lines[0] == "p1\t8" and set(lines) == {"p1\t8", "p1\t0"}
    assert lines.count("p1\t8") >= lines.count("p1\t0")


def test_what_was_lost_is_reported_in_the_file_too(lab: Lab, tmp_path):
    switch, (one, two) = lab.build("af_packet", 2)
    file = tmp_path / "p0.pcapng"
    capture = begin(switch, "p0", "-w", str(file))
    one.ping(two.ipv4, count=1)
    until(lambda: written(file, is_answer), "it is in the file")
    end(capture)
    said = run("capinfos", str(file)).stdout
    assert "pcapng" in said and "sluice capture" in said
    assert "Name = p0" in said and "Number of stat entries = 1" in said


# --- who asks for too much -------------------------------------------------------------------------

class Staller:
    """A client that asks for everything and takes nothing but the reply."""

    def __init__(self, switch: Switch):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(10)
        self._socket.connect(switch.socket)
        self.ask({"ports": ["p0", "p1"], "of": ["in", "out", "drops"]})

    def ask(self, what: dict) -> None:
        self._socket.sendall(json.dumps({"capture": what}).encode() + b"\n")
        reply = b""
        while not reply.endswith(b"\n"):
            reply += self._socket.recv(1)
        self.reply = json.loads(reply)

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def stallers() -> Iterator[list[Staller]]:
    made: list[Staller] = []
    yield made
    for staller in made:
        staller.close()


def test_a_client_that_stalls_loses_frames_and_then_its_connection(lab: Lab, stallers, tmp_path):
    switch, (one, two) = lab.build("af_packet", 2)
    first, second = lab.wires()
    second.send(frame(two.address, BROADCAST))
    until(lambda: switch.fdb().get(two.address) == "p1", "it is known")
    stallers.append(Staller(switch))
    file = tmp_path / "p1.pcapng"
    capture = begin(switch, "p1", "--out", "-w", str(file))
    frames = 2000
    first.send(*of_priority(one.address, 0, frames, length=1400, destination=two.address),
               rate=4000)
    until(lambda: switch.port("p1")["tx_frames"] >= frames, "all went out", 30)
    assert switch.drops() == {}
    until(lambda: written(file) >= frames, "the other has all of them")
    assert end(capture).endswith(" 0 lost")
    ended = until(lambda: [event for event in switch.show("events")
                           if event["kind"] == "capture_ended" and "p0, p1" in event["text"]],
                  "the stalled one is ended", 45)
    assert int(ended[0]["text"].split()[-2]) > frames


def test_there_are_four_at_most(lab: Lab, stallers):
    switch = lab.make_switch([{"name": "p0", "device": "ring:four/a"},
                              {"name": "p1", "device": "ring:four/b"}]).start()
    for _ in range(4):
        stallers.append(Staller(switch))
        assert stallers[-1].reply["status"] == 0
    refused = switch.command("capture", "p0", "-w", "-", check=False)
    assert (refused.returncode, refused.stderr) == \
        (1, "capture: 4 are already running; end one of them\n")
    stallers.pop().close()
    stallers.append(until(lambda: next((again for again in [Staller(switch)]
                                        if again.reply["status"] == 0), None), "there is a place"))
    kinds = [event["kind"] for event in switch.show("events")]
    assert kinds.count("capture_began") == 5 and kinds.count("capture_ended") == 1


def test_wrong_words_are_reported(lab: Lab, tmp_path):
    switch = lab.make_switch([{"name": "p0", "device": "ring:words/a"},
                              {"name": "p1", "device": "ring:words/b"}]).start()
    file = str(tmp_path / "none.pcapng")

    def refused(*words: str) -> tuple[int, str]:
        done = switch.command("capture", *words, check=False)
        return done.returncode, done.stderr.strip()

    assert refused("p7", "-w", file) == \
        (2, 'port: no port is called "p7"; there are p0, p1')
    status, why = refused("p0", "-w", file, "--filter", "icmp and and")
    assert status == 2 and why.startswith("--filter: ") and "pcap-filter(7)" in why
    assert refused("p0")[0] == 2
    assert refused("p0", "-w", file, "--priority", "8")[0] == 2
    assert not (tmp_path / "none.pcapng").exists()
    status, why = refused("p0", "-w", "/nonexistent/file")
    assert (status, why) == (1, "/nonexistent/file: could not be written: No such file or directory")
    status, why = refused("p0", "-w", "/dev/full")
    assert status == 1 and why.endswith("/dev/full: could not be written: No space left on device")


def test_it_ends_with_the_switch(lab: Lab, tmp_path):
    switch = lab.make_switch([{"name": "p0", "device": "ring:ends/a"},
                              {"name": "p1", "device": "ring:ends/b"}]).start()
    capture = begin(switch, "p0", "-w", str(tmp_path / "p0.pcapng"))
    switch.stop()
    assert capture.wait(10) == 1
    assert "sluiced hung up" in capture.errors()
