"""Devices under test between memif sockets: this switch, dpdk-testpmd and OVS with DPDK; VPP is in
vpp.py.

Each is a context: inside it forwards between the sockets of its folder on one core, the one behind
the generator's, with 1024 descriptors a ring as the generator has them. None has more than that
core: what polls nothing, such as a command line or a control thread, has the other. Each tells in
its own words what a frame costs that core (`cycles_a_frame`): of the time that it was busy, in
cycles of the time stamp counter."""

import json
import os
import pathlib
import re
import subprocess
import sys
from typing import Optional

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "functional/lab"))
from host import OFFLOADS  # noqa: E402
from namespace import Namespace  # noqa: E402
from process import Process  # noqa: E402
from switch import program  # noqa: E402
from waiting import until  # noqa: E402

GENERATOR_CORE = 0
CORE = 1
MEMORY = "512"  # MiB of huge pages each may take
FDB = 16384     # entries that a switch has, unless more are wanted


class Device:
    """What all have in common: a folder of its own, ports, and processes to end."""

    bench = "memif"
    reference = "testpmd_io"  # what the others on such ports are compared with
    learner = "ovs_normal"    # likewise, of those over memif
    inside: list[str] = []    # runs a command where its ports are
    queues = 1                # that it sends by
    addresses = 1             # of each station, unless the case says otherwise
    meshes = True             # it forwards by address, so more than two ports can talk
    counts_idle_polls = False  # among what a frame costs, unless it knows what one of them takes

    def __init__(self, folder: pathlib.Path, ports: int = 2, addresses: Optional[int] = None):
        self.folder = folder
        self.ports = ports
        self.addresses = addresses or self.addresses
        # As long as others' its trials and its warm-up are: OVS sets up an entry for each pair of
        # addresses, but no more than a limit that it raises from 10000 by 1000 at a time, and does
        # so for each generator anew.
        self.trial_times = 5 if self.addresses > 1 else 1
        self.sockets = [folder / f"p{index}.sock" for index in range(ports)]
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

    def run(self, name: str, *words: str, environment=None, takes_commands=False) -> None:
        self.processes.append(Process([*self.inside, *words], self.folder, name, environment,
                                      takes_commands=takes_commands))

    def memif(self, index: int) -> str:
        return (f"net_memif{index},role=server,id=0,socket-abstract=no,rsize=10,"
                f"socket={self.sockets[index]}")

    def start(self) -> None:
        raise NotImplementedError

    def forget_cycles(self) -> None:
        """What was spent so far."""

    def cycles_a_frame(self) -> Optional[float]:
        """Since then; None: it does not count them."""
        return None

    def note_idle_polls(self) -> None:
        """What one took since then, while next to nothing came."""

    def fdb(self) -> int:
        """Entries for every address, with room to spare."""
        return max(FDB, 2 * self.ports * self.addresses)


def clock_hz() -> float:
    """Of the time stamp counter, nearly: what the kernel calls the core's clock."""
    return 1e6 * float(re.search(r"cpu MHz\s*: (\S+)",
                                 pathlib.Path("/proc/cpuinfo").read_text())[1])


class Sluice(Device):
    """Everything on, as by default: FDB, VLANs, VOQs, thresholds, iSLIP, PFC, ECN."""

    def devices(self) -> list[str]:
        return [f"memif:{socket}" for socket in self.sockets]

    def start(self) -> None:
        configuration = {
            "ports": [{"name": f"p{index}", "device": device}
                      for index, device in enumerate(self.devices())],
            "workers": {"cores": [CORE], "idle": "poll"}, "fdb": {"capacity": self.fdb()},
            "control": {"socket": str(self.folder / "sluice.sock")}}
        file = self.folder / "sluice.yaml"
        file.write_text(json.dumps(configuration))
        self.run("sluiced", program("sluiced"), "-c", str(file))
        self.processes[-1].until_it_says("answers on")
        self.forget_cycles()

    def busy(self) -> tuple[float, int]:
        """Nanoseconds and frames since it started."""
        asked = subprocess.run([program("sluice"), "show", "workers", "--json", "--socket",
                                str(self.folder / "sluice.sock")], check=True, text=True,
                               stdout=subprocess.PIPE)
        [worker] = json.loads(asked.stdout)
        return worker["ns_per_frame"] * worker["frames"], worker["frames"]

    def forget_cycles(self) -> None:
        self.before = self.busy()

    def cycles_a_frame(self) -> Optional[float]:
        nanos, frames = (after - before for after, before in zip(self.busy(), self.before))
        return nanos / frames * clock_hz() / 1e9 if frames else None


