"""What outlasts a restart: who was learned, what was counted; what becomes of a file that cannot be
trusted; and for how long nothing is forwarded when a switch is restarted under traffic."""

import json
import os
import pathlib
import re
import select
import signal
import statistics
import threading
import time

import pytest

from frames import BROADCAST, frame
from host import Host
from lab import Lab
from switch import STARTS, Switch
from waiting import until, until_equal
from wire import Wire

COUNTED = ("rx_frames", "rx_bytes", "tx_frames", "tx_bytes", "dropped")
# Of each kind of restart under traffic.
TURNS = int(os.environ.get("SLUICE_RESTART_TURNS", "1"))
PERIOD = 0.002  # seconds between two frames of that traffic


def state_file(switch: Switch) -> pathlib.Path:
    return switch.kept("state")


def saved(switch: Switch) -> dict:
    return json.loads(state_file(switch).read_text())


def rewrite(switch: Switch, kept: dict) -> None:
    """As an older sluiced would have, which had no checksum."""
    del kept["checksum"]
    state_file(switch).write_text(json.dumps({**kept, "version": 1}))


def kill(switch: Switch) -> None:
    switch.process.signal(signal.SIGKILL)
    assert switch.process.wait(5) == -signal.SIGKILL


def event_texts(switch: Switch, kind: str) -> list[str]:
    return [row["text"] for row in switch.show("events") if row["kind"] == kind]


def counters(switch: Switch) -> dict:
    return {row["name"]: [row[key] for key in COUNTED] for row in switch.show("ports")}


def introduce(switch: Switch, *hosts: Host) -> None:
    for host in hosts:
        host.wire().send(frame(host.address, BROADCAST))
    wanted = {host.address: host.port for host in hosts}
    until(lambda: wanted.items() <= switch.fdb().items(), "they are learned")


def without_age(switch: Switch) -> list[dict]:
    return [{key: value for key, value in row.items() if key != "age_s"}
            for row in switch.show("fdb")]


def test_nothing_is_kept_unless_asked_for(lab: Lab):
    switch, (one, two) = lab.build("af_packet", 2)
    introduce(switch, one, two)
    switch.stop()
    assert not state_file(switch).exists()
    switch.start()
    assert switch.show("fdb") == []
    assert switch.port("p0")["rx_frames"] == 0
    assert event_texts(switch, "state_restored") == []


def test_who_was_learned_is_known_after_a_restart(lab: Lab, kind: str):
    switch, (one, two, three) = lab.build(kind, 3, state={"fdb": True})
    introduce(switch, one, two)
    before = without_age(switch)
    switch.stop()
    assert state_file(switch).stat().st_mode & 0o777 == 0o600
    time.sleep(2.1)  # shown in whole seconds, kept in steps of an eighth
    switch.start()
    assert without_age(switch) == before
    assert all(row["age_s"] >= 1 for row in switch.show("fdb")), "what passed counts"
    assert event_texts(switch, "state_restored")[0].startswith("restored 2 address(es) and the counters of 0")

    # Who is known is not flooded for.
    second, third = two.wire(), three.wire()
    to_it, last = frame(three.address, two.address), frame(two.address, BROADCAST)
    third.send(to_it)
    second.expect(to_it)
    second.send(last)
    third.expect(last)
    one.wire().send(to_it := frame(one.address, two.address))
    second.expect(to_it)
    assert third.pending() == []


def test_addresses_stay_with_their_port_their_vlan_and_their_age(lab: Lab):
    switch, (one, two, three) = lab.build("af_packet", 3, state={"fdb": True})
    introduce(switch, one, two, three)
    two.wire().send(frame(two.address, BROADCAST, vlan=20))
    until(lambda: switch.fdb(20), "in VLAN 20 as well")
    switch.stop()

    fixed = {"address": one.address, "port": "p2"}
    ports = lab.ports("af_packet")
    ports[2]["name"] = "other"
    fixed["port"] = "other"
    switch.write(ports=ports, fdb={"static": [fixed]})
    switch.start()
    assert switch.fdb() == {one.address: "other", two.address: "p1"}, \
        "a static entry wins, and a port that is no longer there has nobody"
    assert switch.fdb(20) == {two.address: "p1"}
    switch.stop()

    # In a VLAN that the port is no longer in, nobody of it is.
    ports = [{**port, "vlan": {"mode": "access", "access": 1}} for port in lab.ports("af_packet")]
    switch.write(ports=ports, fdb={})
    switch.start()
    assert switch.fdb(20) == {} and two.address in switch.fdb()
    switch.stop()

    # Long ago by this clock: aged.
    kept = saved(switch)
    kept["saved_at"] -= 400
    rewrite(switch, kept)
    switch.start()
    assert switch.show("fdb") == []


def test_a_clock_that_went_back_is_tolerated(lab: Lab):
    switch, (one, two) = lab.build("af_packet", 2, state={"fdb": True})
    introduce(switch, one, two)
    switch.stop()
    kept = saved(switch)
    kept["saved_at"] += 100_000
    rewrite(switch, kept)
    switch.start()
    assert set(switch.fdb()) == {one.address, two.address}
    assert re.search(r"saved \d+ s in the future: the clock was set back",
                     event_texts(switch, "state_restored")[0])


