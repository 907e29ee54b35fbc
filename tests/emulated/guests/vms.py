"""Virtual machines beside a switch that runs on this machine: each card of theirs is a port of it, by
vhost-user, as config/examples/virtual-machines.yaml has it. They boot Debian's usual kernel, and what is
in them is left as it comes: offloads, queues, sizes of rings."""

import pathlib
from typing import Any, Optional, Sequence

from guest import USUAL, Booted, Guest, modules_and_needed
from monitor import Monitor
from process import Process
from switch import STARTS, Switch
from waiting import until, until_equal

SLOW = 120.0  # seconds; of an emulated machine among others
_PATIENT = {"watchdog": {"detection": "30s"}}  # such a machine may take nothing for a while
_MEMORY = "512M"
_PROGRAMS = [f"/usr/{path}" for path in (
    "sbin/ip", "sbin/tc", "sbin/bridge", "bin/rdma", "sbin/ethtool", "bin/iperf3", "bin/ib_send_bw",
    "bin/ib_write_bw", "bin/rping")]
_MODULES = ("virtio_pci", "virtio_net", "8021q", "bonding", "bridge", "veth", "sch_netem",
            "crc32_generic", "rdma_rxe", "rdma_ucm")
_LIBRARIES = pathlib.Path("/usr/lib/x86_64-linux-gnu")
# What programs load by name: rxe's part of libibverbs, and what ends a thread of rping.
_LOADED = (pathlib.Path("/etc/libibverbs.d/rxe.driver"), *_LIBRARIES.glob("libibverbs/librxe-*.so"),
           pathlib.Path("/lib/x86_64-linux-gnu/libgcc_s.so.1"))


