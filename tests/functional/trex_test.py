"""`tools/trex`: profiles are the same for both generators, a run is judged to the frame, searches
accept no loss, and it says which generator ran: sluice-gen, unless $TREX names a TRex."""

import base64
import dataclasses
import json
import os
import pathlib
import subprocess
import sys

import pytest

import stl_stand_in
from lab import Lab
from switch import program

TREX = pathlib.Path(__file__).resolve().parents[2] / "tools" / "trex"
sys.path.insert(0, str(TREX))
API = stl_stand_in.provide()
import gen  # noqa: E402
import outcome  # noqa: E402
import profiles  # noqa: E402
import search  # noqa: E402
import server  # noqa: E402
import stl  # noqa: E402
import streams  # noqa: E402


def run(*words: str, environment=None) -> subprocess.CompletedProcess:
    return subprocess.run([str(TREX / "run"), *words], text=True, capture_output=True, timeout=300,
                          env={**os.environ, **(environment or {})})


# --- through a switch -----------------------------------------------------------------------------

@pytest.mark.parametrize("words", [
    ["uniform", "--ports", "4"], ["incast", "--rate", "20K"], ["hot-spot"], ["pcp-mix"], ["imix"],
    ["sizes", "--steps", "1518"], ["addresses", "--steps", "1,024;16,384"], ["vlan"],
    ["afh"], ["afh", "--format", "afh_gen2_16b"], ["latency"], ["pauses", "--quanta", "20000"],
    ["storm"], ["uniform", "--bed", "af_packet", "--rate", "500"]],
    ids=lambda words: "-".join(words).replace("--", ""))
def test_a_profile_runs_and_is_accounted_for_to_the_frame(words, record_property):
    rate = [] if "--rate" in words else ["--rate", "2K"]
    done = run(*words, *rate, "--seconds", "0.3", "--json")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    record_property("generator", found["generator"])
    assert found["generator"] == ("TRex" if os.environ.get("TREX") else "sluice-gen")
    for step in found["steps"]:
        holds = {one["what"]: one["holds"] for one in step["verdicts"]}
        assert holds == dict.fromkeys(holds, True) and {"loss", "order", "ledger"} <= set(holds)
        assert step["ledger"]["received"] > 0
        if words[0] in ("pauses", "storm"):
            assert holds["pauses"]


def test_a_table_says_who_sent_and_a_step_that_cannot_run_says_why():
    done = run("addresses", "--steps", "1,024;1,048,576", "--rate", "500", "--seconds", "0.2",
               environment={"TREX": ""})
    assert done.returncode == 0, done.stderr
    assert "generator: sluice-gen (neither --trex nor $TREX says where TRex is)" in done.stdout
    assert "not run: sluice-gen has 65,536 addresses a port" in done.stdout
    assert "agrees to the frame" in done.stdout and done.stdout.endswith("passed\n")


