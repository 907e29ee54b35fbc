"""sluiced under test, in a namespace of its own, and what it says about itself: asked by the Python
client, since a program for each question is most of what a test would cost."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time
from typing import Any, Optional

from namespace import Namespace, run
from process import Process
from waiting import PATIENCE, until

_REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
sys.path.append(str(_REPOSITORY / "tools" / "python"))
import sluice as client  # noqa: E402

_BUILD = pathlib.Path(os.environ.get("SLUICE_BUILD", _REPOSITORY / "build"))


def program(name: str) -> str:
    """Returns the path of a program of ours: at the top of the build folder, or where meson puts it."""
    places = [_BUILD / name, _BUILD / "control" / name, _BUILD / "tools" / "sluice" / name,
              _BUILD / "tools" / "gen" / name, _BUILD / "tools" / "snmp" / name,
              _BUILD / "tests" / "bench" / name]
    for place in places:
        if place.is_file():
            return str(place)
    raise AssertionError(f"{name} is not built in {_BUILD}; run tools/build, or set SLUICE_BUILD")


def sluice(*words: str, check: bool = True) -> subprocess.CompletedProcess:
    return run(program("sluice"), *words, check=check)


# A buffer of the default size: for tests that reserve more than the tests' buffer holds.
USUAL_BUFFER: dict = {}
# Seconds; a switch whose turn to take huge pages comes after others' waits for theirs.
STARTS = 3 * PATIENCE
# Seconds; of a full buffer on a machine that has other things to do.
LONGEST_DRAIN = 12 * PATIENCE


class Switch:
    def __init__(self, namespace: Namespace, folder: pathlib.Path, configuration: dict):
        self.namespace = namespace
        self.socket = str(folder / "sluice.sock")
        self.file = folder / "sluice.yaml"
        # LLDP only where a test is about it: others count every frame. A quarter of the usual
        # buffer: the kernel clears what a switch takes, for longer than most tests run.
        self.configuration = {"lldp": {"enabled": False}, "buffer": {"size": "4MiB"},
                              **configuration,
                              "control": {"socket": self.socket, "state": str(folder / "state")}}
        self.process: Optional[Process] = None
        self.eal_arguments: list[str] = []

    # --- its life ---------------------------------------------------------------------------------
    def write(self, **changes: Any) -> None:
        """Its configuration file; JSON is YAML."""
        self.configuration.update(changes)
        self.file.write_text(json.dumps(self.configuration, indent=1) + "\n")

    def launch(self, *before: str, environment=None) -> Process:
        """Words `before` the program start it in a way of theirs."""
        self.write()
        more = ["--", *self.eal_arguments] if self.eal_arguments else []
        self.process = self.namespace.start(*before, program("sluiced"), "-c", str(self.file),
                                            *more, environment=environment)
        return self.process

    def start(self, *before: str) -> "Switch":
        """Returns when every port is up."""
        self.launch(*before)
        self.until_ready()
        return self

    def until_ready(self) -> None:
        until(lambda: set(self.links().values()) == {"up"}, "sluiced has every port up", STARTS)

    def kept(self, kind: str) -> pathlib.Path:
        """Its file of the state folder; of several switches each has its own."""
        files = list(pathlib.Path(self.configuration["control"]["state"]).glob(f"{kind}*.json"))
        return files[0] if len(files) == 1 else pathlib.Path("/nonexistent", *map(str, files))

    def running(self) -> bool:
        return self.process is not None and self.process.running()

    def stop(self, number: int = signal.SIGTERM, within: float = 5) -> None:
        """Stops sluiced, which must drain, exit with 0 and remove its socket."""
        self.process.signal(number)
        status = self.process.wait(within)
        assert status == 0, f"sluiced exits {status}: {self.process.said()}"
        assert not os.path.exists(self.socket), "sluiced left its socket"

    # --- what it says -----------------------------------------------------------------------------
    def show(self, noun: str, **more: Any) -> Any:
        """Returns the output of `sluice show NOUN --json`; `more`: options such as all=True, ports=[]."""
        with client.Switch(self.socket) as asked:
            return asked.show(noun, **more)

    def links(self) -> dict[str, str]:
        """Returns the link state of every port; empty while sluiced starts."""
        assert self.process.running(), f"sluiced ended: {self.process.said()}"
        try:
            return {row["name"]: row["link"] for row in self.show("ports")}
        except client.SluiceError:
            return {}

    def port(self, name: str) -> dict:
        return next(row for row in self.show("ports") if row["name"] == name)

    def drops(self, port: Optional[str] = None) -> dict[str, int]:
        """Frames by reason, of one port or of all."""
        frames: dict[str, int] = {}
        for row in self.show("drops"):
            if port in (None, row["port"]):
                frames[row["reason"]] = frames.get(row["reason"], 0) + row["frames"]
        return frames

    def until_dropped(self, reason: str, frames: int, port: Optional[str] = None) -> None:
        """Exactly so many, once there are as many."""
        until(lambda: self.drops(port).get(reason, 0) >= frames, f"{frames} frames are {reason}")
        assert self.drops(port)[reason] == frames

    def fdb(self, vlan: int = 1) -> dict[str, str]:
        """Address to port."""
        return {row["address"]: row["port"] for row in self.show("fdb") if row["vlan"] == vlan}

    def pfc(self, port: str, priority: int) -> dict:
        return next((row for row in self.show("pfc", all=True)
                     if (row["port"], row["priority"]) == (port, priority)))

    def waiting(self) -> int:
        return self.show("ledger")["waiting"]

    def settled(self, seconds: float = PATIENCE, received: int = 0) -> dict:
        """The ledger once at least `received` frames came and nothing moves any more; it balances,
        port by port. As long as frames leave they are waited for: two workers that share their CPUs
        with others wait for each other's turns, and may move no more than some hundreds of frames a
        second. Without `received` a worker that waits for its turn may not have begun."""
        last = self.show("ledger")
        limit = time.monotonic() + seconds

        def still() -> dict:
            nonlocal last, limit
            before, last = last, self.show("ledger")
            if (last["sent"], last["dropped"]) != (before["sent"], before["dropped"]):
                limit = time.monotonic() + seconds
            empty = last["waiting"] == 0 and not last["in_motion"] and last["received"] >= received
            assert time.monotonic() < limit, \
                f"nothing has left for {seconds} s: {last}, {self.show('queues')}, " \
                f"{self.show('pfc')}, {self.show('workers')}"
            return last if last == before and empty else {}
        ledger = until(still, "the switch is empty and still", LONGEST_DRAIN, interval=0.03)
        assert ledger["balanced"], ledger
        assert ledger["received"] + ledger["copied"] + ledger["generated"] == \
            ledger["sent"] + ledger["dropped"], ledger
        return ledger

    # --- commands and settings --------------------------------------------------------------------
    def command(self, *words: str, check: bool = True) -> subprocess.CompletedProcess:
        return sluice(*words, "--socket", self.socket, check=check)

    def apply(self, check: bool = True, **changes: Any) -> subprocess.CompletedProcess:
        self.write(**changes)
        return self.command("apply", str(self.file), check=check)
