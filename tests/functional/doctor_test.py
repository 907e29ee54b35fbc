"""`sluice doctor`: every line that it can say, provoked on machines that are made up, and on this
one beside a switch that runs."""

import json
import pathlib
import re
from typing import Iterator, NamedTuple

import pytest

from answering import answering
from lab import Lab
from patient import CLOCK, CPU, LIMIT, NIC, PAGES, SOCKET, Patient
from switch import program, sluice

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "tools/sluice/doctor"


@pytest.fixture
def patient(tmp_path) -> Patient:
    return Patient(tmp_path)


LINES = {"huge_pages", "memory", "mounts", "address_space", "memlock", "cores", "isolated_cpus",
         "smt", "governor", "clock_source", "kernel", "kernel_features", "capabilities", "iommu",
         "driver z", "numa", "interface x", "driver x", "link x", "mtu x", "offloads x",
         "host x", "host y", "addresses", "socket", "leftovers"}


def test_a_machine_that_has_all_is_good_in_every_line(patient):
    rows = patient.examine()
    assert set(rows) == LINES
    assert {row["verdict"] for row in rows.values()} == {"good"}, rows


class Case(NamedTuple):
    line: str
    verdict: str
    says: str  # in what is found, or in the command that mends it
    files: dict = {}
    switch: dict = {}
    runs: bool = False

    def examined(self, patient: Patient) -> dict[str, dict]:
        patient.files |= self.files
        patient.switch |= self.switch
        patient.runs = self.runs
        return patient.examine()


LIMITED = {"proc/self/limits": LIMIT.format("8388608"),
           "proc/self/status": "CapEff:\t000001ffffffbfff\n"}  # without CAP_IPC_LOCK
