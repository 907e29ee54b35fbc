"""An af_xdp interface that host and switch share: who gets what, and that both go on."""

import signal

from frames import BROADCAST, frame, lldp, link_pause, pause
from host import traffic
from lab import Lab
from switch import Switch
from waiting import until, until_equal
from wire import Wire

HOSTS_OWN = "10.0.0.100"
HOSTS_OWN_6 = "fd00::100"
STRANGER = "02:00:00:00:0b:ad"


def shared(lab: Lab, host: dict, hosts: int = 2, ipv6: bool = False, **about) -> Switch:
    """A switch whose p0 is shared, with an address of the host's own; not started."""
    lab.add_hosts(hosts, ipv6=ipv6)
    lab.namespace.ip("address", "add", f"{HOSTS_OWN}/24", "dev", "p0")
    ports = lab.ports("af_xdp")
    ports[0]["host"] = host
    return lab.make_switch(ports, **about)


def own_mac(lab: Lab) -> str:
    return lab.namespace.ip("-br", "link", "show", "dev", "p0").split()[2]


def xdp(switch: Switch, port: str = "p0") -> dict:
    return switch.port(port)["xdp"]


def wire_of_host(lab: Lab) -> Wire:
    """What of p0 the host's own stack is given."""
    return Wire(lab.namespace, "p0")


# --- both at once ---------------------------------------------------------------------------------

def test_a_server_keeps_its_tcp_beside_the_switch_and_through_a_kill(lab: Lab):
    """One host talks to the server itself and to another host, by one interface; the switch is
    killed meanwhile, and started again."""
    switch = shared(lab, {"addresses": True}).start()
    one, two = lab.hosts
    one.ping(HOSTS_OWN)
    one.ping(two.ipv4)
    own = lab.namespace.start("iperf3", "--server", "--one-off", "--forceflush")
    own.until_it_says("Server listening")
    other = two.serve_iperf3()
    # For longer than a new start takes on a busy machine, and not all that both cores can do.
    seconds, rate = 15, ("--bitrate", "50M")
    to_own = one.namespace.start("iperf3", "--client", HOSTS_OWN, "--json", "--time", str(seconds),
                                 *rate)
    to_other = one.start_iperf3(two, *rate, seconds=seconds)
    until(lambda: xdp(switch)["to_host"] > 1000 and xdp(switch)["to_switch"] > 1000, "both flow")

    switch.process.signal(signal.SIGKILL)
    assert switch.process.wait(5) == -signal.SIGKILL
    one.ping(HOSTS_OWN)
    switch.start()
    until(lambda: xdp(switch)["to_host"] > 1000 and xdp(switch)["to_switch"] > 1000,
          "both flow again")
    assert traffic(to_own, seconds).octets_received > 0
    assert traffic(to_other, seconds).octets_received > 0
    assert own.wait(20) == 0 and other.wait(20) == 0
    switch.settled()
    # Whether a frame is the host's is decided once; the switch's reaches it or is counted as lost.
    port = switch.port("p0")
    counts = port["xdp"]
    assert port["rx_frames"] == counts["to_switch"] - counts["lost_by_kernel"], (counts, port)
    assert sum(counts["priority"]) + counts["untagged"] == counts["to_switch"] + counts["to_host"]


def test_without_it_the_host_loses_its_interface(lab: Lab):
    switch = shared(lab, {"addresses": False}).start()
    one, two = lab.hosts
    one.cannot_ping(HOSTS_OWN)
    one.ping(two.ipv4)
    assert xdp(switch)["to_host"] == 0


# --- addresses ------------------------------------------------------------------------------------

def test_ipv6_of_the_host_stays(lab: Lab):
    switch = shared(lab, {"addresses": True}, ipv6=True)
    lab.namespace.ip("address", "add", f"{HOSTS_OWN_6}/64", "dev", "p0", "nodad")
    switch.start()
    one, two = lab.hosts
    one.ping(HOSTS_OWN_6)
    one.ping(two.ipv6)
    assert xdp(switch)["to_host"] > 0


def test_addresses_are_followed(lab: Lab):
    shared(lab, {"addresses": True}).start()
    one = lab.hosts[0]
    one.cannot_ping("10.0.0.101")
    lab.namespace.ip("address", "add", "10.0.0.101/24", "dev", "p0")
    until(lambda: "1 received" in one.namespace.run(
        "ping", "-c", "1", "-W", "0.2", "10.0.0.101", check=False).stdout, "the host answers")
    one.ping(HOSTS_OWN)
    changed = "02:00:00:00:00:aa"
    lab.namespace.ip("link", "set", "p0", "address", changed)
    of_host, wire = wire_of_host(lab), one.wire()
    mine = frame(STRANGER, changed)
    until(lambda: wire.send(mine) or mine in of_host.pending(), "its new MAC is the host's")


