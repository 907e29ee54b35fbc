"""A tunnel to many VTEPs: a hundred of them, by `remotes` and as a routing daemon writes them; the
kernel's own VXLAN among others."""

import struct

import pytest
from frames import BROADCAST, frame
from lab import Lab
from namespace import Namespace
from switch import Switch, sluice
from tunnels import VLANS, cable, ports_of, refused, underlay
from waiting import until, until_equal
from wire import Wire

VNI = 100
OWN = "10.9.0.1"
VTEPS = 100


def vtep(number: int) -> str:
    return f"10.9.1.{number + 1}"


def station(number: int) -> str:
    return f"02:00:00:00:99:{number:02x}"


def to_many(**about) -> list[dict]:
    """As a leaf has them: the tunnel to all is called `tunnel`."""
    return ports_of({"address": f"{OWN}/16"}, {"device": f"vxlan:wan/{VNI}", **about})


class Far:
    """A namespace that has the address of every VTEP and answers ARP for them. What they send is
    made here, and what they get is read here."""

    def __init__(self, lab: Lab, count: int = VTEPS):
        self.namespace: Namespace = lab.make_namespace("far")
        cable(lab.namespace, "wan", self.namespace, "eth0")
        script = "".join(f"address add {vtep(number)}/16 dev eth0\n" for number in range(count))
        batch = lab.folder / "addresses"
        batch.write_text(script)
        self.namespace.ip("-batch", str(batch))
        self.wire = Wire(self.namespace, "eth0")

    def send(self, switch: Switch, number: int, *inner: bytes) -> None:
        own = bytes.fromhex(switch.port("wan")["address"].replace(":", ""))
        for octets in inner:
            self.wire.send(own + bytes.fromhex("0200000000fe0800") + self._datagram(number, octets))

    @staticmethod
    def _datagram(number: int, inner: bytes) -> bytes:
        source, target = (bytes(map(int, address.split("."))) for address in (vtep(number), OWN))
        header = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 36 + len(inner), 0, 0x4000, 64, 17, 0,
                             source, target)
        total = sum(struct.unpack("!10H", header))
        total = (total & 0xFFFF) + (total >> 16)
        header = header[:10] + struct.pack("!H", ~(total + (total >> 16)) & 0xFFFF) + header[12:]
        return (header + struct.pack("!HHHH", 50000, 4789, 16 + len(inner), 0)
                + struct.pack("!II", 0x08000000, VNI << 8) + inner)

    @staticmethod
    def copies(received: list[bytes], inner: bytes) -> list[str]:
        """Whom those went to that carry it."""
        return sorted(".".join(map(str, octets[30:34])) for octets in received
                      if octets[12:14] == b"\x08\x00" and octets[50:] == inner)

    def expect(self, inner: bytes, *to: str) -> None:
        """Each of these gets it once, and nobody else does."""
        received = self.wire.collect(
            lambda received: len(self.copies(received, inner)) >= len(to), "they have it")
        assert self.copies(received, inner) == sorted(to)


def by_remotes(lab: Lab) -> Switch:
    return lab.make_switch(to_many(remotes=[vtep(number) for number in range(VTEPS)]), vlans=VLANS)


def by_daemon(lab: Lab) -> Switch:
    """The kernel's bridge, where the part of the routing daemon is played by hand."""
    namespace = lab.namespace
    namespace.ip("link", "add", "br100", "type", "bridge", "mcast_snooping", "0")
    namespace.ip("link", "add", "vx100", "type", "vxlan", "id", str(VNI), "local", OWN, "dstport",
                 "4789", "nolearning")
    namespace.ip("link", "set", "vx100", "master", "br100")
    namespace.ip("link", "set", "vx100", "type", "bridge_slave", "learning", "off")
    namespace.ip("link", "add", "sl100", "type", "veth", "peer", "name", "sl100-peer")
    namespace.ip("link", "set", "sl100", "master", "br100")
    for name in ("br100", "vx100", "sl100"):
        namespace.ip("link", "set", name, "up")
    lines = []
    for number in range(VTEPS):
        lines += [f"fdb append 00:00:00:00:00:00 dev vx100 dst {vtep(number)} self permanent",
                  f"fdb add {station(number)} dev vx100 dst {vtep(number)} self dynamic extern_learn",
                  f"fdb add {station(number)} dev vx100 master dynamic extern_learn"]
    batch = lab.folder / "entries"
    batch.write_text("\n".join(lines) + "\n")
    namespace.run("bridge", "-batch", str(batch))
    return lab.make_switch(to_many(), vlans=VLANS, evpn={
        "vnis": [{"vni": VNI, "device": "vx100", "local_device": "sl100"}]})


