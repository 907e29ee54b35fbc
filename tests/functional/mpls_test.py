"""Tunnels by MPLS, between two switches. This kernel routes none, so the label switching router
between them, which pops the path's label as the penultimate hop, is the test; tshark and scapy are
who reads and builds the stacks."""

import contextlib
import json
import threading
from typing import Iterator

import pytest
from frames import BROADCAST, frame, of_priority
from lab import Lab
from scapy.contrib.mpls import MPLS, EoMCW
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from scapy.packet import Raw
from switch import sluice
from tunnels import (LOSSLESS, Between, hosts_talk, pauses_cross, ports_of, refused, tunnel)
from waiting import until_equal
from wire import Wire

NEAR_LABEL, FAR_LABEL = 100, 200
TO_NEAR, TO_FAR = 16001, 16002
QUIET = {"lldp": {"mode": "disabled"}}


def end_of_tunnel(network: int, local: int, *labels: int, keys=None, tc=None,
                  **about) -> list[dict]:
    """In 192.0.`network`.0/24, whose router is .254."""
    below = {"address": f"192.0.{network}.1/24", "gateway": f"192.0.{network}.254"}
    return ports_of(below | ({"tc": tc} if tc else {}),
                    {"device": f"mpls:wan/{','.join(map(str, labels))}", "local_label": local,
                     **(keys or {})}, mtu=1640, **about)


class LabelSwitch:
    """Takes what is sent to the router's interfaces with the label of a path, pops that and sends it
    on to the path's end."""

    def __init__(self, between: Between):
        self._wires = {name: Wire(between.router, name) for name in ("left", "right")}
        links = {link["ifname"]: link["address"]
                 for link in json.loads(between.router.ip("-json", "link", "show"))}
        first, second = (switch.port("wan")["address"] for switch in between.switches)
        self._next = {TO_NEAR: ("left", first, links["left"]),
                      TO_FAR: ("right", second, links["right"])}
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=self._run, args=(wire,))
                         for wire in self._wires.values()]

    def _run(self, wire: Wire) -> None:
        while not self._ended.is_set():
            octets = wire.receive(0.1)
            if octets is None or octets[12:14] != b"\x88\x47":
                continue
            label = int.from_bytes(octets[14:17], "big") >> 4
            if label not in self._next:
                continue
            name, to, source = self._next[label]
            mac = bytes.fromhex((to + source).replace(":", ""))
            with contextlib.suppress(OSError):  # its queue is full: a router drops
                self._wires[name].send(mac + octets[12:14] + octets[18:])

    def __enter__(self) -> "LabelSwitch":
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()
        for wire in self._wires.values():
            wire.close()


# What both ends have beside their labels.
KEYS = {"control_word": {}, "no_control_word": {"control_word": False},
        "entropy_label": {"entropy_label": True}}


@contextlib.contextmanager
def switched(lab: Lab, keys: str = "control_word", **about) -> Iterator[Between]:
    between = Between(lab, 1700)
    for interface, network in (("left", 2), ("right", 3)):
        between.router.ip("address", "add", f"192.0.{network}.254/24", "dev", interface)
    between.start(
        end_of_tunnel(2, NEAR_LABEL, TO_FAR, FAR_LABEL, keys=KEYS[keys], **about),
        end_of_tunnel(3, FAR_LABEL, TO_NEAR, NEAR_LABEL, keys=KEYS[keys], **about))
    with LabelSwitch(between):
        yield between


@pytest.mark.parametrize("keys", KEYS)
def test_hosts_talk_across_a_path_of_labels(lab: Lab, keys: str):
    with switched(lab, keys) as between:
        hosts_talk(between)
        row = tunnel(between.switches[0])
        assert (row["encapsulation"], row["remote"]) == ("mpls", f"{TO_FAR},{FAR_LABEL}")
        assert row["local"] == str(NEAR_LABEL)
        assert row["next_hop"]["ip"] == "192.0.2.254"
        said = between.switches[0].command("show", "tunnels").stdout
        assert f"{TO_FAR},{FAR_LABEL}" in said and "192.0.2.254" in said


