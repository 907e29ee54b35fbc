"""Pauses relayed over a tunnel between two switches, the provider edges, whose hosts are the
gateways: a pause of one gateway pauses the other, and nobody between obeys it.

    gateway -- near ======== a link of so much delay ======== far -- gateway"""

import signal
import time
from typing import Optional

import pytest
from delayed_link import DelayedLink
from frames import of_priority, pause
from lab import Lab
from scapy.contrib.mac_control import MACControlClassBasedFlowControl
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Ether
from scapy.layers.vxlan import VXLAN
from switch import Switch, program, sluice
from tshark import decoded
from tunnels import VLANS, cable, refused, tunnel
from vxlan_test import VNI, end_of_tunnel
from waiting import until, until_equal
from web import LISTEN, get
from wire import Wire

LONGEST = 65535              # quanta: 3.4 s at 10M
SPEED = 10_000_000
ASKED = 20_000               # quanta that switches ask for: 1.02 s
PAUSED = ASKED * 512 / SPEED  # seconds
THROUGH = 0x52D0             # so many relays, in the time of a class that is not enabled
EDGES = ["02:00:00:00:0e:01", "02:00:00:00:0e:02"]  # at the tunnel
BEYOND = "02:00:00:00:0e:99"  # somebody behind the near edge
GATEWAY = "02:00:00:00:0e:03"  # where that is a switch


class Wan:
    def __init__(self, lab: Lab, seconds: float = 0, relay: Optional[dict] = None,
                 hosts: bool = True, metrics: bool = False, **about):
        second = lab.make_namespace("switch2")
        self.between = lab.make_namespace("wan")
        self.gateways = [lab.add_host("p0"), lab.add_host("p0", second)] if hosts else []
        cable(lab.namespace, "wan", self.between, "left")
        cable(second, "wan", self.between, "right")
        self.link = DelayedLink(self.between, "left", "right", seconds)
        about = {"speed": "10M", "lossless": [3], "pfc": {"pause": ASKED}} | about
        self.switches = []
        for end, (namespace, local, remote) in enumerate((
                (lab.namespace, "192.0.2.1", "192.0.2.2"), (second, "192.0.2.2", "192.0.2.1"))):
            ports = end_of_tunnel(local, remote, **about)
            peer = self.gateways[end].address if hosts else GATEWAY
            ports[0]["pfc"] = {**about["pfc"], "peer": peer}
            ports[2]["pfc"] = {**about["pfc"], "peer": EDGES[1 - end]}
            ports[2]["address"] = EDGES[end]
            ports[2]["pause_relay"] = {"port": "p0", **(relay or {})}
            more = {"metrics": LISTEN} if metrics else {}
            self.switches.append(lab.make_switch(ports, namespace, vlans=VLANS, **more))
        if hosts:
            self.launch()
            self.near, self.far = [gateway.wire() for gateway in self.gateways]

    def launch(self) -> None:
        for switch in self.switches:
            switch.launch()
        for switch in self.switches:
            switch.until_ready()


    def to_far(self, *inner: bytes, vni: int = VNI) -> None:
        """As if the near edge had put these into the tunnel."""
        below = Wire(self.between, "right")
        outer = (Ether(dst=self.switches[1].port("wan")["address"])
                 / IP(src="192.0.2.1", dst="192.0.2.2") / UDP(sport=50000, dport=4789, chksum=0)
                 / VXLAN(vni=vni, flags="Instance"))
        below.send(*[bytes(outer / octets) for octets in inner])
        below.close()


@pytest.fixture
def wans(lab: Lab):
    """Makes them; their links end with the test."""
    made = []

    def make(**about) -> Wan:
        made.append(Wan(lab, **about))
        return made[-1]
    yield make
    for wan in made:
        wan.link.close()