@pytest.mark.parametrize("known", [by_remotes, by_daemon])
def test_a_hundred_vteps_get_what_is_theirs(lab: Lab, known):
    host = lab.add_host("p0")
    far = Far(lab)
    switch = known(lab).start()
    inside = host.wire()
    everybody = [vtep(number) for number in range(VTEPS)]
    until(lambda: sum(row["up"] for row in switch.show("vteps")) == VTEPS, "all are known", 30)
    far.wire.pending()

    # What is flooded goes to each once, whoever it is for.
    flooded = frame(host.address, BROADCAST)
    inside.send(flooded)
    far.expect(flooded, *everybody)
    unknown = frame(host.address, "02:00:00:00:55:55")
    inside.send(unknown)
    far.expect(unknown, *everybody)

    # Each VTEP's frame comes, goes to no other VTEP, and its answer goes to that one alone.
    for number in range(VTEPS):
        said = frame(station(number), BROADCAST)
        far.send(switch, number, said)
        inside.collect(lambda received: said in received, "it is delivered")
    until_equal(lambda: switch.fdb().get(station(7)), "tunnel", "stations are known")
    row = next(row for row in switch.show("fdb") if row["address"] == station(7))
    assert (row["kind"], row["vtep"]) == ("learned" if known is by_remotes else "remote", vtep(7))
    for number in range(VTEPS):
        answer = frame(host.address, station(number))
        inside.send(answer)
        far.expect(answer, vtep(number))

    rows = {row["vtep"]: row for row in switch.show("vteps")}
    assert set(rows) == set(everybody)
    for row in rows.values():
        assert (row["tx_frames"], row["rx_frames"], row["dropped"]) == (3, 1, 0), row
        assert (row["addresses"], row["floods"], row["vni"]) == (1, True, VNI)
    [tunnel] = switch.show("tunnels")["tunnels"]
    assert (tunnel["vteps"], tunnel["flooded"], tunnel["remote"]) == (VTEPS, 2, "many")
    assert tunnel["encapsulated"] == 3 * VTEPS and tunnel["decapsulated"] == VTEPS
    assert refused(switch) == {} and len(underlay(switch)["neighbours"]) == VTEPS
    assert vtep(42) in switch.command("show", "vteps").stdout
    switch.settled()

    # One that moves to another VTEP is sent to there.
    if known is by_daemon:
        lab.namespace.run("bridge", "fdb", "replace", station(3), "dev", "vx100", "dst", vtep(4),
                          "self", "dynamic", "extern_learn")
    else:
        far.send(switch, 4, frame(station(3), BROADCAST))
    until_equal(lambda: {row["vtep"]: row["addresses"] for row in switch.show("vteps")}[vtep(4)], 2,
                "it has moved")
    far.wire.pending()
    moved = frame(host.address, station(3))
    inside.send(moved)
    far.expect(moved, vtep(4))


def test_vteps_change_while_the_switch_runs(lab: Lab):
    host = lab.add_host("p0")
    far = Far(lab, 3)
    switch = lab.make_switch(to_many(remotes=[vtep(0), vtep(1)]), vlans=VLANS).start()
    inside = host.wire()
    until_equal(lambda: [row["vtep"] for row in switch.show("vteps") if row["up"]],
                [vtep(0), vtep(1)], "both are known")
    far.send(switch, 1, frame(station(1), BROADCAST))
    until_equal(lambda: switch.fdb().get(station(1)), "tunnel", "a station is known")
    switch.apply(ports=to_many(remotes=[vtep(0), vtep(2)]))
    until_equal(lambda: [row["vtep"] for row in switch.show("vteps") if row["up"]],
                [vtep(0), vtep(2)], "the one is there in the other's place")
    far.wire.pending()
    sent = frame(host.address, station(1))
    inside.send(sent)
    far.expect(sent, vtep(0), vtep(2))  # as that of its VTEP is not known any more
    far.send(switch, 1, frame(station(1), BROADCAST))
    until_equal(lambda: refused(switch), {"other_source": 1}, "who is no VTEP is refused")


