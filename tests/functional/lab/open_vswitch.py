"""Open vSwitch in a host, all of it in user space: a peer of LACP and of RSTP that is not ours. It has a
database and sockets of its own, and interfaces of the host's namespace."""

import os
import pathlib
import re
import tempfile

from namespace import Namespace, run
from waiting import until

_SCHEMA = "/usr/share/openvswitch/vswitch.ovsschema"
STARTS = 40.0  # seconds, on a busy machine


class OpenVSwitch:
    def __init__(self, namespace: Namespace):
        self._folder = tempfile.TemporaryDirectory(prefix="sluice-test-ovs")
        folder = pathlib.Path(self._folder.name)
        self._socket = f"unix:{folder}/db.sock"
        self._control = f"{folder}/vswitchd.ctl"
        database = str(folder / "conf.db")
        # Folders in which it finds the files that it makes itself.
        self._environment = {**os.environ, "OVS_RUNDIR": str(folder), "OVS_LOGDIR": str(folder),
                             "OVS_DBDIR": str(folder)}
        run("ovsdb-tool", "create", database, _SCHEMA)
        self._database = namespace.start(
            "/usr/sbin/ovsdb-server", database, f"--remote=p{self._socket}",
            f"--unixctl={folder}/ovsdb.ctl", environment=self._environment)
        until(lambda: (folder / "db.sock").exists(), "ovsdb-server answers", STARTS)
        self.configure("--no-wait", "init")
        self._daemon = namespace.start(
            "/usr/sbin/ovs-vswitchd", self._socket, f"--unixctl={self._control}",
            "--disable-system", environment=self._environment)
        until(lambda: pathlib.Path(self._control).exists(), "ovs-vswitchd answers", STARTS)

    def configure(self, *words: str) -> None:
        """Runs a command of `ovs-vsctl`."""
        run("ovs-vsctl", f"--db={self._socket}", "--timeout=30", *words,
            environment=self._environment)

    def bond(self, bridge: str, *interfaces: str, lacp: str, fast: bool = False) -> None:
        """A bridge with a bond of these interfaces."""
        self.configure("add-br", bridge, "--", "set", "bridge", bridge, "datapath_type=netdev",
                       "other-config:hwaddr=02:00:00:00:0f:01")
        time = "fast" if fast else "slow"
        self.configure("add-bond", bridge, "bond0", *interfaces, f"lacp={lacp}",
                       "bond_mode=balance-tcp", f"other-config:lacp-time={time}",
                       "other-config:bond-rebalance-interval=0")

    def rstp(self, bridge: str, *interfaces: str, priority: int) -> None:
        """A bridge of these interfaces that speaks RSTP."""
        self.configure("add-br", bridge, "--", "set", "bridge", bridge, "datapath_type=netdev",
                       "other-config:hwaddr=02:00:00:00:0f:01", "rstp_enable=true",
                       f"other-config:rstp-priority={priority}")
        for interface in interfaces:
            self.configure("add-port", bridge, interface)

    def rstp_ports(self) -> dict[str, tuple[str, str]]:
        """Role and state of each port, as it says them."""
        said = run("ovs-appctl", "-t", self._control, "rstp/show",
                   environment=self._environment).stdout
        rows = re.findall(r"^\s+(\S+)\s+(Root|Designated|Alternate|Backup|Disabled)\s+(\w+)\s+\d",
                          said, re.MULTILINE)
        return {name: (role.lower(), state.lower()) for name, role, state in rows}

    def lacp(self) -> dict[str, dict[str, str]]:
        """Returns the lines of `lacp/show` for each member, by name."""
        said = run("ovs-appctl", "-t", self._control, "lacp/show",
                   environment=self._environment).stdout
        members: dict[str, dict[str, str]] = {}
        for block in re.split(r"\n(?=(?:member|slave): )", said)[1:]:
            head, *lines = block.splitlines()
            name, status = re.match(r"\w+: (\S+): (.*)", head).groups()
            members[name] = {"status": status}
            for line in lines:
                if ":" in line:
                    key, value = line.split(":", 1)
                    members[name][key.strip()] = value.strip()
        return members

    def close(self) -> None:
        self._daemon.end()
        self._database.end()
        self._folder.cleanup()
