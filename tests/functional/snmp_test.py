"""A manager of SNMP sees the switch: snmpd with our subagent, by what Debian's snmpwalk reads of them and
`sluice show` says, as traffic passes, links go, neighbours come and either end begins again."""

import os
import pathlib
import shutil
import signal
from typing import Iterator

import pytest

from frames import BROADCAST, frame
from lab import Lab
from lldpd import SLOW, Lldpd
from snmp import BRIDGE, IF_ENTRY, IF_X_ENTRY, LLDP, Q_BRIDGE, Snmp, group_number
from switch import Switch
from waiting import until, until_equal

READERS = "games"  # that every Debian has
STRANGER = "4711"
UP, DOWN, NOT_PRESENT = 1, 2, 6
COUNTERS = {10: "rx_bytes", 11: "rx_frames", 16: "tx_bytes", 17: "tx_frames"}
HIGH_COUNTERS = {6: "rx_bytes", 7: "rx_frames", 10: "tx_bytes", 11: "tx_frames"}


@pytest.fixture
def make_snmp(lab: Lab) -> Iterator:
    made: list[Snmp] = []

    def make(switch: Switch, **about) -> Snmp:
        made.append(Snmp(lab.namespace, switch, **about))
        return made[-1]
    yield make
    for snmp in made:
        snmp.close()


def octets_of(address: str) -> bytes:
    return bytes.fromhex(address.replace(":", ""))


def index_of(address: str) -> str:
    """Of a MAC address in a table."""
    return ".".join(str(octet) for octet in octets_of(address))


def port_list(*numbers: int, size: int = 1) -> bytes:
    return sum(0x80 << 8 * (size - 1) >> (number - 1) for number in numbers).to_bytes(size, "big")


def ports_of(switch: Switch) -> dict[str, dict]:
    return {row["name"]: row for row in switch.show("ports")}


def same_counters(snmp: Snmp, switch: Switch) -> bool:
    """Of what is still, once the subagent has looked again."""
    shown = ports_of(switch)
    return all(snmp.interfaces(entry, column) == {name: row[key] for name, row in shown.items()}
               for entry, keys in ((IF_ENTRY, COUNTERS), (IF_X_ENTRY, HIGH_COUNTERS))
               for column, key in keys.items())