def relayed_pause(wire: Wire, seconds: float = 10) -> tuple[str, int]:
    """Who says the next pause frame, and for how long it holds priority 3."""
    def is_pause(octets: bytes) -> bool:
        return octets[12:14] == b"\x88\x08"
    octets = wire.collect(lambda received: bool(received) and is_pause(received[-1]), "a pause frame",
                          seconds)[-1]
    said = Ether(octets)[MACControlClassBasedFlowControl]
    assert octets[16:18] == b"\x00\x08", "of priority 3 alone"
    return octets[6:12].hex(":"), said.c3_pause_time


def events(switch: Switch, kind: str) -> list[dict]:
    return [event for event in switch.show("events") if event["kind"] == kind]


def test_a_gateways_pause_is_relayed_to_the_other_end_and_not_obeyed_between(wans, tmp_path):
    wan = wans()
    near, far = wan.switches
    between = Wire(wan.between, "right")
    own = near.port("p0")["address"]
    wan.far.send(pause(wan.gateways[1].address, p3=LONGEST))
    assert relayed_pause(wan.near) == (own, ASKED)
    # The far switch goes on sending to the gateway that pauses it, and the near one to the tunnel.
    sent = of_priority(wan.gateways[0].address, 3, 5)
    wan.near.send(*sent)
    wan.far.expect(*sent)
    for switch, port, other in ((far, "p0", "tunnel"), (near, "tunnel", "p0")):
        row = switch.pfc(port, 3)
        assert row["relayed_to"] == other and row["relayed_pause"] >= 1
        assert row["rx_pause"] == 0 and row["paused_ns"] == 0
    assert far.pfc("tunnel", 3)["pausing"] and near.pfc("p0", 3)["pausing"]
    wan.far.send(pause(wan.gateways[1].address, p3=0))
    while (received := relayed_pause(wan.near)) == (own, ASKED):
        pass  # refreshed
    assert received == (own, 0)
    assert far.pfc("p0", 3)["relayed_resume"] == 1
    assert "TO THE PEER OF" in far.command("show", "pfc").stdout
    # By a decoder that is not ours: at the highest priority, by the far switch's own address.
    carried = [one for one in between.pending() if one[62:64] == b"\x88\x08"]
    rows = decoded(tmp_path, carried, "ip.dsfield.dscp", "vxlan.vni", "eth.src", "macc.opcode",
                   "macc.cbfc.enbv", "macc.cbfc.pause_time.c3", "macc.cbfc.pause_time.c7")
    pauses = [row for row in rows if row["macc.cbfc.enbv"] == "0x0008"]
    assert {row["macc.cbfc.pause_time.c3"] for row in pauses} == {str(ASKED), "0"}
    assert {row["macc.cbfc.pause_time.c7"] for row in pauses} >= {str(THROUGH | 1)}
    assert {row["ip.dsfield.dscp"] for row in rows} == {"56"}
    assert {one[56:62].hex(":") for one in carried} == {far.port("tunnel")["address"]}
    between.close()


def test_it_goes_the_other_way_as_well(wans):
    wan = wans()
    wan.near.send(pause(wan.gateways[0].address, p3=LONGEST))
    assert relayed_pause(wan.far) == (wan.switches[1].port("p0")["address"], ASKED)


def test_an_illegal_pause_is_counted_by_reason_and_not_relayed(wans):
    wan = wans()
    far = wan.switches[1]
    legal = pause(wan.gateways[1].address, p3=LONGEST)
    wan.far.send(pause("02:00:00:00:00:99", p3=LONGEST),
                 legal[:5] + b"\x02" + legal[6:],          # to another reserved address
                 legal[:14] + b"\x01\x02" + legal[16:],    # opcode
                 legal[:16] + b"\x01" + legal[17:],        # class-enable vector
                 legal[:30])
    until(lambda: sum(far.drops("p0").values()) == 5, "all are counted")
    assert far.drops("p0") == {"pause_source": 1, "pause_destination": 1, "pause_opcode": 1,
                               "pause_vector": 1, "pause_length": 1}
    assert far.pfc("tunnel", 3)["tx_pause"] == 0
    wan.far.send(legal)
    assert relayed_pause(wan.near)[1] == ASKED
    assert far.pfc("p0", 3)["relayed_pause"] == 1