class Testpmd(Device):
    """`io` moves buffers and looks at nothing; `mac` writes new addresses. What they cost it
    shows only while there is a generator: it divides by the counts of memif ports, which are 0
    without."""

    mode = "io"
    meshes = False

    def start(self) -> None:
        self.run("testpmd", "stdbuf", "-oL", "dpdk-testpmd", "-l", f"{GENERATOR_CORE},{CORE}",
                 "--main-lcore", str(GENERATOR_CORE), "-m", MEMORY, "--in-memory", "--no-pci",
                 *[f"--vdev={self.memif(index)}" for index in range(self.ports)],
                 "--", f"--forward-mode={self.mode}", "--nb-cores=1", "--auto-start",
                 "--rxd=1024", "--txd=1024", "--interactive", "--record-core-cycles",
                 takes_commands=True)
        until(lambda: f"nb forwarding ports={self.ports}" in self.processes[-1].output(),
              "testpmd forwards", 30)

    def forget_cycles(self) -> None:
        self.processes[-1].tell("clear fwd stats all")

    def cycles_a_frame(self) -> Optional[float]:
        before = len(self.processes[-1].output())
        self.processes[-1].tell("show fwd stats all\nshow config cores")
        until(lambda: "forwarding lcores" in self.processes[-1].output()[before:],
              "testpmd has told its cycles")
        return testpmd_cycles(self.processes[-1].output()[before:])


def testpmd_cycles(said: str) -> Optional[float]:
    """Of what `--record-core-cycles` makes it say: of polls that found a frame, for each."""
    found = re.search(r"CPU cycles/packet=(\d\S*)", said)
    return float(found[1]) if found else None


class TestpmdMac(Testpmd):
    mode = "mac"


class OpenVSwitch(Device):
    """A database and a daemon of its own; ports join a bridge that learns (NORMAL)."""

    flows = ["priority=0,actions=NORMAL"]
    queues = 2  # one of them its main thread's; the other, which is used, the polling thread's

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
        # Its table of addresses, in some versions too small, is as large as this switch's.
        self.ask("--timeout=30", "add-br", "br0", "--", "set", "bridge", "br0",
                 "datapath_type=netdev", f"other_config:mac-table-size={self.fdb()}")
        for index in range(self.ports):
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

    def polling_threads(self, words: str) -> str:
        return subprocess.run(["ovs-appctl", "-t", f"{self.folder}/vswitchd.ctl",
                               f"dpif-netdev/{words}"], check=True, text=True,
                              stdout=subprocess.PIPE).stdout

    def forget_cycles(self) -> None:
        self.polling_threads("pmd-stats-clear")

    def cycles_a_frame(self) -> Optional[float]:
        return ovs_cycles(self.polling_threads("pmd-stats-show"))


def ovs_cycles(said: str) -> Optional[float]:
    """Of the thread that received something."""
    found = re.findall(r"avg processing cycles per packet: (\S+)", said)
    return max(map(float, found), default=None)


class OpenVSwitchFlow(OpenVSwitch):
    """The same with a flow from port to port: no learning, no lookup of addresses."""

    flows = ["in_port=1,actions=output:2", "in_port=2,actions=output:1"]
    meshes = False


class ManyAddresses:
    """Of a device: 1024 behind each port, 8192 pairs each way (tools/gen/address_turns.h)."""

    addresses = 1024
    learner = "ovs_normal_many_addresses"


class SluiceManyAddresses(ManyAddresses, Sluice):
    pass


class OpenVSwitchManyAddresses(ManyAddresses, OpenVSwitch):
    """Half of the pairs have room in its cache of exact matches, 8192, which is left as it is."""


class OnVeth(Device):
    """In a namespace, at veth pairs; the generator has the other ends by AF_XDP."""

    bench = "veth"
    reference = "linux_bridge"

    @property
    def own_ends(self) -> list[str]:
        return [f"d{index}" for index in range(self.ports)]

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
        return [f"af_xdp:g{index}" for index in range(self.ports)]


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