LEAVES_NOTHING = "interface e0\nin h1\nmtu 1508"
BY_PACKET = {"ports": [{"name": "x", "device": "af_packet:eth0"}]}
CASES = [
    Case("huge_pages", "warn", "echo 1277 > /sys/kernel/mm", {f"{PAGES}/free_hugepages": "3"}),
    Case("huge_pages", "warn", "CONFIG_HUGETLBFS", {f"{PAGES}/nr_hugepages": None}),
    Case("huge_pages", "good", "3 of 1024", {f"{PAGES}/free_hugepages": "3"}, runs=True),
    Case("memory", "bad", "lower buffer.size or mtu, raise buffer.cell", {}, {"buffer": {"size": "1GiB"}}),
    Case("memory", "good", "frame buffers of", {}, {"buffer": {"size": "1GiB"}}, runs=True),
    Case("mounts", "warn", "mount -o remount,rw /sys", {"proc/mounts": "sysfs /sys sysfs ro 0 0"}),
    Case("mounts", "bad", "mount -t sysfs", {"proc/mounts": "proc /proc proc rw 0 0"}),
    Case("address_space", "warn", "ulimit -v unlimited, or LimitAS=infinity in the unit",
         {"proc/self/limits": LIMIT.format("unlimited").replace("space         unlimited",
                                                                "space         5120000000")}),
    Case("memlock", "warn", "ulimit -l unlimited", LIMITED,
         {"ports": [{"name": "y", "device": "tap:sluice0"}]}),
    Case("memlock", "good", "CAP_IPC_LOCK", {"proc/self/limits": LIMIT.format(8192)}),
    Case("memlock", "good", "the switch that runs has locked what it needs", LIMITED, runs=True),
    Case("memlock", "warn", "ulimit -l", {"proc/self/limits": None}),
    Case("cores", "bad", "0,1,2", {f"{CPU}/online": "0-2"}),
    Case("isolated_cpus", "warn", "isolcpus=2,3 nohz_full=2,3", {f"{CPU}/isolated": "3"}),
    Case("isolated_cpus", "warn", "boot with isolcpus= and nohz_full=", {}, {"workers": {}}),
    Case("smt", "warn", "lscpu -e", {f"{CPU}/cpu2/topology/thread_siblings_list": "2-3"}),
    Case("governor", "warn", "for cpu in 3; do echo performance",
         {f"{CPU}/cpu3/cpufreq/scaling_governor": "powersave"}),
    Case("clock_source", "warn", "echo tsc > /sys", {f"{CLOCK}/current_clocksource": "hpet"}),
    Case("clock_source", "warn", "clock is unknown", {f"{CLOCK}/current_clocksource": None}),
    Case("clock_source", "warn", "tsc=reliable", {f"{CLOCK}/current_clocksource": "kvm-clock",
                                                  f"{CLOCK}/available_clocksource": "kvm-clock"}),
    Case("kernel", "warn", "5.11", {"proc/sys/kernel/osrelease": "5.10.0"}),
    Case("kernel", "bad", "4.18", {"proc/sys/kernel/osrelease": "4.9.1"}),
    Case("kernel_features", "bad", "modprobe tun", {"dev/net/tun": None}),
    Case("kernel_features", "warn", "BTF", {"sys/kernel/btf/vmlinux": None}),
    Case("kernel_features", "bad", "modprobe vfio-pci", {"sys/module/vfio_pci/version": None}),
    Case("capabilities", "bad", "systemctl start",
         {"proc/self/status": "CapEff:\t0000000000003000"}),
    Case("iommu", "bad", "intel_iommu=on", {"sys/kernel/iommu_groups/0/type": None}),
    Case("driver z", "bad", "dpdk-devbind.py --bind=vfio-pci 0000:03:00.0",
         {f"{NIC}/driver -> ": "../drivers/ixgbe"}),
    Case("driver z", "bad", "driven by no driver", {f"{NIC}/driver -> ": None}),
    Case("driver z", "good", "driven by mlx5_core", {f"{NIC}/driver -> ": "../drivers/mlx5_core"}),
    Case("driver z", "bad", "no PCI device 0000:09:00.0", {},
         {"ports": [{"name": "z", "device": "pci:0000:09:00.0"}]}),
    Case("numa", "warn", "workers.cores", {f"{NIC}/numa_node": "1"}),
    Case("numa", "warn", "workers.cores", {"sys/class/net/eth0/device/numa_node": "1"}),
    Case("numa", "good", "on its node", {f"{NIC}/numa_node": "-1"}),
    Case("interface x", "bad", "no interface eth7", {},
         {"ports": [{"name": "x", "device": "af_packet:eth7"}]}),
    Case("driver x", "warn", "copies each frame",
         {"sys/class/net/eth0/device/driver -> ": "../drivers/e1000e"}),
    Case("driver x", "good", "driven by e1000e",
         {"sys/class/net/eth0/device/driver -> ": "../drivers/e1000e"},
         {"ports": [{"name": "x", "device": "af_packet:eth0"}]}),
    Case("driver x", "good", "is virtual", {"sys/class/net/eth0/device/driver -> ": None}),
    Case("link x", "warn", "ip link set dev eth0 up", {"sys/class/net/eth0/carrier": "0"}),
    Case("mtu x", "warn", "ip link set dev eth0 mtu 1500", {"sys/class/net/eth0/mtu": "1400"}),
    Case("offloads x", "good", "gro, rxvlan on; sluiced switches", {"ethtool/eth0": "gro\nrxvlan"}),
    Case("offloads x", "good", "merges nothing", {"ethtool/eth0": "gro\nrxvlan"},
         {"ports": [{"name": "x", "device": "af_packet:eth0"}]}, runs=True),
    Case("offloads x", "bad", "ethtool -K eth0 gro off rxvlan off",
         {"ethtool/eth0": "gro\nrxvlan"}, runs=True),
    Case("mtu x", "good", "takes 1500 octets, and its far end 1502, or 1498 after two tags",
         {"far_end/eth0": "interface e0\nin h1\nmtu 1502"}),
    Case("mtu x", "warn", "ip netns exec h1 ip link set dev e0 mtu 1500",
         {"far_end/eth0": "interface e0\nin h1\nmtu 1400"}),
    Case("host x", "good", "e0 at the far end of eth0 leaves no checksum", {"far_end/eth0": LEAVES_NOTHING}),
    Case("host x", "warn", "ip netns exec h1 ethtool -K e0 tx off",
         {"far_end/eth0": f"{LEAVES_NOTHING}\nleaves checksums\nleaves segments"}),
    Case("host x", "warn", "ip netns exec h1 ethtool -K e0 txvlan off tx off",
         {"far_end/eth0": f"{LEAVES_NOTHING}\nleaves checksums\nleaves tags"}),
    Case("host x", "warn", "leaves checksums",
         {"far_end/eth0": f"{LEAVES_NOTHING}\nleaves checksums\nleaves tags",
          "proc/sys/kernel/osrelease": "6.8.0"}),
    Case("host x", "warn", "is not visible from here; checksums that it leaves to offload are completed only", {"far_end/eth0": ""}),
    Case("host x", "good", "is not visible from here; checksums and tags", {"far_end/eth0": ""}, BY_PACKET),
    Case("host x", "good", "leaves checksums, tags: checksums are finished",
         {"far_end/eth0": f"{LEAVES_NOTHING}\nleaves checksums\nleaves tags"}, BY_PACKET),
    Case("host x", "good", "leaves nothing", {"far_end/eth0": LEAVES_NOTHING}, BY_PACKET),
    Case("addresses", "warn", "ip address del 10.0.0.1/8 dev lo",
         {"far_end/eth0": f"{LEAVES_NOTHING}\naddress 10.0.0.1/24", "addresses": "lo 10.0.0.1/8"}),
    Case("addresses", "warn", "10.0.0.1 of the host at x is in the network of this machine's 10.9.0.1",
         {"far_end/eth0": f"{LEAVES_NOTHING}\naddress 10.0.0.1/24", "addresses": "eth9 10.9.0.1/8"}),
    Case("addresses", "warn", "fd00::2",
         {"far_end/eth0": f"{LEAVES_NOTHING}\naddress fd00::2/64", "addresses": "eth9 fd00::1/64"}),
    Case("addresses", "good", "no host that can be seen",
         {"far_end/eth0": f"{LEAVES_NOTHING}\naddress 10.0.0.1/24\naddress fd00::2/64",
          "addresses": "eth9 10.0.1.1/24\nsluice0 10.0.0.1/24\neth9 fd00:0:0:1::1/64"}),
    Case("socket", "warn", f"rm /{SOCKET}", {SOCKET: ""}),
    Case("socket", "good", "a sluiced answers on", runs=True),
    Case("leftovers", "warn", "rm -r /run/dpdk/sluice-4711", {"run/dpdk/sluice-4711/config": ""}),
    Case("leftovers", "good", "no switch", {"run/dpdk/sluice-4711/config": "", "proc/4711/comm": ""}),
    Case("leftovers", "good", "no switch", {"run/dpdk/rte-4711/config": ""}),
]