def test_a_relayed_pause_ends_by_its_own_timer_though_the_far_switch_is_gone(wans):
    wan = wans()
    far = wan.switches[1]
    wan.far.send(pause(wan.gateways[1].address, p3=LONGEST))
    assert relayed_pause(wan.near)[1] == ASKED
    far.process.signal(signal.SIGKILL)
    gone = time.monotonic()
    while relayed_pause(wan.near)[1] != 0:
        pass  # until what it said last is over
    # The last that it said was no older than half of that.
    assert PAUSED / 2 - 0.2 < time.monotonic() - gone < PAUSED + 1.5
    until_equal(lambda: wan.switches[0].pfc("p0", 3)["pausing"], False, "the gateway is resumed")


def test_what_lasts_too_long_is_cut_and_reported(wans):
    wan = wans(relay={"longest": "300ms"})
    far = wan.switches[1]
    began = time.monotonic()
    wan.far.send(pause(wan.gateways[1].address, p3=LONGEST))
    assert relayed_pause(wan.near)[1] == ASKED
    while relayed_pause(wan.near)[1] != 0:
        pass
    assert 0.25 < time.monotonic() - began < 2
    [event] = until(lambda: events(far, "relay_cut"), "it is reported")
    assert event["port"] == "p0" and "priority 3" in event["text"]
    row = far.pfc("p0", 3)
    assert row["relay_cut"] and row["relay_cuts"] == 1
    wan.far.send(pause(wan.gateways[1].address, p3=0))
    until(lambda: events(far, "relay_restored"), "it was silent for as long")
    wan.far.send(pause(wan.gateways[1].address, p3=LONGEST))
    assert relayed_pause(wan.near)[1] == ASKED


def test_while_the_tunnel_is_down_a_pause_is_obeyed_and_relayed_once_it_is_up(wans):
    wan = wans()
    near, far = wan.switches
    until(lambda: all(tunnel(edge)["relay"]["answers"] for edge in wan.switches),
          "somebody is there, at either end")
    ports = near.configuration["ports"]
    ports[1]["admin_status"] = "down"
    near.apply(ports=ports)
    until(lambda: tunnel(near)["relay"]["pauses"] == "obeyed", "the near edge knows")
    *_, event = until(lambda: events(near, "relay_down"), "it is reported")
    assert (event["port"], event["text"][:15]) == ("p0", "tunnel is down:")
    wan.near.send(pause(wan.gateways[0].address, p3=LONGEST))
    until_equal(lambda: near.pfc("p0", 3)["rx_pause"], 1, "it is received")
    row = near.pfc("p0", 3)
    assert (row["relayed_to"], row["relayed_pause"]) == (None, 0)
    # Nobody answers the far edge, which has link.
    until(lambda: [event for event in events(far, "relay_down")
                   if "of tunnel no longer answers" in event["text"]], "the far edge finds out", 20)
    assert tunnel(far)["relay"]["pauses"] == "obeyed"
    # Which goes on to receive from there.
    wan.far.send(pause(wan.gateways[1].address, p3=LONGEST))
    until_equal(lambda: far.pfc("p0", 3)["rx_pause"], 1, "it is received")
    [held], [other] = of_priority(BEYOND, 3, 1), of_priority(BEYOND, 4, 1)
    wan.to_far(held, other)
    received = wan.far.collect(lambda received: other in received, "what is not paused")
    assert held not in received
    wan.far.send(pause(wan.gateways[1].address, p3=0))
    wan.far.collect(lambda received: held in received, "it leaves at XON")
    ports[1]["admin_status"] = "up"
    near.apply(ports=ports)
    until(lambda: all(tunnel(edge)["relay"]["pauses"] == "relayed" for edge in wan.switches),
          "both relay again", 20)
    for edge in wan.switches:
        until(lambda: events(edge, "relay_up"), "and report it")
    wan.near.send(pause(wan.gateways[0].address, p3=LONGEST))
    assert relayed_pause(wan.far)[1] == ASKED
    assert near.pfc("p0", 3)["relayed_to"] == "tunnel"
    ports[0]["admin_status"] = ports[1]["admin_status"] = "down"
    near.apply(ports=ports)
    until_equal(lambda: tunnel(near)["relay"]["pauses"], None, "there is nobody at either end")


