"""Guests that boot anew or are killed while others go on, and that have a bad way or a shorter one."""

import pytest

from traffic import tcp
from vms import SLOW, Bed, Vm
from waiting import until_equal


def others_go_on(one: Vm, two: Vm) -> None:
    for here, there in ((one, two), (two, one)):
        here.ping(there.ipv4)
        tcp(here, there, there.ipv6, octets=1 << 20)


def back(bed: Bed, gone: Vm, others: list[Vm]) -> None:
    """It has booted: attached as before, and heard by the others as before."""
    gone.until_it_listens()
    gone.with_addresses()
    bed.until_attached(gone.ports[0])
    for other in others:
        other.ping(gone.ipv4)
        gone.ping(other.ipv6)
        tcp(gone, other, other.ipv4, octets=1 << 20)
        tcp(other, gone, gone.ipv4, octets=1 << 20)


@pytest.fixture
def young_guests(bed: Bed) -> None:
    """Of emulation alone: one that has run much, and boots anew, crawls. QEMU keeps what it has translated
    of a page, and each octet that the new kernel clears there takes it milliseconds."""
    bed.boot_anew()


@pytest.mark.usefixtures("young_guests")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_guest_boots_anew(bed: Bed, number: int):
    switch = bed.switch_of()
    vms = [vm.with_addresses() for vm in bed.vms]
    gone = vms.pop(number - 1)
    vms[0].ping(gone.ipv4)
    gone.reboot()
    others_go_on(*vms)
    back(bed, gone, vms)
    assert switch.fdb()[gone.address()] == gone.ports[0]


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_guest_is_killed_and_another_takes_its_place(bed: Bed, number: int):
    switch = bed.switch_of()
    vms = [vm.with_addresses() for vm in bed.vms]
    gone = vms.pop(number - 1)
    vms[0].ping(gone.ipv4)
    gone.kill()
    until_equal(lambda: {switch.links()[port] for port in gone.ports}, {"down"}, "it is gone", SLOW)
    others_go_on(*vms)
    gone.boot()
    back(bed, gone, vms)


def test_a_way_that_loses_and_delays(bed: Bed):
    """In the guest, behind its card: TCP makes it good, and the switch has nothing to do with it."""
    switch = bed.switch_of()
    one, two, _ = (vm.with_addresses() for vm in bed.vms)
    one.run("/usr/bin/tc qdisc add dev eth0 root netem loss 2% delay 2ms 1ms duplicate 1%")
    for here, there in ((one, two), (two, one)):
        tcp(here, there, there.ipv4)
        tcp(here, there, there.ipv6)
    assert switch.settled() and switch.drops() == {}


def test_a_port_that_takes_shorter_frames_than_its_guest_sends(bed: Bed):
    """They are dropped by their name, not by the device's; the rest passes."""
    switch = bed.switch_of(defaults={"mtu": "1000B"})
    one, two, _ = (vm.with_addresses() for vm in bed.vms)
    one.ping(two.ipv4, "-s 900")
    said = one.run(f"ping -c 2 -W 2 -s 1400 {two.ipv4}", check=False)
    assert "0 packets received" in said
    assert switch.drops(one.ports[0]) == {"oversize": 2}
    one.ping(two.ipv4, "-s 900")
