"""Hosts at their defaults, as every container and virtual machine is: they leave checksums and
segmentation to a network card and put tags beside their frames. All that they say arrives, both ways,
over one switch, also between ports of two kinds, and over two with a memif between them."""

import os
import socket
import struct

import pytest
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Dot1Q, Ether

from frames import BROADCAST, frame
from host import Host
from host_traffic import behind_bridge, families, send_tcp, send_udp
from lab import Lab
from switch import STARTS, Switch, sluice
from waiting import PATIENCE, until, until_equal

_SOL_PACKET = 263
_PACKET_VNET_HDR = 15
SOME = 2 << 20  # octets: many segments of 64 KiB


def add_hosts(lab: Lab, **about) -> list[Host]:
    return lab.add_hosts(2, offloads=True, ipv6=True, **about)


@pytest.fixture(params=["af_packet", "af_xdp", "tap", "af_packet af_xdp", "af_packet tap",
                        "tap af_xdp", "memif"])
def build(request, lab: Lab):
    """Makes hosts and the switches between them: one, to which they are cabled by veth or by TAPs
    that were moved into their namespaces; or two with a memif between."""
    def one(about, configuration) -> list[Switch]:
        ports = []
        for kind in build_it.kinds:
            host = lab.add_hosts(1, offloads=True, ipv6=True, waits=kind == "tap", **about)[0]
            ports.append({"name": host.port, "device": f"{kind}:{host.port}"})
        switch = lab.make_switch(ports, **configuration).start()
        if "tap" in build_it.kinds:
            for host, kind in zip(lab.hosts, build_it.kinds):
                if kind == "tap":
                    host.take()
            until_equal(switch.links, {host.port: "up" for host in lab.hosts}, "they follow")
            lab.hosts[0].ping(lab.hosts[1].ipv4)  # the move may have been seen a moment later
        return [switch]

    def two(about, configuration) -> list[Switch]:
        hosts = add_hosts(lab, **about)
        path = lab.folder / "between.sock"
        of_both = configuration.pop("defaults", {})
        switches = []
        for host, role in zip(hosts, ("server", "client")):
            ports = [{"name": host.port, "device": f"af_packet:{host.port}", **of_both},
                     {"name": "between", "device": f"memif:{path},{role}", **of_both}]
            switches.append(lab.make_switch(ports, **configuration))
            switches[-1].launch()
            until(path.exists, "the server listens", STARTS)
        for switch in switches:
            switch.until_ready()
        return switches

    def build_it(about=None, **configuration) -> list[Switch]:
        return (two if request.param == "memif" else one)(about or {}, configuration)

    def both_ways() -> list[tuple[list[Host], bool]]:
        """Who sends and who receives; and whether the sender hands over segments: while a program
        is at a veth its far end does not."""
        return [(hosts, kind != "af_xdp")
                for hosts, kind in zip((lab.hosts, lab.hosts[::-1]), build_it.kinds)]

    kinds = "af_packet" if request.param == "memif" else request.param
    build_it.kinds = (kinds.split() * 2)[:2]  # of the first host's port and of the second's
    build_it.both_ways = both_ways
    return build_it


def counted(switches: list[Switch], name: str) -> int:
    return sum(port["device_counters"][name] for switch in switches for port in switch.show("ports"))


def test_ping(lab: Lab, build):
    switches = build()
    one, two = lab.hosts
    one.ping(two.ipv4)
    one.ping(two.ipv6)
    assert all(switch.drops().get("oversize", 0) == 0 for switch in switches)


def test_tcp_arrives_whole(lab: Lab, build):
    switches = build()
    octets = os.urandom(SOME)
    for hosts, has_segments in build.both_ways():
        for here, there in families(hosts):
            before = [counted(switches, name) for name in ("segments_cut", "frames_cut")]
            assert send_tcp(*hosts, here, there, octets) == octets
            if has_segments:
                assert counted(switches, "segments_cut") > before[0]
                assert counted(switches, "frames_cut") > before[1] + SOME // 1448 / 2
    assert counted(switches, "checksums_finished") > 0


