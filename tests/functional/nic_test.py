"""What ports can do of what lossless priorities and LLDP need: found out, shown, and obeyed.

NICs that no test machine has are devices of DPDK's that behave like theirs
(tests/unit/pmd_glue/nic/test_nic.h); sluiced loads them with `-d`.
"""

import atexit
import functools
import json
import os
import shutil
import tempfile
from typing import Optional

import pytest
from frames import pause
from lab import Lab
from priority_filter import PriorityFilter
from switch import Switch, program
from waiting import until_equal
from wire import Wire

STATION = "02:00:00:00:07:07"
NICS = "tests/unit/pmd_glue/test_nics.so"
DISGUISE = "tests/unit/pmd_glue/disguise.so"
UNPROVEN = "unproven"


@functools.cache
def nics() -> str:
    """Where nobody else can write: DPDK loads nothing from below such a folder, such as /tmp."""
    folder = tempfile.mkdtemp(prefix="sluice-test-nics-", dir="/run")
    atexit.register(shutil.rmtree, folder)
    return shutil.copy(program(NICS), folder)


def with_nics(lab: Lab, *drivers: str, about: Optional[dict] = None, **configuration) -> Switch:
    """A switch, not started, with a port to a NIC of each driver: p0, p1, ..."""
    switch = lab.make_switch([
        {"name": f"p{number}", "device": f"vdev:{driver}_{number},wire=w{number}", **(about or {})}
        for number, driver in enumerate(drivers)], **configuration)
    switch.eal_arguments = ["-d", nics()]
    return switch


def events(switch: Switch, kind: str) -> list[str]:
    """The ports that had such."""
    return [row["port"] for row in switch.show("events") if row["kind"] == kind]


def refusal(switch: Switch) -> str:
    """What a switch says that does not start."""
    assert switch.launch().wait(20) == 1, switch.process.said()
    return switch.process.said()


def warnings(switch: Switch) -> list[str]:
    return [line.split("] ")[-1] for line in switch.process.said().splitlines()
            if "warning" in line]


@pytest.mark.parametrize("about, is_named", [
    ({"lossless": [3]}, True),
    ({"pfc": {"link_pause": True}}, True),
    ({"dcbx": {"willing": ["pfc"]}}, True),
    ({}, False),
    ({"flow_control": "none"}, False),
], ids=str)
def test_an_interface_that_may_keep_pauses_which_are_obeyed_is_named(lab: Lab, about, is_named):
    """A veth hands over all that it receives; of what else is behind the kernel it is unknown."""
    lab.add_hosts(1)
    veth, = lab.ports("af_packet")
    switch = lab.make_switch([veth | about, {"name": "wire", "device": "af_packet:lo"} | about])
    switch.start()
    of_veth, other = switch.port("p0"), switch.port("wire")
    assert [of_veth[key] for key in ("pfc_rx", "pfc_tx", "lldp_rx")] == ["software"] * 2 + ["yes"]
    assert (other["pfc_rx"], other["pfc_tx"]) == (UNPROVEN, UNPROVEN)
    assert of_veth["pfc_rx_why"] == "" and other["pfc_rx_why"] != ""
    named = [line for line in warnings(switch) if "receive pause frames is" in line]
    assert len(named) == is_named == len(events(switch, "pfc_unproven"))
    assert all("wire: its capability to receive pause frames is unproven" in line for line in named)


def test_ports_say_what_their_nics_do(lab: Lab):
    switch = with_nics(lab, "net_ixgbe", "net_i40e", "net_hns3", "net_ena").start()
    assert [[port[key] for key in ("pfc_rx", "pfc_tx", "lldp_rx")]
            for port in switch.show("ports")] == [
        [UNPROVEN, UNPROVEN, "yes"],
        [UNPROVEN, "none", "yes"],
        ["none", UNPROVEN, "yes"],
        [UNPROVEN, UNPROVEN, "unknown"]]
    assert "drops pause frames that software sends" in switch.port("p1")["pfc_tx_why"]
    said = switch.process.said()
    assert "pfc_rx unproven, pfc_tx none, lldp_rx yes" in said
    table = switch.command("show", "ports").stdout
    assert "PFC RX" in table and "PFC TX" in table and "LLDP RX" in table