def test_the_watchdog_ends_what_is_relayed_for_ever(wans):
    wan = wans(relay={"longest": "60s"},
               pfc={"pause": ASKED, "watchdog": {"action": "drop", "detection": "300ms",
                                                 "poll": "100ms"}})
    far = wan.switches[1]
    wan.far.send(pause(wan.gateways[1].address, p3=LONGEST))
    assert relayed_pause(wan.near)[1] == ASKED
    while relayed_pause(wan.near)[1] != 0:
        pass
    [event] = until(lambda: [one for one in events(far, "pfc_storm") if one["port"] == "p0"],
                    "it is reported")
    assert "its frames are dropped, and its pauses are not relayed" in event["text"]
    row = far.pfc("p0", 3)
    assert (row["watchdog"], row["storms"], row["relay_cuts"]) == ("stormed", 1, 0)
    # The near edge may have found the same, until it was resumed.
    until_equal(lambda: wan.switches[0].pfc("tunnel", 3)["watchdog"], "operational", "it is well")
    wan.far.send(pause(wan.gateways[1].address, p3=LONGEST))
    wan.near.send(*of_priority(wan.gateways[0].address, 3, 5))
    far.until_dropped("pfc_storm", 5)
    wan.far.send(pause(wan.gateways[1].address, p3=0))
    until_equal(lambda: far.pfc("p0", 3)["restored"], 1, "it is over")
    wan.far.send(pause(wan.gateways[1].address, p3=LONGEST))
    assert relayed_pause(wan.near)[1] == ASKED


def test_a_pause_goes_through_so_many_relays_and_begins_so_often(wans):
    wan = wans(relay={"depth": 1, "limit": 1})
    far = wan.switches[1]
    source = wan.gateways[1].address
    wan.far.send(pause(source, p3=LONGEST))
    until_equal(lambda: far.pfc("tunnel", 3)["tx_pause"] > 0, True, "one relay is passed")
    # The near edge is the second.
    until(lambda: wan.switches[0].pfc("tunnel", 3)["rx_pause"], "which obeys it")
    [event] = until(lambda: events(wan.switches[0], "relay_too_deep"), "and reports it")
    assert event["port"] == "tunnel" and "passed 1 relay(s) or more" in event["text"]
    row = wan.switches[0].pfc("tunnel", 3)
    assert row["relay_too_deep"] > 0 and row["relayed_pause"] == 0
    before = far.pfc("p0", 3)
    for _ in range(20):
        wan.far.send(pause(source, p3=0), pause(source, p3=LONGEST))
    until_equal(lambda: far.pfc("p0", 3)["relayed_resume"] - before["relayed_resume"], 20,
                "every end is passed on")
    row = far.pfc("p0", 3)
    assert row["relay_too_many"] >= 11 and row["rx_pause"] == row["relay_too_many"]
    until(lambda: events(far, "relay_limited"), "that is reported")


def metrics_of(switch: Switch) -> dict[str, float]:
    text = get(switch.namespace, "/metrics").text
    return {name: float(value) for name, value in
            (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))}


