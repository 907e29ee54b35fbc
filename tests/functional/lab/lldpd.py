"""lldpd in a host: an agent of LLDP that is not ours."""

import json
import os
import pathlib
import tempfile
from typing import Any

from host import Host
from namespace import run
from waiting import until

SLOW = 40.0  # seconds until it has found its interfaces, on a busy machine


class Lldpd:
    def __init__(self, host: Host, name: str):
        # A folder that the user of lldpd and lldpcli may access; removed with this object.
        self._folder = tempfile.TemporaryDirectory(prefix="sluice-test-lldpd")
        os.chmod(self._folder.name, 0o755)
        self._socket = f"{self._folder.name}/socket"
        # Read before it starts, instead of the configuration of the machine that this runs on:
        # commands that come while it starts may be lost.
        configuration = pathlib.Path(self._folder.name, "lldpd.conf")
        configuration.write_text(f"configure system hostname {name}\n"
                                 "configure lldp tx-interval 1\n")
        self.process = host.namespace.start("/usr/sbin/lldpd", "-d", "-u", self._socket, "-O",
                                            str(configuration), "-I", "eth0")
        # Commands before that are refused, or apply to no interface.
        until(lambda: "eth0" in run("lldpcli", "-u", self._socket, "show", "interfaces",
                                    check=False).stdout, "lldpd has found its interface", SLOW)

    def command(self, *words: str) -> str:
        return run("lldpcli", "-u", self._socket, *words).stdout

    def tell(self, *words: str) -> None:
        """Changes what lldpd advertises; the change is sent at once."""
        self.command(*words)
        self.command("update")

    def neighbours(self) -> list[dict[str, Any]]:
        """Returns chassis and port of each neighbour, by lldpd's names."""
        shown = self.command("-f", "json0", "show", "neighbors", "details")
        return json.loads(shown)["lldp"][0].get("interface", [])

    def stop(self) -> None:
        """Stops lldpd, which sends its neighbours a shutdown."""
        self.process.end()
