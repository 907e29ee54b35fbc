"""lldpd in a host: an agent of LLDP that is not ours."""

import json
import os
import pathlib
import re
import tempfile
import time
from typing import Any

from host import Host
from namespace import run
from waiting import until


class Lldpd:
    TRIES = 5

    def __init__(self, host: Host, name: str):
        # Where its own user, which lldpd and lldpcli become, may go; gone with this object.
        self._folder = tempfile.TemporaryDirectory(prefix="sluice-test-lldpd")
        os.chmod(self._folder.name, 0o755)
        for number in range(self.TRIES):
            self._start(host, name, f"{self._folder.name}/socket{number}")
            if self._goes_on():
                return
            self.process.end()
        raise AssertionError(f"lldpd hangs, {self.TRIES} times over: {self.process.said()}")

    def _start(self, host: Host, name: str, socket: str) -> None:
        self._socket = socket
        # No configuration of the machine that this runs on.
        self.process = host.namespace.start("/usr/sbin/lldpd", "-d", "-u", socket, "-O",
                                            f"{self._folder.name}/none", "-I", "eth0")
        until(lambda: pathlib.Path(socket).exists(), "lldpd answers")
        self.command("configure", "system", "hostname", name)
        self.command("configure", "lldp", "tx-interval", "1")

    def _goes_on(self) -> bool:
        """Now and then it sends one frame and then neither sends nor hears anything."""
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            shown = self.command("show", "statistics")
            if any(int(sent) > 1 for sent in re.findall(r"Transmitted: +(\d+)", shown)):
                return True
            time.sleep(0.1)
        return False

    def command(self, *words: str) -> str:
        return run("lldpcli", "-u", self._socket, *words).stdout

    def tell(self, *words: str) -> None:
        """A command that changes what it says, said at once."""
        self.command(*words)
        self.command("update")

    def neighbours(self) -> list[dict[str, Any]]:
        """Of each its chassis and port, by lldpd's names."""
        shown = self.command("-f", "json0", "show", "neighbors", "details")
        return json.loads(shown)["lldp"][0].get("interface", [])

    def stop(self) -> None:
        """It tells its neighbours."""
        self.process.end()
