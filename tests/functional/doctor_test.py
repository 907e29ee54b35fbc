"""`sluice doctor`: every line that it can say, provoked on machines that are made up, and on this
one beside a switch that runs."""

import json
import os
import pathlib

import pytest

from lab import Lab
from namespace import run
from switch import program, sluice

CPU = "sys/devices/system/cpu"
PAGES = "sys/kernel/mm/hugepages/hugepages-2048kB"
CLOCK = "sys/devices/system/clocksource/clocksource0"
NIC = "sys/bus/pci/devices/0000:03:00.0"
LIMIT = "Max locked memory         {0}            {0}            bytes\n"
ALL_CAPABILITIES = "Name:\tsluice\nCapEff:\t000001ffffffffff\n"
GOOD = {
    f"{PAGES}/nr_hugepages": "1024", f"{PAGES}/free_hugepages": "1000",
    "proc/meminfo": "MemTotal: 16000000 kB\nMemAvailable: 8000000 kB\n",
    "proc/mounts": "proc /proc proc rw 0 0\nsysfs /sys sysfs rw,nosuid 0 0\n",
    "proc/self/limits": "Limit  Soft Limit  Hard Limit  Units\n" + LIMIT.format("unlimited"),
    "proc/self/status": ALL_CAPABILITIES,
    "proc/sys/kernel/osrelease": "6.1.0-18-amd64",
    f"{CPU}/online": "0-7", f"{CPU}/isolated": "2-3",
    f"{CPU}/cpu2/topology/thread_siblings_list": "2,6",
    f"{CPU}/cpu3/topology/thread_siblings_list": "3,7",
    f"{CPU}/cpu2/cpufreq/scaling_governor": "performance",
    f"{CPU}/cpu3/cpufreq/scaling_governor": "performance",
    f"{CLOCK}/current_clocksource": "tsc", f"{CLOCK}/available_clocksource": "tsc hpet acpi_pm",
    "sys/devices/system/node/node0/cpulist": "0-3,8",
    "sys/devices/system/node/node1/cpulist": "4-7",
    "sys/kernel/btf/vmlinux": "", "dev/net/tun": "", "sys/module/vfio_pci/version": "",
    "sys/kernel/iommu_groups/0/type": "DMA",
    "sys/class/net/eth0/mtu": "1500", "sys/class/net/eth0/carrier": "1",
    "sys/class/net/eth0/device/numa_node": "0",
    "sys/class/net/eth0/device/driver -> ": "../../bus/pci/drivers/ice",
    f"{NIC}/numa_node": "0", f"{NIC}/driver -> ": "../../../bus/pci/drivers/vfio-pci",
}
SWITCH = {"ports": [{"name": "x", "device": "af_xdp:eth0"}, {"name": "y", "device": "tap:sluice0"},
                    {"name": "z", "device": "pci:0000:03:00.0"}],
          "workers": {"count": 2, "cores": [2, 3]},
          "control": {"socket": "/run/sluice/doctor-test.sock"}}


class Patient:
    """A machine that has what GOOD says, but for what is changed; None takes it away."""

    def __init__(self, folder: pathlib.Path):
        self.root = folder / "root"
        self.file = folder / "sluice.yaml"
        self.files = dict(GOOD)
        self.switch = json.loads(json.dumps(SWITCH))

    def examine(self, *words: str, check: bool = False) -> dict[str, dict]:
        for name, text in self.files.items():
            path = self.root / name.removesuffix(" -> ")
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_symlink() or path.is_file():
                path.unlink()
            if text is not None and name.endswith(" -> "):
                path.symlink_to(text)
            elif text is not None:
                path.write_text(text + "\n")
        self.file.write_text(json.dumps(self.switch))
        done = sluice("doctor", str(self.file), "--root", str(self.root), "--json", *words,
                      check=check)
        told = json.loads(done.stdout)
        self.fixed = told["fixed"]
        rows = {row["name"]: row for row in told["findings"]}
        assert done.returncode == ("bad" in {row["verdict"] for row in rows.values()})
        assert all((row["command"] == "") == (row["verdict"] == "good") for row in rows.values())
        return rows


@pytest.fixture
def patient(tmp_path) -> Patient:
    return Patient(tmp_path)


LINES = {"huge_pages", "mounts", "memlock", "cores", "isolated_cpus", "smt", "governor",
         "clock_source", "kernel", "kernel_features", "capabilities", "iommu", "driver z", "numa",
         "interface x", "driver x", "link x", "mtu x", "offloads x", "socket", "leftovers"}


