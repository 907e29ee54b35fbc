"""Hosts behind the switch reach each other as if on one cable."""

import pytest

from frames import BROADCAST, frame
from host import Host
from lab import Lab
from switch import USUAL_BUFFER, Switch
from waiting import until_equal


def test_every_host_pings_every_other(lab: Lab, kind: str):
    switch, hosts = lab.build(kind, 3)
    for sender in hosts:
        for receiver in hosts:
            if sender is not receiver:
                sender.ping(receiver.ipv4)
    assert switch.fdb() == {host.address: host.port for host in hosts}


def test_ipv6_finds_its_neighbours_by_multicast(lab: Lab, kind: str):
    hosts = lab.add_hosts(3, ipv6=True)
    lab.start_switch(kind)
    for sender in hosts:
        for receiver in hosts:
            if sender is not receiver:
                sender.ping(receiver.ipv6)
    assert hosts[0].neighbours()[hosts[1].ipv6] == hosts[1].address


def test_an_arp_broadcast_reaches_all(lab: Lab, kind: str):
    switch, (asking, asked, bystander) = lab.build(kind, 3)
    at_bystander = bystander.wire()
    asking.ping(asked.ipv4)
    arp_request = at_bystander.receive()
    assert arp_request[:6] == b"\xff" * 6 and arp_request[12:14] == b"\x08\x06"
    # The answer, and the echoes after it, were not for it; if the answer is late it is asked again.
    assert set(at_bystander.pending()) <= {arp_request}
    assert asking.neighbours() == {asked.ipv4: asked.address}


def test_the_largest_packet_passes(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2)
    one.ping(two.ipv4, size=1472)  # 1514 octets of frame
    assert switch.drops() == {}


def test_unknown_is_flooded_and_known_is_not(lab: Lab, kind: str):
    switch, (one, two, three) = lab.build(kind, 3)
    first, second, third = lab.wires()

    unknown = frame(one.address, two.address)
    first.send(unknown)
    second.expect(unknown)
    third.expect(unknown)

    answer = frame(two.address, one.address)
    second.send(answer)
    first.expect(answer)

    known, everyone = frame(one.address, two.address), frame(one.address, BROADCAST)
    first.send(known, everyone)
    second.expect(known, everyone)
    third.expect(everyone)
    assert switch.fdb() == {one.address: one.port, two.address: two.port}


def test_frames_keep_their_octets_and_order(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2)
    first, second = lab.wires()
    sent = [frame(one.address, two.address, length=length) for length in range(60, 1515, 7)]
    first.send(*sent, rate=5000)
    second.expect(*sent)


def test_what_is_for_the_own_side_stays_there(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2)
    first, second = lab.wires()
    neighbour = "02:00:00:00:01:01"  # a second station on the first host's cable
    first.send(frame(neighbour, BROADCAST))
    until_equal(lambda: switch.fdb().get(neighbour), one.port, "the neighbour is known")

    last = frame(one.address, BROADCAST)
    first.send(frame(one.address, neighbour), last)
    assert second.collect(lambda received: last in received, "the last frame")[1:] == [last]
    assert switch.drops() == {"same_port": 1}


def carries_tcp(switch: Switch, sender: Host, receiver: Host, *words: str) -> float:
    """Runs iperf3; nothing may be lost inside the switch. Bits a second."""
    found = sender.iperf3(receiver, *words)
    ledger = switch.settled()
    assert found.octets_received > 0
    assert ledger["dropped"] == 0 and switch.drops() == {}, switch.show("drops")
    assert all(row["dropped"] == 0 for row in switch.show("queues"))
    # Nor beside it: what left a host came in, or the device says how many nobody took in time, and
    # what was sent arrived.
    for host in (sender, receiver):
        port = switch.port(host.port)
        left, arrived = host.counted()
        assert left == port["rx_frames"] + port["device_counters"]["missed"], port
        joined = port["device_counters"]
        assert arrived == port["tx_frames"] - joined["frames_joined"] + joined["segments_joined"], port
    print(f"{found.bits_per_second / 1e6:.0f} Mb/s, {found.retransmits} retransmits")
    return found.bits_per_second


@pytest.mark.parametrize("words", [(), ("--reverse",), ("--parallel", "4")],
                         ids=["one_way", "the_other_way", "four_streams"])
def test_tcp_loses_nothing_in_the_switch(lab: Lab, kind: str, words):
    switch, (one, two) = lab.build(kind, 2, buffer=USUAL_BUFFER)
    assert carries_tcp(switch, one, two, *words) > 50e6


def test_a_storm_is_cut_off_and_hosts_still_reach_each_other(lab: Lab, kind: str):
    limits = {"unit": "frames", "broadcast": 100}
    switch, (one, two) = lab.build(kind, 2, defaults={"storm_control": limits})
    storm, quiet = lab.wires()
    sent = [frame(one.address, BROADCAST) for _ in range(1000)]
    storm.send(*sent)
    switch.settled(received=len(sent))
    passed = len(frozenset(sent) & frozenset(quiet.pending()))
    assert 0 < passed < 1000
    assert switch.drops("p0")["storm_broadcast"] == 1000 - passed
    one.ping(two.ipv4)