def test_many_addresses_are_kept_and_those_beyond_are_told(lab: Lab, tmp_path):
    switch = shared(lab, {"addresses": True}).start()
    one = lab.hosts[0]
    batch = tmp_path / "addresses"
    batch.write_text("".join(f"address add 10.0.1.{number}/32 dev p0\n" for number in range(1, 64)))
    lab.namespace.run("ip", "-batch", str(batch))
    one.namespace.ip("route", "add", "10.0.1.0/24", "dev", "eth0")
    until(lambda: "1 received" in one.namespace.run(
        "ping", "-c", "1", "-W", "0.2", "10.0.1.63", check=False).stdout, "the 64th is kept")

    def told() -> list[tuple[str, str]]:
        return [(event["port"], event["text"]) for event in switch.show("events")
                if event["kind"] == "host_addresses"]

    assert told() == []
    lab.namespace.ip("address", "add", "10.0.1.64/32", "dev", "p0")
    [(port, text)] = until(told, "an event says so")
    assert port == "p0" and "the interface has 1 addresses above the limit" in text


def test_what_is_not_for_its_addresses_is_switched(lab: Lab):
    """ARP for others, requests in a VLAN, answers, and what is cut short."""
    switch = shared(lab, {"addresses": True}).start()
    of_host = wire_of_host(lab)
    one, two = lab.wires()
    mac = own_mac(lab)

    def arp(target: str, *, operation: int = 1, vlan=None, cut: int = 0) -> bytes:
        octets = bytes(int(part) for part in target.split("."))
        tag = b"" if vlan is None else b"\x81\x00" + vlan.to_bytes(2, "big")
        source = bytes.fromhex(STRANGER.replace(":", ""))
        whole = b"\xff" * 6 + source + tag + bytes.fromhex("0806 0001 0800 06 04") + \
            operation.to_bytes(2, "big") + source + bytes([10, 0, 0, 9]) + bytes(6) + octets
        return whole[:len(whole) - cut] if cut else whole.ljust(60, b"\0")

    switched = [arp("10.0.0.2"), arp(HOSTS_OWN, vlan=7), arp(HOSTS_OWN, operation=2),
                arp(HOSTS_OWN, cut=2), frame(STRANGER, BROADCAST), frame(STRANGER, "02:00:00:00:00:77")]
    kept = [arp(HOSTS_OWN), arp(HOSTS_OWN, vlan=0), frame(STRANGER, mac), frame(STRANGER, mac, vlan=7),
            frame(STRANGER, mac, service_vlan=9, vlan=7)]
    one.send(*[octets for pair in zip(switched, [*kept, b""]) for octets in pair if octets])
    two.expect(*switched)
    of_host.expect(*kept)
    assert of_host.pending() == [] and two.pending() == []
    until_equal(lambda: (xdp(switch)["to_switch"], xdp(switch)["to_host"]),
                (len(switched), len(kept)), "each is counted where it went")


# --- rules ----------------------------------------------------------------------------------------

def test_rules_name_what_else_is_the_hosts(lab: Lab):
    """All that a rule names must hold; pauses and LLDP of others stay the switch's."""
    rules = [{"mac": "02:00:00:00:00:55"}, {"vlan": 100}, {"vlan": 0, "ethertype": 0x88CC},
             {"mac": "33:33:00:00:00:01", "vlan": 7, "ethertype": 0x88B5}]
    shared(lab, {"rules": rules}).start()
    of_host = wire_of_host(lab)
    one, two = lab.wires()
    group = "33:33:00:00:00:01"
    kept = [frame(STRANGER, "02:00:00:00:00:55"), frame(STRANGER, BROADCAST, vlan=100, priority=5),
            frame(STRANGER, BROADCAST, service_vlan=100, vlan=7), lldp(STRANGER, "x"),
            frame(STRANGER, group, vlan=7)]
    switched = [frame(STRANGER, "02:00:00:00:00:56"), frame(STRANGER, BROADCAST, vlan=101),
                frame(STRANGER, BROADCAST, service_vlan=7, vlan=100), frame(STRANGER, group),
                frame(STRANGER, group, vlan=8)]
    one.send(*[octets for pair in zip(switched, kept) for octets in pair])
    two.expect(*switched)
    of_host.expect(*kept)
    assert of_host.pending() == [] and two.pending() == []


