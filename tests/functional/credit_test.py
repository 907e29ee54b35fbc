"""Credit between two switches: a slow reader behind the second loses nothing and pauses nobody;
updates that are lost, a link that goes and switches that are killed lose no credit; and where the
peer gives none, or no more, a port goes by PFC and says so."""

import collections
import json
import signal

import pytest

from delayed_link import DelayedLink
from frames import of_priority, pause
from host import Host
from lab import Lab
from lldpd import SLOW, Lldpd
from switch import USUAL_BUFFER, Switch, sluice
from tshark import decoded
from tunnels import cable
from waiting import until, until_equal
from wire import Wire

BUFFER = 64 * 1024
BY_CREDIT = {"flow_control": "credit", "lossless": [3], "speed": "1G",
             "pfc": {"response": "2ms"}, "credit": {"buffer": "64KiB", "quantum": "8KiB"}}
BY_PFC = {"flow_control": "pfc", "lossless": [3], "speed": "1G",
          "pfc": {"xoff": "64KiB", "xon": "32KiB", "response": "20ms"}}  # two cores, four programs
HOLDS_ALL = {"lossless": [3], "pfc": {"xoff": "2MiB", "xon": "1MiB"},
             "lldp": {"mode": "disabled"}}
LOSSES = {"no_credit", "over_threshold", "headroom_overrun", "no_queue_entry"}


def events(switch: Switch, kind: str) -> list[str]:
    return [event["text"] for event in switch.show("events") if event["kind"] == kind]


class End:
    """A switch's port by credit."""

    def __init__(self, switch: Switch, port: str):
        self.switch = switch
        self.port = port

    def state(self) -> str:
        return self.switch.port(self.port)["credit_state"]

    def updates(self) -> dict:
        return next(row for row in self.switch.show("credits")["ports"] if row["port"] == self.port)

    def row(self) -> dict:
        return next(row for row in self.switch.show("credits")["priorities"]
                    if row["port"] == self.port)


class Pair:
    """one - a == b - two, where == goes by credit; with `loses` by a link that loses what that
    says, with `delay` by one that takes so many seconds. a and b may be of other settings."""

    def __init__(self, lab: Lab, loses=None, delay=0.0, of_a=None, of_b=None, **of_two):
        second = lab.make_namespace("switch2")
        self.link = None
        if loses is None and delay == 0:
            cable(lab.namespace, "ab", second, "ba")
        else:
            between = lab.make_namespace("between")
            cable(lab.namespace, "ab", between, "left")
            cable(second, "ba", between, "right")
            self.link = DelayedLink(between, "left", "right", delay,
                                    loses or (lambda octets: False))
        self.one: Host = lab.add_host("p0")
        self.two: Host = lab.add_host("p1", second)
        self.a = lab.make_switch([{"name": "p0", "device": "af_packet:p0", **HOLDS_ALL},
                                  {"name": "up", "device": "af_packet:ab", **BY_CREDIT,
                                   **(of_a or {})}],
                                 lldp={"enabled": True, "chassis_id": "a"}, buffer=USUAL_BUFFER)
        self.b = lab.make_switch([{"name": "down", "device": "af_packet:ba", **(of_b or BY_CREDIT)},
                                  {"name": "p1", "device": "af_packet:p1", **HOLDS_ALL, **of_two}],
                                 second, lldp={"enabled": True, "chassis_id": "b"},
                                 buffer=USUAL_BUFFER)
        self.cable = Wire(second, "ba")
        self.ends = [End(self.a, "up"), End(self.b, "down")]
        for switch in (self.a, self.b):
            switch.launch()
        for switch in (self.a, self.b):
            switch.until_ready()

    def until_by_credit(self) -> None:
        until_equal(lambda: [end.state() for end in self.ends], ["credit"] * 2, "credit both ways")

    def until_all_is_back(self) -> None:
        until_equal(lambda: [end.row()["available_bytes"] for end in self.ends], [BUFFER] * 2,
                    "no credit is missing")

    def frames(self, count: int) -> list[bytes]:
        return of_priority(self.one.address, 3, count, 1000, self.two.address)

    def stop(self) -> None:
        """Nothing of what is lossless was lost inside."""
        self.cable.close()
        for switch in (self.a, self.b):
            if not switch.running():
                continue
            assert not LOSSES & switch.drops().keys()
            until_equal(switch.waiting, 0, "it is empty")
            until(lambda: switch.show("ledger")["balanced"] is True, "its ledger balances")
            switch.stop()


