"""Ports that an operator changes while the switch runs: down and up, other names, ports that come
and go."""

import collections
import json
import os
import pathlib
import re
import threading
import time

from frames import BROADCAST, frame, pause, times
from lab import Lab
from switch import Switch
from waiting import until, until_equal
from wire import Wire


# That a port comes and goes.
TURNS = int(os.environ.get("SLUICE_HOTPLUG_TURNS", "20"))


def kinds_of(switch: Switch, port: str) -> list[str]:
    return [row["kind"] for row in switch.show("events") if row["port"] == port]


def status_of(switch: Switch, port: str) -> tuple[str, str]:
    row = switch.port(port)
    return row["admin_status"], row["link"]


def test_a_port_is_administratively_down_and_up(lab: Lab, kind: str):
    switch, (one, two, three) = lab.build(kind, 3)
    one.ping(three.ipv4)
    ports = lab.ports(kind)
    ports[2]["admin_status"] = "down"
    switch.apply(ports=ports)
    until_equal(lambda: status_of(switch, "p2"), ("down", "down"), "it is down")
    until(lambda: three.address not in switch.fdb(), "who was there is forgotten")
    one.cannot_ping(three.ipv4)
    one.ping(two.ipv4)
    [event] = [row for row in switch.show("events") if row["kind"] == "admin_down"]
    # By what is kept to give interfaces back.
    assert event["text"] == "administratively down"
    [link] = json.loads(three.namespace.ip("-json", "link", "show", "dev", "eth0"))
    assert "NO-CARRIER" in link["flags"], "its peer has no link"
    switch.apply(ports=lab.ports(kind))
    until_equal(lambda: status_of(switch, "p2"), ("up", "up"), "it is up again")
    one.ping(three.ipv4)
    assert kinds_of(switch, "p2")[-4:] == ["admin_down", "link_down", "admin_up", "link_up"]


def test_a_port_starts_administratively_down(lab: Lab, kind: str):
    one, two = lab.add_hosts(2)
    ports = lab.ports(kind)
    ports[1]["admin_status"] = "down"
    switch = lab.make_switch(ports)
    switch.launch()
    until(lambda: switch.links() == {"p0": "up", "p1": "down"}, "it runs")
    state = json.loads(lab.namespace.run("ip", "-j", "link", "show", "dev", "p1").stdout)
    assert "UP" not in state[0]["flags"]
    assert switch.port("p1")["admin_status"] == "down"


def test_a_paused_peer_is_resumed_by_a_port_that_goes_down(lab: Lab, kind: str):
    one, two = lab.add_hosts(2)
    ports = lab.ports(kind, lossless=[3], pfc={"xoff": "16KiB", "xon": "8KiB"})
    ports[1]["rate"] = "1M"
    switch = lab.make_switch(ports).start()
    wire = one.wire()
    wire.send(*(frame(one.address, BROADCAST, vlan=1, priority=3, length=1000)
                for _ in range(200)))
    until(lambda: switch.pfc("p0", 3)["pausing"], "the sender is paused")
    ports[0]["admin_status"] = "down"
    switch.apply(ports=ports)
    until_equal(lambda: status_of(switch, "p0"), ("down", "down"), "it is down")
    received: list[bytes] = []

    def resumed() -> bool:
        received.extend(wire.pending())
        return bool(received) and times(received[-1]) == {3: 0}
    until(resumed, "its last word is an XON")
    assert not switch.pfc("p0", 3)["lossless"]
    assert switch.waiting() > 0, "what it had taken still goes where it was to go"
    assert resumed(), "and stays its last"


def test_what_waits_for_a_port_that_is_taken_down_is_dropped(lab: Lab, kind: str):
    one, two = lab.add_hosts(2)
    ports = lab.ports(kind)
    ports[1]["rate"] = "1M"
    switch = lab.make_switch(ports).start()
    one.wire().send(*(frame(one.address, BROADCAST, length=1500) for _ in range(600)), rate=5000)
    until(lambda: switch.waiting() > 100, "a queue stands")
    ports[1]["admin_status"] = "down"
    switch.apply(ports=ports)
    ledger = switch.settled()
    assert switch.drops()["egress_down"] >= 50
    assert ledger["sent"] + switch.drops()["egress_down"] >= 600


