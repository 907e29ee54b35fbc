"""Several VNIs at one port by VLAN (a VLAN-aware bundle): two switches, the kernel's VXLAN with a
device for each VNI, and the kernel's with one device for all, on one network."""

import pytest
from host import Host
from lab import Lab
from namespace import Namespace
from switch import Switch, sluice
from tunnels import cable, refused
from waiting import until, until_equal

VNIS = {10: 10010, 20: 20020}
ENDS = [f"10.9.0.{number + 1}" for number in range(4)]  # two switches, two kernels


def ports_of(own: str, **about) -> list[dict]:
    """A port to a host in each VLAN, one below, and the one to all VTEPs, called `tunnel`."""
    return [*({"name": f"p{place}", "device": f"af_packet:p{place}",
               "vlan": {"mode": "access", "access": vlan}} for place, vlan in enumerate(VNIS)),
            {"name": "wan", "device": "af_packet:wan", "mtu": 1558,
             "underlay": {"address": f"{own}/24"}, "vlan": {"mode": "access", "access": 4000}},
            {"name": "tunnel", "device": "vxlan:wan", **about}]


class SwitchEnd:
    def __init__(self, lab: Lab, namespace: Namespace, number: int):
        self.namespace = namespace
        self.hosts: list[Host] = [lab.add_host(f"p{place}", namespace) for place in range(len(VNIS))]
        self.switch: Switch = lab.make_switch(
            ports_of(ENDS[number], vnis=VNIS, remotes=[end for end in ENDS if end != ENDS[number]]),
            namespace)


class KernelEnd:
    """Of the kernel: an address in each VLAN; routes say in which one a host is."""

    def __init__(self, lab: Lab, number: int):
        self.own = ENDS[number]
        self.namespace = lab.make_namespace(f"kernel{number}")
        self.addresses = [f"10.0.0.{100 + 10 * number + place}" for place in range(len(VNIS))]
        self._make_devices()
        for place, device in enumerate(self._inside()):
            self.namespace.ip("address", "add", f"{self.addresses[place]}/32", "dev", device)

    def _vxlan(self, name: str, *words: str) -> None:
        self.namespace.ip("link", "add", name, "type", "vxlan", *words, "local", self.own,
                          "dstport", "4789")

    def up(self) -> None:
        self.namespace.ip("address", "add", f"{self.own}/24", "dev", "eth0")
        self.namespace.ip("link", "set", "eth0", "mtu", "1600", "up")


class DeviceForEachVni(KernelEnd):
    def _make_devices(self) -> None:
        for vlan, vni in VNIS.items():
            self._vxlan(f"vx{vlan}", "id", str(vni))
            for end in ENDS:
                if end != self.own:
                    self.namespace.run("bridge", "fdb", "append", "00:00:00:00:00:00", "dev",
                                       f"vx{vlan}", "dst", end)

    @staticmethod
    def _inside() -> list[str]:
        return [f"vx{vlan}" for vlan in VNIS]

    def up(self) -> None:
        super().up()
        for device in self._inside():
            self.namespace.ip("link", "set", device, "up")

    def reach(self, place: int, address: str, mac: str, vtep: str) -> None:
        self.namespace.ip("route", "add", f"{address}/32", "dev", self._inside()[place])


class OneDevice(KernelEnd):
    """As FRR calls it: a single VXLAN device, which takes the VNIs that it is told. No bridge that is
    aware of VLANs, as this kernel may have none: routes say by which VNI a host is reached."""

    def _make_devices(self) -> None:
        self._vxlan("vx", "external", "vnifilter")
        for vni in VNIS.values():
            self.namespace.run("bridge", "vni", "add", "dev", "vx", "vni", str(vni))

    @staticmethod
    def _inside() -> list[str]:
        return ["vx", "vx"]

    def up(self) -> None:
        super().up()
        self.namespace.ip("link", "set", "vx", "up")

    def reach(self, place: int, address: str, mac: str, vtep: str) -> None:
        vni = [*VNIS.values()][place]
        self.namespace.ip("route", "add", f"{address}/32", "encap", "ip", "id", str(vni), "dst", vtep,
                          "dev", "vx")
        self.namespace.ip("neigh", "add", address, "lladdr", mac, "dev", "vx")