@pytest.fixture
def pairs(lab: Lab):
    """Makes them; their links end with the test."""
    made = []

    def make(**about) -> Pair:
        made.append(Pair(lab, **about))
        return made[-1]
    yield make
    for pair in made:
        if pair.link is not None:
            pair.link.close()


def is_credit_update(frame: bytes) -> bool:
    return frame[12:20] == b"\x88\xb5SLCRED"


def offers_credit(frame: bytes) -> bool:
    return frame[12:14] == b"\x88\xcc" and b"\x02\x53\x4c\x01SLCRED" in frame


def pauses_in(frames: list[bytes]) -> list[bytes]:
    return [frame for frame in frames if frame[12:14] == b"\x88\x08"]


def test_a_slow_reader_loses_nothing_and_pauses_nobody(pairs, tmp_path):
    pair = pairs(rate="5M")
    frames = pair.frames(600)
    two = pair.two.wire()
    pair.until_by_credit()
    pair.one.wire().send(*frames)
    until(lambda: pair.a.waiting() > 0, "what b has no room for waits at a")
    assert [end.state() for end in pair.ends] == ["credit"] * 2
    until(lambda: pair.ends[0].row()["blocked_ns"] > 0, "it says so")
    words = f"eth src {pair.one.address} dst {pair.two.address} vlan 1 pcp 3"
    said = pair.a.command("trace", "--what-if", words, "--port", "p0", "--json")
    [copy] = json.loads(said.stdout)["copies"]
    assert copy["output_lacks_credit"] and copy["lossless"] and not copy["output_paused"]
    assert two.collect(lambda received: len(received) == len(frames), "all of them", 60) == frames
    pair.until_all_is_back()
    assert pair.ends[1].updates()["updates_sent"] > 0
    said = pair.a.command("show", "credits").stdout
    assert "MAY SEND" in said and "64 KiB" in said, said
    received = pair.cable.pending()
    assert pair.b.pfc("down", 3)["tx_pause"] == 0 and not pauses_in(received)
    # By a decoder that is not ours: Ethernet that no bridge forwards, and a TLV of LLDP.
    updates = [frame for frame in received if is_credit_update(frame)][:5]
    assert decoded(tmp_path, updates, "eth.dst", "eth.type", "_ws.malformed") == \
        [{"eth.dst": "01:80:c2:00:00:0e", "eth.type": "0x88b5"}] * 5
    [offer, *_] = [frame for frame in received if offers_credit(frame)]
    assert decoded(tmp_path, [offer], "lldp.tlv.type", "_ws.malformed") == [{"lldp.tlv.type": "1"}]
    assert b"SLCRED\x01\x08" in offer, "version 1, priority 3"
    pair.stop()