def test_frames_of_a_flow_leave_as_segments(lab: Lab):
    """Which a host takes for what they were: what arrives is the same."""
    add_hosts(lab)
    switch = lab.start_switch("af_packet")
    octets = os.urandom(SOME)
    for here, there in families(lab.hosts):
        before = switch.port("p1")["device_counters"]["frames_joined"]
        assert send_tcp(*lab.hosts, here, there, octets) == octets
        joined = switch.port("p1")["device_counters"]
        assert joined["frames_joined"] - before > SOME // 1448 / 4
        assert joined["segments_joined"] <= joined["frames_joined"] / 2
    # What came in one piece leaves in one; not what a busy machine has sent again, in no run of five.
    assert any(pieces_a_segment(switch, *lab.hosts, octets) <= 1.2 for _ in range(5))


def pieces_a_segment(switch: Switch, one: Host, two: Host, octets: bytes) -> float:
    def so_far() -> tuple[int, int]:
        return (switch.port("p1")["device_counters"]["segments_joined"],
                switch.port("p0")["device_counters"]["segments_cut"])
    joined, cut = so_far()
    here, there = one.ipv4, two.ipv4
    assert send_tcp(one, two, here, there, octets) == octets
    joined_now, cut_now = so_far()
    return (joined_now - joined) / (cut_now - cut)


def test_udp_arrives_whole(lab: Lab, build):
    switches = build()
    datagrams = [os.urandom(length) for length in (1, 2, 3, 64, 511, 1400, 1452)]
    for hosts, _ in build.both_ways():
        for here, there in families(hosts):
            assert send_udp(*hosts, here, there, *datagrams) == datagrams
    assert counted(switches, "checksums_finished") >= 4 * len(datagrams)


def test_udp_segments_arrive_as_datagrams(lab: Lab, build):
    switches = build()
    octets = os.urandom(12345)
    for hosts, has_segments in build.both_ways():
        for here, there in families(hosts):
            before = counted(switches, "frames_cut")
            received = send_udp(*hosts, here, there, octets, segment=1200)
            assert b"".join(received) == octets and len(received[0]) == 1200
            assert counted(switches, "frames_cut") >= before + 11 or not has_segments


@pytest.mark.parametrize("family", [4, 6])
@pytest.mark.parametrize("kind", ["af_packet", "af_xdp"])
def test_hosts_reach_each_other_by_their_own_vxlan(lab: Lab, kind: str, family: int):
    """As containers on two machines do: the kernels leave checksums within their tunnel to be
    finished, and segments to be cut, but where a program is at the other end of their veth."""
    hosts = add_hosts(lab)
    switch = lab.start_switch(kind)
    here, there = families(hosts)[family == 6]
    for host, ends in zip(hosts, ((here, there), (there, here))):
        host.add_vxlan(*ends)
    hosts[0].ping(hosts[1].overlay[0])
    octets = os.urandom(SOME)
    for one, two in (hosts, hosts[::-1]):
        for source, destination in zip(one.overlay, two.overlay):
            before = counted([switch], "segments_cut")
            assert send_tcp(one, two, source, destination, octets) == octets
            received = send_udp(one, two, source, destination, octets[:12345], segment=1200)
            assert b"".join(received) == octets[:12345] and len(received[0]) == 1200
            assert (counted([switch], "segments_cut") > before) == (kind == "af_packet")
    assert counted([switch], "checksums_finished") > 0
    assert counted([switch], "receive_errors") == 0 and switch.drops() == {}


def test_ipv4_fragments_pass(lab: Lab, build):
    """Each as it is: nobody puts them together between the hosts."""
    switches = build()
    lab.hosts[0].ping(lab.hosts[1].ipv4, size=4000)
    datagram = os.urandom(20000)
    for hosts, _ in build.both_ways():
        for here, there in families(hosts):
            assert send_udp(*hosts, here, there, datagram) == [datagram]
    assert all(switch.drops().get("oversize", 0) == 0 for switch in switches)


def test_jumbo_frames(lab: Lab, build):
    configuration = {"defaults": {"mtu": "9000B"}}
    if "af_xdp" in build.kinds:  # a frame has to fit a page
        ports = [{"device": f"{kind}:p{number}"} for number, kind in enumerate(build.kinds)]
        switch = lab.make_switch(ports, **configuration)
        switch.write()
        refused = sluice("check", str(switch.file), check=False)
        assert refused.returncode == 2 and "write 3498B or less" in refused.stderr
        return
    build({"mtu": 9000}, **configuration)
    one, two = lab.hosts
    one.ping(two.ipv4, size=8900)
    octets = os.urandom(SOME)
    for here, there in families(lab.hosts):
        assert send_tcp(one, two, here, there, octets) == octets


