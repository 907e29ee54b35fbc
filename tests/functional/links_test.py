"""Ports that go down, come back, or vanish under the switch; the others do not notice."""

import json

from frames import BROADCAST, frame
from host import Host
from lab import Lab
from switch import Switch
from waiting import until, until_equal


def link_of(switch: Switch, port: str) -> str:
    return switch.port(port)["link"]


def events_of(switch: Switch, port: str) -> list[str]:
    return [row["kind"] for row in switch.show("events") if row["port"] == port]


def link_in(lab: Lab, interface: str) -> dict:
    [link] = json.loads(lab.namespace.ip("-json", "link", "show", interface))
    return link


def others_still_talk(switch: Switch, one: Host, two: Host) -> None:
    one.ping(two.ipv4)
    two.ping(one.ipv4)


def test_a_link_goes_down_and_up(lab: Lab, kind: str):
    switch, (one, two, three) = lab.build(kind, 3)
    one.ping(three.ipv4)
    assert switch.fdb()[three.address] == "p2"

    three.set_link(up=False)
    until_equal(lambda: link_of(switch, "p2"), "down", "the link is seen to go down")
    until(lambda: three.address not in switch.fdb(), "who was there is forgotten")
    others_still_talk(switch, one, two)

    three.set_link(up=True)
    until_equal(lambda: link_of(switch, "p2"), "up", "the link is seen to come up")
    one.ping(three.ipv4)
    assert events_of(switch, "p2")[-2:] == ["link_down", "link_up"]


def test_nothing_is_queued_for_a_port_that_is_down(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2)
    wire = one.wire()
    two.set_link(up=False)
    until_equal(lambda: link_of(switch, "p1"), "down", "the link is seen to go down")
    wire.send(frame(one.address, two.address), frame(one.address, BROADCAST))
    switch.until_dropped("no_output", 2)
    assert switch.waiting() == 0


def test_what_waits_for_a_port_that_goes_down_is_dropped(lab: Lab, kind: str):
    one, two = lab.add_hosts(2)
    ports = lab.ports(kind)
    ports[1]["rate"] = "1M"
    switch = lab.make_switch(ports).start()
    one.wire().send(*(frame(one.address, BROADCAST, length=1500) for _ in range(600)), rate=5000)
    until(lambda: switch.waiting() > 100, "a queue stands")  # 7 s of it
    two.set_link(up=False)
    ledger = switch.settled()
    assert switch.drops() == {"egress_down": ledger["dropped"]}
    assert ledger["dropped"] >= 100 and ledger["sent"] == 600 - ledger["dropped"]


def test_a_port_vanishes_and_the_rest_keeps_switching(lab: Lab, kind: str):
    switch, (one, two, three) = lab.build(kind, 3)
    one.ping(three.ipv4)
    lab.namespace.ip("link", "del", "p2")
    until_equal(lambda: link_of(switch, "p2"), "gone", "the loss is noticed")
    assert events_of(switch, "p2").count("port_vanished") == 1
    [event] = [row for row in switch.show("events") if row["kind"] == "port_vanished"]
    assert f"{kind}:p2" in event["text"]
    assert f"{kind}:p2" in switch.process.errors(), "the log has it as well"

    others_still_talk(switch, one, two)
    assert three.address not in switch.fdb()


def test_a_port_vanishes_under_load(lab: Lab, kind: str):
    switch, (one, two, three) = lab.build(kind, 3)
    serving = two.serve_iperf3()
    client = one.start_iperf3(two, seconds=30)  # it will not get that far
    until(lambda: switch.port("p1")["tx_bytes"] > 1e6, "TCP runs")
    lab.namespace.ip("link", "del", "p1")
    until_equal(lambda: link_of(switch, "p1"), "gone", "the loss is noticed")
    client.end()
    serving.end()
    others_still_talk(switch, one, three)


def test_all_ports_vanish(lab: Lab, kind: str):
    switch, hosts = lab.build(kind, 2)
    for host in hosts:
        lab.namespace.ip("link", "del", host.port)
    until_equal(lambda: [port["link"] for port in switch.show("ports")], ["gone", "gone"],
                "both losses are noticed")
    # The lab goes on to end it, which it takes in good order.


def test_an_interface_made_again_is_opened_again(lab: Lab):
    """With the settings that run, under the same name, and with its counters going on."""
    switch, (one, two, three) = lab.build("af_packet", 3, hotplug={"devices": ["af_packet"]},
                                          defaults={"mtu": 1400})
    one.ping(two.ipv4)
    three.ping(two.ipv4)
    sent = switch.port("p1")["tx_frames"]
    mtu = link_in(lab, "p1")["mtu"]
    assert mtu < 1500
    lab.namespace.ip("link", "del", "p1")
    until_equal(lambda: link_of(switch, "p1"), "gone", "the loss is noticed")
    two.close()
    two = lab.hosts[1] = Host(2, two.namespace, lab.namespace, "p1")
    until_equal(lambda: link_of(switch, "p1"), "up", "it is back")
    one.ping(two.ipv4)
    two.ping(three.ipv4)
    assert switch.port("p1")["tx_frames"] > sent
    link = link_in(lab, "p1")
    assert (link["mtu"], link["address"]) == (mtu, switch.port("p1")["address"])
    assert events_of(switch, "p1")[-3:] == ["port_vanished", "port_returned", "link_up"]
    assert switch.settled()["dropped"] == 0


def test_an_interface_made_again_is_another_one(lab: Lab):
    switch, (one, two) = lab.build("af_packet", 2)
    lab.namespace.ip("link", "del", "p1")
    until_equal(lambda: link_of(switch, "p1"), "gone", "the loss is noticed")
    lab.namespace.ip("link", "add", "p1", "type", "veth", "peer", "name", "other-end")
    lab.namespace.ip("link", "set", "other-end", "up")
    lab.namespace.ip("link", "set", "p1", "up")
    until_equal(lambda: link_of(switch, "p1"), "gone", "it stays so")
    one.wire().send(frame(one.address, BROADCAST))
    switch.until_dropped("no_output", 1)