@pytest.mark.parametrize("case", CASES, ids=[f"{case.line}-{case.verdict}-{number}"
                                             for number, case in enumerate(CASES)])
def test_one_thing_amiss_is_one_line(patient, case):
    rows = case.examined(patient)
    assert (rows[case.line]["verdict"], case.line) == (case.verdict, case.line), rows[case.line]
    assert case.says in rows[case.line]["what"] + rows[case.line]["command"], rows[case.line]
    amiss = {case.line} if case.verdict != "good" else set()
    assert {name for name, row in rows.items() if row["verdict"] != "good"} == amiss, rows


def lines_in_sources() -> Iterator[tuple[str, str]]:
    """Each verdict in the sources with the text behind it, `{}` where something stands in it."""
    for path in sorted(SOURCES.glob("*.cc")):
        source = path.read_text()
        for found in re.finditer(r"Verdict::(good|warn|bad)\b(?!, &)", source):  # &: looked for
            literals = re.match(r'[^"]*((?:"(?:[^"\\]|\\.)*"\s*)+)', source[found.end():])[1]
            yield found[1], "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals))


def test_no_line_in_the_sources_is_left_out(tmp_path):
    verdicts = [(row["verdict"], row["what"])
            for number, case in enumerate([Case("", "good", ""), *CASES])
            for row in case.examined(Patient(tmp_path / str(number))).values()]

    def is_printed(verdict: str, text: str) -> bool:
        form = ".*".join(re.escape(part) for part in re.split(r"\{[^}]*\}", text))
        return any(verdict == by and re.fullmatch(form, what) for by, what in verdicts)
    wanted = list(lines_in_sources())
    assert len(wanted) > 2 * len(LINES), "they are found"
    assert [line for line in wanted if not is_printed(*line)] == [], "add a case for each to CASES"


def test_workers_that_may_run_anywhere(patient):
    """Whatever CPU they run on, none is to be slowed down."""
    del patient.switch["workers"]
    patient.files[f"{CPU}/cpu7/cpufreq/scaling_governor"] = "powersave"
    rows = patient.examine()
    assert {name for name, row in rows.items() if row["verdict"] != "good"} == \
        {"isolated_cpus", "governor"}
    assert rows["governor"]["what"].startswith("CPU 7 ")


# --- what is mended -------------------------------------------------------------------------------