def test_the_next_hop_of_one_vtep_is_lost_and_the_others_go_on(lab: Lab):
    host = lab.add_host("p0")
    far = Far(lab, 2)
    nobody = "10.9.1.99"
    switch = lab.make_switch(to_many(remotes=[vtep(0), vtep(1), nobody]), vlans=VLANS).start()
    rows = {}

    def two_are_up() -> bool:
        nonlocal rows
        rows = {row["vtep"]: row for row in switch.show("vteps")}
        return {vtep(0), vtep(1)} == {at for at, row in rows.items() if row["up"]}
    until(two_are_up, "who answers is known")
    assert not rows[nobody]["up"] and rows[nobody]["next_hop"] == nobody
    far.wire.pending()
    sent = frame(host.address, BROADCAST)
    host.wire().send(sent)
    far.expect(sent, vtep(0), vtep(1))
    until_equal(lambda: {row["vtep"]: row["dropped"] for row in switch.show("vteps")}[nobody], 1,
                "that copy is counted")


class KernelEnd:
    """A VTEP of the kernel's, with a host's address behind it, that floods to the others."""

    def __init__(self, lab: Lab, number: int, others: list[str]):
        self.inside = f"10.0.0.{100 + number}"
        self.namespace = lab.make_namespace(f"kernel{number}")
        self.namespace.ip("link", "add", "vx", "type", "vxlan", "id", str(VNI), "local",
                          vtep(number), "dstport", "4789")
        for other in others:
            self.namespace.run("bridge", "fdb", "append", "00:00:00:00:00:00", "dev", "vx", "dst",
                               other)
        self.namespace.ip("address", "add", f"{self.inside}/24", "dev", "vx")


def test_kernels_are_its_vteps(lab: Lab):
    """Two of them, on a network of the kernel's; they and the host talk, each with each."""
    host = lab.add_host("p0")
    between = lab.make_namespace("between")
    between.ip("link", "add", "br0", "type", "bridge", "mcast_snooping", "0")
    between.ip("link", "set", "br0", "up")
    cable(lab.namespace, "wan", between, "s")
    between.ip("link", "set", "s", "master", "br0")
    ends = []
    for number in (0, 1):
        end = KernelEnd(lab, number, [OWN, vtep(1 - number)])
        cable(end.namespace, "eth0", between, f"k{number}")
        between.ip("link", "set", f"k{number}", "master", "br0")
        end.namespace.ip("address", "add", f"{vtep(number)}/16", "dev", "eth0")
        end.namespace.ip("link", "set", "eth0", "mtu", "1600", "up")
        end.namespace.ip("link", "set", "vx", "up")
        ends.append(end)
    switch = lab.make_switch(to_many(remotes=[vtep(0), vtep(1)]), vlans=VLANS).start()
    until_equal(lambda: [row["vtep"] for row in switch.show("vteps") if row["up"]],
                [vtep(0), vtep(1)], "both are known")
    one, two = ends
    host.ping(one.inside)
    host.ping(two.inside, size=1400)
    one.namespace.run("ping", "-n", "-c", "3", "-i", "0.05", "-w", "10", two.inside)
    one.namespace.run("ping", "-n", "-c", "3", "-i", "0.05", "-w", "10", host.ipv4)
    assert refused(switch) == {}
    for row in switch.show("vteps"):
        assert row["rx_frames"] > 3 and row["tx_frames"] > 3 and row["addresses"] == 1, row


def test_what_it_cannot_do_is_refused_with_a_remedy(lab: Lab):
    lab.add_host("p0")
    for about, said in (({}, "has no VTEPs"),
                        ({"remotes": [vtep(0)], "lossless": [3]}, "a pause is between two ends"),
                        ({"remotes": [vtep(0)], "next_hop": "02:00:00:00:00:05"}, "next_hop")):
        switch = lab.make_switch(to_many(**about), vlans=VLANS)
        switch.write()
        checked = sluice("check", str(switch.file), check=False)
        assert checked.returncode != 0 and said in checked.stdout + checked.stderr