def test_each_vlan_goes_in_a_vni_of_its_own(lab: Lab):
    between = lab.make_namespace("between")
    between.ip("link", "add", "br0", "type", "bridge", "mcast_snooping", "0")
    between.ip("link", "set", "br0", "up")
    switches = [SwitchEnd(lab, lab.namespace, 0), SwitchEnd(lab, lab.make_namespace("second"), 1)]
    kernels = [DeviceForEachVni(lab, 2), OneDevice(lab, 3)]
    for number, (end, name) in enumerate([*((end, "wan") for end in switches),
                                          *((end, "eth0") for end in kernels)]):
        cable(end.namespace, name, between, f"e{number}")
        between.ip("link", "set", f"e{number}", "master", "br0")
    one, two = switches
    # One address in both VLANs, behind another VTEP in each.
    twice = two.hosts[0].address
    macs = ["02:00:00:00:aa:10", twice]
    for vlan, mac in zip(VNIS, macs):
        kernels[0].namespace.ip("link", "set", f"vx{vlan}", "address", mac)
    for kernel in kernels:
        kernel.up()
    for place, mac in enumerate(macs):
        for end, vtep in zip(switches, ENDS):
            for kernel in kernels:
                kernel.reach(place, end.hosts[place].ipv4, end.hosts[place].address, vtep)
        kernels[1].reach(place, kernels[0].addresses[place], mac, kernels[0].own)
        kernels[0].reach(place, kernels[1].addresses[place], "", kernels[1].own)
    for end in switches:
        end.switch.launch()
    for end in switches:
        end.switch.until_ready()
        assert len(end.switch.show("vteps")) == len(VNIS) * 3, "they are there from the first"
    for end in switches:
        until(lambda end=end: all(row["up"] for row in end.switch.show("vteps")), "all are known")

    for place in range(len(VNIS)):
        one.hosts[place].ping(two.hosts[place].ipv4, size=1400)
        for kernel in kernels:
            for end in switches:
                end.hosts[place].ping(kernel.addresses[place])
        kernels[0].namespace.run("ping", "-n", "-c", "1", "-w", "10", kernels[1].addresses[place])
    nobody = one.hosts[0].namespace.run("ping", "-n", "-c", "1", "-W", "0.3",
                                        two.hosts[1].ipv4, check=False)
    assert nobody.returncode != 0, "VLANs are apart"

    known = {(row["vlan"], row["address"]): row for row in one.switch.show("fdb")}
    assert [(known[vlan, twice]["vtep"], known[vlan, twice]["vni"]) for vlan in VNIS] == [
        (ENDS[1], VNIS[10]), (ENDS[2], VNIS[20])]
    rows = {(row["vni"], row["vtep"]): row for row in one.switch.show("vteps")}
    assert set(rows) == {(vni, end) for vni in VNIS.values() for end in ENDS[1:]}
    for (vni, _), row in rows.items():
        assert VNIS[row["vlan"]] == vni and row["addresses"] > 0
        assert row["rx_frames"] > 0 and row["tx_frames"] > 0 and row["dropped"] == 0, row
    [tunnel] = one.switch.show("tunnels")["tunnels"]
    assert tunnel["vnis"] == [{"vlan": vlan, "vni": vni} for vlan, vni in VNIS.items()]
    assert (tunnel["vni"], tunnel["vteps"], tunnel["unmapped"]) == (None, 6, 0)
    assert refused(one.switch) == refused(two.switch) == {}
    for end in switches:
        end.switch.settled()

    # What was learned is forgotten by VLAN: the one is flooded to, and the other is known still.
    def addresses() -> dict[int, int]:
        return {vlan: sum(row["addresses"] for row in one.switch.show("vteps")
                          if row["vlan"] == vlan) for vlan in VNIS}
    before = addresses()
    one.switch.command("flush", "fdb", "--vlan", "10")
    until_equal(lambda: addresses()[10], 0, "nothing is known in VLAN 10")
    assert addresses()[20] == before[20] > 0
    one.hosts[0].ping(two.hosts[0].ipv4)

    refusal = one.switch.apply(check=False, ports=ports_of(
        ENDS[0], vnis={**VNIS, 30: 30030}, remotes=ENDS[1:]))
    assert refusal.returncode != 0 and "cannot change" in refusal.stderr + refusal.stdout


@pytest.mark.parametrize("about, said", [
    ({"vnis": {10: 7, 20: 7}}, "7 is also that of VLAN 10"),
    ({"vnis": {4095: 7}}, "4094"),
    ({"device": "vxlan:wan/7", "vnis": VNIS}, "or leave `vnis` out"),
    ({"vnis": VNIS, "vlan": {"mode": "access", "access": 10}}, "a trunk of the VLANs of `vnis`")])
def test_what_cannot_be_is_refused_with_a_remedy(lab: Lab, about, said):
    switch = lab.make_switch(ports_of(ENDS[0], remotes=ENDS[1:], **about))
    switch.write()
    checked = sluice("check", str(switch.file), check=False)
    assert checked.returncode != 0 and said in checked.stdout + checked.stderr


def test_hosts_as_they_are_talk_through_it(lab: Lab):
    """With their offloads, MTUs and the network below as Linux makes them: what is short passes, what
    is too long for the network below is dropped by name; at the MTU that the switch shows TCP goes."""
    ends = []
    for number, namespace in enumerate((lab.namespace, lab.make_namespace("second"))):
        hosts = [lab.add_host(f"p{place}", namespace, offloads=True) for place in range(len(VNIS))]
        ports = ports_of(ENDS[number], vnis=VNIS, remotes=[ENDS[1 - number]])
        del ports[-2]["mtu"]
        ends.append((lab.make_switch(ports, namespace), hosts))
    cable(ends[0][0].namespace, "wan", ends[1][0].namespace, "wan", mtu=1500)
    for switch, _ in ends:
        switch.launch()
    for switch, _ in ends:
        switch.until_ready()
        until(lambda switch=switch: all(row["up"] for row in switch.show("vteps")), "they know")
    (one, ours), (_, theirs) = ends
    carried = one.port("tunnel")["max_frame"] - 18  # of Ethernet and a tag
    for host, other in zip(ours, theirs):
        host.ping(other.ipv4)
        host.namespace.run("ping", "-n", "-c", "1", "-W", "0.3", "-M", "do", "-s", "1472",
                           other.ipv4, check=False)
    assert one.drops("p0")["mtu_exceeded"] == one.drops("p1")["mtu_exceeded"] == 1, one.drops()
    for host, other in zip(ours, theirs):
        for end in (host, other):
            end.namespace.ip("link", "set", "eth0", "mtu", str(carried))
        assert host.iperf3(other, seconds=1).octets_received > 1_000_000
    assert refused(one) == {}
