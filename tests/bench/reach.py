"""How far it goes: what it takes to start, to hold and to change a switch of so many ports, tunnels,
addresses, VLANs, neighbours and networks of EVPN; a page of so many switches; and a simulated network of
so many. As root, since some of it needs namespaces.

    reach.py [--json] BUILD

A row a size. Switches are on ring ports, which carry no frames meanwhile. `ready_seconds`: from its start
until `sluice ready` says so; `resident_mib`: what of memory it holds then, huge pages with the rest;
`apply_seconds`: what `sluice apply` of a file with one other setting takes, until workers have it. Of EVPN
the kernel is sent what FRR sends it, by `bridge -batch`: `sent_seconds` is what that takes the kernel,
`known_seconds` from its begin until all are bound in the FDB, or all neighbours answered for;
`again_seconds` the same from the start of a switch that finds them there. Of addresses that are here, and
of LLDP, `known_seconds` is from the start: captures are played to the switch, and the kernel is told.
The page is in reach_view.py, the simulator in reach_simulator.py."""

import contextlib
import http.client
import json
import os
import pathlib
import struct
import sys
import tempfile
import time
from typing import Any, Callable, Iterator

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "functional/lab"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "peers"))
from told_to_end import end_in_order  # noqa: E402
from waiting import until  # noqa: E402

PORTS = (2, 8, 32)    # of devices of DPDK, which opens no more as Debian builds it
TUNNELS = (30, 62)    # over one of two ports
ADDRESSES = (16_384, 262_144, 1_048_576)
VLANS = (64, 4093)
NETWORKS = (1, 30, 60)
LOCAL = (16_384, 65_536)
REMOTE = (1_024, 16_384, 65_536)
NEIGHBOURS = (1_024, 16_384)
STATIONS_A_PORT = 4   # neighbours that a port keeps by LLDP; it refuses more
SWITCHES = (3, 12, 33)
PORT = 9475
HERE, THERE = "192.0.2.1", "192.0.2.2"
NEXT_HOP = "02:00:00:00:00:02"
LONGEST = 120         # seconds, of anything


class Bench:
    """Switches in namespaces of their own; `close` ends what is there."""

    def __init__(self, folder: pathlib.Path):
        self._folder = folder
        self._count = 0
        self._switches: list = []

    def folder(self) -> pathlib.Path:
        """A new one."""
        self._count += 1
        folder = self._folder / str(self._count)
        folder.mkdir()
        return folder

    def switch(self, **configuration):
        from namespace import Namespace  # noqa: E402  (these want SLUICE_BUILD)
        from switch import Switch  # noqa: E402
        folder = self.folder()
        made = Switch(Namespace("reach", folder), folder, configuration)
        self._switches.append(made)
        return made

    def close(self) -> None:
        for made in self._switches:
            made.namespace.close()
        self._switches = []


def wait_for(ask: Callable[[], Any], what: str) -> None:
    until(ask, what, LONGEST, interval=0.02)


def resident_mib(switch) -> int:
    """Of the whole process. What is in huge pages the kernel counts apart."""
    status = pathlib.Path("/proc", str(switch.process.pid), "status").read_text()
    kib = [int(line.split()[1]) for line in status.splitlines()
           if line.startswith(("VmRSS:", "HugetlbPages:"))]
    return round(sum(kib) / 1024)


def rings(count: int) -> list[dict]:
    """One end of each, so that nothing comes back."""
    return [{"name": f"p{n}", "device": f"ring:reach{n}/a"} for n in range(count)]


def with_tunnels(host: dict, vnis: range, there: Callable[[int], str]) -> list[dict]:
    """A host's port, one below, and a tunnel of each VNI, in a VLAN of that number."""
    below = {"name": "p1", "device": "ring:below/a", "mtu": 1558,
             "underlay": {"address": f"{HERE}/24"}, "vlan": {"mode": "access", "access": 4000}}
    return [host, below, *({"name": f"t{vni}", "device": f"vxlan:p1/{there(vni)}/{vni}",
                            "next_hop": NEXT_HOP, "vlan": {"mode": "access", "access": vni}}
                           for vni in vnis)]


def launch(switch) -> float:
    """When it began to start; it answers."""
    start = time.monotonic()
    switch.launch()

    def answers() -> bool:
        if not switch.running():
            raise SystemExit(f"reach.py: sluiced ended: {switch.process.said()}")
        return switch.command("show", "workers", check=False).returncode == 0
    wait_for(answers, "it answers")
    return start