def test_a_machine_that_has_all_is_good_in_every_line(patient):
    rows = patient.examine(check=True)
    assert set(rows) == LINES
    assert {row["verdict"] for row in rows.values()} == {"good"}, rows


CASES = [
    ("huge_pages", "warn", {f"{PAGES}/free_hugepages": "3"}, "echo 1277 > /sys/kernel/mm"),
    ("huge_pages", "warn", {f"{PAGES}/nr_hugepages": None}, "CONFIG_HUGETLBFS"),
    ("mounts", "warn", {"proc/mounts": "sysfs /sys sysfs ro 0 0"}, "mount -o remount,rw /sys"),
    ("mounts", "bad", {"proc/mounts": "proc /proc proc rw 0 0"}, "mount -t sysfs"),
    ("memlock", "bad", {"proc/self/limits": LIMIT.format("8388608")}, "ulimit -l unlimited"),
    ("memlock", "warn", {"proc/self/limits": None}, "ulimit -l"),
    ("cores", "bad", {f"{CPU}/online": "0-2"}, "0,1,2"),
    ("isolated_cpus", "warn", {f"{CPU}/isolated": "3"}, "isolcpus=2,3 nohz_full=2,3"),
    ("smt", "warn", {f"{CPU}/cpu2/topology/thread_siblings_list": "2-3"}, "lscpu -e"),
    ("governor", "warn", {f"{CPU}/cpu3/cpufreq/scaling_governor": "powersave"},
     "for cpu in 3; do echo performance"),
    ("clock_source", "warn", {f"{CLOCK}/current_clocksource": "hpet"}, "echo tsc > /sys"),
    ("clock_source", "warn", {f"{CLOCK}/current_clocksource": "kvm-clock",
                              f"{CLOCK}/available_clocksource": "kvm-clock"}, "tsc=reliable"),
    ("kernel", "warn", {"proc/sys/kernel/osrelease": "5.10.0"}, "5.11"),
    ("kernel", "bad", {"proc/sys/kernel/osrelease": "4.9.1"}, "4.18"),
    ("kernel_features", "bad", {"dev/net/tun": None}, "modprobe tun"),
    ("kernel_features", "warn", {"sys/kernel/btf/vmlinux": None}, "BTF"),
    ("capabilities", "bad", {"proc/self/status": "CapEff:\t0000000000003000"}, "systemctl start"),
    ("iommu", "bad", {"sys/kernel/iommu_groups/0/type": None}, "intel_iommu=on"),
    ("driver z", "bad", {f"{NIC}/driver -> ": "../drivers/ixgbe"},
     "dpdk-devbind.py --bind=vfio-pci 0000:03:00.0"),
    ("numa", "warn", {f"{NIC}/numa_node": "1"}, "workers.cores"),
    ("numa", "warn", {"sys/class/net/eth0/device/numa_node": "1"}, "workers.cores"),
    ("driver x", "warn", {"sys/class/net/eth0/device/driver -> ": "../drivers/e1000e"}, "NIC"),
    ("link x", "warn", {"sys/class/net/eth0/carrier": "0"}, "ip link set dev eth0 up"),
    ("mtu x", "warn", {"sys/class/net/eth0/mtu": "1400"}, "ip link set dev eth0 mtu 1500"),
    ("leftovers", "warn", {"run/dpdk/sluice-4711/config": ""}, "rm -r /run/dpdk/sluice-4711"),
    ("socket", "warn", {"run/sluice/doctor-test.sock": ""}, "rm /run/sluice/doctor-test.sock"),
]


@pytest.mark.parametrize("line, verdict, changed, command", CASES,
                         ids=[f"{case[0]}-{case[1]}-{number}" for number, case in enumerate(CASES)])
def test_one_thing_amiss_is_one_line(patient, line, verdict, changed, command):
    if line == "iommu":  # a group that is not there has no folder
        del patient.files["sys/kernel/iommu_groups/0/type"]
        changed = {}
    patient.files |= changed
    rows = patient.examine()
    assert (rows[line]["verdict"], line) == (verdict, line), rows[line]
    assert command in rows[line]["command"] + rows[line]["what"], rows[line]
    assert {name for name, row in rows.items() if row["verdict"] != "good"} == {line}


def test_vfio_that_is_not_loaded(patient):
    del patient.files["sys/module/vfio_pci/version"]
    assert patient.examine()["kernel_features"]["command"] == "modprobe vfio-pci"


def test_devices_that_are_not_there(patient):
    patient.switch["ports"] = [{"name": "x", "device": "af_packet:eth7"},
                               {"name": "z", "device": "pci:0000:09:00.0"}]
    rows = patient.examine()
    assert rows["interface x"]["verdict"] == rows["driver z"]["verdict"] == "bad"
    assert "mtu x" not in rows


