"""RingBed: a test bed for pytest: any number of switches in one process, connected by rings, with
stations that send, receive and count. It needs no root, NIC or huge pages, and cleans up.

Copy this file into the folder of your tests, and write `pytest_plugins = "ring_bed"` in their
conftest.py. It needs only pytest and the program `sluice-demo` (on the PATH, or named by
SLUICE_DEMO).
"""

import json
import os
import pathlib
import shutil
import subprocess

import pytest

STARTS_AND_STOPS = 60  # seconds, on a machine that is busy


class RingBed:
    """Runs traffic through switches that a configuration describes."""

    def __init__(self, program: str, folder: pathlib.Path):
        self._program = program
        self._folder = folder

    def run(self, configuration: str, seconds: float = 0.5, frame_bytes: int = 64) -> dict:
        """Runs sluice-demo with a configuration; returns its JSON. `seconds`: time of each phase.
        Fails if the ledger does not balance or a frame was lost that must not be lost."""
        file = self._folder / "bed.yaml"
        file.write_text(configuration)
        done = subprocess.run(
            [self._program, "--config", str(file), "--json", "--quiet", "--seconds", str(seconds),
             "--frame-bytes", str(frame_bytes)], cwd=self._folder, capture_output=True, text=True,
            timeout=4 * seconds + STARTS_AND_STOPS)
        assert done.returncode == 0, done.stderr + done.stdout
        return json.loads(done.stdout.splitlines()[-1])


def switches_in_a_row(count: int, stations: int = 2, more: str = "") -> str:
    """Returns the configuration of `count` switches, each connected to the next by a ring, with
    `stations` stations at the first and at the last switch. Priority 3 is lossless from end to end.
    `more`: lines to append.

    The switches are VLANs of one process. Received frames have no tag, so they are in the default
    VLAN of their port. A ring with ports at both ends connects two VLANs like a cable.
    """
    members: list[list[str]] = [[] for _ in range(count)]
    ports = []

    def port(switch: int, name: str, ring: str) -> None:
        members[switch].append(name)
        ports.append(f"  - {{name: {name}, device: \"ring:{ring}\", default_vlan: {switch + 1}}}")
    for n in range(stations):
        port(0, f"first{n}", f"first{n}/a")
    for n in range(count - 1):
        port(n, f"to{n + 1}", f"trunk{n}/a")
        port(n + 1, f"from{n}", f"trunk{n}/b")
    for n in range(stations):
        port(count - 1, f"last{n}", f"last{n}/a")
    vlans = [f"  - {{id: {n + 1}, ports: [{', '.join(names)}]}}" for n, names in enumerate(members)]
    return "\n".join([
        "defaults:",
        "  speed: 10M  # a ring has none; it only makes a pause last 3.4 s",
        "  lossless: [3]",
        "  pfc: {xoff: 128KiB, xon: 64KiB, headroom: 576KiB}  # two rings of 1024 frames and more",
        "buffer: {size: 16MiB}",
        "fabric: {slots: 24}",
        "ports:", *ports, "vlans:", *vlans, more, ""])


@pytest.fixture
def ring_bed(tmp_path: pathlib.Path) -> RingBed:
    program = os.environ.get("SLUICE_DEMO") or shutil.which("sluice-demo")
    assert program, "no sluice-demo on the PATH; install Sluice, or say where it is: SLUICE_DEMO"
    return RingBed(program, tmp_path)