def test_what_is_harmless_is_mended_and_reported(patient):
    patient.files |= {f"{PAGES}/free_hugepages": "900", f"{PAGES}/nr_hugepages": "1024",
                      f"{CPU}/cpu2/cpufreq/scaling_governor": "powersave",
                      f"{CLOCK}/current_clocksource": "hpet",
                      SOCKET: "", f"{NIC}/driver -> ": "../drivers/ixgbe"}
    before = patient.examine()
    assert {name for name, row in before.items() if row["fixable"]} == \
        {"governor", "clock_source", "socket"}
    after = patient.examine("--fix")
    assert {name for name, row in after.items() if row["verdict"] != "good"} == {"driver z"}
    assert patient.fixed == [
        f"/{CPU}/cpu2/cpufreq/scaling_governor is performance; it was powersave",
        f"/{CLOCK}/current_clocksource is tsc; it was hpet", f"/{SOCKET} is removed"]
    assert (patient.root / f"{CLOCK}/current_clocksource").read_text() == "tsc\n"
    assert not (patient.root / SOCKET).exists()


def test_what_cannot_be_mended_is_reported(patient):
    """A file that takes nothing, and something at the socket's place that is none."""
    governor = f"{CPU}/cpu2/cpufreq/scaling_governor"
    patient.files |= {governor: None, f"{governor} -> ": "/dev/full", f"{SOCKET}/kept": ""}
    rows = patient.examine("--fix")
    assert rows["governor"]["verdict"] == rows["socket"]["verdict"] == "warn"
    assert patient.fixed == [
        f"/{governor} could not be written; as root: echo performance > /{governor}",
        f"/{SOCKET} could not be removed: Directory not empty"]


def test_pages_are_reserved_only_up_to_half_of_the_memory(patient):
    patient.files |= {f"{PAGES}/nr_hugepages": "0", f"{PAGES}/free_hugepages": "0"}
    patient.examine("--fix")
    assert (patient.root / f"{PAGES}/nr_hugepages").read_text() == "256\n"
    patient.files["proc/meminfo"] = "MemAvailable: 900000 kB\n"
    patient.examine("--fix")
    assert (patient.root / f"{PAGES}/nr_hugepages").read_text() == "0\n"


# --- what is said of it ---------------------------------------------------------------------------

def test_people_get_a_line_each_and_the_command_below(patient):
    patient.files |= {"sys/class/net/eth0/mtu": "1400", SOCKET: ""}
    patient.lay()
    lines = sluice("doctor", str(patient.file), "--root", str(patient.root),
                   "--fix").stdout.splitlines()
    assert lines[0] == f"/{SOCKET} is removed"
    [at] = [n for n, line in enumerate(lines) if line.startswith("warn  mtu x ")]
    assert lines[at + 1].strip() == "ip link set dev eth0 mtu 1500"
    assert len([line for line in lines if line.startswith(("good", "warn"))]) == len(LINES)


def test_a_wrong_file_is_reported_as_check_does(tmp_path):
    (tmp_path / "a.yaml").write_text("ports: []\n")
    done = sluice("doctor", str(tmp_path / "a.yaml"), check=False)
    assert done.returncode == 2 and "ports: has 0 items" in done.stderr


def test_what_runs_is_looked_at_where_no_file_is_named(patient):
    """If it is of another version, its configuration may be one that this doctor does not know."""
    patient.lay()
    words = ["doctor", "--json", "--root", str(patient.root), "--socket"]
    with answering(patient.folder / "sock", {"text": patient.file.read_text()}) as path:
        rows = json.loads(sluice(*words, path).stdout)["findings"]
    assert {row["name"] for row in rows} == LINES
    with answering(patient.folder / "sock", {"text": "ports: [{device: 'null:', warp: 9}]\n"}) as path:
        done = sluice(*words, path, check=False)
    assert done.returncode == 1 and done.stdout == "" and "ports[0].warp" in done.stderr


# --- a cable --------------------------------------------------------------------------------------

@pytest.mark.parametrize("pauses, lldp, hint", [
    (10, 10, ""), (0, 0, "no frame passes: are the two cabled to each other?"),
    (0, 10, "the cable is there, but pauses do not pass"),
    (10, 0, "LLDP does not pass: lldp_rx_why")])
