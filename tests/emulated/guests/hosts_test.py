"""Guests as they come: pings, TCP, UDP, VLANs, long frames, and a switch that goes away and comes back."""

from traffic import tcp, udp
from vms import Bed, Vm


def both_ways(one: Vm, two: Vm) -> list[tuple[Vm, Vm, str]]:
    """Who speaks to whom, at which address."""
    return [(here, there, address) for here, there in ((one, two), (two, one))
            for address in (there.ipv4, there.ipv6)]


def bad_checksums(vm: Vm) -> int:
    return vm.counted("TcpInCsumErrors") + vm.counted("UdpInCsumErrors")


def test_pings_tcp_and_udp_arrive(bed: Bed):
    switch = bed.switch_of()
    one, two, _ = (vm.with_addresses() for vm in bed.vms)
    before = bad_checksums(one), bad_checksums(two)
    for here, there, address in both_ways(one, two):
        here.ping(address)
        here.ping(address, "-s 1452")
        tcp(here, there, address)
        udp(here, there, address)
    assert (bad_checksums(one), bad_checksums(two)) == before
    assert switch.fdb()[one.address()] == one.ports[0]
    assert switch.fdb()[two.address()] == two.ports[0]
    assert switch.settled() and switch.drops() == {}


def test_vlan_devices(bed: Bed):
    """Of the kernel, over trunks; a third guest is in one of the VLANs by an access port."""
    one, two, three = bed.vms
    trunks = [port for vm in (one, two)
              for port in vm.devices(vlan={"mode": "trunk", "allowed": [10, 20]})]
    access, spare = three.devices()
    switch = bed.switch_of(ports=[*trunks, {**access, "vlan": {"mode": "access", "access": 10}},
                                  {**spare, "vlan": {"mode": "access", "access": 99}}])
    for vlan in (10, 20):
        for vm in (one, two):
            vm.add_vlan(vlan)
        for here, there in ((one, two), (two, one)):
            here.ping(f"10.{vlan}.0.{there.number}")
            here.ping(f"fd00:{vlan}::{there.number}")
        tcp(one, two, f"10.{vlan}.0.2")
        udp(two, one, f"10.{vlan}.0.1")
    three.with_addresses("eth0", 10)
    one.ping("10.10.0.3")
    three.ping("10.10.0.2")
    three.ip("address add 10.20.0.3/24 dev eth0")
    said = three.run("ping -c 2 -W 2 10.20.0.1", check=False)
    assert "0 packets received" in said, "VLAN 20 is not its own"
    assert switch.fdb(10)[three.address()] == three.ports[0]
    assert three.address() not in switch.fdb(20)


def test_long_frames(bed: Bed):
    switch = bed.switch_of(defaults={"mtu": "9000B"})
    one, two, _ = (vm.with_addresses() for vm in bed.vms)
    for vm in (one, two):
        vm.ip("link set eth0 mtu 9000")
    for here, there, address in both_ways(one, two):
        here.ping(address, "-s 8900")
        tcp(here, there, address)
        udp(here, there, address, length=8900, datagrams=50)
    for vm in (one, two):
        assert vm.counted("IpFragCreates") == 0
    assert switch.settled() and switch.drops() == {}


def test_a_switch_comes_back_and_guests_need_not(bed: Bed):
    """They are as they were, their addresses too."""
    bed.switch_of()
    one, two, _ = (vm.with_addresses() for vm in bed.vms)
    one.ping(two.ipv4)
    bed.start_switch()
    bed.until_attached()
    for here, there, address in both_ways(one, two):
        here.ping(address)
        tcp(here, there, address)
