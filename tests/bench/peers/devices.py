"""Devices under test between two memif sockets: this switch, dpdk-testpmd and OVS with DPDK.

Each is a context: inside it forwards between `a.sock` and `b.sock` of its folder on one core, the
one behind the generator's, with 1024 descriptors a ring as the generator has them. None has more
than that core: what polls nothing, such as a command line or a control thread, has the other."""

import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "functional"))
from host import OFFLOADS  # noqa: E402
from namespace import Namespace  # noqa: E402
from process import Process  # noqa: E402
from switch import program  # noqa: E402
from waiting import until  # noqa: E402

GENERATOR_CORE = 0
CORE = 1
MEMORY = "512"  # MiB of huge pages each may take


class Device:
    """What all have in common: a folder of its own, two ports, and processes to end."""

    bench = "memif"
    reference = "testpmd_io"  # what the others on such ports are compared with
    learner = "ovs_normal"    # likewise, of those over memif
    inside: list[str] = []    # runs a command where its ports are
    queues = 1                # that it sends by
    addresses = 1             # of each of the two stations
    trial_times = 1           # as long as others' its trials and its warm-up are

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.sockets = [folder / "a.sock", folder / "b.sock"]
        self.processes: list[Process] = []

    def other_ends(self) -> list[str]:
        """Of its ports: devices for the generator."""
        return [f"memif:{socket},client,queues={self.queues}" for socket in self.sockets]

    def __enter__(self) -> "Device":
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        for process in reversed(self.processes):
            process.end()

    def run(self, name: str, *words: str, environment=None) -> None:
        self.processes.append(Process([*self.inside, *words], self.folder, name, environment))

    def memif(self, index: int) -> str:
        return (f"net_memif{index},role=server,id=0,socket-abstract=no,rsize=10,"
                f"socket={self.sockets[index]}")

    def start(self) -> None:
        raise NotImplementedError


class Sluice(Device):
    """Everything on, as by default: FDB, VLANs, VOQs, thresholds, iSLIP, PFC, ECN."""

    def devices(self) -> list[str]:
        return [f"memif:{socket}" for socket in self.sockets]

    def start(self) -> None:
        configuration = {
            "ports": [{"name": f"p{index}", "device": device}
                      for index, device in enumerate(self.devices())],
            "workers": {"cores": [CORE], "idle": "poll"},
            "control": {"socket": str(self.folder / "sluice.sock")}}
        file = self.folder / "sluice.yaml"
        file.write_text(json.dumps(configuration))
        self.run("sluiced", program("sluiced"), "-c", str(file))
        self.processes[-1].until_it_says("answers on")


class Testpmd(Device):
    """`io` moves buffers and looks at nothing; `mac` writes new addresses."""

    mode = "io"

    def start(self) -> None:
        self.run("testpmd", "stdbuf", "-oL", "dpdk-testpmd", "-l", f"{GENERATOR_CORE},{CORE}",
                 "--main-lcore", str(GENERATOR_CORE), "-m", MEMORY, "--in-memory", "--no-pci",
                 *[f"--vdev={self.memif(index)}" for index in (0, 1)],
                 "--", f"--forward-mode={self.mode}", "--nb-cores=1", "--auto-start",
                 "--rxd=1024", "--txd=1024", "--stats-period=3600")
        until(lambda: "nb forwarding ports=2" in self.processes[-1].output(), "testpmd forwards", 30)


class TestpmdMac(Testpmd):
    mode = "mac"