class Vm:
    """`vmN`, with the addresses 10.0.0.N and fd00::N on its first card."""

    def __init__(self, folder: pathlib.Path, number: int, cards: int):
        self.number = number
        self.name = f"vm{number}"
        self.ipv4, self.ipv6 = f"10.0.0.{number}", f"fd00::{number}"
        self.ports = [f"{self.name}.{card}" for card in range(cards)]
        self._qmp = folder / f"{self.name}.qmp"
        self._sockets = {port: folder / f"{port}.sock" for port in self.ports}
        # Of both kinds, as the example has them: QEMU listens, or the switch does.
        self._listens = number % 2 == 0
        (folder / self.name).mkdir()
        self._guest = Guest(
            folder / self.name, programs=_PROGRAMS, kernel=USUAL,
            files=[*modules_and_needed(USUAL, *_MODULES), *_LOADED],
            machine=["-machine", "pc,memory-backend=memory", "-m", _MEMORY, "-object",
                     f"memory-backend-memfd,id=memory,size={_MEMORY},share=on"],
            devices=[*(word for card in range(cards) for word in self._card(card)),
                     "-qmp", f"unix:{self._qmp},server=on,wait=off", "-action", "reboot=reset"])
        self._booted: Optional[Booted] = None
        self.monitor: Optional[Monitor] = None

    def address(self, card: int = 0) -> str:
        return f"52:54:00:00:{card:02x}:{self.number:02x}"

    def _card(self, card: int) -> list[str]:
        ends = "server=on,wait=off" if self._listens else "reconnect=1"
        # Without KVM the interrupts of this QEMU reach no guest by MSI-X.
        return ["-chardev", f"socket,id=socket{card},path={self._sockets[self.ports[card]]},{ends}",
                "-netdev", f"vhost-user,id=net{card},chardev=socket{card}", "-device",
                f"virtio-net-pci,id=card{card},netdev=net{card},mac={self.address(card)},vectors=0"]

    def devices(self, **about: Any) -> list[dict]:
        """Its ports, as a configuration says it."""
        role = ",client" if self._listens else ""
        return [{"name": port, "device": f"vhost:{path}{role}", **about}
                for port, path in self._sockets.items()]

    # --- its life ---------------------------------------------------------------------------------
    def boot(self) -> None:
        self._booted = self._guest.boot()

    def until_it_listens(self) -> None:
        self._booted.until_it_listens()
        if self.monitor is None:
            self.monitor = Monitor(self._qmp)
        loaded = " ".join(str(path) for path in modules_and_needed(USUAL, *_MODULES))
        self.run(f"for module in {loaded}; do insmod $module; done; /usr/bin/ip link set lo up")
        self.run(f"until [ -e /sys/class/net/eth{len(self.ports) - 1} ]; do sleep 0.1; done", SLOW)

    def reboot(self) -> None:
        """By itself, as who types it there."""
        self.run("(sleep 1; reboot -f) >/dev/null 2>&1 &")

    def kill(self) -> None:
        if self.monitor is not None:
            self.monitor.close()
        self.monitor = None
        if self._booted is not None:
            self._booted.kill()
            self._booted.close()
        self._booted = None

    def console(self) -> str:
        return "" if self._booted is None else self._booted.console()

    def close(self) -> None:
        if self.monitor is not None:
            self.monitor.close()
        if self._booted is not None:
            self._booted.close()

    # --- what is done in it -----------------------------------------------------------------------
    def run(self, command: str, seconds: float = SLOW, check: bool = True) -> str:
        return self._booted.shell.run(command, seconds, check).stdout

    def ip(self, words: str) -> str:
        """By iproute2: busybox's own, which its shell prefers, knows less."""
        return self.run(f"/usr/bin/ip {words}")

    def start(self, job: str, command: str) -> None:
        """Beside what is run; `ended` waits for it."""
        self.run(f"rm -f /{job}.status; ({command}; echo $? >/{job}.status) >/{job}.log 2>&1 &")

    def ended(self, job: str, seconds: float = SLOW) -> str:
        """What the job printed, once it ended well. The shell does not wait, so that it can say why."""
        log = f"cat /{job}.log"
        try:
            status = until(lambda: self.run(f"[ ! -s /{job}.status ] || cat /{job}.status").strip(),
                           "it ends", seconds)
        except AssertionError:
            raise AssertionError(f"{self.name}: {job} does not end: {self.run(log)}") from None
        said = self.run(log)
        assert status == "0", f"{self.name}: {job}: {status}: {said}"
        return said

    def ping(self, destination: str, *words: str, count: int = 3) -> None:
        """All are answered, or it fails."""
        said = self.run(f"ping -c {count} -W 20 {' '.join(words)} {destination}")
        assert f"{count} packets transmitted, {count} packets received" in said, said

    def counted(self, name: str) -> int:
        """What its kernel counts, such as IpExtInCEPkts."""
        for path in ("snmp", "netstat"):
            lines = [line.split() for line in self.run(f"cat /proc/net/{path}").splitlines()]
            for names, values in zip(lines[::2], lines[1::2]):
                for key, value in zip(names[1:], values[1:]):
                    if names[0].removesuffix(":") + key == name:
                        return int(value)
        raise AssertionError(f"no counter {name}")

    def as_it_came(self) -> None:
        """Nothing is left of what a test set up."""
        self.run("for link in bond0 br0 $(ls /sys/class/net); do case $link in eth?|lo) ;; "
                 "*) /usr/bin/ip link del $link 2>/dev/null ;; esac; done; "
                 "/usr/bin/rdma link del rxe0 2>/dev/null; "
                 "for space in $(ls /run/netns 2>/dev/null); do /usr/bin/ip netns del $space; done")
        for card in range(len(self.ports)):
            self.run(f"/usr/bin/tc qdisc del dev eth{card} root 2>/dev/null || true")
            self.ip(f"link set eth{card} down mtu 1500")
            self.ip(f"address flush dev eth{card}")

    def with_addresses(self, device: str = "eth0", network: int = 0) -> "Vm":
        """10.NETWORK.0.N and fd00:NETWORK::N; a network of 0 is left out there."""
        ipv6 = f"fd00:{network}::{self.number}" if network else self.ipv6
        self.ip(f"link set {device} up")
        self.ip(f"address add 10.{network}.0.{self.number}/24 dev {device}")
        self.ip(f"address add {ipv6}/64 dev {device} nodad")
        return self

    def add_vlan(self, vlan: int, more: str = "") -> "Vm":
        """A device of 8021q, with addresses of the network of that number."""
        self.ip("link set eth0 up")
        self.ip(f"link add link eth0 name eth0.{vlan} type vlan id {vlan} {more}")
        return self.with_addresses(f"eth0.{vlan}", vlan)


