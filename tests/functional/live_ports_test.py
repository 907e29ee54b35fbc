"""Ports that an operator changes while the switch runs: down and up, other names."""

import json

from frames import BROADCAST, frame, times
from lab import Lab
from switch import Switch
from waiting import until, until_equal


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
    if kind == "af_xdp":
        assert event["text"] == "administratively down", "CAP_NET_ADMIN is kept for af_xdp"
    else:
        # Nothing is kept to take the interface down with, so its peer still has a link.
        assert "cannot be set down; try `ip link set p2 down`" in event["text"]
        three.wire().send(*(frame(three.address, BROADCAST) for _ in range(5)))
        until(lambda: switch.drops("p2").get("ingress_down", 0) >= 5, "what comes is refused")
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


def test_a_paused_peer_is_let_go_on_by_a_port_that_goes_down(lab: Lab, kind: str):
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
    assert times(wire.pending()[-1]) == {3: 0}, "its last word is an XON"
    assert not switch.pfc("p0", 3)["lossless"]
    assert switch.waiting() > 0, "what it had taken still goes where it was to go"


def test_what_waits_for_a_port_that_is_taken_down_is_let_go(lab: Lab, kind: str):
    one, two = lab.add_hosts(2)
    ports = lab.ports(kind)
    ports[1]["rate"] = "1M"
    switch = lab.make_switch(ports).start()
    one.wire().send(*(frame(one.address, BROADCAST, length=1500) for _ in range(150)))
    until(lambda: switch.waiting() > 100, "a queue stands")
    ports[1]["admin_status"] = "down"
    switch.apply(ports=ports)
    ledger = switch.settled()
    assert switch.drops()["egress_down"] >= 50
    assert ledger["sent"] + switch.drops()["egress_down"] >= 150


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
    ledger = switch.show("ledger")
    assert sum(row["rx_frames"] for row in switch.show("ports")) <= ledger["received"] - 4
    rows = switch.show("lldp")
    until(lambda: {row["port"] for row in switch.show("lldp")} == {"west", "east"}, str(rows))
