"""Ports that are no interface of the kernel's: shared memory with another process, an interface
that the switch makes itself, captures, rings."""

import json
import signal

import pytest
from frames import BROADCAST, frame
from lab import Lab
from scapy.utils import RawPcapReader, RawPcapWriter
from testpmd import start_testpmd
from waiting import until, until_equal

STATION = "02:00:00:00:07:07"
GUEST = "02:00:00:00:08:08"


def test_memif_reaches_another_process(lab: Lab):
    """Two hosts in two VLANs, and testpmd that carries frames from the one to the other:
    host, veth, sluiced, memif, testpmd, memif, sluiced, veth, host."""
    one, two = lab.add_hosts(2)
    sockets = [str(lab.folder / name) for name in ("a.sock", "b.sock")]
    ports = [*lab.ports("af_packet"), *({"name": f"m{number}", "device": f"memif:{path}"}
                                        for number, path in enumerate(sockets))]
    for port, vlan in zip(ports, (10, 20, 10, 20)):
        port["default_vlan"] = vlan
    switch = lab.make_switch(ports, vlans=[{"id": 10, "ports": ["p0", "m0"]},
                                           {"id": 20, "ports": ["p1", "m1"]}])
    switch.launch()
    until_equal(switch.links, {"p0": "up", "p1": "up", "m0": "down", "m1": "down"},
                "nobody has connected yet")
    peer = start_testpmd(lab.namespace, "io", *(
        f"net_memif{number},role=client,id=0,socket-abstract=no,socket={path}"
        for number, path in enumerate(sockets)))
    until(lambda: peer.running() and set(switch.links().values()) == {"up"}, "testpmd connects")
    one.ping(two.ipv4, size=1400)
    two.ping(one.ipv4)
    assert switch.fdb(10) == {one.address: "p0", two.address: "m0"}
    assert switch.fdb(20) == {one.address: "m1", two.address: "p1"}
    assert switch.settled()["dropped"] == 0

    peer.end()
    until_equal(switch.links, {"p0": "up", "p1": "up", "m0": "down", "m1": "down"},
                "the peer is seen to leave")


def test_a_guest_attaches_by_vhost_user(lab: Lab):
    """Its virtio device is testpmd's, which answers pings; it says itself who it is."""
    [host] = lab.add_hosts(1)
    socket = lab.folder / "guest.sock"
    switch = lab.make_switch([*lab.ports("af_packet"),
                              {"name": "guest", "device": f"vhost:{socket}"}])
    host.namespace.ip("neighbour", "add", "10.0.0.88", "lladdr", GUEST, "dev", "eth0")
    for killed in (True, False):
        switch.launch()
        until_equal(switch.links, {"p0": "up", "guest": "down"}, "no guest has attached yet")
        guest = start_testpmd(lab.namespace, "icmpecho", f"net_virtio_user0,path={socket},mac={GUEST}")
        until(lambda: guest.running() and switch.links()["guest"] == "up", "the guest attaches")
        # Its device is there before its port starts, which takes new queues: what is in the old ones
        # is lost.
        guest.until_it_says("Port statistics")
        for size in (56, 1472):
            host.ping("10.0.0.88", size=size)
        assert switch.fdb() == {host.address: "p0", GUEST: "guest"}
        if killed:
            switch.process.signal(signal.SIGKILL)
            switch.process.wait(5)
            assert socket.exists(), "it had no time to remove it"
        else:
            assert switch.settled()["dropped"] == 0
        guest.end()
    until_equal(switch.links, {"p0": "up", "guest": "down"}, "the guest is seen to leave")
    switch.stop()
    assert not socket.exists()


def test_tap_makes_the_machine_itself_a_host(lab: Lab):
    [host] = lab.add_hosts(1)
    # A packet socket would leave the frames to the machine's own stack as well, which would answer.
    switch = lab.make_switch([*lab.ports("af_xdp"), {"name": "own", "device": "tap:sluice0"}])
    switch.start()
    lab.namespace.ip("address", "add", "10.0.0.99/24", "dev", "sluice0")
    host.ping("10.0.0.99", size=1472)
    mac = json.loads(lab.namespace.ip("-json", "link", "show", "sluice0"))[0]["address"]
    assert host.neighbours() == {"10.0.0.99": mac}
    assert switch.fdb() == {host.address: "p0", mac: "own"}


def test_a_capture_is_played_in_and_another_one_written(lab: Lab):
    [host] = lab.add_hosts(1)
    played, written = str(lab.folder / "in.pcap"), lab.folder / "out.pcap"
    frames = [frame(STATION, BROADCAST, length=length) for length in range(60, 1514, 100)]
    with RawPcapWriter(played, linktype=1) as writer:
        for octets in frames:
            writer.write(octets)
    wire = host.wire()
    switch = lab.make_switch([{"name": "file", "device": f"pcap:{played},{written}"},
                              *lab.ports("af_packet")]).start()
    wire.expect(*frames)
    answer = frame(host.address, STATION)
    wire.send(answer)
    until_equal(lambda: switch.port("file")["tx_frames"], 1, "the answer is sent")
    switch.settled()
    switch.stop()
    assert [octets for octets, _ in RawPcapReader(str(written))] == [answer]


def test_null_swallows_and_a_loop_gives_back(lab: Lab):
    [host] = lab.add_hosts(1)
    switch = lab.make_switch([*lab.ports("af_packet"), {"name": "nothing", "device": "null:"},
                              {"name": "loop", "device": "ring:round"}]).start()
    wire = host.wire()
    sent = frame(host.address, BROADCAST)
    wire.send(sent)
    # Back from the loop it goes to all others, the sender among them, who now seems to be there.
    wire.expect(sent)
    until_equal(lambda: switch.port("nothing")["tx_frames"], 2, "it is swallowed twice")
    assert switch.fdb() == {host.address: "loop"}
    assert switch.port("loop")["rx_frames"] == 1 and switch.port("nothing")["rx_frames"] == 0
