"""A guest's bond (802.3ad) of two cards and an aggregation of the switch, by LACP: they find each other,
and pings go on while a member has no link, and once one is silent."""

from member_flows import attached, events, rows
from traffic import tcp
from switch import Switch
from vms import SLOW, Bed, Vm
from waiting import until, until_equal

MEMBERS = {"vm3.0", "vm3.1"}


def bonded(bed: Bed) -> tuple[Switch, Vm, Vm]:
    """The guest that has the bond, and one that speaks to it."""
    one, _, two_cards = bed.vms
    switch = bed.switch_of(aggregations=[{
        "name": "bond", "ports": sorted(MEMBERS), "lacp": {"mode": "active", "timeout": "short"}}])
    two_cards.ip("link add bond0 type bond mode 802.3ad miimon 100 lacp_rate fast "
                 "xmit_hash_policy layer3+4")
    for card in (0, 1):
        # Of a virtio card nobody says whether it is full-duplex, and on another the kernel does no LACP.
        two_cards.run(f"ethtool -s eth{card} speed 10000 duplex full")
        two_cards.ip(f"link set eth{card} down")
        two_cards.ip(f"link set eth{card} master bond0")
    one.with_addresses()
    two_cards.with_addresses("bond0")
    both_attached(switch, two_cards)
    return switch, two_cards, one


def both_attached(switch: Switch, guest: Vm) -> None:
    until_equal(lambda: attached(switch), MEMBERS, "both are attached", SLOW)
    until(lambda: "Number of ports: 2" in status(guest), "the guest has both", SLOW)


def status(guest: Vm) -> str:
    return guest.run("cat /proc/net/bonding/bond0")


def speak(one: Vm, two: Vm) -> None:
    for here, there in ((one, two), (two, one)):
        here.ping(there.ipv4)
        here.ping(there.ipv6)
        tcp(here, there, there.ipv4, octets=1 << 20)


def test_both_find_each_other(bed: Bed):
    switch, guest, other = bonded(bed)
    bond = guest.run("cat /sys/class/net/bond0/address").strip()
    for port, row in rows(switch).items():
        assert row["partner_system"] == bond
        assert {"synchronization", "collecting", "distributing"} <= set(row["partner_state"])
        assert events(switch, port)[-1] == "lacp_attached"
    assert f"Partner Mac Address: {rows(switch)['vm3.0']['actor_system']}" in status(guest)
    speak(other, guest)
    assert switch.fdb()[bond] == "bond"


def test_a_member_without_link(bed: Bed):
    """Each in turn: what it carried goes by the other."""
    switch, guest, other = bonded(bed)
    for card in (0, 1):
        gone = f"vm3.{card}"
        guest.monitor.do("set_link", name=f"card{card}", up=False)
        until_equal(lambda: attached(switch), MEMBERS - {gone}, "it is detached", SLOW)
        assert switch.port(gone)["link"] == "down"
        until(lambda: "Number of ports: 1" in status(guest), "so it is in the guest", SLOW)
        speak(other, guest)
        guest.monitor.do("set_link", name=f"card{card}", up=True)
        both_attached(switch, guest)
        speak(other, guest)
        assert events(switch, gone)[-3:] == ["lacp_attached", "lacp_detached", "lacp_attached"]


def test_a_member_that_is_silent(bed: Bed):
    """Its link stays up, and no LACPDU comes by it any more: what it carried goes by the other."""
    switch, guest, other = bonded(bed)
    for card in (0, 1):
        silent = f"vm3.{card}"
        guest.run(f"/usr/bin/tc qdisc add dev eth{card} root netem loss 100%")
        until_equal(lambda: attached(switch), MEMBERS - {silent}, "it is detached", SLOW)
        assert switch.port(silent)["link"] == "up"
        guest.run(f"/usr/bin/tc qdisc del dev eth{card} root")
        both_attached(switch, guest)
        speak(other, guest)
