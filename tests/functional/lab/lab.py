"""A lab for one test: hosts, the switch's namespace and the switch. `close` removes all of it."""

import contextlib
import pathlib
from typing import Any, Optional

from host import Host
from namespace import Namespace
from switch import Switch
from wire import Wire


class Lab:
    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.hosts: list[Host] = []
        self.switches: list[Switch] = []
        self._closing = contextlib.ExitStack()
        self.namespace = self.make_namespace("switch")

    def make_namespace(self, role: str) -> Namespace:
        namespace = Namespace(role, self.folder)
        self._closing.callback(namespace.close)
        return namespace

    def add_hosts(self, count: int, **about: Any) -> list[Host]:
        """Hosts, each on a port p0, p1, ... of the switch."""
        return [self.add_host(f"p{len(self.hosts)}", **about) for _ in range(count)]

    def add_host(self, port: str, switch: Optional[Namespace] = None, **about: Any) -> Host:
        """A host on an interface of this name of the switch, or of another one's namespace."""
        number = len(self.hosts) + 1
        host = Host(number, self.make_namespace(f"host{number}"), switch or self.namespace, port,
                    **about)
        self._closing.callback(host.close)
        self.hosts.append(host)
        return host

    def ports(self, kind: str, **about: Any) -> list[dict]:
        """Returns the configuration of the ports to the present hosts."""
        return [{"name": host.port, "device": f"{kind}:{host.port}", **about}
                for host in self.hosts]

    def make_switch(self, ports: list[dict], namespace: Optional[Namespace] = None,
                    **configuration: Any) -> Switch:
        """Not started; in a namespace other than the usual one, where there are several."""
        folder = self.folder / f"switch{len(self.switches)}"
        folder.mkdir()
        switch = Switch(namespace or self.namespace, folder, {"ports": ports, **configuration})
        self.switches.append(switch)
        return switch

    def start_switch(self, kind: str, **configuration: Any) -> Switch:
        """A switch with a port to each host. What is of a port is given as `defaults`."""
        return self.make_switch(self.ports(kind), **configuration).start()

    def build(self, kind: str, hosts: int, **configuration: Any) -> tuple[Switch, list[Host]]:
        """The usual lab."""
        made = self.add_hosts(hosts)
        return self.start_switch(kind, **configuration), made

    def wires(self) -> list[Wire]:
        return [host.wire() for host in self.hosts]

    def finish(self) -> None:
        """Checks what holds at the end of every test that passed: the ledger, and a clean end."""
        for switch in self.switches:
            if switch.running():
                switch.settled()
                switch.stop()

    def log(self) -> str:
        """Returns the output of sluiced and all other processes."""
        texts = [(path.name, path.read_text(errors="replace"))
                 for pattern in ("*.out", "*.err") for path in sorted(self.folder.glob(pattern))]
        return "\n".join(f"--- {name}\n{text[-4000:]}" for name, text in texts if text)

    def close(self) -> None:
        for switch in self.switches:
            if switch.process is not None:
                switch.process.end()
        self._closing.close()