def test_a_port_gets_another_name(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2)
    one.ping(two.ipv4)
    before = switch.port("p0")
    ports = lab.ports(kind)
    ports[0]["name"] = "uplink"
    switch.write(ports=ports)
    assert switch.command("diff", str(switch.file)).stdout == "ports[p0].name: p0 > uplink\n"
    switch.command("apply", str(switch.file))
    after = switch.port("uplink")
    assert after["rx_frames"] >= before["rx_frames"] > 0 and after["link"] == "up"
    assert [row["name"] for row in switch.show("ports")] == ["uplink", "p1"]
    assert switch.fdb()[one.address] == "uplink"
    [event] = [row for row in switch.show("events") if row["kind"] == "port_renamed"]
    assert (event["port"], event["text"]) == ("uplink", "was called p0")
    one.ping(two.ipv4)


def test_counters_that_were_cleared_stay_so_under_another_name(lab: Lab):
    switch = lab.make_switch([{"name": "left", "device": "ring:a/a"},
                              {"name": "right", "device": "ring:a/b"}],
                             lldp={"enabled": True, "interval": "1s"}).start()
    until(lambda: switch.port("left")["rx_frames"] > 2, "neighbours speak")
    switch.command("clear", "counters")
    switch.apply(ports=[{"name": "west", "device": "ring:a/a"},
                        {"name": "east", "device": "ring:a/b"}])
    since = sum(row["rx_frames"] for row in switch.show("ports"))
    assert since <= switch.show("ledger")["received"] - 4
    rows = switch.show("lldp")
    until(lambda: {row["port"] for row in switch.show("lldp")} == {"west", "east"}, str(rows))


# --- ports that come and go -----------------------------------------------------------------------

HOTPLUG = {"devices": ["af_packet", "tap"]}


def resident(switch: Switch) -> int:
    """KiB."""
    text = pathlib.Path(f"/proc/{switch.process.pid}/status").read_text()
    return int(re.search(r"^VmRSS:\s+(\d+) kB", text, re.M)[1])


def last_removed(switch: Switch) -> int:
    """The number of that event; one that is reported once is in the log of the last 1000 only."""
    return max((row["number"] for row in switch.show("events") if row["kind"] == "port_removed"),
               default=0)


class Stream:
    """Frames from one host to another, one after the other until it ends; `check` has all that have
    arrived so far be those that were sent, in order, so that none is waited for too long."""

    def __init__(self, first: Wire, second: Wire, source: str, destination: str):
        self._first, self._second = first, second
        self._ends = source, destination
        self._sent: collections.deque[bytes] = collections.deque()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._send)
        self.arrived = 0

    def __enter__(self) -> "Stream":
        self._thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._ending.set()
        self._thread.join()

    def _send(self) -> None:
        while not self._ending.is_set():
            one_more = frame(*self._ends)
            self._sent.append(one_more)
            self._first.send(one_more)
            time.sleep(0.001)

    def check(self) -> None:
        for octets in self._second.pending():
            assert octets == self._sent.popleft(), f"frame {self.arrived} is another one"
            self.arrived += 1

    def finish(self) -> None:
        """Nothing is sent any more."""
        self.check()
        self._second.expect(*self._sent)
        self.arrived += len(self._sent)


