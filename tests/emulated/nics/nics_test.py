"""What emulated network cards do, each with the test at the other end of its cable."""

from typing import Iterator

import pytest

from bed import Bed, SwitchInGuest, bed
from frames import (
    BROADCAST, LLDP_TYPE, frame, is_pause, lldp, of_priority, pause, times)
from waiting import until, until_equal
from wires import MODELS, address, card, mac

SLOW = 60.0  # seconds; of an emulated machine
STRANGER = "02:00:00:00:99:99"
GROUP = "01:00:5e:01:02:03"
PCI = [name for name in MODELS if name != "kernel"]

# Output is slow, so that what is to wait does.
USUAL = {"rate": "4M", "lossless": [3],
         "pfc": {"xoff": "32KiB", "xon": "16KiB", "headroom": "1MiB"}}
NOT_PROMISCUOUS = {"promiscuous": False, "mtu": 3000}


@pytest.fixture(scope="module")
def nics(tmp_path_factory) -> Iterator[Bed]:
    with bed(tmp_path_factory.mktemp("nics")) as made:
        yield made


@pytest.fixture(scope="module")
def switch(nics: Bed, request) -> SwitchInGuest:
    return nics.switch_with(**request.param)


def with_switch(about: dict, name: str):
    return pytest.mark.parametrize("switch", [about], ids=[name], indirect=True)


usual = with_switch(USUAL, "usual")
not_promiscuous = with_switch(NOT_PROMISCUOUS, "not_promiscuous")
every_nic = pytest.mark.parametrize("nic", MODELS)


def station(nic: str) -> str:
    """Behind the port."""
    return f"02:00:00:00:00:{list(MODELS).index(nic) + 1:02x}"


def another(nic: str) -> str:
    return next(name for name in MODELS if name != nic)


def receives(nics: Bed, nic: str, octets: bytes) -> None:
    """At the end of its cable, among what else is said there."""
    nics.ends[nic].collect(lambda heard: bool(heard) and heard[-1] == octets,
                           f"{len(octets)} octets by {nic}", SLOW)


@usual
@every_nic
def test_its_port_says_what_is_known_of_its_driver(nics: Bed, switch: SwitchInGuest, nic: str):
    port = switch.port(nic)
    assert port["address"] == mac(nic)
    assert port["pfc_tx"] == "unproven"
    assert switch.pfc(nic, 3)["unproven"] == ["rx", "tx"]


@usual
@every_nic
@pytest.mark.parametrize("length", [60, 1522])
def test_what_comes_in_goes_out_by_all_others_as_it_came(nics: Bed, switch: SwitchInGuest,
                                                         nic: str, length: int):
    octets = frame(station(nic), BROADCAST, vlan=1, priority=2, length=length)
    nics.ends[nic].send(octets)
    for other in MODELS:
        if other != nic:
            receives(nics, other, octets)


@usual
@every_nic
def test_it_takes_frames_for_anybody(nics: Bed, switch: SwitchInGuest, nic: str):
    octets = frame(station(nic), STRANGER)
    nics.ends[nic].send(octets)
    receives(nics, another(nic), octets)


@usual
@every_nic
def test_a_pause_is_heard(nics: Bed, switch: SwitchInGuest, nic: str):
    before = switch.pfc(nic, 3)["rx_pause"]
    nics.ends[nic].send(pause(station(nic), p3=100))
    until_equal(lambda: switch.pfc(nic, 3)["rx_pause"], before + 1, "the pause is counted", SLOW)
    until_equal(lambda: switch.port(nic)["pfc_rx"], "software", "and believed", SLOW)
    assert switch.pfc(nic, 3)["unproven"] == ["tx"]


@usual
@every_nic
def test_a_peer_that_sends_too_much_is_paused(nics: Bed, switch: SwitchInGuest, nic: str):
    output = another(nic)
    known = frame(station(output), BROADCAST)
    nics.ends[output].send(known)
    receives(nics, nic, known)
    frames = of_priority(station(nic), 3, 100, 1000, destination=station(output))
    nics.ends[nic].send(*frames, rate=2000)
    heard = nics.ends[nic].collect(
        lambda heard: any(is_pause(each) and times(each).get(3) == 0 for each in heard),
        "it is paused, and let go again", SLOW)
    quanta = [times(each)[3] for each in heard if is_pause(each)]
    assert quanta[0] > 0 and quanta[-1] == 0
    arrived = nics.ends[output].collect(lambda heard: bool(heard) and heard[-1] == frames[-1],
                                        "all that was sent", SLOW)
    assert [each for each in arrived if each in set(frames)] == frames, "nothing was lost"


