"""Hosts at their defaults behind several switches: what of their traffic arrives.

    hosts.py [--json] [--columns LIST] BUILD

Two hosts, each cabled to the switch by a veth whose offloads stay on, as containers have it; a fresh
pair for each row and column. Columns are the kernel's bridge, Open vSwitch in user space (as it
comes, and with userspace-tso-enable), and this switch by `af_packet`, `af_xdp` and `tap`. A cell is
`yes` where all arrived as it was sent, else what was awaited in vain. Nothing is
judged: `tests/functional/hosts_as_they_are_test` does that for this switch. Takes some minutes: what
does not arrive is waited for."""

import argparse
import contextlib
import json
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "functional/lab"))
from told_to_end import end_in_order  # noqa: E402

SOME = 1 << 20  # octets


def rows() -> dict:
    """What two hosts try, by its name; the MTU of all where it is another one."""
    from frames import BROADCAST, frame
    from host_traffic import behind_bridge, send_tcp, send_udp

    def tcp(family):
        def go(one, two):
            octets = os.urandom(SOME)
            return send_tcp(one, two, getattr(one, family), getattr(two, family), octets) == octets
        return go

    def udp(family, *lengths, segment=0):
        def go(one, two):
            datagrams = [os.urandom(length) for length in lengths]
            came = send_udp(one, two, getattr(one, family), getattr(two, family), *datagrams,
                            segment=segment)
            return b"".join(came) == b"".join(datagrams)
        return go

    def ping(one, two):
        one.ping(two.ipv4)
        one.ping(two.ipv6)
        return True

    def arrives(one, two, sending, sent):
        received = two.wire()
        sending.send(sent)
        received.collect(lambda came: sent in came, "it arrives as it was")
        return True

    def one_tag(one, two):
        return arrives(one, two, one.wire(), frame(one.address, BROADCAST, vlan=5, length=1518))

    def two_tags(one, two):
        return arrives(one, two, behind_bridge(one),
                       frame(one.address, BROADCAST, service_vlan=9, vlan=7, length=1518))

    def beside(tpid):
        def go(one, two):
            plain = frame(one.address, BROADCAST, length=1510)
            tagged = plain[:12] + bytes.fromhex(tpid + "6005") + plain[12:]
            return arrives(one, two, behind_bridge(one), tagged)
        return go

    def jumbo(one, two):
        one.ping(two.ipv4, size=8900)
        return tcp("ipv4")(one, two)
    sizes = (1, 64, 1400, 1452)
    return {"ping": (ping, 1500), "TCP, IPv4": (tcp("ipv4"), 1500), "TCP, IPv6": (tcp("ipv6"), 1500),
            "UDP, IPv4": (udp("ipv4", *sizes), 1500), "UDP, IPv6": (udp("ipv6", *sizes), 1500),
            "UDP GSO": (udp("ipv4", 12345, segment=1200), 1500),
            "fragments": (udp("ipv4", 20000), 1500), "MTU 9000": (jumbo, 9000),
            "one tag": (one_tag, 1500), "two tags": (two_tags, 1500),
            "802.1Q beside the frame": (beside("8100"), 1500),
            "802.1ad beside the frame": (beside("88a8"), 1500)}


@contextlib.contextmanager
def kernel_bridge(lab, mtu):
    ip = lab.namespace.ip
    ip("link", "add", "br0", "type", "bridge", "forward_delay", "0")
    ip("link", "set", "br0", "mtu", str(mtu), "up")
    for host in lab.hosts:
        ip("link", "set", host.port, "mtu", str(mtu), "master", "br0", "up")
    yield


@contextlib.contextmanager
def open_vswitch(lab, mtu, tso):
    from open_vswitch import OpenVSwitch
    other = OpenVSwitch(lab.namespace)
    try:
        other.configure("set", "Open_vSwitch", ".", f"other_config:userspace-tso-enable={tso}",
                        "other_config:vlan-limit=2")
        other.configure("add-br", "br0", "--", "set", "bridge", "br0", "datapath_type=netdev")
        for host in lab.hosts:
            other.configure("add-port", "br0", host.port, "--", "set", "interface", host.port,
                            f"mtu_request={mtu}")
            lab.namespace.ip("link", "set", host.port, "mtu", str(mtu), "up")
        yield
    finally:
        other.close()


@contextlib.contextmanager
def this_switch(lab, mtu, kind):
    from waiting import until_equal
    switch = lab.start_switch(kind, defaults={"mtu": f"{mtu}B"})
    if kind == "tap":
        for host in lab.hosts:
            host.take()
        until_equal(switch.links, {host.port: "up" for host in lab.hosts}, "they follow")
    yield


COLUMNS = {
    "bridge": kernel_bridge,
    "OVS": lambda lab, mtu: open_vswitch(lab, mtu, "false"),
    "OVS tso": lambda lab, mtu: open_vswitch(lab, mtu, "true"),
    "af_packet": lambda lab, mtu: this_switch(lab, mtu, "af_packet"),
    "af_xdp": lambda lab, mtu: this_switch(lab, mtu, "af_xdp"),
    "tap": lambda lab, mtu: this_switch(lab, mtu, "tap"),
}


def cell(column: str, row: tuple) -> str:
    from lab import Lab
    attempt, mtu = row
    with tempfile.TemporaryDirectory(prefix="sluice-hosts") as folder:
        lab = Lab(pathlib.Path(folder))
        try:
            lab.add_hosts(2, offloads=True, ipv6=True, mtu=mtu, waits=column == "tap")
            with COLUMNS[column](lab, mtu):
                return "yes" if attempt(*lab.hosts) else "other octets"
        except (AssertionError, OSError) as fault:
            return "no: " + (str(fault).splitlines() or [type(fault).__name__])[0][:60]
        finally:
            lab.close()


def main() -> None:
    end_in_order()
    words = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    words.add_argument("--json", action="store_true")
    words.add_argument("--columns", default=",".join(COLUMNS), help="separated by commas")
    words.add_argument("build")
    asked = words.parse_args()
    os.environ["SLUICE_BUILD"] = asked.build
    columns = asked.columns.split(",")
    table = {}
    for name, row in rows().items():
        table[name] = {column: cell(column, row) for column in columns}
        if not asked.json:
            if len(table) == 1:
                print("| |", " | ".join(columns), "|")
                print("|", " | ".join("---" for _ in range(len(columns) + 1)), "|")
            print(f"| {name} |", " | ".join(table[name].values()), "|", flush=True)
    if asked.json:
        print(json.dumps(table, indent=2))


if __name__ == "__main__":
    main()