def test_two_tags(lab: Lab, build):
    """The outer one, of 802.1ad, beside the frame, the inner one within. At cables of 1500 octets
    both take 4 of them; what is longer is lost by name where a veth is the far end, and what comes
    behind it passes."""
    switches = build()
    too_long = lambda: sum(switch.drops().get("too_long_for_interface", 0)  # noqa: E731
                           for switch in switches)
    for (one, two), kind in zip((lab.hosts, lab.hosts[::-1]), build.kinds[::-1]):
        sending, received = behind_bridge(one), two.wire()

        def arrive(*lengths: int) -> None:
            sent = [frame(one.address, BROADCAST, service_vlan=9, vlan=7, length=length)
                    for length in lengths]
            sending.send(*sent)
            fit = {octets for octets in sent if len(octets) <= 1518}
            received.collect(lambda came: fit <= set(came), "those that fit arrive")
        arrive(1518, 60)
        if kind != "tap":
            before = too_long()
            arrive(1522, 1518, 60)
            until(lambda: too_long() > before, "it is lost by name")


@pytest.mark.parametrize("tpid", ["0x8100", "0x88A8"])
@pytest.mark.parametrize("kind", ["af_packet", "af_xdp", "tap"])
def test_a_tag_beside_the_frame_stays_its_own(lab: Lab, kind: str, tpid: str):
    """The host's kernel hands it over so: it came into a bridge there, which takes each tag out."""
    one, two = add_hosts(lab, waits=kind == "tap")
    switch = lab.start_switch(kind, defaults={
        "vlan": {"mode": "trunk", "allowed": [5], "tpid": tpid}})
    for host in (one, two) if kind == "tap" else ():
        host.take()
    until_equal(switch.links, {"p0": "up", "p1": "up"}, "both are there")
    received = two.wire()
    plain = frame(one.address, BROADCAST, length=1510)
    tagged = plain[:12] + bytes.fromhex(tpid[2:] + "6005") + plain[12:]
    behind_bridge(one).send(tagged)
    received.expect(tagged)


def test_a_segment_behind_a_tag_is_cut_there(lab: Lab):
    """A host's segment whose tag is beside it reaches an access port without its tag, and whole."""
    one, two = add_hosts(lab)
    ports = lab.ports("af_packet")
    ports[0]["vlan"] = {"mode": "trunk", "allowed": [5]}
    ports[1]["vlan"] = {"mode": "access", "access": 5}
    switch = lab.make_switch(ports).start()
    payload = os.urandom(5000)
    headers = bytes(Ether(src=one.address, dst=two.address) / Dot1Q(vlan=5)
                    / IP(src="10.0.5.1", dst="10.0.5.2", id=7, flags="DF", len=20 + 20 + 5000)
                    / TCP(sport=1, dport=2, seq=1, ack=1, flags="A", chksum=0))
    with one.namespace.entered():
        sending = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
    with sending:
        sending.setsockopt(_SOL_PACKET, _PACKET_VNET_HDR, 1)
        sending.bind(("eth0", 0))
        received = two.wire()
        # To be finished from octet 38 on; TCP over IPv4 in frames of 1000 octets of payload.
        sending.send(struct.pack("=BBHHHH", 1, 1, len(headers), 1000, 38, 16) + headers + payload)
    arrived = b""
    while len(arrived) < len(payload):
        part = received.receive(PATIENCE)
        assert part is not None, f"{len(arrived)} octets arrived"
        assert part[12:14] == b"\x08\x00", part[:20].hex(" ")
        arrived += part[54:]
    assert arrived == payload
    until_equal(lambda: switch.port("p0")["device_counters"]["frames_cut"], 5, "it was cut")


def test_a_frame_too_long_for_the_far_host_is_lost_alone(lab: Lab):
    """By name, and an event says what to do; what comes behind it passes."""
    one, two = add_hosts(lab)
    switch = lab.start_switch("af_packet")
    one.ping(two.ipv4)
    two.namespace.ip("link", "set", "eth0", "mtu", "1400")
    wire = one.wire()
    wire.send(*[frame(one.address, two.address, length=1514) for _ in range(3)])
    switch.until_dropped("too_long_for_interface", 3, "p1")
    reported = lambda: [event["port"] for event in switch.show("events")  # noqa: E731
                        if event["kind"] == "too_long_for_interface"]
    until_equal(reported, ["p1"], "it is reported once")
    one.ping(two.ipv4)
    two.namespace.ip("link", "set", "eth0", "mtu", "1500")
    received = two.wire()
    fits = frame(one.address, two.address, length=1514)
    wire.send(fits)
    received.expect(fits)


