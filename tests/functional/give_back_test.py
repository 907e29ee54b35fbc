"""An interface is as it was once its switch has stopped; one whose switch was killed is once the next
one starts, whatever that one does."""

import json
import signal

import pytest

from lab import Lab
from namespace import Namespace
from switch import STARTS, Switch
from waiting import until_equal

INTERFACES = {"veth": ["type", "veth", "peer", "name", "far"], "bridge": ["type", "bridge"],
              "ifb": ["type", "ifb"]}


def settings_of(namespace: Namespace, interface: str) -> dict:
    """All that a port may change of it, but that it is up."""
    [link] = json.loads(namespace.ip("-json", "-details", "link", "show", "dev", interface))
    features = namespace.run("ethtool", "-k", interface).stdout
    sysctl = {name: namespace.run("cat", f"/proc/sys/net/{name}").stdout
              for name in (f"ipv4/conf/{interface}/arp_ignore",
                           f"ipv6/conf/{interface}/disable_ipv6")}
    return {"mtu": link["mtu"], "promiscuity": link["promiscuity"],
            "groups": "ALLMULTI" in link["flags"], "xdp": link.get("xdp"),
            "features": features, **sysctl}


def made(lab: Lab, kind: str) -> Namespace:
    lab.namespace.ip("link", "add", "dev", "lent", *INTERFACES[kind])
    return lab.namespace


def switch_on(lab: Lab, device: str) -> Switch:
    return lab.make_switch([{"name": "lent", "device": device}, {"name": "n", "device": "null:"}])


def launched(switch: Switch) -> Switch:
    switch.launch()
    until_equal(lambda: set(switch.links()), {"lent", "n"}, "it runs", STARTS)
    return switch


@pytest.mark.parametrize("device, kind", [("af_packet", "veth"), ("af_packet", "bridge"),
                                          ("af_packet", "ifb"), ("af_xdp", "veth"),
                                          ("pcap", "veth")])
def test_an_interface_is_as_it_was(lab: Lab, device: str, kind: str):
    namespace = made(lab, kind)
    before = settings_of(namespace, "lent")
    switch = launched(switch_on(lab, f"{device}:lent"))
    assert settings_of(namespace, "lent") != before, "it is changed"
    switch.stop()
    assert settings_of(namespace, "lent") == before
    launched(switch)
    switch.process.signal(signal.SIGKILL)
    assert switch.process.wait(5) == -signal.SIGKILL
    assert settings_of(namespace, "lent") != before, "nobody could give it back"
    # Another one that has nothing to do with it.
    next_one = lab.make_switch([{"device": "null:"}, {"device": "null:"}]).start()
    assert settings_of(namespace, "lent") == before
    next_one.stop()


def test_what_a_killed_switch_left_is_not_taken_for_the_owners(lab: Lab):
    namespace = made(lab, "veth")
    before = settings_of(namespace, "lent")
    switch = switch_on(lab, "af_packet:lent")
    for _ in range(2):
        launched(switch)
        switch.process.signal(signal.SIGKILL)
        assert switch.process.wait(5) == -signal.SIGKILL
    launched(switch)
    switch.stop()
    assert settings_of(namespace, "lent") == before


def test_another_interface_of_the_name_is_left_alone(lab: Lab):
    namespace = made(lab, "veth")
    switch = launched(switch_on(lab, "af_packet:lent"))
    switch.process.signal(signal.SIGKILL)
    assert switch.process.wait(5) == -signal.SIGKILL
    namespace.ip("link", "del", "lent")
    namespace.ip("link", "add", "dev", "lent", "mtu", "1400", *INTERFACES["veth"])
    before = settings_of(namespace, "lent")
    lab.make_switch([{"device": "null:"}, {"device": "null:"}]).start().stop()
    assert settings_of(namespace, "lent") == before