class _Here:
    """In place of a namespace: the switch has no interface, and needs none of its own."""

    def __init__(self, folder: pathlib.Path):
        self._folder = folder
        self._started = 0

    def start(self, *words: str, environment: Optional[dict] = None) -> Process:
        self._started += 1
        return Process(words, self._folder, f"switch-{self._started}", environment)


class Bed:
    """A switch and its guests, which stay while the switch becomes another one."""

    def __init__(self, folder: pathlib.Path, cards: Sequence[int]):
        self._folder = folder
        self._here = _Here(folder)
        self.vms = [Vm(folder, number, count) for number, count in enumerate(cards, 1)]
        self.switch: Optional[Switch] = None
        self.has_failed = False

    def boot(self) -> None:
        self.start_switch()
        for vm in self.vms:
            vm.boot()
        for vm in self.vms:
            vm.until_it_listens()

    def boot_anew(self) -> None:
        self.has_failed = False
        for vm in self.vms:
            vm.kill()
        self.boot()

    def devices(self, **about: Any) -> list[dict]:
        return [port for vm in self.vms for port in vm.devices(**about)]

    def start_switch(self, defaults: dict = {}, **configuration: Any) -> Switch:
        """In place of the one before; it need not have a guest yet."""
        if self.switch is not None and self.switch.running():
            self.switch.stop(within=SLOW)
        self.switch = Switch(self._here, self._folder, {
            "ports": self.devices(), "workers": {"idle": "yield"}, **configuration,
            "defaults": {**defaults, "pfc": {**_PATIENT, **defaults.get("pfc", {})}}})
        self.switch.launch()
        until(lambda: self.switch.links(), "the switch answers", STARTS)
        return self.switch

    def switch_of(self, **configuration: Any) -> Switch:
        """The same, with guests as they came, that are attached. What was lost before counts no more.
        Of each guest one card is up: Linux answers ARP for all its addresses by each that is, and who
        asked sends to the one that answered last, where no Soft-RoCE is, and after a boot nobody."""
        self.start_switch(**configuration)
        for vm in self.vms:
            vm.as_it_came()
            for card in range(len(vm.ports)):
                vm.ip(f"link set eth{card} up")
        self.until_attached()
        for vm in self.vms:
            for card in range(1, len(vm.ports)):
                vm.ip(f"link set eth{card} down")
        self.switch.command("clear", "counters")
        return self.switch

    def until_attached(self, *ports: str) -> None:
        names = ports or [row["name"] for row in self.switch.configuration["ports"]]
        until_equal(lambda: {name: self.switch.links().get(name) for name in names},
                    dict.fromkeys(names, "up"), "guests are attached", SLOW)

    def close(self) -> None:
        for vm in self.vms:
            vm.close()
        if self.switch is not None and self.switch.process is not None:
            self.switch.process.end()

    def said(self) -> str:
        """The ends of what the switch and its guests have said."""
        spoken = {vm.name: vm.console() for vm in self.vms}
        if self.switch is not None and self.switch.process is not None:
            spoken["the switch"] = self.switch.process.said()
        return "\n".join(f"--- {who}\n{words[-4000:]}" for who, words in spoken.items())