@usual
@every_nic
def test_lldp_goes_both_ways(nics: Bed, switch: SwitchInGuest, nic: str):
    nics.ends[nic].collect(
        lambda heard: bool(heard) and heard[-1][12:14] == LLDP_TYPE.to_bytes(2, "big"),
        "LLDP of the switch", SLOW)
    nics.ends[nic].send(lldp(station(nic), f"behind-{nic}"))

    def neighbours() -> list[str]:
        [row] = [row for row in switch.show("lldp") if row["port"] == nic]
        return [each["chassis_id"] for each in row["neighbours"]]
    until_equal(neighbours, [f"behind-{nic}"], "the switch hears of its neighbour", SLOW)


@usual
@every_nic
def test_its_link_follows_its_cable(nics: Bed, switch: SwitchInGuest, nic: str):
    for up, link in ((False, "down"), (True, "up")):
        nics.monitor.do("set_link", name=nic, up=up)
        until_equal(lambda: switch.port(nic)["link"], link, f"{nic} is {link}", SLOW)


@not_promiscuous
@every_nic
def test_groups_are_taken_where_it_is_not_promiscuous(nics: Bed, switch: SwitchInGuest, nic: str):
    """And what is for a stranger is not: it would have come first."""
    wanted = frame(station(nic), GROUP)
    nics.ends[nic].send(frame(station(nic), STRANGER), wanted)
    heard = nics.ends[another(nic)].collect(
        lambda heard: bool(heard) and heard[-1] == wanted, "a frame for a group", SLOW)
    assert [each for each in heard if each[12:14] == wanted[12:14]] == [wanted]


@not_promiscuous
@every_nic
def test_a_longer_mtu_lets_longer_frames_through(nics: Bed, switch: SwitchInGuest, nic: str):
    octets = frame(station(nic), BROADCAST, length=3014)
    nics.ends[nic].send(octets)
    for other in MODELS:
        if other != nic:
            receives(nics, other, octets)


# --- pulled out, and put in again ----------------------------------------------------------------

def pull_out(nics: Bed, nic: str) -> None:
    nics.monitor.do("device_del", id=nic)
    until(lambda: not nics.monitor.has(nic), f"the guest lets {nic} go", SLOW)


def carries(nics: Bed, nic: str) -> None:
    """Both ways."""
    for one, other in ((nic, another(nic)), (another(nic), nic)):
        octets = frame(station(one), BROADCAST)
        nics.ends[one].send(octets)
        receives(nics, other, octets)


def others_go_on(nics: Bed, gone: str) -> None:
    one, other = [name for name in MODELS if name != gone][:2]
    octets = frame(station(one), BROADCAST)
    nics.ends[one].send(octets)
    receives(nics, other, octets)


@usual
@pytest.mark.parametrize("nic", PCI)
def test_a_card_of_dpdks_that_is_pulled_out_is_there_again_after_a_restart(
        nics: Bed, switch: SwitchInGuest, nic: str):
    pull_out(nics, nic)
    until_equal(lambda: nics.switch.port(nic)["link"], "gone", f"{nic} is gone", SLOW)
    others_go_on(nics, nic)
    [event] = [row for row in nics.switch.show("events") if row["kind"] == "port_vanished"]
    assert event["port"] == nic and "restart sluiced" in event["text"]
    nics.monitor.do("device_add", **card(nic))
    nics.shell.run(f"until [ -e /sys/bus/pci/devices/{address(nic)} ]; do sleep 0.3; "
                   "echo 1 >/sys/bus/pci/rescan; done")
    nics.shell.run(f"hand_over {address(nic)}")
    nics.switch_with(**USUAL)
    carries(nics, nic)


@usual
def test_a_kernel_interface_that_is_pulled_out_comes_back_by_itself(nics: Bed,
                                                                    switch: SwitchInGuest):
    pull_out(nics, "kernel")
    until_equal(lambda: nics.switch.port("kernel")["link"], "gone", "it is gone", SLOW)
    others_go_on(nics, "kernel")
    nics.monitor.do("device_add", **card("kernel"))
    nics.shell.run("until [ -e /sys/class/net/eth0 ]; do sleep 0.1; done; ip link set eth0 up")
    until_equal(lambda: nics.switch.port("kernel")["link"], "up", "it is back", SLOW)
    carries(nics, "kernel")