def test_a_firmware_that_takes_lldp_is_reported_where_lldp_is_spoken(lab: Lab):
    switch = with_nics(lab, "net_ixgbe", lldp={})
    switch.configuration["ports"] = [
        {"name": "old", "device": "vdev:net_i40e_0,wire=a,firmware=5.05,agent=on"},
        {"name": "sender", "device": "vdev:net_i40e_1,wire=b,firmware=5.05,agent=on",
         "lldp": {"mode": "tx"}}]
    switch.start()
    assert switch.port("old")["lldp_rx"] == "swallowed"
    named = [line for line in warnings(switch) if "takes LLDP" in line]
    assert len(named) == 1 and "old: " in named[0] and "nvmupdate64e" in named[0]


@pytest.mark.parametrize("kind", ["af_packet", "af_xdp"])
@pytest.mark.parametrize("promiscuous", [True, False])
def test_an_interface_takes_every_group_while_a_port_is_on_it(lab: Lab, kind, promiscuous):
    """So LLDP is received where the port is not promiscuous."""
    lab.add_hosts(1)
    switch = lab.start_switch(kind, defaults={"promiscuous": promiscuous})

    def groups() -> int:
        shown, = json.loads(lab.namespace.run("ip", "-j", "-d", "link", "show", "p0").stdout)
        return shown["allmulti"]
    assert groups() == 1
    switch.stop()
    assert groups() == 0


@pytest.mark.parametrize("driver, why", [
    ("net_i40e", "it does not send pause frames: its driver drops pause frames"),
    ("net_iavf", "it does not send pause frames: the driver of its physical function drops"),
    ("net_hns3", "it does not receive pause frames: its driver refuses to forward"),
])
def test_lossless_that_cannot_be_kept_is_refused(lab: Lab, driver, why):
    said = refusal(with_nics(lab, driver, about={"lossless": [3]}))
    assert f"ports[0].lossless: vdev:{driver}_0,wire=w0: {why}" in said, said
    assert "; write lossless: [] at the port, or give it a device that does" in said


def test_a_nic_that_pauses_by_itself_is_believed_as_far_as_its_source(lab: Lab):
    """By pause frames of the switch nothing is lossless there: the driver drops them."""
    by_nic = {"lossless": [3], "pfc": {"by": "nic"}}
    switch = with_nics(lab, "net_i40e", defaults=by_nic).start()
    port = switch.port("p0")
    assert port["pfc_rx"] == port["pfc_tx"] == "unproven"
    assert "not yet observed" in port["pfc_tx_why"]
    assert switch.pfc("p0", 3)["unproven"] == ["rx", "tx"]
    refused = switch.apply(check=False, defaults={**by_nic, "lossless": [3, 4]})
    assert refused.returncode == 1 and "cannot change from [3] to [3, 4] while" in refused.stderr
    refused = switch.apply(check=False, defaults={"lossless": [3]})
    assert refused.returncode == 1 and "cannot change from nic to switch" in refused.stderr
    assert "has no queue for each priority" in refusal(with_nics(lab, "net_igc", defaults=by_nic))


def test_every_port_that_cannot_is_named_at_once(lab: Lab):
    switch = with_nics(lab, "net_i40e", "net_ixgbe", "net_sfc_efx", about={"lossless": [3]})
    switch.configuration["ports"][1]["pfc"] = {"unproved": "refuse"}
    said = refusal(switch)
    assert [f"ports[{number}].lossless" in said for number in range(3)] == [True] * 3
    assert "write lossless: [] at the port, or pfc: {unproved: warn}" in said