def test_what_a_relay_does_is_among_the_metrics(wans):
    wan = wans(metrics=True, pfc={"pause": ASKED, "xoff": "16KiB", "xon": "8KiB",
                                  "headroom": "16KiB"})
    far = wan.switches[1]
    until(lambda: tunnel(far)["relay"]["answers"], "the delay is known")
    legal = pause(wan.gateways[1].address, p3=LONGEST)
    wan.far.send(legal)
    assert relayed_pause(wan.near)[1] == ASKED
    # One that came through too many relays is obeyed, so that what comes by the tunnel waits.
    wan.far.send(legal[:32] + (THROUGH | 15).to_bytes(2, "big") + legal[34:])
    until(lambda: far.pfc("p0", 3)["rx_pause"], "it is obeyed")

    def filled() -> int:
        wan.to_far(*of_priority(BEYOND, 3, 4, length=1000))
        return tunnel(far)["relay"]["headroom_used_max"]
    until(filled, "some take headroom")
    wan.to_far(*of_priority(BEYOND, 3, 3), vni=VNI + 1)
    until_equal(lambda: refused(far), {"unknown_vni": 3}, "these are refused")
    used = tunnel(far)["relay"]["headroom_used_max"]
    seen = metrics_of(far)
    of_tunnel = {name.removeprefix("sluice_tunnel_"): value for name, value in seen.items()
                 if name.startswith("sluice_tunnel_")}
    assert of_tunnel['up{port="tunnel"}'] == of_tunnel['pauses_relayed{port="tunnel"}'] == 1
    assert of_tunnel['decapsulated_frames_total{port="tunnel"}'] > 0
    assert 0 < of_tunnel['pause_delay_seconds{port="tunnel"}'] < 0.1
    assert of_tunnel['refused_frames_total{port="wan",reason="unknown_vni"}'] == 3
    assert of_tunnel['reserve_bytes{port="tunnel"}'] == 16384
    assert of_tunnel['reserve_used_max_bytes{port="tunnel"}'] == used
    assert seen['sluice_port_relayed_pause_frames_total{port="p0",priority="3"}'] >= 1


@pytest.mark.parametrize("milliseconds", [1, pytest.param(10, marks=pytest.mark.full), 50])
def test_the_delay_is_measured_and_a_pause_takes_no_longer(wans, milliseconds):
    wan = wans(seconds=milliseconds / 1000)
    near, far = wan.switches
    relay = until(lambda: (known := tunnel(near)["relay"])["answers"] >= 4 and known,
                  "the delay is known")
    assert relay["to"] == "p0"
    delay, most = relay["delay_ns"] / 1e9, relay["delay_max_ns"] / 1e9
    assert milliseconds / 1000 <= delay < milliseconds / 1000 + 0.01 and delay <= most
    assert relay["reserve_bytes"] == pytest.approx(2 * most * SPEED / 8, abs=2)
    said = near.command("show", "tunnels").stdout
    assert "RESERVE" in said and "MOST USED" in said
    [event] = until(lambda: events(near, "relay_late"), "nothing is reserved for it")
    assert event["port"] == "tunnel" and "pfc.relay_delay is 0" in event["text"]
    ports = near.configuration["ports"]
    ports[2]["pfc"]["relay_delay"] = "90ms"
    near.apply(ports=ports)
    until(lambda: events(near, "relay_in_time"), "now there is")
    # What one gateway sends now the other receives one way later; the shortest of some, as the
    # machine has other things to do.
    took = []
    for quanta in (LONGEST, 0) * 3:
        said = time.monotonic()
        wan.far.send(pause(wan.gateways[1].address, p3=quanta))
        while (relayed_pause(wan.near)[1] != 0) == (quanta == 0):
            pass
        took.append(time.monotonic() - said)
    assert milliseconds / 1000 <= min(took) < most + 0.01
    assert far.pfc("p0", 3)["relayed_pause"] == far.pfc("p0", 3)["relayed_resume"] == 3


# --- the reserve ---------------------------------------------------------------------------------