def test_what_xdp_sends_follows_the_far_host(lab: Lab):
    """Nothing tells an XDP socket that a veth dropped its frame, so the far end is looked at."""
    one, two = add_hosts(lab)
    switch = lab.start_switch("af_xdp")
    one.ping(two.ipv4)
    sending, received = one.wire(), two.wire()
    long = frame(one.address, two.address, length=1514)

    def is_named() -> bool:
        sending.send(long)
        return switch.drops("p1").get("too_long_for_interface", 0) > 0

    def arrives() -> bool:
        sending.send(long)
        return long in received.pending()
    assert until(arrives, "it fits") and switch.drops() == {}
    two.namespace.ip("link", "set", "eth0", "mtu", "1400")
    until(is_named, "it is lost by name")
    one.ping(two.ipv4)
    two.namespace.ip("link", "set", "eth0", "mtu", "1500")
    until(arrives, "it fits again")


def test_a_flooded_frame_with_two_tags_silences_nobody(lab: Lab):
    """1522 octets at the hosts' own MTU: a veth takes 1518."""
    hosts = lab.add_hosts(3, offloads=True)
    switch = lab.start_switch("af_packet")
    wire = hosts[0].wire()
    long = frame(hosts[0].address, BROADCAST, service_vlan=9, vlan=7, length=1518)
    hosts[0].namespace.ip("link", "set", "eth0", "mtu", "1600")
    longer = frame(hosts[0].address, BROADCAST, service_vlan=9, vlan=7, length=1522)
    received = [host.wire() for host in hosts[1:]]
    wire.send(long, longer, long)
    for one in received:
        one.expect(long, long)
    assert switch.drops() == {"too_long_for_interface": 2}


def test_the_machine_answers_for_none_of_its_addresses(lab: Lab):
    """Its own settings come back when the switch stops."""
    one, two = add_hosts(lab)
    switch_address = "10.0.0.2"
    lab.namespace.ip("address", "add", f"{switch_address}/32", "dev", "lo")
    path = "/proc/sys/net/ipv4/conf/p0/arp_ignore"
    ignores = lambda: lab.namespace.run("cat", path).stdout.strip()  # noqa: E731
    before = ignores()
    switch = lab.start_switch("af_packet")
    assert ignores() == "8"
    one.ping(switch_address)
    assert one.neighbours()[switch_address] == two.address
    switch.stop()
    until_equal(ignores, before, "the setting is given back")


def test_a_damaged_frame_stays_damaged(lab: Lab):
    """Its checksum is neither mended nor is it joined with its neighbours."""
    one, two = add_hosts(lab)
    lab.start_switch("af_packet")
    octets = []
    for number in range(8):
        made = bytes(Ether(src=one.address, dst=two.address)
                     / IP(src=one.ipv4, dst="10.0.0.77", id=number + 1, flags="DF")
                     / TCP(sport=1, dport=2, seq=1000 * number + 1, ack=1, flags="A")
                     / (b"%d" % number * 1000))
        octets.append(made[:-1] + b"x" if number == 3 else made)
    received = two.wire()
    one.wire().send(*octets)
    whole = b"".join(part[54:] for part in octets)
    arrived = b""
    checksums = []
    while len(arrived) < len(whole):
        part = received.receive(PATIENCE)
        assert part is not None, f"{len(arrived)} octets arrived"
        arrived += part[54:]
        checksums.append(part)
    assert arrived == whole
    assert octets[3] in checksums, "it came alone, as it was"


def test_a_tap_whose_namespace_ends_is_made_again(lab: Lab):
    """As that of a container is: the next one takes it."""
    [first] = lab.add_hosts(1)
    second, third = lab.add_hosts(2, waits=True)
    switch = lab.make_switch([*lab.ports("af_packet")[:1],
                              {"name": "p1", "device": "tap:p1"}],
                             hotplug={"devices": ["tap"]}).start()
    second.take()
    first.ping(second.ipv4)
    second.namespace.ip("link", "del", "eth0")
    until(lambda: "port_returned" in [event["kind"] for event in switch.show("events")],
          "it is made again", STARTS)
    third.port = "p1"
    third.take()
    first.ping(third.ipv4)
