"""Loops: through a bridge of the kernel, and by a cable that leads back; reported, shut, and
opened again. BPDUs of others."""

from frames import BROADCAST, frame
from lab import Lab
from switch import Switch
from tshark import decoded
from waiting import until, until_equal

FINDS = 20.0  # seconds; a probe leaves every second, and the machine may be busy
PROBE = "03:53:4c:4f:4f:50"


def state(switch: Switch, port: str) -> str:
    return switch.port(port)["loop_guard"]


def events(switch: Switch) -> list[tuple[str, str]]:
    return [(row["kind"], row["port"]) for row in switch.show("events")
            if row["kind"].startswith("loop")]


class Looped:
    """p0 and p1 end in one namespace, where a bridge may join them; p2 is a host's."""

    def __init__(self, lab: Lab, kind: str, **guard):
        lab.add_hosts(3)
        one, two, self.host = lab.hosts
        two.namespace.ip("link", "set", "eth0", "down")
        two.namespace.ip("link", "set", "eth0", "name", "eth1", "netns", one.namespace.name)
        one.namespace.ip("link", "set", "eth1", "up")
        self.far = one.namespace
        self.switch = lab.make_switch(lab.ports(kind), defaults={"loop_guard": guard}).start()

    def join(self) -> None:
        self.far.ip("link", "add", "br0", "type", "bridge", "stp_state", "0")
        for interface in ("eth0", "eth1"):
            self.far.ip("link", "set", interface, "master", "br0")
        self.far.ip("link", "set", "br0", "up")

    def part(self) -> None:
        self.far.ip("link", "set", "eth1", "nomaster")


def test_a_loop_through_a_bridge_is_shut_and_opened_again(lab: Lab, kind: str):
    loop = Looped(lab, kind, action="shut", recovery="3s")
    switch = loop.switch
    assert [state(switch, f"p{number}") for number in range(3)] == ["clear"] * 3
    loop.join()
    until_equal(lambda: state(switch, "p1"), "shut", "the loop is found", FINDS)
    assert state(switch, "p0") == "clear", "one of the two goes on"
    assert events(switch) == [("loop_detected", "p1")]

    # Nothing goes round any more: what the host says arrives at p0 alone, once.
    until_equal(lambda: switch.show("ledger")["in_motion"], False, "the storm is over")
    before = switch.port("p0")["tx_frames"]
    hello = frame(loop.host.address, BROADCAST)
    wire = loop.host.wire()
    wire.send(hello)
    until(lambda: switch.port("p0")["tx_frames"] > before, "it left by p0")
    until(lambda: switch.drops("p1").get("loop_shut", 0) > 0, "what comes back by p1 is refused")
    assert hello not in wire.pending()

    loop.part()
    until_equal(lambda: state(switch, "p1"), "clear", "it is opened", FINDS)
    assert events(switch) == [("loop_detected", "p1"), ("loop_over", "p1")]
    assert switch.drops()["loop_probe"] > 0


def test_a_loop_is_reported_and_goes_on_where_it_is_only_to_be_reported(lab: Lab):
    loop = Looped(lab, "af_packet", action="warn")
    loop.join()
    until(lambda: "looped" in (state(loop.switch, "p0"), state(loop.switch, "p1")),
          "the loop is found", FINDS)
    assert ("loop_detected", "p0") in events(loop.switch) or \
        ("loop_detected", "p1") in events(loop.switch)
    loop.part()
    until(lambda: {state(loop.switch, "p0"), state(loop.switch, "p1")} == {"clear"},
          "it is over", FINDS)


def test_a_cable_that_leads_back_to_its_own_port(lab: Lab):
    """A wire that sends back what it receives."""
    lab.add_hosts(2)
    switch = lab.make_switch(lab.ports("af_packet"),
                             defaults={"loop_guard": {"action": "shut", "recovery": "3s"}}).start()
    wire = lab.hosts[0].wire()
    probe = wire.collect(lambda frames: len(frames) > 0, "a probe", FINDS)[0]
    [fields] = decoded(lab.folder, [probe], "eth.dst", "eth.src", "eth.type", "frame.len")
    assert fields == {"eth.dst": PROBE, "eth.src": switch.port("p0")["address"],
                      "eth.type": "0x88b5", "frame.len": "60"}
    wire.send(probe)
    until_equal(lambda: state(switch, "p0"), "shut", "it is found", FINDS)
    assert state(switch, "p1") == "clear"
    wire.send(frame(lab.hosts[0].address, BROADCAST))
    switch.until_dropped("loop_shut", 1, "p0")
    until_equal(lambda: state(switch, "p0"), "clear", "none comes back any more", FINDS)


def test_probes_of_another_switch_are_forwarded(lab: Lab):
    switch, (one, two) = lab.build("af_packet", 2,
                                   defaults={"loop_guard": {"action": "shut"}})
    first, second = lab.wires()
    probe = first.collect(lambda frames: len(frames) > 0, "a probe", FINDS)[0]
    foreign = bytearray(probe)
    foreign[28] ^= 1  # another sender
    first.send(bytes(foreign))
    assert second.collect(lambda frames: bytes(foreign) in frames, "it goes on")
    assert state(switch, "p0") == "clear"


def test_without_a_guard_nobody_sends_probes_or_looks_for_them(lab: Lab):
    switch, _ = lab.build("af_packet", 2)
    assert state(switch, "p0") == "off"
    first, second = lab.wires()
    marker = frame(lab.hosts[0].address, PROBE)
    first.send(marker)
    second.expect(marker)


def test_bpdus_go_on_where_the_file_says_so(lab: Lab, kind: str):
    switch, (one, two, three) = lab.build(kind, 3)
    first, second, third = lab.wires()
    bpdu = frame(one.address, "01:80:c2:00:00:00")
    first.send(bpdu)
    switch.until_dropped("reserved_address", 1)
    switch.apply(bpdus="forward")
    again = frame(one.address, "01:80:c2:00:00:00")
    first.send(again, frame(one.address, "01:80:c2:00:00:03"))
    second.expect(again)
    third.expect(again)
    switch.until_dropped("reserved_address", 2)