def held(bench: Bench, **configuration) -> dict:
    switch = bench.switch(**configuration)
    start = launch(switch)
    wait_for(lambda: switch.command("ready", check=False).returncode == 0, "it is ready")
    ready = time.monotonic() - start
    resident = resident_mib(switch)
    start = time.monotonic()
    switch.apply(fdb={**configuration.get("fdb", {}), "ageing": "299s"})
    applied = time.monotonic() - start
    return {"ready_seconds": round(ready, 2), "resident_mib": resident,
            "apply_seconds": round(applied, 3)}


# --- captures that are played to a switch ---------------------------------------------------------

def played(bench: Bench, frames: list[bytes]) -> str:
    """A device that receives these once."""
    file = bench.folder() / "played.pcap"
    head = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
    file.write_bytes(head + b"".join(
        struct.pack("<IIII", 0, 0, len(octets), len(octets)) + octets for octets in frames))
    return f"pcap:{file}"


def octets_of(number: int) -> bytes:
    """A station's address."""
    return (0x0200_0000_0000 + number).to_bytes(6, "big")


def mac(number: int) -> str:
    return ":".join(f"{octet:02x}" for octet in octets_of(number))


def lldp(bench: Bench, count: int) -> dict:
    """As many stations at each of 32 ports as it keeps."""
    from frames import lldp as lldp_frame  # noqa: E402
    stations = iter(range(count))
    ports = [{"name": f"p{n}", "device": played(bench, [
        lldp_frame(mac(station), f"station{station}", name=b"reach")
        for station in (next(stations) for _ in range(STATIONS_A_PORT))])} for n in range(PORTS[-1])]
    switch = bench.switch(ports=ports, lldp={"enabled": True})
    start = launch(switch)
    wait_for(lambda: sum(len(row["neighbours"]) for row in switch.show("lldp")) == count,
             "all stations are known")
    return {"known_seconds": round(time.monotonic() - start, 2), "resident_mib": resident_mib(switch)}


# --- EVPN -----------------------------------------------------------------------------------------

def with_evpn(bench: Bench, networks: int, host: str = "ring:host/a", neigh_suppress: bool = False):
    """A switch with a host's port and a tunnel a network, and the kernel's devices of each."""
    vnis = range(1, networks + 1)
    port = {"name": "p0", "device": host, "vlan": {"mode": "trunk", "allowed": list(vnis)}}
    if networks == 1:
        port["vlan"] = {"mode": "access", "access": 1}
    switch = bench.switch(
        ports=with_tunnels(port, vnis, lambda vni: THERE), fdb={"capacity": 262_144},
        metrics={"listen": f"127.0.0.1:{PORT}"},
        evpn={"vnis": [{"vni": vni, "vlan": vni, "device": f"vx{vni}", "local_device": f"sl{vni}",
                        "neigh_suppress": neigh_suppress} for vni in vnis],
              "daemon_socket": "/nobody/makes/this"})
    switch.namespace.set("ipv6/conf/default/disable_ipv6", 1)
    for vni in vnis:
        ip = switch.namespace.ip
        ip("link", "add", f"br{vni}", "type", "bridge", "mcast_snooping", "0")
        ip("link", "add", f"vx{vni}", "type", "vxlan", "id", str(vni), "local", HERE, "dstport",
           "4789", "nolearning")
        ip("link", "add", f"sl{vni}", "type", "veth", "peer", "name", f"sp{vni}")
        for device in (f"vx{vni}", f"sl{vni}"):
            ip("link", "set", device, "master", f"br{vni}", "up")
        ip("link", "set", f"vx{vni}", "type", "bridge_slave", "learning", "off")
        ip("link", "set", f"br{vni}", "up")
    return switch


def all_networks(switch) -> list[dict]:
    return switch.show("evpn")["networks"]


def networks_up(bench: Bench, networks: int) -> dict:
    switch = with_evpn(bench, networks)
    start = launch(switch)
    wait_for(lambda: all(one["up"] for one in all_networks(switch)), "all networks are up")
    return {"known_seconds": round(time.monotonic() - start, 2), "resident_mib": resident_mib(switch)}


def known_addresses(switch) -> int:
    """By its metrics: all rows of the FDB would keep the thread that binds them."""
    with switch.namespace.entered():
        connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=10)
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
        connection.close()
    [line] = [line for line in text.splitlines() if line.startswith("sluice_fdb_entries ")]
    return int(line.split()[1])


def local(bench: Bench, count: int) -> dict:
    """Learned at the host's port at once, since all of them speak, and written to the kernel."""
    broadcast = b"\xff" * 6
    frames = [(broadcast + octets_of(n) + b"\x88\xb5").ljust(60, b"\0") for n in range(count)]
    switch = with_evpn(bench, 1, played(bench, frames))
    start = launch(switch)
    wait_for(lambda: all_networks(switch)[0]["local_addresses"] == count, "the kernel has all")
    return {"known_seconds": round(time.monotonic() - start, 2), "resident_mib": resident_mib(switch)}


