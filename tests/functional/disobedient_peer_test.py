"""Peers that obey no pauses, as Linux guests: they are found out and told from too small a headroom,
and where the switch owns their ring it holds them by that, so that lossless is lossless."""

from lab import Lab
from process import Process
from switch import Switch
from testpmd import start_testpmd
from waiting import until, until_equal

LOSSLESS = {"lossless": [3], "default_priority": 3, "trust": ["pcp"]}


def beside_a_guest(lab: Lab, **pfc) -> tuple[Process, Switch]:
    """A guest that sends all it can, for a host behind a slow port."""
    [host] = lab.add_hosts(1)
    socket = lab.folder / "guest.sock"
    [port] = lab.ports("af_packet", rate="5M", **LOSSLESS)
    its = {"name": "guest", "device": f"vhost:{socket}", **LOSSLESS}
    if pfc:
        its["pfc"] = pfc
    # A host that says nothing is known by a static address.
    switch = lab.make_switch([port, its], workers={"idle": "poll"}, fdb={"static": [
        {"vlan": 1, "address": host.address, "port": "p0"}]})
    switch.launch()
    until_equal(switch.links, {"p0": "up", "guest": "down"}, "no guest has attached yet")
    guest = start_testpmd(lab.namespace, "txonly", f"net_virtio_user0,path={socket}",
                          peer=host.address)
    until(lambda: switch.links()["guest"] == "up", "the guest attaches")
    return guest, switch


def events(switch: Switch) -> dict[str, str]:
    return {event["kind"]: event["text"] for event in switch.show("events")}


def test_a_guest_is_held_by_its_own_ring(lab: Lab):
    """By default, and although it obeys nothing: not one frame is lost."""
    guest, switch = beside_a_guest(lab)
    until(lambda: switch.pfc("guest", 3)["queue_stops"] > 1, "it is held")
    until(lambda: switch.port("p0")["tx_frames"] > 2500, "and frames leave")
    found = switch.pfc("guest", 3)
    assert found["by"] == "ring" and found["tx_pause"] == 0
    assert switch.drops() == {}
    assert switch.port("guest")["device_counters"]["missed"] == 0
    assert "pause_ignored" not in events(switch)
    guest.end()


def test_a_guest_that_is_sent_pauses_is_found_out(lab: Lab):
    """What it sends in spite of them is counted, and nobody is told to raise the headroom."""
    guest, switch = beside_a_guest(lab, by="switch")
    until(lambda: {"pause_ignored", "headroom_overrun"} <= events(switch).keys(), "it is told")
    assert "obeys no pauses" in events(switch)["pause_ignored"]
    assert "raise it" not in events(switch)["headroom_overrun"]
    found = switch.pfc("guest", 3)
    assert found["by"] == "switch" and found["pause_ignored"] > 0 and found["xoff_repeated"] > 0
    guest.end()