@pytest.mark.full
def test_a_switch_of_ones_own_is_started_and_a_search_ends(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text(f"ports:\n  - {{name: a, device: 'memif:{tmp_path}/a.sock', rate: 1M}}\n"
                    f"  - {{name: b, device: 'memif:{tmp_path}/b.sock', rate: 1M}}\n"
                    "lldp: {enabled: false}\nbuffer: {size: 1MiB}\n")
    done = run("sizes", "--steps", "1518", "--switch", str(file), "--search", "ndr", "--rate", "1K",
               "--seconds", "2", "--json", environment={"TREX": ""})
    assert done.returncode == 0, done.stdout + done.stderr
    [step] = json.loads(done.stdout)["steps"]
    # 1 Mb/s of 1538 octets is 81 frames a second; a buffer of 1 MiB takes some 300 of both more.
    assert step["limit"] == "loss" and step["rate"] < 500 and step["trials"] > 3


@pytest.mark.parametrize("words, what", [
    (["incast", "--ports", "2"], "3 ports or more"),
    (["uniform", "--trex", "/nowhere"], "there is no t-rex-64"),
    (["sizes", "--steps", "65"], "65 is none of 64; 128"),
    (["uniform", "--switch", "/nowhere.yaml"], "/nowhere.yaml"),
    (["uniform", "--rate", "fast"], "--rate"),
    (["uniform", "--search", "ndr", "--seconds", "1", "--trex", "/nowhere"], "5 at least"),
    (["diagonal"], "invalid choice")])
def test_what_cannot_be_is_reported(words, what):
    done = run(*words)
    assert done.returncode == 2 and what in done.stderr


# --- both send the same ---------------------------------------------------------------------------

def octets_of(made) -> bytes:
    """Of a stream of TRex."""
    if API == "TRex":
        return base64.b64decode(made.fields["packet"]["binary"])
    return made.packet.pkt_buffer


@pytest.mark.parametrize("name", profiles.PROFILES)
def test_every_profile_is_the_same_to_both_generators(name, record_property):
    record_property("api", API)
    profile = profiles.PROFILES[name]
    for step, wanted in profile.steps(profiles.Shape(ports=max(4, profile.fewest_ports))):
        numbered = stl.Numbered(wanted, 1000)
        ours = [gen.described(one, 1000) for one in wanted]
        assert sorted(numbered.of_port) == sorted({one["from"] for one in ours})
        theirs = [made for made in numbered.of_port.values() for made in made]
        assert len(theirs) == sum(len(one.frame_bytes) for one in wanted), step
        lengths = sorted(len(octets_of(made)) for made in theirs)
        assert lengths == sorted(len(one.octets) or octets - 4 for one in wanted
                                 for octets, _ in one.frame_bytes)
        groups = [group for of_one in numbered.groups.values() for group in of_one]
        assert len(groups) == len(set(groups))
        for one in wanted:
            assert bool(numbered.groups.get(one.name)) == (one.format == "standard"
                                                           and not one.octets)


@pytest.mark.parametrize("about", [{}, {"vlan": 10, "pcp": 5}, {"frame_bytes": ((200, 1),)}],
                         ids=["plain", "tagged", "long"])
def test_octets_are_those_that_sluice_gen_sends(lab: Lab, about):
    lab.add_hosts(2)
    first, _ = lab.wires()
    one = streams.Stream("one", 0, 1, **about)
    xoff = streams.Stream("xoff", 0, octets=streams.pause(0, (3, 4), 1000))
    file = lab.folder / "streams.yaml"
    file.write_text(json.dumps({"streams": [gen.described(stream, 100) for stream in (one, xoff)]}))
    generator = lab.namespace.start(
        program("sluice-gen"), "--port", "af_packet:p0", "--port", "af_packet:p1", "--streams",
        str(file), "--seconds", "600", "--quiet")

    def probes(frames: list[bytes]) -> list[bytes]:
        return [frame for frame in frames if frame[:6] == streams.station(1)]
    received = first.collect(lambda frames: probes(frames) and xoff.octets in frames, "one of each")
    generator.end()
    sent = probes(received)[0]
    made = streams.frame(one, one.frame_bytes[0][0])
    # All but what differs from frame to frame: identification, with it the checksum, number, time.
    for of_all in (slice(0, 22), slice(24, 28), slice(30, 46), slice(60, None)):
        assert sent[of_all] == made[of_all]
    assert streams.checksum(made[18:38]) == 0
    assert streams.announcement(0, one.vlan) in received


@pytest.mark.parametrize("ends, interfaces", [
    (["memif:/a.sock,client", "memif:/b.sock,client"],
     ["--vdev=net_memif0,role=client,id=0,socket-abstract=no,socket=/a.sock,rsize=14",
      "--vdev=net_memif1,role=client,id=0,socket-abstract=no,socket=/b.sock,rsize=14"]),
    (["af_packet:g0", "af_packet:g1", "af_packet:g2"],
     ["--vdev=net_af_packet0,iface=g0,framecnt=4096", "--vdev=net_af_packet1,iface=g1,framecnt=4096",
      "--vdev=net_af_packet2,iface=g2,framecnt=4096", "dummy"]),
    (["pci:0000:03:00.0", "pci:0000:03:00.1"], ["03:00.0", "03:00.1"])])
def test_the_configuration_of_trex_is_of_the_bed(ends, interfaces):
    [small], [large] = server.configuration(ends, 2), server.configuration(ends, 8)
    for made in (small, large):
        assert made["interfaces"] == interfaces and made["port_limit"] == len(interfaces)
        assert len(made["port_info"]) == len(interfaces) and made["port_speed"] == 10000
    assert small["low_end"]
    assert "low_end" not in large
    assert [pair["threads"] for pair in large["platform"]["dual_if"]] == \
        [[2 + pair] for pair in range(len(interfaces) // 2)]


# --- judging and searching ------------------------------------------------------------------------

def came(lost=0, reordered=0, devices=((10, 10), (10, 10))) -> outcome.Outcome:
    row = outcome.Row("0-1", 10, 10 - lost, lost, reordered, 0)
    return outcome.Outcome([row], list(devices), 1.0, 10)


BALANCE = {"received": 20, "sent": 20, "dropped": 0, "waiting": 0, "balanced": True}
STREAM = streams.Stream("0-1", 0, 1)


def test_one_frame_too_few_fails():
    assert outcome.loss(came(), [STREAM]).holds
    assert not outcome.loss(came(lost=1), [STREAM]).holds
    assert outcome.loss(came(lost=1), [dataclasses.replace(STREAM, may_lose=True)]).holds
    assert outcome.order(came()).holds and not outcome.order(came(reordered=1)).holds
    ports = [{"rx_frames": 10, "tx_frames": 10}] * 2
    assert outcome.ledger(came(), ports, BALANCE).holds
    ledger = outcome.ledger(came(devices=((11, 10), (10, 10))), ports, BALANCE)
    assert not ledger.holds and "port 0: 11 sent, 10 received by the switch" in ledger.why
    assert not outcome.ledger(came(), ports, {**BALANCE, "balanced": False}).holds
    assert not outcome.ledger(came(), ports, {**BALANCE, "waiting": 1}).holds


def test_what_trex_reports_becomes_a_row():
    found = {"flow_stats": {1: {"tx_pkts": {"total": 70}, "rx_pkts": {"total": 69}},
                            2: {"tx_pkts": {"total": 30}, "rx_pkts": {"total": 30}}},
             "latency": {1: {"err_cntrs": {"out_of_order": 2, "dup": 1},
                             "latency": {"average": 127.0, "total_max": 900}}}}
    plain = server.row_of(STREAM, [1, 2], found)
    assert (plain.sent, plain.received, plain.lost, plain.reordered) == (100, 99, 1, None)
    timed = server.row_of(dataclasses.replace(STREAM, latency=True), [1], found)
    assert (timed.reordered, timed.duplicates) == (2, 1)
    assert timed.latency_us == {"average": 127.0, "max": 900}
    assert server.row_of(STREAM, None, found).sent is None


def carries(most: float, noise=()):
    """A switch that loses one frame of a trial above that rate, and of these trials by chance."""
    trials = []

    def trial(rate: float) -> outcome.Outcome:
        trials.append(rate)
        lost = int(rate > most or len(trials) in noise)
        row = outcome.Row("0-1", int(rate), int(rate) - lost, lost)
        return outcome.Outcome([row], [], 1.0, rate)
    return trial


def test_a_search_finds_the_edge_and_accepts_no_loss():
    found = search.search(carries(333_333), 1e6)
    assert 323_333 <= found.rate <= 333_333 and found.limit == "loss"
    assert found.outcome.lost() == 0
    assert search.search(carries(2e6), 1e6).rate == 1e6
    nothing = search.search(carries(0), 1000)
    assert nothing.rate is None and nothing.outcome is None
    # One frame of a million is more than none, and less than 0.1 %.
    assert search.search(carries(0), 1e6, accepted=0.001).rate == 1e6
    assert search.search(carries(2e6, noise=(1, 3)), 1e6).rate > 900_000


def test_a_generator_that_does_not_send_is_the_limit():
    def slow(rate: float) -> outcome.Outcome:
        sent = min(int(rate), 500)
        return outcome.Outcome([outcome.Row("0-1", sent, sent, 0)], [], 1.0, rate)
    assert search.search(slow, 1000).limit == "generator"