# --- what is counted ------------------------------------------------------------------------------

def test_frames_are_counted_by_priority_and_pauses_by_kind(lab: Lab):
    switch, (one, two) = lab.build("af_xdp", 2, defaults={"lossless": [3], "pfc": {"link_pause": True}})
    wire = one.wire()
    for priority in range(8):
        wire.send(*[frame(one.address, two.address, vlan=1, priority=priority)] * (priority + 1))
    wire.send(*[frame(one.address, two.address)] * 3)
    wire.send(pause(one.address, p3=10), pause(one.address, p3=0), link_pause(one.address, 0))
    until_equal(lambda: xdp(switch)["priority"], [1, 2, 3, 4, 5, 6, 7, 8], "by PCP")
    until_equal(lambda: {key: xdp(switch)[key] for key in ("untagged", "link_pause", "pfc_pause",
                                                           "to_switch", "to_host")},
                {"untagged": 6, "link_pause": 1, "pfc_pause": 2, "to_switch": 42, "to_host": 0},
                "the others")
    assert xdp(switch, "p1")["untagged"] == 0
    assert switch.port("p0")["xdp"]["mode"] == "native"
    assert {"rx_dropped", "rx_invalid_descs", "tx_invalid_descs", "rx_ring_full",
            "rx_fill_ring_empty_descs", "tx_ring_empty_descs"} <= set(xdp(switch))
    switch.command("clear", "counters")
    assert sum(xdp(switch)["priority"]) == xdp(switch)["untagged"] == xdp(switch)["to_switch"] == 0


def test_what_the_kernel_lost_is_named(lab: Lab):
    """A worker that does not come: its ring is full, and what finds no place is counted."""
    switch, (one, two) = lab.build("af_xdp", 2)
    switch.process.signal(signal.SIGSTOP)
    # More than ring and places hold; so may be the cable, for a moment, and then some never left.
    one.wire().send(*[frame(one.address, two.address) for _ in range(100)] * 60)
    switch.process.signal(signal.SIGCONT)
    until(lambda: xdp(switch)["to_switch"] == one.counted()[0], "the program saw all that left")
    counts = xdp(switch)
    assert counts["lost_by_kernel"] == counts["rx_dropped"] + counts["rx_ring_full"] > 0
    until_equal(lambda: switch.port("p0")["rx_frames"],
                counts["to_switch"] - counts["lost_by_kernel"], "and the switch the others")
    assert switch.port("p0")["dropped"] == 0, "they are no drops of its"
    assert switch.port("p0")["device_counters"]["missed"] == counts["lost_by_kernel"]


def test_who_may_not_administrate_the_machine_can_open_it(lab: Lab):
    """CAP_SYS_ADMIN is what libxdp would need, which is not asked to load a program."""
    switch = shared(lab, {"addresses": True}).start(
        "setpriv", "--bounding-set=-all,+net_admin,+net_raw,+bpf,+ipc_lock")
    one, two = lab.hosts
    one.ping(HOSTS_OWN)
    one.ping(two.ipv4)
    # Tags beside frames are told to those alone who may do more.
    assert [line for line in switch.process.errors().splitlines()
            if "warn" in line and "passes outside its frames" not in line] == []


# --- programs of others ---------------------------------------------------------------------------

def test_a_program_that_a_link_holds_is_named_with_what_detaches_it(lab: Lab):
    """Of a switch whose claim another one does not see."""
    lab.add_hosts(1)
    first, second = (lab.make_switch(lab.ports("af_xdp")) for _ in range(2))
    first.launch("unshare", "--mount", "sh", "-c",
                 'mkdir -p /run/sluice && mount -t tmpfs none /run/sluice && exec "$@"', "sh")
    first.until_ready()
    second.launch()
    assert second.process.wait(30) == 1
    said = second.process.errors()
    assert "ports[0].device: af_xdp:p0: an XDP program is attached to p0 (sluice_xdp, id " in said
    command = said.split("`")[-2]
    assert command.startswith("bpftool link detach id ")
    lab.namespace.run(*command.split())
    assert "xdp" not in lab.namespace.ip("link", "show", "dev", "p0")
    first.stop()
    second.start()
