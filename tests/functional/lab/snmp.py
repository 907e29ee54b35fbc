"""snmpd beside a switch with our subagent, and what a manager reads of both: by numbers, since Debian
has the MIBs of the IETF and IEEE among its non-free packages alone."""

import os
import pathlib
import re
import shutil
import tempfile
from typing import Optional, Union

from namespace import Namespace, run
from process import Process
from switch import Switch, program
from waiting import until

PORT = 10161
IF_ENTRY = ".1.3.6.1.2.1.2.2.1"
IF_X_ENTRY = ".1.3.6.1.2.1.31.1.1.1"
BRIDGE = ".1.3.6.1.2.1.17"
Q_BRIDGE = f"{BRIDGE}.7.1"
LLDP = ".1.0.8802.1.1.2.1"

Value = Union[int, bytes, str]


def _value(text: str) -> Value:
    """A number, octets, or the name of an object."""
    if text.startswith('"'):
        return bytes.fromhex(re.sub(r'["\s]', "", text))
    return int(text) if re.fullmatch(r"-?\d+", text) else text


class Snmp:
    """`readers`: the group that may use snmpd's socket for subagents, which all may not."""

    def __init__(self, namespace: Namespace, switch: Switch, readers: str = "nogroup"):
        self._namespace = namespace
        self._switch = switch
        # A socket's path is short, and other users reach it.
        self._folder = tempfile.TemporaryDirectory(prefix="sluice-test-snmp")
        self.folder = pathlib.Path(self._folder.name)
        self.folder.chmod(0o755)
        self.agentx = str(self.folder / "agentx")
        (self.folder / "snmpd.conf").write_text(
            f"agentaddress udp:127.0.0.1:{PORT}\nrocommunity public 127.0.0.1\nmaster agentx\n"
            f"agentXSocket {self.agentx}\nagentXPerms 0660 0755 nobody {readers}\n"
            "sysName leaf1\n")
        self.master: Optional[Process] = None
        self.subagent: Optional[Process] = None

    # --- their lives ------------------------------------------------------------------------------
    def start_master(self) -> None:
        self.master = self._namespace.start(
            "/usr/sbin/snmpd", "-f", "-LEw", "-C", "-c", str(self.folder / "snmpd.conf"),
            "-p", str(self.folder / "pid"), "-I", "-smux,mteTrigger,mteTriggerConf",
            environment={**os.environ, "SNMP_PERSISTENT_DIR": str(self.folder / "kept"), "MIBS": ""})

    def start_subagent(self, *before: str) -> None:
        """Words `before` it start it in a way of theirs; it lies where every user may start it."""
        place = self.folder / "sluice-snmp"
        shutil.copy(program("sluice-snmp"), place)
        self.subagent = self._namespace.start(*before, str(place), "--socket", self._switch.socket,
                                              "--agentx", self.agentx)

    def start(self) -> "Snmp":
        self.start_master()
        self.start_subagent()
        self.until_served()
        return self

    def until_served(self) -> None:
        until(lambda: set(self.column(IF_X_ENTRY, 1).values()) >=
              {name.encode() for name in self._switch.links()}, "the interfaces are served")

    # --- what a manager reads ---------------------------------------------------------------------
    def _ask(self, tool: str, *words: str) -> dict[str, Value]:
        done = self._namespace.run(tool, "-v2c", "-cpublic", "-m", "", "-OnqetxU", "-t", "3", "-r", "2",
                                   f"127.0.0.1:{PORT}", *words, check=False)
        found = re.findall(r'^(\.[\d.]+) ("[^"]*"|\S.*)$', done.stdout, re.M)
        return {name: _value(text) for name, text in found if not text.startswith("No ")}

    def walk(self, root: str, tool: str = "snmpbulkwalk") -> dict[str, Value]:
        """Returns the values below `root`, by the rest of their names."""
        return {name.removeprefix(root + "."): value for name, value in self._ask(tool, root).items()
                if name.startswith(root + ".")}

    def get(self, *names: str) -> list[Optional[Value]]:
        found = self._ask("snmpget", *names)
        return [found.get(name) for name in names]

    def column(self, entry: str, column: int) -> dict[str, Value]:
        return self.walk(f"{entry}.{column}")

    def interfaces(self, entry: str, column: int) -> dict[str, Value]:
        """A column of ifTable or ifXTable by ifName."""
        names = self.column(IF_X_ENTRY, 1)
        return {names[index].decode(): value for index, value in self.column(entry, column).items()
                if index in names}

    def close(self) -> None:
        for process in (self.subagent, self.master):
            if process is not None:
                process.end()
        self._folder.cleanup()


def group_number(name: str) -> str:
    return run("getent", "group", name).stdout.split(":")[2]
