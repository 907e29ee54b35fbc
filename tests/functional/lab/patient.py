"""A machine that is made up for `sluice doctor`: its /proc, /sys and /run, and a switch that is to
run on it, or does."""

import contextlib
import json
import pathlib
import shutil

from answering import answering
from switch import sluice

CPU = "sys/devices/system/cpu"
PAGES = "sys/kernel/mm/hugepages/hugepages-2048kB"
CLOCK = "sys/devices/system/clocksource/clocksource0"
NIC = "sys/bus/pci/devices/0000:03:00.0"
LIMIT = "Max locked memory         {0}            {0}            bytes\n" \
    "Max address space         unlimited            unlimited            bytes\n"
ALL_CAPABILITIES = "Name:\tsluice\nCapEff:\t000001ffffffffff\n"
SOCKET = "run/sluice/doctor-test.sock"
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
          "control": {"socket": f"/{SOCKET}"}}


class Patient:
    """A machine as GOOD describes it, with changes; None removes a file."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.root = folder / "root"
        self.file = folder / "sluice.yaml"
        self.files = dict(GOOD)
        self.switch = json.loads(json.dumps(SWITCH))
        self.runs = False  # the switch does already
        self.fixed: list[str] = []

    def lay(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)
        for name, text in self.files.items():
            if text is None:
                continue
            path = self.root / name.removesuffix(" -> ")
            path.parent.mkdir(parents=True, exist_ok=True)
            if name.endswith(" -> "):
                path.symlink_to(text)
            else:
                path.write_text(text + "\n")
        self.file.write_text(json.dumps(self.switch))

    def examine(self, *words: str) -> dict[str, dict]:
        """Returns the findings by name."""
        self.lay()
        with contextlib.ExitStack() as switch:
            if self.runs:
                words += ("--socket", switch.enter_context(answering(
                    self.folder / "sock", {"text": self.file.read_text()})))
            done = sluice("doctor", str(self.file), "--root", str(self.root), "--json", *words,
                          check=False)
        report = json.loads(done.stdout)
        self.fixed = report["fixed"]
        rows = {row["name"]: row for row in report["findings"]}
        assert done.returncode == ("bad" in {row["verdict"] for row in rows.values()})
        assert all((row["command"] == "") == (row["verdict"] == "good") for row in rows.values())
        return rows