def test_no_more_than_the_table_holds_are_known(lab: Lab):
    switch, (one, two) = lab.build("af_packet", 2, state={"fdb": True})
    one.wire().send(*(frame(f"02:00:00:01:00:{number:02x}", BROADCAST) for number in range(100)))
    until(lambda: len(switch.fdb()) == 100, "a hundred are learned")
    switch.stop()
    switch.write(fdb={"capacity": 64})
    switch.start()
    assert 32 < len(switch.fdb()) <= 64


def test_a_port_without_link_keeps_nobody_for_long(lab: Lab):
    switch, (one, two) = lab.build("af_packet", 2, state={"fdb": True})
    introduce(switch, one, two)
    switch.stop()
    two.set_link(False)
    switch.launch()
    until(lambda: switch.links() == {"p0": "up", "p1": "down"}, "it runs", STARTS)
    until_equal(lambda: set(switch.fdb()), {one.address}, "who has no link is forgotten", 30)
    two.set_link(True)
    until(lambda: set(switch.links().values()) == {"up"}, "both have link")


def test_counters_go_on(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, state={"counters": True})
    first = one.wire()
    first.send(*(frame(one.address, BROADCAST) for _ in range(5)),
               frame(two.address, "01:80:c2:00:00:00"))
    until_equal(lambda: switch.port("p0")["rx_frames"], 6, "they came")
    switch.settled()
    before, drops = counters(switch), switch.drops()
    assert before["p0"][0] == 6 and sum(drops.values()) >= 1
    switch.stop()
    switch.start()
    assert counters(switch) == before and switch.drops() == drops
    assert switch.show("fdb") == []
    first.send(frame(one.address, BROADCAST))
    until_equal(lambda: switch.port("p0")["rx_frames"], 7, "they go on")
    assert switch.show("ledger")["received"] == 1, "the ledger is of the start"

    # Of another device nothing goes on.
    switch.stop()
    ports = lab.ports(kind)
    ports[0]["name"], ports[1]["name"] = "p1", "p0"
    switch.write(ports=ports)
    switch.start()
    assert all(row["rx_frames"] == 0 for row in switch.show("ports"))


def test_clear_clears_what_is_kept_too(lab: Lab):
    switch, (one, two) = lab.build("af_packet", 2, state={"counters": True, "fdb": True})
    introduce(switch, one, two)
    switch.stop()
    switch.start()
    assert switch.port("p0")["rx_frames"] == 1
    switch.command("clear", "counters")
    switch.command("flush", "fdb")
    assert all(counts == [0] * len(COUNTED) for counts in counters(switch).values())

    def forgotten() -> bool:
        kept = saved(switch)
        shown = {count[1] for row in kept["counters"] for count in row["counts"].values()}
        return kept["fdb"] == [] and shown == {0}
    until(forgotten, "what is kept follows, long before its turn")
    kill(switch)
    switch.start()
    assert all(counts == [0] * len(COUNTED) for counts in counters(switch).values())
    assert switch.show("fdb") == []


def test_what_a_kill_loses_is_an_interval(lab: Lab):
    switch, (one, two) = lab.build("af_packet", 2, state={"fdb": True, "counters": True,
                                                          "interval": "1s"})
    introduce(switch, one, two)
    until(lambda: state_file(switch).exists() and saved(switch)["counters"] and
          sum(len(row["entries"]) for row in saved(switch)["fdb"]) == 2 * 20, "they are written")
    kill(switch)
    switch.start()
    assert set(switch.fdb()) == {one.address, two.address}
    assert switch.port("p0")["rx_frames"] == 1


DAMAGED = {
    "cut": (b'{"version": 1, "saved_at": 17', "damaged"),
    "newer": (b'{"version": 3}', r"of a newer sluiced \(version 3, and this one reads 2\)"),
    "long": (b" " * (64 * 1024 * 1024 + 1), "longer than 67108864 octets"),
    "foreign": (b"", "user 12345's"),
    "link": (None, "a link"),
}


@pytest.mark.parametrize("how", DAMAGED)
def test_a_file_that_cannot_be_trusted_is_set_aside_and_reported(lab: Lab, how: str):
    content, why = DAMAGED[how]
    one, two = lab.add_hosts(2)
    switch = lab.make_switch(lab.ports("af_packet"), state={"fdb": True, "counters": True})
    switch.start()
    switch.stop()
    path = state_file(switch)
    if content is None:
        path.unlink()
        path.symlink_to("/etc/hostname")
    else:
        path.write_bytes(content)
    if how == "foreign":
        os.chown(path, 12345, 12345)
    switch.start()
    [line] = event_texts(switch, "state_refused")
    assert re.fullmatch(f"{path}: {why}, starting with empty state; it was renamed to "
                        f"{path}.refused", line), line
    assert line in switch.process.said()
    assert os.path.lexists(f"{path}.refused") and not os.path.lexists(path)
    introduce(switch, one, two)
    switch.stop()
    assert sum(len(row["entries"]) for row in saved(switch)["fdb"]) == 2 * 20