def test_ports_come_and_go_under_traffic(lab: Lab):
    """Nothing is lost between the others, and nothing is left of those that went."""
    one, two, three = lab.add_hosts(3)
    ports = lab.ports("af_packet")
    switch = lab.make_switch(ports[:2], hotplug={"ports": 3, **HOTPLUG}, workers={"count": 2},
                             fdb={"ageing": 0}).start()  # of the second, who says no more
    first, second, third = lab.wires()
    second.send(frame(two.address, one.address))
    until(lambda: two.address in switch.fdb(), "the second is known")
    held = []
    stream = Stream(first, second, one.address, two.address)
    with stream:
        for turn in range(TURNS):
            said = switch.apply(ports=ports).stdout
            assert "p2 added.\n" in said
            until(lambda: switch.links().get("p2") == "up", "it has a link")
            row = switch.port("p2")
            assert row["rx_frames"] + row["tx_frames"] <= 10, f"it counts from 0: {row}"
            third.send(*(frame(three.address, one.address) for _ in range(20)))
            until(lambda: switch.fdb().get(three.address) == "p2", "who is there is known")
            before = last_removed(switch)
            said = switch.apply(ports=ports[:2]).stdout
            assert "p2 removed.\n" in said and set(switch.links()) == {"p0", "p1"}
            until(lambda: last_removed(switch) > before, "it is closed")
            assert three.address not in switch.fdb()
            stream.check()
            if turn % max(1, TURNS // 10) == 0:
                held.append((switch.process.descriptors(), resident(switch)))
    stream.finish()
    print(f"{TURNS} turns, {stream.arrived} frames; descriptors and KiB of memory: {held}")
    # Of memory the log of events takes more until it is full, in some 150 turns.
    early, last = held[len(held) // 5], (switch.process.descriptors(), resident(switch))
    assert last[0] < early[0] + 3, "descriptors are closed"
    assert last[1] < early[1] + 4096, "memory stays as it is"
    assert switch.settled()["balanced"]


def test_a_port_is_refused_whole(lab: Lab):
    one, two = lab.add_hosts(2)
    ports = lab.ports("af_packet")
    switch = lab.make_switch(ports[:1], hotplug={"ports": 3, **HOTPLUG}).start()
    before = switch.process.descriptors()
    done = switch.apply(check=False, fabric={"iterations": 4},
                        ports=[{**ports[0], "name": "other"}, ports[1],
                               {"name": "p9", "device": "af_packet:p9"}])
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert "ports[2].device: af_packet:p9: there is no network interface" in line
    assert set(switch.links()) == {"p0"}, "nothing of it was adopted"
    # As is, once it is noticed, the end of who has just asked.
    until(lambda: switch.process.descriptors() <= before, "what had been opened is closed")
    assert switch.show("fabric")["iterations"] == 2
    done = switch.apply(check=False, fabric={"iterations": 2},
                        ports=[*ports, {"device": "ring:x"}, {"device": "ring:y"}])
    assert done.returncode == 2
    assert "hotplug.ports: there are 4 ports already" in done.stderr
    switch.apply(ports=list(reversed(ports)))
    until_equal(switch.links, {"p0": "up", "p1": "up"}, "it is there")
    one.ping(two.ipv4)


def test_what_was_given_up_is_reported(lab: Lab):
    lab.add_hosts(1)
    switch = lab.make_switch([{"name": "left", "device": "ring:a/a"}], hotplug={"ports": 3}).start()
    for device, remedy in (("af_packet:p0", "write hotplug: {devices: [af_packet]} and restart"),
                           ("af_xdp:p0", "restart sluiced")):
        done = switch.apply(check=False, ports=[{"name": "left", "device": "ring:a/a"},
                                                {"name": "p0", "device": device}])
        assert done.returncode == 1 and remedy in done.stderr, done.stderr
    switch.apply(ports=[{"name": "left", "device": "ring:a/a"},
                        {"name": "right", "device": "ring:a/b"}])
    until_equal(switch.links, {"left": "up", "right": "up"}, "rings need nothing")


def test_one_port_more_than_dpdk_opens_is_refused(lab: Lab):
    """At the place of a memif, which is none of its."""
    of_dpdk = [{"name": f"n{number}", "device": "null:"} for number in range(32)]  # Debian's
    near = {"name": "near", "device": f"memif:{lab.folder}/near.sock"}
    switch = lab.make_switch([*of_dpdk, near])
    switch.launch()
    until_equal(lambda: len(switch.links()), 33, "it starts")
    switch.apply(ports=of_dpdk)
    one_more = [*of_dpdk, {"name": "last", "device": "ring:x"}]
    until(lambda: "ports[32].device: port 33 of DPDK: DPDK opens 32 in a process" in
          switch.apply(check=False, ports=one_more).stderr, "it is refused")
    switch.apply(ports=[*of_dpdk, near])


def test_what_could_not_come_back_is_not_taken_away_until_somebody_confirms(lab: Lab):
    lab.add_hosts(1)
    left = {"name": "left", "device": "ring:a/a"}
    switch = lab.make_switch([left, *lab.ports("af_xdp")], hotplug={"ports": 3}).start()
    switch.write(ports=[left])
    done = switch.command("apply", str(switch.file), "--confirm", "60s", check=False)
    assert done.returncode == 1 and done.stderr == (
        "confirm: port p0 would be removed and could not be opened again on a rollback: "
        "af_xdp:p0 can only be opened when the switch starts; leave it in the file, or apply "
        "without --confirm\n")
    assert set(switch.links()) == {"left", "p0"}
    switch.apply(ports=[left])
    until_equal(switch.links, {"left": "up"}, "for good it may be")


def test_a_port_counts_no_pauses_of_one_that_was_at_its_place(lab: Lab):
    """They would prove for good that pauses reach it."""
    one, two, three = lab.add_hosts(3)
    ports = lab.ports("af_packet", lossless=[3])
    switch = lab.make_switch(ports[:2], hotplug={"ports": 2, **HOTPLUG}).start()
    two.wire().send(pause(two.address, p3=1))
    until_equal(lambda: switch.pfc("p1", 3)["rx_pause"], 1, "the pause is received")
    switch.apply(ports=[ports[0]])
    until(lambda: "port_removed" in kinds_of(switch, "p1"), "its place is free")
    switch.apply(ports=[ports[0], ports[2]])
    until(lambda: switch.links().get("p2") == "up", "another one is there")
    assert switch.pfc("p2", 3)["rx_pause"] == 0
    assert "pfc_received" not in kinds_of(switch, "p2")


def test_settings_that_name_a_new_port_find_it(lab: Lab):
    """Wherever it stands in the file, and whatever place it got."""
    one, two, three = lab.add_hosts(3)
    ports = lab.ports("af_packet")
    switch = lab.make_switch([ports[0], ports[1]], hotplug={"ports": 3, **HOTPLUG}).start()
    switch.apply(ports=[ports[2], ports[1], ports[0]],
                 vlans=[{"id": 1, "ports": ["p0", "p2"]}, {"id": 2, "ports": ["p1"]}])
    until(lambda: switch.links().get("p2") == "up", "it is there")
    one.ping(three.ipv4)
    one.cannot_ping(two.ipv4)
    [row] = [row for row in switch.show("vlan")["vlans"] if row["vlan"] == 1]
    assert row["ports"] == ["p0", "p2"]


def test_an_interface_is_taken_down_by_what_is_kept(lab: Lab):
    one, two = lab.add_hosts(2)
    ports = lab.ports("af_packet")
    switch = lab.make_switch(ports, hotplug=HOTPLUG).start()
    switch.apply(ports=[ports[0], {**ports[1], "admin_status": "down"}])
    until_equal(lambda: status_of(switch, "p1"), ("down", "down"), "it is down")
    state = json.loads(lab.namespace.run("ip", "-j", "link", "show", "dev", "p1").stdout)
    assert "UP" not in state[0]["flags"]
    switch.apply(ports=ports)
    until_equal(lambda: status_of(switch, "p1"), ("up", "up"), "it is up again")
    one.ping(two.ipv4)