def test_without_lossless_priorities_any_nic_will_do(lab: Lab):
    switch = with_nics(lab, "net_i40e", "net_hns3").start()
    refused = switch.apply(check=False, defaults={"lossless": [3]})
    assert refused.returncode == 1
    assert "ports[0].lossless: vdev:net_i40e_0" in refused.stderr
    assert "ports[1].lossless: vdev:net_hns3_1" in refused.stderr
    assert not [row for row in switch.show("pfc", all=True) if row["lossless"]]
    assert events(switch, "pfc_unproven") == []


def test_lossless_that_is_unproven_is_warned_of_and_marked(lab: Lab):
    switch = with_nics(lab, "net_ixgbe", "net_e1000_igb", about={"lossless": [3]})
    switch.configuration["ports"][1]["pfc"] = {"unproved": "allow"}
    switch.start()
    assert events(switch, "pfc_unproven") == ["p0"]
    assert len([line for line in warnings(switch) if "is unproven" in line]) == 1
    assert [row["unproven"] for row in switch.show("pfc")] == [["rx", "tx"]] * 2
    assert "UNPROVEN" in switch.command("show", "pfc").stdout
    switch.apply(defaults={"default_priority": 1})
    assert events(switch, "pfc_unproven") == ["p0"], "it is reported once"


@pytest.mark.parametrize("kind", ["af_packet", "af_xdp"])
def test_a_veth_keeps_lossless_priorities(lab: Lab, kind):
    lab.add_hosts(1)
    switch = lab.start_switch(kind, defaults={"lossless": [3], "pfc": {"unproved": "refuse"}})
    assert [row["unproven"] for row in switch.show("pfc")] == [[]]
    assert events(switch, "pfc_unproven") == []


def test_dcbx_offers_pfc_where_the_port_keeps_it(lab: Lab):
    """A port that cannot advertises that: it is capable of none, and not willing."""
    switch = with_nics(lab, "net_i40e", "net_ixgbe", lldp={})
    switch.configuration["ports"][1]["lossless"] = [3]
    switch.start()
    pfc = {row["port"]: row["oper"] for row in switch.show("dcbx") if row["feature"] == "pfc"}
    assert pfc == {"p0": [], "p1": [3]}


def test_a_pause_that_comes_in_proves_that_pauses_do(lab: Lab):
    """The loopback interface, of which nobody says so: what is sent by it comes in by it."""
    switch = lab.make_switch([{"name": "wire", "device": "af_packet:lo", "lossless": [3]}]).start()
    assert switch.port("wire")["pfc_rx"] == UNPROVEN
    wire = Wire(lab.namespace, "lo")
    wire.send(pause(STATION, p3=1))
    until_equal(lambda: switch.pfc("wire", 3)["rx_pause"], 1, "it is received")
    until_equal(lambda: events(switch, "pfc_received"), ["wire"], "and that is reported")
    seen = switch.port("wire")
    assert (seen["pfc_rx"], seen["pfc_rx_why"], seen["pfc_tx"]) == ("software", "", UNPROVEN)
    assert switch.pfc("wire", 3)["unproven"] == ["tx"]
    wire.close()


# --- what is proved by a cable between two ports ---------------------------------------------------

def cabled(lab: Lab, first: str, second: str, of_first: str = "", state: str = "state",
           **about) -> Switch:
    """A switch, not started, whose ports `a` and `b` are the ends of one cable."""
    switch = lab.make_switch([
        {"name": "a", "device": f"vdev:{first}_a,wire=c{of_first}", **about},
        {"name": "b", "device": f"vdev:{second}_b,wire=c,end=b", **about}])
    switch.socket = str(lab.folder / "cabled.sock")
    switch.configuration["control"] = {"socket": switch.socket, "state": str(lab.folder / state)}
    switch.eal_arguments = ["-d", nics()]
    return switch


def abilities(switch: Switch) -> list[list[str]]:
    return [[port[key] for key in ("pfc_rx", "pfc_tx", "lldp_rx")]
            for port in switch.show("ports")]


def try_cable(switch: Switch, *ends: str) -> tuple[int, str]:
    tried = switch.command("doctor", "--cable", *ends, check=False)
    return tried.returncode, tried.stdout + tried.stderr