def test_a_cable_is_recognised_by_what_arrives(tmp_path, pauses, lldp, hint):
    """As tried by `functional/nic_test` between ports that are there."""
    known = {"pfc_rx": "software", "pfc_tx": "unproven", "lldp_rx": "yes"}
    result = {"pauses_tried": True,
              "directions": [{"from": "a", "to": "b", "pauses_sent": 10, "pauses_arrived": pauses,
                              "lldp_sent": 10, "lldp_arrived": lldp}],
              "ports": [{"name": "a", **known}, {"name": "b", **known}]}
    with answering(tmp_path / "sock", result) as path:
        done = sluice("doctor", "--socket", path, "--cable", "a", "b", check=False)
    lines = done.stdout.splitlines()
    assert lines[:2] == [f"{'good' if arrived else 'bad '}  a to b: {arrived} of 10 {what} arrived"
                         for arrived, what in ((pauses, "pauses"), (lldp, "LLDP frames"))]
    assert lines[2:-2] == [line for line in lines if hint and hint in line]
    assert lines[-1] == "      b: pfc_rx software, pfc_tx unproven, lldp_rx yes"
    assert done.returncode == (hint != "")


# --- this machine ---------------------------------------------------------------------------------

def test_beside_a_running_switch(lab: Lab):
    """Its configuration is asked for, and offloads that somebody has switched on again are bad."""
    lab.add_hosts(1)
    switch = lab.start_switch("af_xdp")

    def examine() -> dict[str, dict]:
        done = lab.namespace.run(program("sluice"), "doctor", "--json", "--socket", switch.socket,
                                 check=False)
        return {row["name"]: row for row in json.loads(done.stdout)["findings"]}
    rows = examine()
    assert rows["socket"]["what"].endswith(f"answers on {switch.socket}")
    assert rows["interface p0"]["verdict"] == rows["offloads p0"]["verdict"] == "good"
    assert rows["capabilities"]["verdict"] == "good"
    lab.namespace.run("ethtool", "-K", "p0", "rxvlan", "on")
    rows = examine()
    assert rows["offloads p0"]["verdict"] == "bad"
    lab.namespace.run(*rows["offloads p0"]["command"].split())
    assert examine()["offloads p0"]["verdict"] == "good"


def test_the_host_at_the_far_end_is_looked_at(lab: Lab):
    """In its own namespace; what is said of it goes once the commands have been run."""
    lab.add_hosts(2, offloads=True)
    switch = lab.make_switch([{"name": "p0", "device": "af_packet:p0"},
                              {"name": "p1", "device": "af_xdp:p1"}])
    switch.write()

    def examine() -> dict[str, dict]:
        done = lab.namespace.run(program("sluice"), "doctor", "--json", str(switch.file), check=False)
        return {row["name"]: row for row in json.loads(done.stdout)["findings"]}

    def mend(line: str) -> None:
        lab.namespace.run(*examine()[line]["command"].split())
    rows = examine()
    assert rows["host p0"]["verdict"] == rows["mtu p0"]["verdict"] == "good"
    assert "leaves checksums, segments, tags" in rows["host p0"]["what"]
    assert rows["host p1"]["verdict"] == "warn" and rows["addresses"]["verdict"] == "good"
    mend("host p1")
    assert examine()["host p1"]["verdict"] == "good"
    lab.hosts[0].namespace.ip("link", "set", "eth0", "mtu", "1400")
    assert "eth0 at the far end of p0 takes 1400" in examine()["mtu p0"]["what"]
    mend("mtu p0")
    assert examine()["mtu p0"]["verdict"] == "good"
    lab.namespace.ip("address", "add", f"{lab.hosts[1].ipv4}/32", "dev", "lo")
    assert "of the host at p1" in examine()["addresses"]["what"]
    mend("addresses")
    assert examine()["addresses"]["verdict"] == "good"


def test_a_packet_socket_may_have_its_interface_as_it_is(lab: Lab):
    lab.add_hosts(1)
    switch = lab.start_switch("af_packet")
    lab.namespace.run("ethtool", "-K", "p0", "gro", "on")
    done = lab.namespace.run(program("sluice"), "doctor", "--json", "--socket", switch.socket,
                             check=False)
    found = {row["name"]: row["verdict"] for row in json.loads(done.stdout)["findings"]}
    assert found["offloads p0"] == "good"


def test_this_machine_is_looked_at(tmp_path):
    """Whatever it is: each line has a verdict, and --json is whole."""
    done = sluice("doctor", "--json", "--socket", str(tmp_path / "nobody"), check=False)
    rows = {row["name"] for row in json.loads(done.stdout)["findings"]}
    assert {name for name in LINES
            if " " not in name and name not in ("iommu", "memory", "addresses")} == rows
