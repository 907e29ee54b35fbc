"""A guest with a card of each model, a switch on them, and the far ends of their cables."""

import contextlib
import json
import pathlib
import signal
import subprocess
from typing import Any, Iterator, Optional, Sequence

from guest import CARDS, Guest, drivers, modules
from monitor import Monitor
from shell import Shell
from switch import Switch, program
from waiting import until_equal
from wires import MODELS, FarEnd, address, words

_MACHINE = ["-machine", "pc", "-smp", "2", "-m", "2G"]
_PMDS = ("bus_vdev", "bus_pci", "mempool_ring", "mempool_stack", "net_e1000", "net_vmxnet3",
         "net_virtio", "net_af_packet", "net_af_xdp", "net_null")
_VIRTIO = ("virtio_ring", "virtio", "virtio_pci_legacy_dev", "virtio_pci_modern_dev", "virtio_pci",
           "failover", "net_failover", "virtio_net")  # in the order in which they need each other
STARTS = 60.0  # seconds


class SwitchInGuest(Switch):
    """What tests say of a switch, said of one in the guest."""

    def __init__(self, shell: Shell, folder: pathlib.Path, configuration: dict):
        super().__init__(None, folder, configuration)
        self._shell = shell
        self.socket = "/run/sluice.sock"
        self.configuration["control"] = {"socket": self.socket, "state": "/run/state"}

    def start(self, *before: str) -> "SwitchInGuest":
        text = json.dumps(self.configuration)
        self._shell.run(f"cat >/sluice.yaml <<'END'\n{text}\nEND")
        self._shell.run("sluiced -c /sluice.yaml >>/sluiced.log 2>&1 & echo $! >/sluiced.pid")
        until_equal(lambda: set(self.links().values()), {"up"}, "every port is up", STARTS)
        return self

    def stop(self, number: int = signal.SIGTERM) -> None:
        self._shell.run(f"kill -{number} $(cat /sluiced.pid); wait $(cat /sluiced.pid)", 120)

    def running(self) -> bool:
        return self._shell.run("kill -0 $(cat /sluiced.pid)", check=False).returncode == 0

    def log(self) -> str:
        return self._shell.run("cat /sluiced.log").stdout

    def links(self) -> dict[str, str]:
        assert self.running(), f"sluiced ended: {self.log()}"
        asked = self.command("show", "ports", "--json", check=False)
        rows = json.loads(asked.stdout) if asked.returncode == 0 else []
        return {row["name"]: row["link"] for row in rows}

    def command(self, *words: str, check: bool = True,
                **_: Any) -> subprocess.CompletedProcess:
        return self._shell.run(f"sluice {' '.join(words)} --socket {self.socket}", check=check)


class Bed:
    def __init__(self, shell: Shell, monitor: Monitor, folder: pathlib.Path,
                 ends: dict[str, FarEnd]):
        self.shell = shell
        self.monitor = monitor
        self.ends = ends
        self._folder = folder
        self.switch: Optional[SwitchInGuest] = None

    def switch_with(self, **about: Any) -> SwitchInGuest:
        """A switch with a port to each card, all of which are `about` so."""
        devices = {name: "af_packet:eth0" if name == "kernel" else f"pci:{address(name)}"
                   for name in MODELS}
        return self.switch_of({
            "ports": [{"name": name, "device": device} for name, device in devices.items()],
            "defaults": about, "workers": {"idle": "yield"},
            "hotplug": {"devices": ["af_packet"]}, "lldp": {"interval": "1s"}})

    def switch_of(self, configuration: dict) -> SwitchInGuest:
        """In place of the one before."""
        if self.switch is not None and self.switch.running():
            self.switch.stop()
        self.switch = SwitchInGuest(self.shell, self._folder, configuration)
        for end in self.ends.values():
            end.pending()
        return self.switch.start()


@contextlib.contextmanager
def bed(folder: pathlib.Path, programs: Sequence[str] = (),
        kernel_modules: Sequence[str] = ()) -> Iterator[Bed]:
    """With these besides, of Debian's; modules stand in the order in which they need each other."""
    with contextlib.ExitStack() as closing:
        ends = {name: closing.enter_context(contextlib.closing(FarEnd(folder, name)))
                for name in MODELS}
        qmp = folder / "qmp"
        devices = [word for name, end in ends.items() for word in words(name, end)]
        guest = Guest(folder, programs=[program("sluiced"), program("sluice"), *programs],
                      machine=_MACHINE,
                      files=[*drivers(*_PMDS),
                             *modules("uio", "uio_pci_generic", *_VIRTIO, *kernel_modules)],
                      devices=[*devices, "-qmp", f"unix:{qmp},server=on,wait=off"])
        shell = closing.enter_context(guest.shell())
        monitor = closing.enter_context(contextlib.closing(Monitor(qmp)))
        shell.run(CARDS)
        ours = " ".join(address(name) for name in MODELS if name != "kernel")
        shell.run(f"hand_over {ours}")
        for module in (*_VIRTIO, *kernel_modules):
            shell.run(f"insmod $(find /lib/modules -name {module}.ko)")
        shell.run("until [ -e /sys/class/net/eth0 ]; do sleep 0.1; done; ip link set eth0 up")
        yield Bed(shell, monitor, folder, ends)