def test_a_cable_between_two_ports_proves_what_passes(lab: Lab):
    """And the proof outlasts a restart, as long as driver, firmware and settings stay."""
    switch = cabled(lab, "net_ixgbe", "net_ice").start()
    assert abilities(switch) == [[UNPROVEN, UNPROVEN, "yes"], [UNPROVEN, UNPROVEN, "yes"]]
    status, said = try_cable(switch, "a", "b")
    assert status == 1, said  # ice hands over no pauses here
    assert "bad   a to b: 0 of 10 pauses arrived" in said
    assert "good  b to a: 10 of 10 pauses arrived" in said
    assert "good  a to b: 10 of 10 LLDP frames arrived" in said
    assert "no pause arrived" in said and "are the two ports cabled" not in said
    proved = [["software", UNPROVEN, "yes"], [UNPROVEN, "software", "yes"]]
    assert abilities(switch) == proved
    assert events(switch, "pfc_proven") == ["a", "b"]
    switch.stop()

    file = switch.kept("proofs")
    assert file.stat().st_mode & 0o777 == 0o600
    again = cabled(lab, "net_ixgbe", "net_ice").start()
    assert abilities(again) == proved
    again.stop()
    other = cabled(lab, "net_ixgbe", "net_ice", state="elsewhere").start()
    assert abilities(other)[0][0] == UNPROVEN, "another folder knows nothing of it"


def test_a_cable_of_nics_that_pause_by_themselves_is_tried_by_lldp(lab: Lab):
    switch = cabled(lab, "net_ixgbe", "net_cn9k", lossless=[3], pfc={"by": "nic"}).start()
    status, said = try_cable(switch, "a", "b")
    assert status == 0, said
    assert "good  a to b: 1 of 1 LLDP frames arrived" in said
    assert "pauses are not tested" in said and "pauses arrived" not in said
    assert abilities(switch) == [[UNPROVEN, UNPROVEN, "yes"]] * 2, "it proves no more"
    device_pauses = {port: [switch.pfc(port, 3)[key] for key in ("device_rx_pause", "device_tx_pause")]
            for port in "ab"}
    assert device_pauses == {"a": [0, 0], "b": [None, None]}, "a CN9K's driver counts none"


def test_what_was_proved_of_one_firmware_is_not_of_another(lab: Lab):
    switch = cabled(lab, "net_ixgbe", "net_e1000_igb").start()
    status, said = try_cable(switch, "b", "a")
    assert status == 0, said
    assert abilities(switch) == [["software", "software", "yes"]] * 2
    switch.stop()
    updated = cabled(lab, "net_ixgbe", "net_e1000_igb", of_first=",firmware=9")
    file = switch.kept("proofs")
    proofs = {**json.loads(file.read_text()), "version": 1}
    del proofs["checksum"]
    for proof in proofs["proofs"]:
        if "igb" in proof["driver"]:
            proof["firmware"] = "of yesterday"
    file.write_text(json.dumps(proofs))
    updated.start()
    assert abilities(updated) == [[UNPROVEN, UNPROVEN, "yes"]] * 2


def test_proved_ports_keep_lossless_where_unproven_ones_are_refused(lab: Lab):
    about = {"lossless": [3], "pfc": {"unproved": "refuse"}}
    first = cabled(lab, "net_ixgbe", "net_e1000_igb")
    assert "is unproven" in refusal(cabled(lab, "net_ixgbe", "net_e1000_igb", **about))
    first.start()
    refused = first.apply(check=False, defaults=about)
    assert refused.returncode == 1 and "is unproven" in refused.stderr
    assert try_cable(first, "a", "b")[0] == 0
    first.apply(defaults=about)
    assert [row["unproven"] for row in first.show("pfc")] == [[], []]
    first.stop()
    cabled(lab, "net_ixgbe", "net_e1000_igb", **about).start()