def test_a_bit_that_flipped_is_found(lab: Lab):
    switch, (one, two) = lab.build("af_packet", 2, state={"fdb": True})
    introduce(switch, one, two)
    switch.stop()
    octets = bytearray(state_file(switch).read_bytes())
    at = octets.index(one.address.replace(":", "").encode())
    octets[at + 11] ^= 1  # of the address's last digit
    state_file(switch).write_bytes(octets)
    switch.start()
    [line] = event_texts(switch, "state_refused")
    assert "damaged (wrong checksum), starting with empty state" in line
    assert switch.fdb() == {}


def test_two_switches_that_share_a_folder_keep_both(lab: Lab):
    second = lab.make_namespace("switch2")
    hosts = [lab.add_host("p0"), lab.add_host("p0", second)]
    ports = [[{"name": "p0", "device": "af_packet:p0"}, {"name": f"n{number}", "device": "null:"}]
             for number in range(2)]
    switches = [lab.make_switch(ports[0], state={"fdb": True}),
                lab.make_switch(ports[1], second, state={"fdb": True})]
    folder = str(lab.folder / "shared")
    for switch, host in zip(switches, hosts):
        switch.configuration["control"]["state"] = folder
        switch.start()
        introduce(switch, host)
    for switch in switches:
        switch.stop()
    for switch, host in zip(switches, hosts):
        switch.start()
        assert switch.fdb() == {host.address: "p0"}


def test_where_nothing_can_be_written_it_is_reported_once_and_the_switch_runs(lab: Lab):
    one, two = lab.add_hosts(2)
    switch = lab.make_switch(lab.ports("af_packet"), state={"fdb": True, "interval": "1s"})
    pathlib.Path(switch.configuration["control"]["state"]).write_text("a file where a folder goes")
    switch.start()
    until(lambda: event_texts(switch, "state_not_kept"), "it is reported")
    introduce(switch, one, two)
    time.sleep(2.5)
    [line] = event_texts(switch, "state_not_kept")
    assert "cannot be written (Not a directory)" in line


class Stream:
    """Numbered frames from one host to another, one each PERIOD, and when each arrived."""

    def __init__(self, source: Wire, sink: Wire, one: Host, two: Host):
        self._source, self._sink = source, sink
        self._frame = frame(one.address, two.address)[:14]
        self._over = threading.Event()
        self.arrived: list[float] = []
        self._threads = [threading.Thread(target=self._send), threading.Thread(target=self._receive)]
        for thread in self._threads:
            thread.start()

    def _send(self) -> None:
        number = 0
        while not self._over.wait(PERIOD):
            number += 1
            self._source.send((self._frame + number.to_bytes(8, "big")).ljust(60, b"\0"))

    def _receive(self) -> None:
        while not self._over.is_set():
            if select.select([self._sink], [], [], 0.05)[0]:
                octets = self._sink.receive()
                if octets is not None and octets[:14] == self._frame:
                    self.arrived.append(time.monotonic())

    def close(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def gap(self) -> float:
        """The longest time in which nothing arrived, in seconds."""
        return max(later - earlier for earlier, later in zip(self.arrived, self.arrived[1:]))


@pytest.mark.parametrize("how", ["SIGTERM", "SIGKILL"])
def test_a_restart_under_traffic_is_a_gap_and_floods_no_known_host(
        lab: Lab, kind: str, how: str, record_property):
    switch, (one, two, three) = lab.build(kind, 3, state={"fdb": True, "interval": "1s"})
    introduce(switch, one, two)
    until(lambda: state_file(switch).exists() and
          sum(len(row["entries"]) for row in saved(switch)["fdb"]) == 2 * 20, "they are written")
    third, gaps, starts = three.wire(), [], []
    for _ in range(TURNS):
        stream = Stream(one.wire(), two.wire(), one, two)
        try:
            until(lambda: len(stream.arrived) > 50, "it flows")
            if how == "SIGTERM":
                switch.stop()
            else:
                kill(switch)
            stopped = len(stream.arrived)
            switch.launch()
            until(lambda: len(stream.arrived) > stopped + 50, "it flows again", STARTS)
        finally:
            stream.close()
        switch.until_ready()
        gaps.append(stream.gap())
        [event] = event_texts(switch, "started")
        starts.append(int(re.fullmatch(r"workers run, (\d+) ms after the start", event)[1]))
        assert starts[-1] / 1000 <= gaps[-1] < STARTS, (starts, gaps)
    assert [octets for octets in third.pending() if octets[:6] == bytes.fromhex("020000000002")] \
        == [], "who was known is not flooded for"
    figure = f"{kind}, {how}: nothing arrives for {statistics.median(gaps) * 1000:.0f} ms " \
             f"({min(gaps) * 1000:.0f} to {max(gaps) * 1000:.0f} of {TURNS}); workers run " \
             f"{statistics.median(starts):.0f} ms after the start"
    record_property("restart", figure)
    print(figure)
