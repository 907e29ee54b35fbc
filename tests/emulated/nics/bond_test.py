"""LACP with the kernel's bonding driver: a bond of Debian's kernel and an aggregation of the
switch, by two cables that are veth pairs. A bridge joins the bond to one card's cable; the switch
has another card."""

from typing import Iterator

import pytest

from bed import Bed, SwitchInGuest, bed
from member_flows import attached, events, flows_keep_their_order, rows
from shell import Shell
from waiting import until, until_equal
from wires import address

SLOW = 120.0  # seconds; of an emulated machine
STATION = "02:00:00:00:00:31"
MODULES = ("veth", "llc", "stp", "bridge", "tls", "bonding")
IPROUTE2 = "/usr/sbin/ip"


def ip(shell: Shell, words: str) -> None:
    """By iproute2: busybox's own, which its shell prefers, makes neither veth nor bond."""
    shell.run(f"/usr/bin/ip {words}")


@pytest.fixture(scope="module")
def nics(tmp_path_factory) -> Iterator[Bed]:
    with bed(tmp_path_factory.mktemp("bond"), [IPROUTE2], MODULES) as made:
        for end in (0, 1):
            ip(made.shell, f"link add p{end} type veth peer name h{end}")
            ip(made.shell, f"link set p{end} up")
        ip(made.shell, "link add br0 type bridge")
        ip(made.shell, "link set eth0 master br0")
        ip(made.shell, "link set br0 up")
        yield made


def bonded(nics: Bed, ours: str, rate: str, more: str = "") -> SwitchInGuest:
    """The bond is made anew; the module makes one of this name when it is loaded."""
    for words in ("del bond0",
                  f"add bond0 type bond mode 802.3ad miimon 100 lacp_rate {rate} {more}",
                  "set h0 down", "set h0 master bond0", "set h1 down", "set h1 master bond0",
                  "set bond0 master br0", "set bond0 up"):
        ip(nics.shell, f"link {words}")
    timeout = "short" if rate == "fast" else "long"
    return nics.switch_of({
        "ports": [{"name": "p0", "device": "af_packet:p0"},
                  {"name": "p1", "device": "af_packet:p1"},
                  {"name": "other", "device": f"pci:{address('virtio')}"}],
        "aggregations": [{"name": "bond0", "ports": ["p0", "p1"], "hash": "l4",
                          "lacp": {"mode": ours, "timeout": timeout}}],
        "workers": {"idle": "yield"}, "lldp": {"enabled": False}})


def bond_status(nics: Bed) -> str:
    return nics.shell.run("cat /proc/net/bonding/bond0").stdout


@pytest.mark.parametrize("ours, rate, more", [
    ("active", "fast", ""), ("passive", "slow", ""), ("active", "slow", "lacp_active off")])
def test_the_kernels_bond_and_the_switch_find_each_other(nics: Bed, ours: str, rate: str,
                                                         more: str):
    switch = bonded(nics, ours, rate, more)
    until_equal(lambda: attached(switch), {"p0", "p1"}, "both are attached", SLOW)
    until(lambda: "Number of ports: 2" in bond_status(nics), "the kernel has both", SLOW)
    bond = nics.shell.run("cat /sys/class/net/bond0/address").stdout.strip()
    for name, row in rows(switch).items():
        assert row["partner_system"] == bond
        assert {"synchronization", "collecting", "distributing"} <= set(row["partner_state"])
        assert ("activity" in row["partner_state"]) == (not more)
        assert ("timeout" in row["partner_state"]) == (rate == "fast")
        assert events(switch, name) == ["lacp_attached"]
    assert f"Partner Mac Address: {rows(switch)['p0']['actor_system']}" in bond_status(nics)


def test_a_member_leaves_and_comes_back_and_flows_keep_their_order(nics: Bed):
    switch = bonded(nics, "active", "fast")
    until_equal(lambda: attached(switch), {"p0", "p1"}, "both are attached", SLOW)
    until(lambda: "Number of ports: 2" in bond_status(nics), "the kernel has both", SLOW)

    def set_link(up: bool) -> None:
        ip(nics.shell, f"link set h1 {'up' if up else 'down'}")
    flows_keep_their_order(switch, nics.ends["virtio"], STATION, nics.ends["kernel"], set_link,
                           interval=0.05, patience=SLOW)
