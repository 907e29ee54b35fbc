"""What ports can do of what lossless priorities and LLDP need: found out, shown, and obeyed.

NICs that no test machine has are devices of DPDK's that behave like theirs
(tests/unit/pmd_glue/nic/test_nic.h); sluiced loads them with `-d`.
"""

import atexit
import functools
import json
import shutil
import tempfile
from typing import Optional

import pytest
from frames import pause
from lab import Lab
from switch import Switch, program
from waiting import until_equal
from wire import Wire

STATION = "02:00:00:00:07:07"
NICS = "tests/unit/pmd_glue/test_nics.so"
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
    """A veth hands over all that it hears; of what else is behind the kernel nobody says."""
    lab.add_hosts(1)
    veth, = lab.ports("af_packet")
    switch = lab.make_switch([veth | about, {"name": "wire", "device": "af_packet:lo"} | about])
    switch.start()
    heard, unheard = switch.port("p0"), switch.port("wire")
    assert (heard["pfc_rx"], heard["pfc_tx"], heard["lldp_rx"]) == ("software", "software", "yes")
    assert (unheard["pfc_rx"], unheard["pfc_tx"]) == (UNPROVEN, UNPROVEN)
    assert heard["pfc_rx_why"] == "" and unheard["pfc_rx_why"] != ""
    named = [line for line in warnings(switch) if "hears pause frames is" in line]
    assert len(named) == is_named == len(events(switch, "pfc_unproven"))
    assert all("wire: that it hears pause frames is unproven" in line for line in named)


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


def test_a_firmware_that_takes_lldp_is_told_where_lldp_is_spoken(lab: Lab):
    switch = with_nics(lab, "net_ixgbe", lldp={})
    switch.configuration["ports"] = [
        {"name": "old", "device": "vdev:net_i40e_0,wire=a,firmware=5.05,agent=on"},
        {"name": "deaf", "device": "vdev:net_i40e_1,wire=b,firmware=5.05,agent=on",
         "lldp": {"mode": "tx"}}]
    switch.start()
    assert switch.port("old")["lldp_rx"] == "swallowed"
    named = [line for line in warnings(switch) if "takes LLDP" in line]
    assert len(named) == 1 and "old: " in named[0] and "nvmupdate64e" in named[0]


@pytest.mark.parametrize("kind", ["af_packet", "af_xdp"])
@pytest.mark.parametrize("promiscuous", [True, False])
def test_an_interface_takes_every_group_while_a_port_is_on_it(lab: Lab, kind, promiscuous):
    """So LLDP is heard where the port is not promiscuous."""
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
    ("net_hns3", "it does not hear pause frames: its driver refuses to forward"),
])
def test_lossless_that_cannot_be_kept_is_refused(lab: Lab, driver, why):
    said = refusal(with_nics(lab, driver, about={"lossless": [3]}))
    assert f"ports[0].lossless: vdev:{driver}_0,wire=w0: {why}" in said, said
    assert "; write lossless: [] at the port, or give it a device that does" in said


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
    assert not [row for row in switch.show("pfc", "--all") if row["lossless"]]
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
    assert events(switch, "pfc_unproven") == ["p0"], "it is told once"


@pytest.mark.parametrize("kind", ["af_packet", "af_xdp"])
def test_a_veth_keeps_lossless_priorities(lab: Lab, kind):
    lab.add_hosts(1)
    switch = lab.start_switch(kind, defaults={"lossless": [3], "pfc": {"unproved": "refuse"}})
    assert [row["unproven"] for row in switch.show("pfc")] == [[]]
    assert events(switch, "pfc_unproven") == []


def test_dcbx_offers_pfc_where_the_port_keeps_it(lab: Lab):
    """A port that cannot tells its peer so: it is capable of none, and not willing."""
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
    until_equal(lambda: switch.pfc("wire", 3)["rx_pause"], 1, "it is heard")
    until_equal(lambda: events(switch, "pfc_heard"), ["wire"], "and that is told")
    seen = switch.port("wire")
    assert (seen["pfc_rx"], seen["pfc_rx_why"], seen["pfc_tx"]) == ("software", "", UNPROVEN)
    assert switch.pfc("wire", 3)["unproven"] == ["tx"]
    wire.close()