class OpenVSwitch(Device):
    """A database and a daemon of its own; ports join a bridge that learns (NORMAL)."""

    flows = ["priority=0,actions=NORMAL"]
    queues = 2  # one of them its main thread's; the other, which is used, the polling thread's
    settings: list[str] = []  # of the bridge

    def start(self) -> None:
        self.environment = {**os.environ, "OVS_RUNDIR": str(self.folder),
                            "OVS_LOGDIR": str(self.folder), "OVS_DBDIR": str(self.folder)}
        remote = f"unix:{self.folder}/db.sock"
        subprocess.run(["ovsdb-tool", "create", f"{self.folder}/conf.db",
                        "/usr/share/openvswitch/vswitch.ovsschema"], check=True)
        self.run("ovsdb", "ovsdb-server", f"{self.folder}/conf.db", f"--remote=p{remote}",
                 f"--unixctl={self.folder}/db.ctl", environment=self.environment)
        until(lambda: (self.folder / "db.sock").exists(), "ovsdb-server listens")
        self.control = ["ovs-vsctl", f"--db={remote}"]
        self.ask("--no-wait", "init")
        self.ask("--no-wait", "set", "Open_vSwitch", ".", "other_config:dpdk-init=true",
                 f"other_config:dpdk-lcore-mask={1 << GENERATOR_CORE:#x}",
                 f"other_config:pmd-cpu-mask={1 << CORE:#x}",
                 f"other_config:dpdk-socket-mem={MEMORY}",
                 "other_config:dpdk-extra=--no-pci --in-memory")
        self.run("vswitchd", "/usr/lib/openvswitch-switch-dpdk/ovs-vswitchd-dpdk", remote,
                 f"--unixctl={self.folder}/vswitchd.ctl", environment=self.environment)
        self.ask("--timeout=30", "add-br", "br0", "--", "set", "bridge", "br0",
                 "datapath_type=netdev", *self.settings)
        for index in (0, 1):
            self.ask("--timeout=30", "add-port", "br0", f"p{index}", "--", "set", "Interface",
                     f"p{index}", "type=dpdk", f"ofport_request={index + 1}",
                     f"options:dpdk-devargs={self.memif(index)}", "options:n_rxq_desc=1024",
                     "options:n_txq_desc=1024")
        bridge = f"unix:{self.folder}/br0.mgmt"
        subprocess.run(["ovs-ofctl", "del-flows", bridge], check=True)
        for flow in self.flows:
            subprocess.run(["ovs-ofctl", "add-flow", bridge, flow], check=True)

    def ask(self, *words: str) -> None:
        subprocess.run([*self.control, *words], check=True, env=self.environment)


class OpenVSwitchFlow(OpenVSwitch):
    """The same with a flow from port to port: no learning, no lookup of addresses."""

    flows = ["in_port=1,actions=output:2", "in_port=2,actions=output:1"]


class ManyAddresses:
    """Of a device: 1024 behind each port, 8192 pairs each way (tools/gen/address_turns.h). OVS sets
    up an entry for each, but no more than a limit that it raises from 10000 by 1000 at a time, and
    does so for each generator anew: so trials are longer."""

    addresses = 1024
    trial_times = 5
    learner = "ovs_normal_many_addresses"


class SluiceManyAddresses(ManyAddresses, Sluice):
    pass


class OpenVSwitchManyAddresses(ManyAddresses, OpenVSwitch):
    """Half of the pairs have room in its cache of exact matches, 8192, which is left as it is. Its
    table of addresses, in some versions too small by default, is as large as this switch's."""

    settings = ["other_config:mac-table-size=16384"]


class OnVeth(Device):
    """In a namespace, at two veth pairs; the generator has the other ends by AF_XDP."""

    bench = "veth"
    reference = "linux_bridge"
    own_ends = ("d0", "d1")

    def __enter__(self) -> "Device":
        self.namespace = Namespace("peers", self.folder)
        self.inside = ["ip", "netns", "exec", self.namespace.name]
        try:
            self.lay_cables()
        except BaseException:
            self.namespace.close()
            raise
        return super().__enter__()

    def lay_cables(self) -> None:
        self.namespace.set("ipv6/conf/default/disable_ipv6", 1)
        for number, own in enumerate(self.own_ends):
            self.namespace.ip("link", "add", f"g{number}", "type", "veth", "peer", "name", own)
            for end in (f"g{number}", own):
                self.namespace.run("ethtool", "-K", end,
                                   *[word for name in OFFLOADS for word in (name, "off")])
                self.namespace.ip("link", "set", end, "up")

    def __exit__(self, *_) -> None:
        super().__exit__()
        self.namespace.close()

    def other_ends(self) -> list[str]:
        return ["af_xdp:g0", "af_xdp:g1"]


class SluiceOnVeth(OnVeth, Sluice):
    def devices(self) -> list[str]:
        return [f"af_xdp:{end}" for end in self.own_ends]


class LinuxBridge(OnVeth):
    """The kernel's, which learns; by RPS it works on its own core, not on the generator's."""

    def start(self) -> None:
        self.namespace.ip("link", "add", "bridge", "type", "bridge")
        self.namespace.ip("link", "set", "bridge", "up")
        for end in self.own_ends:
            self.namespace.ip("link", "set", end, "master", "bridge")
            steering = f"/sys/class/net/{end}/queues/rx-0/rps_cpus"
            self.namespace.run("sh", "-c", f"echo {1 << CORE:x} > {steering}")


DEVICES = {"sluice": Sluice, "testpmd_io": Testpmd, "testpmd_mac": TestpmdMac,
           "ovs_normal": OpenVSwitch, "ovs_flow": OpenVSwitchFlow,
           "sluice_many_addresses": SluiceManyAddresses,
           "ovs_normal_many_addresses": OpenVSwitchManyAddresses,
           "sluice_veth": SluiceOnVeth, "linux_bridge": LinuxBridge}
