"""A memif client that takes nothing, paused or of ill will: what it holds up is found and said, and
lossless traffic of the others goes on."""

import contextlib
from typing import Iterator

import pytest

from frames import of_priority
from host import Host
from lab import Lab
from memif_client import PLACES, Connected, client
from switch import Switch
from waiting import until, until_equal

STATION = "02:00:00:00:00:fe"  # behind the memif
EACH = 30  # frames of 1000 octets: more than XOFF
PAIR = 200


@contextlib.contextmanager
def three_pairs(lab: Lab, action: str) -> Iterator[tuple[Switch, list[tuple[Host, Host]], Connected]]:
    hosts = lab.add_hosts(6)
    memif = {"name": "m", "device": f"memif:{lab.folder / 'memif.sock'}"}
    stations = [{"address": host.address, "port": host.port} for host in hosts]
    switch = lab.make_switch(
        [*lab.ports("af_packet"), memif],
        defaults={"lossless": [3], "pfc": {
            "xoff": "16KiB", "xon": "8KiB", "headroom": "64KiB", "response": 0,
            "watchdog": {"action": action, "detection": "200ms", "restoration": "200ms",
                         "poll": "100ms"}}},
        fdb={"static": [*stations, {"address": STATION, "port": "m"}]})
    switch.launch()
    switch.process.until_it_says("answers on")
    with client(lab) as own:
        peer = Connected(own)
        switch.until_ready()
        yield switch, list(zip(hosts[::2], hosts[1::2])), peer
    until_equal(lambda: switch.links()["m"], "down", "it has gone")


def paused(switch: Switch) -> set[str]:
    return {row["port"] for row in switch.show("pfc") if row["pausing"]}


def event(switch: Switch, kind: str) -> dict:
    [found] = until(lambda: [event for event in switch.show("events") if event["kind"] == kind],
                    kind)
    assert found["port"] == "m", found
    return found


def goes_on(pairs: list[tuple[Host, Host]]) -> None:
    for sender, receiver in pairs:
        frames = of_priority(sender.address, 3, PAIR, 1000, receiver.address)
        sending, wire = sender.wire(), receiver.wire()
        wire.pending()
        # A host that obeys no pause: not more at once than is let in.
        for part in range(0, PAIR, 10):
            sending.send(*frames[part:part + 10])
            wire.expect(*frames[part:part + 10])


@pytest.mark.parametrize("action", ["drop", "forward"])
def test_what_a_peer_does_not_take_is_dropped_and_three_pairs_go_on(lab: Lab, action: str):
    with three_pairs(lab, action) as (switch, pairs, peer):
        for sender, _ in pairs:
            sender.wire().send(*of_priority(sender.address, 3, EACH, 1000, STATION))
        assert "frames for the port are dropped" in event(switch, "egress_stalled")["text"]
        until_equal(lambda: paused(switch), set(), "nobody is held any more")
        # One tries whether the peer takes.
        switch.until_dropped("egress_stalled", 3 * EACH - 1)
        goes_on(pairs)
        row = switch.port("m")
        assert row["egress_stalled"] and row["egress_stalls"] == 1 and row["tx_frames"] == 0
        assert switch.pfc("m", 3)["watchdog"] == "stalled"
        assert switch.drops() == {"egress_stalled": 3 * EACH - 1}

        peer.tell_head(1, PLACES)
        event(switch, "egress_restored")
        until_equal(lambda: switch.port("m")["tx_frames"], 1, "it took what waited")
        assert switch.pfc("m", 3)["watchdog"] == "operational"
        sender = pairs[0][0]
        sender.wire().send(*of_priority(sender.address, 3, 5, 1000, STATION))
        until_equal(lambda: switch.port("m")["tx_frames"], 6, "it is served as before")
        row = switch.port("m")
        assert not row["egress_stalled"] and row["egress_stalled_ns"] > 0.2e9
        assert switch.drops() == {"egress_stalled": 3 * EACH - 1}


def test_floods_do_not_wait_for_one_that_takes_nothing(lab: Lab):
    """By default nothing is done about what waits for it alone."""
    with three_pairs(lab, "alert") as (switch, pairs, _):
        hosts = [host for pair in pairs for host in pair]
        wires = {host.port: host.wire() for host in hosts}
        sender = pairs[0][0]

        def flood() -> None:
            # A host that obeys no pause: not more at once than is let in, of which each is six.
            for _ in range(EACH // 5):
                frames = of_priority(sender.address, 3, 5, 1000)
                wires[sender.port].send(*frames)
                for host in hosts:
                    if host is not sender:
                        wires[host.port].expect(*frames)
        flood()
        assert "copies of floods" in event(switch, "egress_stalled")["text"]
        until_equal(lambda: paused(switch), set(), "nobody is held any more")
        flood()
        goes_on(pairs)
        assert set(switch.drops()) == {"egress_stalled"}
        # What waits for it alone stands, and its sender.
        other = pairs[1][0]
        wires[other.port].send(*of_priority(other.address, 3, EACH, 1000, STATION))
        until_equal(lambda: paused(switch), {other.port}, "its sender is paused")
        goes_on([pairs[0], pairs[2]])