def test_a_cable_that_leads_elsewhere_proves_nothing(lab: Lab):
    switch = with_nics(lab, "net_ixgbe", "net_ice").start()
    status, said = try_cable(switch, "p0", "p1")
    assert status == 1 and "are the two ports cabled to each other?" in said
    assert abilities(switch) == [[UNPROVEN, UNPROVEN, "yes"]] * 2
    assert events(switch, "pfc_proven") == []
    status, said = try_cable(switch, "p0", "p7")
    assert status == 2 and "no port is called" in said
    assert try_cable(switch, "p0", "p0")[0] == 2
    assert not (lab.folder / "switch0" / "state").exists()


def test_damaged_proofs_are_set_aside_and_reported(lab: Lab):
    state = lab.folder / "state"
    state.mkdir()
    (state / "proofs.json").write_text("{")
    switch = cabled(lab, "net_ixgbe", "net_e1000_igb").start()
    assert any("proofs.json: damaged" in line for line in warnings(switch))
    assert (state / "proofs.json.damaged").read_text() == "{"
    assert try_cable(switch, "a", "b")[0] == 0
    switch.stop()  # what is proved is written beside what control does
    assert len(json.loads(switch.kept("proofs").read_text())["proofs"]) == 2


def test_hosts_receive_no_frame_of_a_trial_that_changes_anything(lab: Lab, tmp_path):
    """Two ports of veth: what is sent names no class, and a station that nobody knows is gone."""
    switch, (one, two) = lab.build("af_packet", 2, lldp={}, defaults={"lldp": {"mode": "rx"}})
    wire = one.wire()
    status, said = try_cable(switch, "p0", "p1")
    assert status == 1 and "are the two ports cabled to each other?" in said
    received = wire.pending()
    assert len(received) == 20
    pauses = [octets for octets in received if octets[12:14] == b"\x88\x08"]
    assert len(pauses) == 10 and {octets[14:18] for octets in pauses} == {b"\x01\x01\0\0"}


# --- ice under the kernel: only what has priority 7 leaves ---------------------------------------

def types(frames: list[bytes]) -> dict[str, int]:
    """How many there are, by EtherType."""
    found = [frame[12:14].hex() for frame in frames]
    return {each: found.count(each) for each in sorted(set(found))}


@pytest.mark.parametrize("kind", ["af_packet", "af_xdp"])
def test_what_ice_lets_out_leaves_with_priority_seven(lab: Lab, kind: str):
    """The first port is on a veth that says it is an ice, the second is not."""
    hosts = lab.add_hosts(2)
    switch = lab.make_switch(lab.ports(kind), defaults={"lossless": [3], "lldp": {"mode": "rx"}},
                             lldp={})
    switch.launch(environment={**os.environ, "LD_PRELOAD": program(DISGUISE),
                               "SLUICE_DISGUISED": "p0"})
    switch.until_ready()
    assert [port["pfc_tx"] for port in switch.show("ports")] == [UNPROVEN, "software"]
    disguised, plain = (PriorityFilter(lab.namespace, host.port, 7) for host in hosts)
    wires = lab.wires()
    status, said = try_cable(switch, "p0", "p1")
    assert status == 1 and "are the two ports cabled to each other?" in said
    wanted = {"8808": 10, "88cc": 10}
    for wire in wires:
        assert types(wire.collect(lambda received: len(received) >= 20, "a trial")) == wanted
    assert types(disguised.seen()) == wanted
    assert plain.seen() == []
    disguised.close()
    plain.close()


def test_lossless_is_refused_on_ice_whose_agent_nothing_stops(lab: Lab):
    lab.add_hosts(1)
    switch = lab.make_switch(lab.ports("af_packet"))
    switch.launch(environment={**os.environ, "LD_PRELOAD": program(DISGUISE),
                               "SLUICE_DISGUISED": "p0"})
    switch.until_ready()
    assert switch.show("ports")[0]["pfc_tx"] == "none"
    refused = switch.apply(check=False, defaults={"lossless": [3]})
    assert refused.returncode == 1
    assert "`ethtool --set-priv-flags p0 fw-lldp-agent off`" in refused.stderr