class ReservedWan:
    """One station sends to another, at 50 Mb/s, behind a gateway that is a switch itself:

        station -- near ======== far -- gateway -- station
    """

    speed = 50_000_000

    def __init__(self, lab: Lab, seconds: float):
        about = {"speed": "50M", "lossless": [3]}
        self.wan = Wan(lab, seconds, {"longest": "3s"}, hosts=False, **about, pfc={})
        self.near, self.far = self.wan.switches
        gateway, stations = lab.make_namespace("gateway"), lab.make_namespace("stations")
        cable(self.near.namespace, "p0", stations, "near", mtu=1500)
        cable(self.far.namespace, "p0", gateway, "wan", mtu=1500)
        cable(gateway, "site", stations, "far", mtu=1500)
        ports = [{"name": name, "device": f"af_packet:{name}", **about} for name in ("wan", "site")]
        ports[0]["address"] = GATEWAY
        # A cell of 16 octets costs these frames nothing.
        self.gateway = lab.make_switch(ports, gateway, buffer={"cell": 16})
        self.wan.launch()
        self.gateway.start()
        self.site = Wire(stations, "far")
        self.senders = stations.start(
            program("sluice-gen"), "--port", "af_packet:near", "--port", "af_packet:far", "--pattern",
            "pairs", "--priority", "3", "--rate", "50Mbps", "--frame-bytes", "1518", "--speed",
            "50M", "--seconds", "600", "--pfc", "--json", "--quiet")
        until(lambda: self.gateway.port("site")["tx_frames"] > 100, "frames come")

    def reserve(self, **pfc) -> int:
        """What the gateway keeps for that."""
        ports = [dict(port) for port in self.gateway.configuration["ports"]]
        ports[0]["pfc"] = pfc
        self.gateway.apply(ports=ports)
        return self.gateway.pfc("wan", 3)["headroom_bytes"]

    def hold(self) -> int:
        """The station pauses its gateway once; returns how many frames found no room."""
        row = self.gateway.pfc("wan", 3)
        before = self.gateway.drops().get("headroom_overrun", 0)
        self.site.send(pause("02:00:00:00:00:b0", p3=LONGEST))
        until(lambda: self.gateway.pfc("wan", 3)["tx_pause"] > row["tx_pause"], "it is full")
        until(lambda: self.gateway.pfc("wan", 3)["tx_resume"] > row["tx_resume"], "it goes on")
        return self.gateway.drops().get("headroom_overrun", 0) - before

    def close(self) -> None:
        self.senders.signal(signal.SIGINT)
        self.senders.wait(10)
        self.wan.link.close()
        self.site.close()


# Late are three switches, a generator and the link, which share two cores or so: that is the
# response. Of a short delay it would make up for all, so that there less is a reserve without both,
# and that the delay has its part is shown by what it adds. Of a long delay, too little is a reserve
# for half of it and for a response of 40 ms.
@pytest.mark.parametrize("milliseconds", [1, pytest.param(10, marks=pytest.mark.full),
                                          pytest.param(50, marks=pytest.mark.full), 100])
def test_the_reserve_for_the_delay_loses_nothing_and_less_does(lab: Lab, milliseconds):
    reserved = ReservedWan(lab, milliseconds / 1000)
    under_way = 2 * milliseconds / 1000 * ReservedWan.speed / 8
    is_long = milliseconds >= 50
    response = "100ms" if is_long else "250ms"
    try:
        relay = until(lambda: (known := tunnel(reserved.far)["relay"])["answers"] >= (
            8 if is_long else 2) and known, "the delay is known", 30)
        half = {"relay_delay": f"{milliseconds * 500}us", "response": "40ms"}
        less = reserved.reserve(**(half if is_long else {}))
        assert less < under_way
        assert reserved.hold() > 0, less
        delay = -(-relay["delay_max_ns"] // 1000)
        without = reserved.reserve(response=response)
        enough = reserved.reserve(relay_delay=f"{delay}us", response=response)
        added = 2 * delay * ReservedWan.speed / 8e6  # each of the two is rounded up to whole KiB
        assert enough - without == pytest.approx(added, rel=0.02, abs=1024)
        for _ in range(3):
            assert reserved.hold() == 0, enough
        row = reserved.gateway.pfc("wan", 3)
        assert less < row["headroom_used_max"] <= enough
    finally:
        reserved.close()


def test_settings_that_cannot_work_are_refused(lab: Lab):
    ports = end_of_tunnel("p0", "192.0.2.1", "192.0.2.2", lossless=[3])
    ports[2]["pause_relay"] = {"port": "wan"}
    switch = lab.make_switch(ports)
    switch.write()
    checked = sluice("check", str(switch.file), check=False)
    said = checked.stdout + checked.stderr
    assert checked.returncode != 0 and "wan is below the tunnel" in said