@pytest.mark.parametrize("keys", KEYS)
def test_tshark_and_scapy_read_what_goes_before_the_frames(lab: Lab, tmp_path, keys: str):
    with switched(lab, keys, tc={5: 2}, **QUIET) as between:
        one = between.hosts[0]
        sent = [bytes(Ether(src=one.address, dst=BROADCAST)
                      / IP(src=one.ipv4, dst="10.0.0.99", tos=2) / UDP(sport=port, dport=9)
                      / bytes(40)) for port in (1000, 1001, 1002) * 2]
        sent += of_priority(one.address, 3, 1) + of_priority(one.address, 5, 1)
        stacks: list[bytes] = []
        rows = between.seen(tmp_path, sent, b"\x88\x47", "mpls.label", "mpls.exp", "mpls.ttl",
                            "frame.len", "_ws.expert.message", octets_to=stacks)
    before = 14 + 8 + (8 if keys == "entropy_label" else 0) + (0 if keys == "no_control_word" else 4)
    assert sorted(int(row["frame.len"]) for row in rows) == \
        sorted(len(octets) + before for octets in sent)
    for row in rows:
        assert row["mpls.label"] == str(TO_FAR) and row["mpls.ttl"] == "255"
        assert "_ws.expert.message" not in row
    assert sorted(row["mpls.exp"] for row in rows) == ["0"] * 6 + ["2", "3"]
    flows = []
    for octets in stacks:
        entries, at = [], 14
        while not entries or not entries[-1].s:
            entries.append(MPLS(octets[at:at + 4]))
            at += 4
        if keys != "no_control_word":
            assert bytes(EoMCW(octets[at:at + 4])) == bytes(4)
            at += 4
        assert octets[at:] in sent
        assert len({entry.cos for entry in entries if entry.ttl}) == 1
        labels = [entry.label for entry in entries]
        if keys == "entropy_label":
            assert labels[1] == 7 and labels[2] >= 16 and entries[2].ttl == 0
            flows.append(labels.pop(2))
            labels.pop(1)
        assert labels == [TO_FAR, FAR_LABEL]
    if flows:
        assert len(set(flows)) in (4, 5)  # of three flows and the two others' one or two


def test_pauses_cross_and_hold_the_priority_at_the_other_end(lab: Lab):
    with switched(lab, **LOSSLESS) as between:
        pauses_cross(between)


def test_what_is_no_right_stack_is_counted_by_reason(lab: Lab):
    with switched(lab, **QUIET) as between:
        switch, host = between.switches[0], between.hosts[0]
        own = switch.port("wan")["address"]
        wire, inside = Wire(between.router, "left"), host.wire()
        inner = frame("02:00:00:00:00:99", BROADCAST)

        def sent(*labels: MPLS, payload=bytes(EoMCW()) + inner) -> bytes:
            octets = Ether(dst=own, type=0x8847)
            for label in labels:
                octets /= label
            return bytes(octets / Raw(payload))

        bottom = MPLS(label=NEAR_LABEL, s=1, ttl=9)
        wire.send(sent(MPLS(label=FAR_LABEL, s=1)), sent(MPLS(label=TO_NEAR, s=0), bottom),
                  sent(MPLS(label=NEAR_LABEL, s=0), bottom),
                  sent(bottom, payload=b"\x10\0\0\x07" + inner),
                  sent(bottom, payload=bytes(4) + inner[:13]), sent(MPLS(label=7, s=1), bottom),
                  sent(MPLS(label=7, s=0), MPLS(label=70000, s=0, ttl=0), bottom))
        inside.expect(inner)
        until_equal(lambda: refused(switch), {
            "unknown_label": 2, "not_bottom": 1, "control_word": 1, "inner_short": 1,
            "malformed": 1}, "each under its reason")
        wire.close()


@pytest.mark.parametrize("change, said", [
    ({"device": "mpls:wan/3"}, "labels of 16 to 1048575"),
    ({"local_sid": "2001:db8::1"}, "is only valid with srv6:"),
    ({"mtu": 1620}, "and the 34 octets around it do not fit the mtu of 1640 of wan"),
])
def test_settings_that_cannot_work_are_refused(lab: Lab, change, said):
    ports = end_of_tunnel(2, NEAR_LABEL, TO_FAR, FAR_LABEL)
    ports[2] |= change
    switch = lab.make_switch(ports)
    switch.write()
    checked = sluice("check", str(switch.file), check=False)
    assert checked.returncode != 0 and said in checked.stdout + checked.stderr
