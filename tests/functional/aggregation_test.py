"""Ports that are one: a host with two cables, each to a port of its own.

Not every kernel can bond interfaces, so the host's two ends are two cables read one by one. What
it sends by either is from one address."""

from frames import BROADCAST, frame
from lab import Lab
from waiting import until, until_equal

HOST = "02:00:00:00:0a:01"
CABLES = slice(0, 2)
OTHER, THIRD = 2, 3
# So many that hardly any seed, which is drawn at each start, leaves a cable with next to none.
TALKERS = 64


def build_bond(lab: Lab, kind: str, **configuration):
    """p0 and p1 are the host's; p2 and p3 are others'."""
    lab.add_hosts(4)
    aggregations = [{"name": "bond0", "ports": ["p0", "p1"], "hash": "l2"}]
    switch = lab.make_switch(lab.ports(kind), aggregations=aggregations, **configuration)
    return switch.start(), lab.wires()


def test_a_host_with_two_cables_is_one_host(lab: Lab, kind: str):
    switch, wires = build_bond(lab, kind)
    for number in (0, 1):
        hello = frame(HOST, BROADCAST)
        wires[number].send(hello)
        wires[OTHER].expect(hello)
        wires[THIRD].expect(hello)
    assert switch.fdb() == {HOST: "bond0"}
    assert switch.port("p0")["aggregation"] == "bond0" and switch.port("p2")["aggregation"] == ""

    # A marker after it shows that nothing came back by the other cable, and nothing twice.
    asked = [frame(lab.hosts[OTHER].address, BROADCAST) for _ in range(20)]
    wires[OTHER].send(*asked)
    wires[THIRD].expect(*asked)
    received = [cable.collect(lambda frames: len(frames) == 20, "the flood by one cable")
                for cable in wires[CABLES] if switch.port(f"p{wires.index(cable)}")["tx_frames"]]
    assert received == [asked]
    assert all(cable.pending() == [] for cable in wires[CABLES])


def test_conversations_spread_and_keep_their_order(lab: Lab, kind: str):
    switch, wires = build_bond(lab, kind)
    wires[1].send(frame(HOST, BROADCAST))
    until(lambda: switch.fdb() == {HOST: "bond0"}, "the host is known")
    talkers = [f"02:00:00:00:0b:{number:02x}" for number in range(TALKERS)]
    sent = [frame(talker, HOST) for _ in range(10) for talker in talkers]
    wires[OTHER].send(*sent, rate=5000)
    until(lambda: sum(switch.port(name)["tx_frames"] for name in ("p0", "p1")) == len(sent),
          "all of it left")
    received = [cable.collect(lambda frames: len(frames) == count, "what left by it")
                for cable, count in zip(wires[CABLES], [switch.port(name)["tx_frames"]
                                                        for name in ("p0", "p1")])]
    assert min(map(len, received)) > 50 and sum(map(len, received)) == len(sent)
    for talker in talkers:
        mine = bytes.fromhex(talker.replace(":", ""))
        of_host = [octets for octets in sent if octets[6:12] == mine]
        assert of_host in [[octets for octets in by_cable if octets[6:12] == mine]
                        for by_cable in received]
    assert switch.drops() == {} and wires[THIRD].pending()[1:] == []


def test_a_cable_that_is_cut_leaves_the_other(lab: Lab, kind: str):
    switch, wires = build_bond(lab, kind)
    wires[0].send(frame(HOST, BROADCAST))
    until(lambda: switch.fdb() == {HOST: "bond0"}, "the host is known")
    lab.hosts[0].set_link(up=False)
    until_equal(lambda: switch.port("p0")["link"], "down", "the cut is seen")
    talk = [frame(f"02:00:00:00:0b:{number:02x}", HOST) for number in range(16)]
    wires[OTHER].send(*talk)
    wires[1].expect(*talk)
    assert switch.fdb()[HOST] == "bond0"

    lab.hosts[1].set_link(up=False)
    until(lambda: HOST not in switch.fdb(), "with the last cable the host is forgotten")
    lab.hosts[0].set_link(up=True)
    until_equal(lambda: switch.port("p0")["link"], "up", "a cable is back")
    cable = lab.hosts[0].wire()
    again = frame(lab.hosts[OTHER].address, HOST)
    wires[OTHER].send(again)
    cable.expect(again)
    assert wires[THIRD].collect(lambda frames: again in frames, "a flood, as it is unknown")


def test_members_of_two_workers(lab: Lab, kind: str):
    switch, wires = build_bond(lab, kind, workers={"count": 2})
    assert switch.port("p0")["worker"] != switch.port("p1")["worker"]
    for number in (0, 1):
        wires[number].send(frame(HOST, BROADCAST))
    until(lambda: switch.fdb() == {HOST: "bond0"}, "the host is known")
    talkers = [f"02:00:00:00:0b:{number:02x}" for number in range(TALKERS)]
    wires[THIRD].send(*[frame(talker, HOST) for talker in talkers])
    until(lambda: sum(switch.port(name)["tx_frames"] for name in ("p0", "p1")) == TALKERS,
          "all of it left")
    assert all(switch.port(name)["tx_frames"] > 5 for name in ("p0", "p1"))


def test_ports_become_one_while_frames_flow(lab: Lab, kind: str):
    lab.add_hosts(3)
    switch = lab.make_switch(lab.ports(kind)).start()
    wires = lab.wires()
    wires[1].send(frame(HOST, BROADCAST))
    until(lambda: switch.fdb() == {HOST: "p1"}, "the host is known behind p1")
    switch.apply(aggregations=[{"name": "bond0", "ports": ["p0", "p1"]}])
    until(lambda: HOST not in switch.fdb(), "p1 is no port of its own any more")
    wires[1].send(frame(HOST, BROADCAST))
    until(lambda: switch.fdb() == {HOST: "bond0"}, "the host is known behind both")