def test_frames_too_long_for_xdp(patient):
    patient.switch["ports"][0]["mtu"] = 9000
    patient.switch["fabric"] = {"quantum": "16KiB"}
    assert patient.examine()["mtu x"]["verdict"] == "bad"


def test_workers_that_may_run_anywhere(patient):
    del patient.switch["workers"]
    rows = patient.examine()
    assert rows["isolated_cpus"]["verdict"] == "warn" and "isolcpus" in rows["isolated_cpus"]["command"]


def test_offloads_are_the_switchs_to_set_until_it_runs(patient):
    patient.files["ethtool/eth0"] = "gro\nrxvlan"
    offloads = patient.examine()["offloads x"]
    assert offloads["verdict"] == "good" and "gro, rxvlan on; sluiced switches" in offloads["what"]


def test_what_is_harmless_is_mended_and_told(patient):
    patient.files |= {f"{PAGES}/free_hugepages": "900", f"{PAGES}/nr_hugepages": "1024",
                      f"{CPU}/cpu2/cpufreq/scaling_governor": "powersave",
                      f"{CLOCK}/current_clocksource": "hpet",
                      "run/sluice/doctor-test.sock": "", f"{NIC}/driver -> ": "../drivers/ixgbe"}
    before = patient.examine()
    assert {name for name, row in before.items() if row["fixable"]} == \
        {"governor", "clock_source", "socket"}
    after = patient.examine("--fix")
    assert {name for name, row in after.items() if row["verdict"] != "good"} == {"driver z"}
    assert any("performance; it was powersave" in line for line in patient.fixed)
    assert (patient.root / f"{CLOCK}/current_clocksource").read_text() == "tsc\n"
    assert not (patient.root / "run/sluice/doctor-test.sock").exists()


def test_pages_are_reserved_only_up_to_half_of_the_memory(patient):
    patient.files |= {f"{PAGES}/nr_hugepages": "0", f"{PAGES}/free_hugepages": "0"}
    patient.examine("--fix")
    assert (patient.root / f"{PAGES}/nr_hugepages").read_text() == "256\n"
    patient.files["proc/meminfo"] = "MemAvailable: 900000 kB\n"
    patient.examine("--fix")
    assert (patient.root / f"{PAGES}/nr_hugepages").read_text() == "0\n"


def test_people_get_a_line_each_and_the_command_below(patient):
    patient.files["sys/class/net/eth0/mtu"] = "1400"
    patient.examine()
    lines = sluice("doctor", str(patient.file), "--root", str(patient.root)).stdout.splitlines()
    [at] = [n for n, line in enumerate(lines) if line.startswith("warn  mtu x ")]
    assert lines[at + 1].strip() == "ip link set dev eth0 mtu 1500"
    assert len([line for line in lines if line.startswith(("good", "warn"))]) == len(LINES)


def test_a_wrong_file_is_told_as_check_tells_it(tmp_path):
    (tmp_path / "a.yaml").write_text("ports: []\n")
    done = sluice("doctor", str(tmp_path / "a.yaml"), check=False)
    assert done.returncode == 2 and "ports: has 0 items" in done.stderr


def test_beside_a_running_switch(lab: Lab):
    """Its configuration is asked for, and offloads that somebody has switched on again are bad."""
    lab.add_hosts(1)
    switch = lab.start_switch("af_packet")

    def examine() -> dict[str, dict]:
        done = lab.namespace.run(program("sluice"), "doctor", "--json", "--socket", switch.socket,
                                 check=False)
        return {row["name"]: row for row in json.loads(done.stdout)["findings"]}
    rows = examine()
    assert rows["socket"]["what"].endswith(f"answers on {switch.socket}")
    assert rows["interface p0"]["verdict"] == rows["offloads p0"]["verdict"] == "good"
    assert rows["capabilities"]["verdict"] == "good"
    lab.namespace.run("ethtool", "-K", "p0", "gro", "on")
    rows = examine()
    assert rows["offloads p0"]["verdict"] == "bad"
    lab.namespace.run(*rows["offloads p0"]["command"].split())
    assert examine()["offloads p0"]["verdict"] == "good"


def test_this_machine_is_looked_at(tmp_path):
    """Whatever it is: each line has a verdict, and --json is whole."""
    done = sluice("doctor", "--json", "--socket", str(tmp_path / "nobody"), check=False)
    rows = {row["name"] for row in json.loads(done.stdout)["findings"]}
    assert {name for name in LINES if " " not in name and name != "iommu"} == rows
    assert os.path.exists("/proc/self/limits")