def learning_times(bench: Bench, batches: dict[str, list[str]], is_known: Callable[[Any], bool],
                   neigh_suppress: bool = False) -> dict:
    """`batches`: what each of these programs sends the kernel."""
    switch = with_evpn(bench, 1, neigh_suppress=neigh_suppress)
    for program, lines in batches.items():
        (switch.file.parent / program).write_text("\n".join(lines) + "\n")
    launch(switch)
    wait_for(lambda: all_networks(switch)[0]["up"], "the network is up")
    start = time.monotonic()
    for program in batches:
        switch.namespace.run(program, "-batch", str(switch.file.parent / program), seconds=LONGEST)
    sent_at = time.monotonic()
    wait_for(lambda: is_known(switch), "all are known")
    known = time.monotonic()
    resident = resident_mib(switch)
    switch.stop()
    again = launch(switch)
    wait_for(lambda: is_known(switch), "all are known again")
    once_more = time.monotonic()
    return {"sent_seconds": round(sent_at - start, 2), "known_seconds": round(known - start, 2),
            "again_seconds": round(once_more - again, 2), "resident_mib": resident}


def of_bridge(count: int) -> list[str]:
    return [f"fdb replace {mac(n)} dev vx1 dst {THERE} self master dynamic extern_learn"
            for n in range(count)]


def remote(bench: Bench, count: int) -> dict:
    return learning_times(bench, {"bridge": of_bridge(count)},
                          lambda switch: known_addresses(switch) == count)


def neighbours(bench: Bench, count: int) -> dict:
    """Of a MAC address each, which is remote as well."""
    lines = [f"neigh replace 10.{n >> 16}.{n >> 8 & 255}.{n & 255} lladdr {mac(n)} dev br1 "
             "nud noarp extern_learn" for n in range(count)]
    return learning_times(bench, {"bridge": of_bridge(count), "ip": lines},
                          lambda switch: all_networks(switch)[0]["remote_neighbours"] == count, True)


# --- all of it ------------------------------------------------------------------------------------

def of_a_switch(bench: Bench) -> Iterator[tuple[str, int, dict]]:
    for count in PORTS:
        yield "ports", count, held(bench, ports=rings(count))
    for count in TUNNELS:
        tunnels = with_tunnels(rings(1)[0], range(1, count + 1), lambda vni: f"192.0.2.{vni + 1}")
        yield "tunnels", count, held(bench, ports=tunnels)
    for count in ADDRESSES:
        yield "addresses", count, held(bench, ports=rings(2), fdb={"capacity": count})
    for count in VLANS:
        vlans = [{"id": vlan, "ports": ["p0", "p1"]} for vlan in range(1, count + 1)]
        yield "vlans", count, held(bench, ports=rings(2), vlans=vlans)
    yield "lldp", STATIONS_A_PORT * PORTS[-1], lldp(bench, STATIONS_A_PORT * PORTS[-1])
    for what, counts, measured in (("networks", NETWORKS, networks_up), ("local", LOCAL, local),
                                   ("remote", REMOTE, remote),
                                   ("neighbours", NEIGHBOURS, neighbours)):
        for count in counts:
            yield what, count, measured(bench, count)


def results(bench: Bench) -> Iterator[tuple[str, int, dict]]:
    import reach_simulator  # noqa: E402  (these want SLUICE_BUILD)
    import reach_view  # noqa: E402
    yield from of_a_switch(bench)
    for count in SWITCHES:
        yield "view", count, reach_view.measured(bench, count, True, wait_for)
    yield "view at rest", SWITCHES[-1], reach_view.measured(bench, SWITCHES[-1], False, wait_for)
    yield from reach_simulator.results(bench.folder)


def main() -> None:
    end_in_order()
    words = [word for word in sys.argv[1:] if word != "--json"]
    os.environ["SLUICE_BUILD"] = os.path.realpath(words[0])
    from peers import PROCESSOR  # noqa: E402  (what it imports wants SLUICE_BUILD)
    if os.geteuid() != 0:
        raise SystemExit("reach.py: as root: networks of EVPN are in namespaces")
    with tempfile.TemporaryDirectory(prefix="reach-") as name, contextlib.ExitStack() as stack:
        bench = Bench(pathlib.Path(name))
        stack.callback(bench.close)
        for what, count, result in results(bench):
            bench.close()
            line = {"bench": "reach", "what": what, "count": count, **result,
                    "commit": os.environ.get("SLUICE_COMMIT", "unknown"), "machine": PROCESSOR}
            if "--json" in sys.argv:
                print(json.dumps(line), flush=True)
            else:
                figures = "  ".join(f"{key} {value}" for key, value in result.items())
                print(f"reach             {count:,} {what}  {figures}", flush=True)


if __name__ == "__main__":
    main()
