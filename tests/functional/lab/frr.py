"""FRR in a namespace: zebra and bgpd, which speak EVPN.

SLUICE_FRR_ROOT names a root file system whose FRR is run in place of this machine's, by chroot, with
/tmp in it, since both name sockets there; `tools/test frr` makes such roots:

    mmdebstrap --variant=apt --include=frr trixie ROOT"""

import json
import os
import pathlib
import signal
import tempfile
from ipaddress import ip_address
from typing import Any, Optional

from namespace import Namespace, run
from process import Process
from waiting import PATIENCE, until

_DAEMONS = ("zebra", "bgpd")
_ROOT = os.environ.get("SLUICE_FRR_ROOT", "/")
# The mount is gone with the process.
_WITH_TMP = 'mount --bind /tmp "$0/tmp" && exec chroot "$0" "$@"'
_IN_ROOT = ["unshare", "--mount", "sh", "-c", _WITH_TMP, _ROOT] if _ROOT != "/" else []
_AS = 65000


def full_mesh(address: str, peers: list[str]) -> str:
    """An frr.conf of one of them. It is connected to by those behind it and connects to the others:
    of two that do so at once each would end one connection, with a NOTIFICATION."""
    behind = [peer for peer in peers if ip_address(peer) > ip_address(address)]
    return "\n".join([
        "frr defaults datacenter",
        f"router bgp {_AS}",
        f" bgp router-id {address}",
        " no bgp default ipv4-unicast",
        " neighbor LEAVES peer-group",
        f" neighbor LEAVES remote-as {_AS}",
        " neighbor LEAVES timers 1 60",
        " neighbor LEAVES timers connect 1",
        " neighbor LEAVES advertisement-interval 0",
        *(f" neighbor {peer} peer-group LEAVES" for peer in peers),
        *(f" neighbor {peer} passive" for peer in behind),
        " address-family l2vpn evpn",
        "  neighbor LEAVES activate",
        "  advertise-all-vni",
        ""])


def _user() -> tuple[int, int]:
    """FRR's own, as its root knows it."""
    for line in pathlib.Path(_ROOT, "etc/passwd").read_text().splitlines():
        name, _, user, group = line.split(":")[:4]
        if name == "frr":
            return int(user), int(group)
    raise AssertionError(f"no FRR in {_ROOT}")


class Frr:
    def __init__(self, namespace: Namespace, configuration: str):
        self._namespace = namespace
        # A folder that FRR's own user, which the daemons become, may write; removed with this object.
        self._folder = tempfile.TemporaryDirectory(prefix="sluice-test-frr")
        os.chmod(self._folder.name, 0o755)
        os.chown(self._folder.name, *_user())
        self.socket = f"{self._folder.name}/zserv.api"
        self._file = pathlib.Path(self._folder.name, "frr.conf")
        self._file.write_text(configuration)
        self._processes: dict[str, Process] = {}

    def start(self) -> "Frr":
        """Starts the daemons that do not run."""
        for name in _DAEMONS:
            if self._running(name):
                continue
            self._processes[name] = self._namespace.start(
                *_IN_ROOT, f"/usr/lib/frr/{name}", "-A", "127.0.0.1", "-u", "frr", "-g", "frr",
                "--vty_socket", self._folder.name, "-z", self.socket,
                "-i", f"{self._folder.name}/{name}.pid", "-f", str(self._file))
            until(lambda: self._command(name, "show version", check=False) is not None,
                  f"{name} answers")
        return self

    def refused(self) -> str:
        """Returns the lines of its frr.conf that vtysh does not know; empty: it knows all."""
        done = run(*_IN_ROOT, "vtysh", "-C", "-f", str(self._file), check=False)
        assert (done.returncode == 0) == (done.stderr == ""), done
        return done.stderr

    def kill(self, *names: str) -> None:
        for name in names or _DAEMONS:
            self._processes[name].signal(signal.SIGKILL)
            self._processes[name].wait(PATIENCE)

    def show(self, what: str) -> Any:
        """Returns bgpd's answer in JSON."""
        return json.loads(self._command("bgpd", f"show {what} json") or "{}")

    def mac(self, vni: int, address: str) -> dict:
        """Returns what zebra knows of an address; empty: nothing."""
        answer = self._command("zebra", f"show evpn mac vni {vni} mac {address} json")
        return (json.loads(answer) if answer.strip().startswith("{") else {}).get(address, {})

    def _running(self, name: str) -> bool:
        return name in self._processes and self._processes[name].running()

    def _command(self, name: str, command: str, check: bool = True) -> Optional[str]:
        done = run(*_IN_ROOT, "vtysh", "--vty_socket", self._folder.name, "-d", name, "-c", command,
                   check=check)
        return done.stdout if done.returncode == 0 else None