def test_interfaces_are_those_of_the_switch(lab: Lab, make_snmp):
    one, two = lab.add_hosts(2)
    ports = lab.ports("af_packet")
    ports[0] |= {"description": "to the rack's first host", "rate": "2500M"}
    switch = lab.make_switch(ports).start()
    snmp = make_snmp(switch).start()
    shown = ports_of(switch)
    assert snmp.get(".1.3.6.1.2.1.1.5.0") == [b"leaf1"], "the system group is snmpd's own"
    assert snmp.get(".1.3.6.1.2.1.2.1.0") == [2], "the machine's own interfaces are not among them"
    assert snmp.column(IF_ENTRY, 1) == {str(row["if_index"]): row["if_index"] for row in shown.values()}
    assert snmp.interfaces(IF_ENTRY, 2) == {"p0": b"p0", "p1": b"p1"}
    assert snmp.interfaces(IF_ENTRY, 3) == {"p0": 6, "p1": 6}
    assert snmp.interfaces(IF_ENTRY, 4) == {"p0": 1500, "p1": 1500}
    assert snmp.interfaces(IF_ENTRY, 6) == {name: octets_of(row["address"]) for name, row in shown.items()}
    assert snmp.interfaces(IF_X_ENTRY, 15) == {name: row["rate_bps"] // 10**6 for name, row in shown.items()}
    assert snmp.interfaces(IF_X_ENTRY, 15)["p0"] == 2500
    assert snmp.interfaces(IF_ENTRY, 5)["p0"] == 2_500_000_000
    assert snmp.interfaces(IF_X_ENTRY, 18) == {"p0": b"to the rack's first host", "p1": b""}
    # Walked by GETNEXT one by one it is the same as by GETBULK.
    assert snmp.walk(IF_X_ENTRY, "snmpwalk").keys() == snmp.walk(IF_X_ENTRY).keys()

    first, second = lab.wires()
    first.send(*(frame(one.address, BROADCAST, length=200) for _ in range(70)))
    second.send(frame(two.address, two.address))
    switch.settled()
    until(lambda: same_counters(snmp, switch), "the counters are those that are shown")
    assert snmp.interfaces(IF_X_ENTRY, 7)["p0"] >= 70
    assert snmp.interfaces(IF_ENTRY, 13) == \
        {row["port"]: row["rx_drp"] for row in switch.show("counters")}


def test_links_go_and_come_back(lab: Lab, make_snmp):
    one, two = lab.add_hosts(2)
    switch = lab.make_switch(lab.ports("af_packet")).start()
    snmp = make_snmp(switch).start()
    assert snmp.interfaces(IF_ENTRY, 8) == {"p0": UP, "p1": UP}
    assert snmp.interfaces(IF_ENTRY, 9) == {"p0": 0, "p1": 0}
    one.namespace.ip("link", "set", "eth0", "down")
    until_equal(lambda: snmp.interfaces(IF_ENTRY, 8), {"p0": DOWN, "p1": UP}, "p0 is down")
    assert snmp.interfaces(IF_ENTRY, 7) == {"p0": UP, "p1": UP}
    changed = snmp.interfaces(IF_ENTRY, 9)
    assert changed["p0"] > 0 and changed["p1"] == 0
    one.namespace.ip("link", "set", "eth0", "up")
    until_equal(lambda: snmp.interfaces(IF_ENTRY, 8), {"p0": UP, "p1": UP}, "p0 is up")
    ports = lab.ports("af_packet")
    ports[1]["admin_status"] = "down"
    switch.apply(ports=ports)
    until_equal(lambda: snmp.interfaces(IF_ENTRY, 7), {"p0": UP, "p1": DOWN}, "p1 is shut")
    assert snmp.interfaces(IF_ENTRY, 8)["p1"] == DOWN


def test_vlans_and_addresses(lab: Lab, make_snmp):
    one, two, trunk = lab.add_hosts(3)
    ports = lab.ports("af_packet")
    ports[0]["default_vlan"], ports[1]["default_vlan"] = 10, 20
    switch = lab.make_switch(ports, vlans=[{"id": 10, "name": "sales", "ports": ["p0", "p2"]},
                                           {"id": 20, "ports": ["p1", "p2"]}],
                             fdb={"static": [{"vlan": 20, "address": "02:00:00:00:0f:01", "port": "p1"}]})
    switch.start()
    snmp = make_snmp(switch).start()
    rows = {row["vlan"]: row for row in switch.show("vlan")["vlans"]}
    number = {name: row["index"] + 1 for name, row in ports_of(switch).items()}

    def lists(key: str) -> dict[str, bytes]:
        return {str(vlan): port_list(*(number[name] for name in row[key])) for vlan, row in rows.items()}
    assert snmp.get(f"{Q_BRIDGE}.1.1.0", f"{Q_BRIDGE}.1.4.0") == [1, len(rows)]
    assert snmp.column(f"{Q_BRIDGE}.4.3.1", 2) == {str(v): row["name"].encode() for v, row in rows.items()}
    assert snmp.column(f"{Q_BRIDGE}.4.3.1", 2)["10"] == b"sales"
    assert snmp.column(f"{Q_BRIDGE}.4.3.1", 3) == lists("ports")
    assert snmp.column(f"{Q_BRIDGE}.4.3.1", 3)["10"] == port_list(1, 3)
    assert snmp.column(f"{Q_BRIDGE}.4.3.1", 5) == lists("untagged")
    assert snmp.walk(f"{Q_BRIDGE}.4.2.1.4.0") == lists("ports")
    assert snmp.walk(f"{Q_BRIDGE}.4.2.1.5.0") == lists("untagged")
    assert snmp.column(f"{Q_BRIDGE}.4.5.1", 1) == {"1": 10, "2": 20, "3": 1}

    for wire, host in zip(lab.wires()[:2], (one, two)):
        wire.send(frame(host.address, BROADCAST))
    until(lambda: len(switch.show("fdb")) == 3, "both are learned")
    learned, static = 3, 5
    wanted = {f"10.{index_of(one.address)}": (1, learned), f"20.{index_of(two.address)}": (2, learned),
              f"20.{index_of('02:00:00:00:0f:01')}": (2, static)}

    def addresses() -> dict:
        port, status = (snmp.column(f"{Q_BRIDGE}.2.2.1", column) for column in (2, 3))
        return {index: (port[index], status.get(index)) for index in port}
    until_equal(addresses, wanted, "addresses are those that are shown")
    one_by_one = snmp.get(*(f"{Q_BRIDGE}.2.2.1.2.{index}" for index in wanted))
    assert one_by_one == [port for port, _ in wanted.values()]
    assert snmp.get(f"{Q_BRIDGE}.2.2.1.2.10.{index_of(two.address)}") == [None]
    assert snmp.column(f"{BRIDGE}.1.4.1", 2) == \
        {str(row["index"] + 1): row["if_index"] for row in ports_of(switch).values()}
    assert snmp.get(f"{BRIDGE}.1.1.0") == [octets_of(switch.show("lldp")[0]["chassis_id"])]


def test_many_addresses_are_read_by_pages(lab: Lab, make_snmp):
    """More than two pages, and as many in VLAN 1 as in all."""
    static = [{"address": f"02:00:00:0{vlan}:{n >> 8:02x}:{n & 255:02x}", "port": "p0", "vlan": vlan}
              for n in range(2600) for vlan in (1, 2)]
    switch = lab.make_switch([{"name": "p0", "device": "ring:many"}],
                             fdb={"static": static, "capacity": 16384}).start()
    snmp = make_snmp(switch).start()
    wanted = {f"{row['vlan']}.{index_of(row['address'])}" for row in static}
    assert set(snmp.column(f"{Q_BRIDGE}.2.2.1", 2)) == wanted
    of_vlan_1 = snmp.column(f"{BRIDGE}.4.3.1", 1)
    assert set(of_vlan_1) == {index.removeprefix("1.") for index in wanted if index.startswith("1.")}
    assert all(index_of(value.hex(":")) == index for index, value in of_vlan_1.items())
    # Only a page of them was ever in the subagent.
    with open(f"/proc/{snmp.subagent.pid}/status") as status:
        peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    assert peak < 64 * 1024, f"{peak} KiB"


def test_neighbours_are_those_that_lldp_hears(lab: Lab, make_snmp):
    one, two = lab.add_hosts(2)
    switch = lab.make_switch(lab.ports("af_packet"), lldp={"interval": "1s", "system_name": "sw1",
                                                           "management_address": "192.0.2.1"}).start()
    snmp = make_snmp(switch).start()
    peer = Lldpd(two, "server2")
    local = f"{LLDP}.3"
    chassis = octets_of(switch.show("lldp")[0]["chassis_id"])
    assert snmp.get(f"{local}.1.0", f"{local}.2.0", f"{local}.3.0") == [4, chassis, b"sw1"]
    assert snmp.get(f"{local}.4.0") == [b"Sluice, a lossless Ethernet switch in software"]
    assert snmp.column(f"{local}.7.1", 3) == {"1": b"p0", "2": b"p1"}
    assert snmp.column(f"{local}.7.1", 2) == {"1": 5, "2": 5}
    assert set(snmp.column(f"{local}.8.1", 3)) == {"1.4.192.0.2.1"}

    remote = f"{LLDP}.4.1.1"
    until_equal(lambda: list(snmp.column(remote, 9).values()), [b"server2"], "lldpd is heard", SLOW)
    (seen,) = next(row for row in switch.show("lldp") if row["port"] == "p1")["neighbours"]
    (index,) = snmp.column(remote, 9)
    assert index.startswith("0.2."), "the time mark is none, then the port"
    row = {column: snmp.get(f"{remote}.{column}.{index}")[0] for column in (4, 5, 6, 7, 10, 12)}
    assert row[4] == 4 and row[5] == octets_of(seen["chassis_id"])
    assert row[6] == 3 and row[7] == octets_of(two.address)
    assert row[10].decode() == seen["system_description"]
    peer.tell("configure", "system", "description", "changed")
    until_equal(lambda: snmp.get(f"{remote}.10.{index}"), [b"changed"], "what it says, at the same index")
    peer.stop()
    until_equal(lambda: snmp.column(remote, 9), {}, "it is gone")


def test_a_spanning_tree_is_shown_where_one_runs(lab: Lab, make_snmp):
    lab.add_hosts(2)
    switch = lab.make_switch(lab.ports("af_packet"),
                             spanning_tree={"mode": "rstp", "priority": 4096}).start()
    snmp = make_snmp(switch).start()
    shown = switch.show("spanning-tree")
    own = (4096).to_bytes(2, "big") + octets_of(shown["address"])
    until_equal(lambda: snmp.get(*(f"{BRIDGE}.2.{column}.0" for column in (1, 2, 5, 6, 7, 8, 9, 11))),
                [3, 4096, own, 0, 0, 2000, 200, 1500], "the root is shown")
    forwarding = 5
    until_equal(lambda: snmp.column(f"{BRIDGE}.2.15.1", 3), {"1": forwarding, "2": forwarding},
                "both forward", 60)
    until_equal(lambda: snmp.column(f"{BRIDGE}.2.15.1", 8), {"1": own, "2": own}, "their designated bridge")
    until_equal(lambda: snmp.column(f"{BRIDGE}.2.15.1", 11),
                {str(row["number"]): row["cost"] for row in switch.show("spanning-tree")["ports"]}, "their cost")
    switch.apply(spanning_tree={"mode": "off"})
    until_equal(lambda: snmp.walk(f"{BRIDGE}.2"), {}, "nothing of a tree that is off")


def test_an_aggregation_is_an_interface_beside_its_members(lab: Lab, make_snmp):
    lab.add_hosts(3)
    switch = lab.make_switch(lab.ports("af_packet"),
                             aggregations=[{"name": "bond0", "ports": ["p1", "p2"], "hash": "l2"}]).start()
    snmp = make_snmp(switch).start()
    lab.wires()[2].send(frame(lab.hosts[2].address, BROADCAST))
    until(lambda: snmp.interfaces(IF_X_ENTRY, 7).get("bond0"), "it has its members' frames")
    shown = ports_of(switch)
    assert snmp.interfaces(IF_ENTRY, 3) == {"p0": 6, "p1": 6, "p2": 6, "bond0": 161}
    assert snmp.interfaces(IF_X_ENTRY, 15)["bond0"] == 2 * shown["p1"]["rate_bps"] // 10**6
    base = snmp.column(f"{BRIDGE}.1.4.1", 2)
    port = snmp.get(f"{Q_BRIDGE}.2.2.1.2.1.{index_of(lab.hosts[2].address)}")[0]
    names = snmp.column(IF_X_ENTRY, 1)
    assert names[str(base[str(port)])] == b"bond0", "its addresses are the aggregation's"


def test_either_end_may_begin_again(lab: Lab, make_snmp):
    one, two = lab.add_hosts(2)
    switch = lab.make_switch(lab.ports("af_packet")).start()
    snmp = make_snmp(switch).start()
    lab.wires()[0].send(*(frame(one.address, BROADCAST) for _ in range(20)))
    until(lambda: snmp.interfaces(IF_X_ENTRY, 7).get("p0", 0) >= 20, "frames are counted")
    indices = snmp.column(IF_X_ENTRY, 1)

    switch.stop()
    until_equal(lambda: snmp.interfaces(IF_ENTRY, 8), {"p0": NOT_PRESENT, "p1": NOT_PRESENT},
                "the switch is gone, its interfaces are known")
    assert snmp.walk(f"{BRIDGE}.1") == snmp.walk(f"{Q_BRIDGE}.4") == snmp.walk(LLDP) == {}
    # The ports change places: what they are called by stays.
    switch.configuration["ports"].reverse()
    switch.start()
    until_equal(lambda: snmp.interfaces(IF_ENTRY, 8), {"p0": UP, "p1": UP}, "it is back")
    assert snmp.column(IF_X_ENTRY, 1) == indices
    assert all(snmp.interfaces(IF_X_ENTRY, 19).values()), "counters began again"

    snmp.master.end()
    assert snmp.column(IF_X_ENTRY, 1) == {}
    snmp.start_master()
    until_equal(lambda: snmp.column(IF_X_ENTRY, 1), indices, "the subagent has found the new snmpd", 20)

    said = snmp.subagent.said()
    assert said.count("AgentX master disconnected") == 1 and said.count("Failed to connect") <= 1
    # Without it snmpd has the machine's own interfaces, as before.
    snmp.subagent.signal(signal.SIGTERM)
    assert snmp.subagent.wait(10) == 0
    until(lambda: b"lo" in snmp.column(IF_X_ENTRY, 1).values(), "the machine's own are back", 20)
    assert "p0" not in {value for value in snmp.walk(BRIDGE).values()}


def test_a_switch_that_hangs_delays_nobody_for_long(lab: Lab, make_snmp):
    switch = lab.make_switch([{"name": "p0", "device": "ring:hangs"}]).start()
    snmp = make_snmp(switch).start()
    index = str(ports_of(switch)["p0"]["if_index"])
    switch.process.signal(signal.SIGSTOP)
    try:
        until_equal(lambda: snmp.get(f"{IF_ENTRY}.8.{index}"), [NOT_PRESENT], "it does not answer", 30)
        assert snmp.interfaces(IF_ENTRY, 8) == {"p0": NOT_PRESENT}
    finally:
        switch.process.signal(signal.SIGCONT)
    until_equal(lambda: snmp.get(f"{IF_ENTRY}.8.{index}"), [UP], "it answers again", 30)
    assert "answers again" in snmp.subagent.said()


def test_a_user_who_may_only_look_is_enough(lab: Lab, make_snmp, tmp_path):
    """A member of `control.readers`, without a capability, and a stranger to both sockets else."""
    folder = pathlib.Path(f"/run/{tmp_path.name}-{os.getpid()}")
    folder.mkdir()
    try:
        folder.chmod(0o755)
        switch = lab.make_switch([{"name": "p0", "device": "ring:loop"}])
        switch.socket = str(folder / "socket")
        switch.configuration["control"] |= {"socket": switch.socket, "readers": READERS}
        switch.start()
        snmp = make_snmp(switch, readers=READERS)
        snmp.start_master()
        until(lambda: os.path.exists(snmp.agentx), "snmpd listens for subagents")
        snmp.start_subagent("setpriv", f"--reuid={STRANGER}", f"--regid={group_number(READERS)}",
                            "--clear-groups", "--bounding-set=-all", "--no-new-privs")
        snmp.until_served()
        switch.stop()
    finally:
        shutil.rmtree(folder)