# A bandwidth-delay product of 20 Mbit/s for 50 ms there and back is 125,000 octets, in whole cells of
# 1024 for frames of 1000; then three longest frames and two quanta, as worked out for a cable. That it
# keeps the wire busy is seen in virtual time (tools/sim/reference), where no link is a process.
def test_a_buffer_of_the_loop_and_half_of_it_lose_nothing_far_away(pairs):
    def by_credit(buffer: int) -> dict:
        return {**BY_CREDIT, "credit": {"buffer": f"{buffer}B", "quantum": "4KiB",
                                        "refresh": "10ms"}}
    loop = 128_000 + 3 * 1536 + 2 * 4096
    pair = pairs(delay=0.025, of_a={**by_credit(64 * 1024), "rate": "20M"}, of_b=by_credit(loop),
                 rate="2M")
    frames = pair.frames(400)
    two = pair.two.wire()
    pair.until_by_credit()
    ports = pair.b.configuration["ports"]
    for buffer in (loop, loop // 2):
        pair.b.apply(ports=[{**ports[0], **by_credit(buffer)}, ports[1]])
        until_equal(lambda: pair.ends[0].row()["available_bytes"], buffer, "all of its credit")
        pair.one.wire().send(*frames)
        received = two.collect(lambda received: len(received) == len(frames), "all of them", 60)
        assert received == frames
        assert pair.b.pfc("down", 3)["tx_pause"] == 0
    # With half of it; a busy machine may never use up the whole.
    assert pair.ends[0].row()["blocked_ns"] > 0
    pair.stop()


def test_what_is_lost_of_updates_and_frames_is_made_good(pairs):
    count: collections.Counter = collections.Counter()

    # One of a hundred of each direction.
    def loses(octets: bytes) -> bool:
        kind = "updates" if is_credit_update(octets) else "frames" if len(octets) == 1000 else ""
        if not kind:
            return False
        source = octets[6:12]
        count[source, kind] += 1
        return count[source, kind] % 100 == 0
    pair = pairs(loses=loses, rate="5M")
    frames = pair.frames(600)
    two = pair.two.wire()
    pair.until_by_credit()
    pair.one.wire().send(*frames, rate=2000)
    arrive = [frame for number, frame in enumerate(frames, 1) if number % 100 != 0]
    assert two.collect(lambda received: len(received) == len(arrive), "but those", 60) == arrive
    pair.until_all_is_back()
    for end in pair.ends:
        until(lambda: end.updates()["updates_lost"] > 0, "one of a hundred is lost")
    assert pair.ends[1].updates()["lost_bytes"] == 6 * 1024  # in whole cells
    pair.stop()


def test_a_link_that_goes_and_comes_takes_no_credit_with_it(pairs):
    pair = pairs(rate="2M")  # so slow that what waits at a is still there when it is asked for
    two = pair.two.wire()
    pair.until_by_credit()
    pair.one.wire().send(*pair.frames(200))
    until(lambda: pair.a.waiting() > 0, "b's buffer is full")
    pair.b.namespace.ip("link", "set", "ba", "down")
    until_equal(lambda: [pair.a.links()["up"], pair.b.links()["down"]], ["down"] * 2, "it is gone")
    until_equal(lambda: [end.state() for end in pair.ends], ["no_link"] * 2, "workers know")
    pair.b.namespace.ip("link", "set", "ba", "up")
    pair.until_by_credit()
    until_equal(pair.b.waiting, 0, "what stood at b has left")
    pair.until_all_is_back()
    two.pending()
    again = pair.frames(200)
    pair.one.wire().send(*again)
    assert two.collect(lambda received: len(received) == len(again), "all of them") == again
    # Lost is only what waited for the link; b paused a until an offer of a had reached it.
    assert set(pair.a.drops("up")) <= {"credit_update", "lldp", "mac_control", "egress_down"}
    pair.stop()


@pytest.mark.parametrize("which", ["receiver", "sender"])
def test_one_that_is_killed_and_comes_back_costs_no_credit(pairs, which):
    pair = pairs()
    two = pair.two.wire()
    first, second, third = pair.frames(100), pair.frames(400), pair.frames(300)
    pair.until_by_credit()
    pair.one.wire().send(*first)
    two.expect(*first)
    killed = pair.b if which == "receiver" else pair.a
    killed.process.signal(signal.SIGKILL)
    killed.process.wait(5)
    if which == "receiver":
        pair.one.wire().send(*second)
        until_equal(lambda: pair.a.port("p0")["rx_frames"], len(first) + len(second), "all came")
        until(lambda: pair.ends[0].row()["available_bytes"] < 1024, "its credit is used up")
        waiting = until(pair.a.waiting, "there is nobody who gives credit")
        assert waiting >= len(second) - BUFFER // 1024, "no more went than it had credit for"
        pair.b.start()
        received = two.collect(lambda received: len(received) >= waiting, "what waited at a")
        assert received == second[-waiting:]
    else:
        pair.a.start()
        pair.a.process.signal(signal.SIGKILL)  # once more, before it has a session, or as it has
        pair.a.process.wait(5)
        pair.a.start()
    pair.until_by_credit()
    pair.until_all_is_back()
    pair.one.wire().send(*third)
    assert two.collect(lambda received: len(received) == len(third), "all of them") == third
    pair.stop()


def test_a_peer_by_pfc_is_paused_and_obeyed(pairs):
    pair = pairs(of_b=BY_PFC, rate="5M")
    frames = pair.frames(600)
    two = pair.two.wire()
    until(lambda: "does not advertise credit" in pair.ends[0].updates()["why"],
          "LLDP says that its peer gives none")
    assert pair.ends[0].state() == "pfc"
    until(lambda: events(pair.a, "credit_fallback"), "it says so")
    pair.one.wire().send(*frames)
    assert two.collect(lambda received: len(received) == len(frames), "all of them", 60) == frames
    assert pair.b.pfc("down", 3)["tx_pause"] > 0 and pair.a.pfc("up", 3)["paused_ns"] > 0
    assert not [frame for frame in pair.cable.pending() if is_credit_update(frame)]
    pair.stop()


def test_settings_turn_both_to_credit_and_one_back_under_overload(pairs):
    # At its whole rate a would send all before a busy machine lets b pause it.
    pair = pairs(of_a={"rate": "40M"}, of_b=BY_PFC, rate="2M")
    two = pair.two.wire()
    until_equal(pair.ends[0].state, "pfc", "its peer gives none")
    frames = pair.frames(1800)
    pair.one.wire().send(*frames[:900])
    until(lambda: pair.a.pfc("up", 3)["paused_ns"] > 0, "b pauses a")
    ports = pair.b.configuration["ports"]
    pair.b.apply(ports=[{**ports[0], **BY_CREDIT, "pfc": BY_PFC["pfc"]}, ports[1]])
    pair.until_by_credit()
    until(lambda: events(pair.a, "credit_begun") and events(pair.b, "credit_begun"), "they say so")
    until(lambda: pair.ends[0].row()["blocked_ns"] > 0, "what a sends it sends on credit")
    assert pair.a.waiting() > 0 and pair.b.waiting() > 0, "all of that was under way"
    pair.one.wire().send(*frames[900:])
    pair.b.apply(ports=ports)
    until_equal(pair.ends[0].state, "pfc", "b has left, and LLDP says so")
    assert pair.a.waiting() > 0 and pair.b.waiting() > 0, "and so was that"
    assert two.collect(lambda received: len(received) == len(frames), "all of them", 60) == frames
    pair.stop()


# What b has room for is full when a leaves, and a pause takes 25 ms to a.
def test_a_sender_that_leaves_a_full_peer_far_away_loses_nothing(pairs):
    rate = {"rate": "20M"}
    seldom = {"credit": {"buffer": "64KiB", "quantum": "8KiB", "refresh": "10ms"}}
    pair = pairs(delay=0.025, of_a={**seldom, **rate}, of_b={**BY_CREDIT, **seldom}, rate="1M")
    frames = pair.frames(400)
    two = pair.two.wire()
    pair.until_by_credit()
    pair.one.wire().send(*frames)
    until(lambda: pair.ends[0].row()["blocked_ns"] > 50_000_000, "b is full")
    ports = pair.a.configuration["ports"]
    pair.a.apply(ports=[ports[0], {"name": "up", "device": "af_packet:ab", **BY_PFC, **rate}])
    until_equal(pair.ends[1].state, "pfc", "a has left")
    assert pair.a.waiting() > 0, "and had more to send"
    assert two.collect(lambda received: len(received) == len(frames), "all of them", 60) == frames
    assert pair.a.pfc("up", 3)["paused_ns"] > 0
    pair.stop()


@pytest.mark.parametrize("peer", ["host", "lldpd"])
def test_a_peer_that_is_no_switch_is_served_by_pfc(lab: Lab, peer):
    one, two = lab.add_hosts(2)
    switch: Switch = lab.make_switch(
        [{"name": "p0", "device": "af_packet:p0", **HOLDS_ALL},
         {"name": "p1", "device": "af_packet:p1", **BY_CREDIT}], lldp={"enabled": True}).start()
    agent = Lldpd(two, "two") if peer == "lldpd" else None
    frames = of_priority(one.address, 3, 10, 64, two.address)
    wire = two.wire()
    one.wire().send(*frames)
    wire.collect(lambda received: all(frame in received for frame in frames), "they pass")
    reason = "does not advertise credit" if agent else "it has no LLDP neighbour"
    until(lambda: reason in switch.show("credits")["ports"][0]["why"], "it says why", SLOW)
    assert switch.port("p1")["credit_state"] == "pfc"
    wire.send(pause(two.address, p3=65535))
    until_equal(lambda: switch.pfc("p1", 3)["rx_pause"], 1, "a pause is received")
    assert switch.pfc("p1", 3)["paused_ns"] > 0
    until(lambda: events(switch, "credit_fallback"), "it says so as well")
    if agent:
        agent.stop()


def test_without_lldp_it_says_at_the_start_that_it_goes_by_pfc(lab: Lab):
    one, two = lab.add_hosts(2)
    switch: Switch = lab.make_switch(
        [{"name": "p0", "device": "af_packet:p0", **HOLDS_ALL},
         {"name": "p1", "device": "af_packet:p1", **BY_CREDIT}], lldp={"enabled": False}).start()
    until_equal(lambda: events(switch, "credit_fallback"), ["using PFC: LLDP is disabled"],
                "it says so", 2.0)
    frames = of_priority(one.address, 3, 10, 64, two.address)
    wire = two.wire()
    one.wire().send(*frames)
    wire.expect(*frames)


def test_settings_that_cannot_work_are_refused(lab: Lab):
    port = {"name": "p0", "device": "ring:a", **BY_CREDIT}
    for more, said in (({"lldp": {"mode": "rx"}}, "credit needs LLDP both ways"),
                       ({"lanes": [0, 0]}, "lanes: cannot be combined with flow_control: credit")):
        switch = lab.make_switch([{**port, **more}])
        switch.write()
        checked = sluice("check", str(switch.file), check=False)
        assert checked.returncode != 0 and said in checked.stdout + checked.stderr
