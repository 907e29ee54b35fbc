"""DPDK's drivers that the package depends on, in the place of all that Debian has.

sluiced loads every driver that is installed. Those who test have what DPDK is developed with, and so
some 125, for a third of what a start costs; a user of the package may have eight. Here only these
are there, and what has to be added: whoever forgets one in `tools/debian/control` is told.
"""

import functools
import os
import pathlib
import re
import shutil
import tempfile
from typing import Callable, Sequence

from system_calls import CLONE_NEWNS, MS_BIND, MS_REC, MS_SLAVE, mount, unshare

_REPOSITORY = pathlib.Path(__file__).resolve().parents[3]
_PROGRAMS = {"sluiced", "sluice-gen"}
# Drivers that the programs are linked with, and drivers that the package only recommends.
_ADDED = ["bus_pci", "bus_vdev", "net_vhost"]


def place(words: Sequence[str]) -> Callable[[], None]:
    """What a child that becomes these words calls before: for those with DPDK in them, the change of
    drivers, which nobody else sees. Who is not root has all that are installed."""
    if os.geteuid() != 0 or not _PROGRAMS & {os.path.basename(word) for word in words}:
        return lambda: None
    installed, few = _folders()
    return lambda: _bind(few, installed)


def _bind(few: bytes, installed: bytes) -> None:
    unshare(CLONE_NEWNS)
    mount(None, b"/", MS_REC | MS_SLAVE)
    mount(few, installed, MS_BIND)


@functools.cache
def _folders() -> tuple[bytes, bytes]:
    installed, = pathlib.Path("/usr/lib").glob("*/dpdk/pmds-*")
    few = tempfile.TemporaryDirectory(prefix="sluice-drivers-")
    _kept.append(few)
    os.chmod(few.name, 0o755)  # a switch may be another user's
    control = (_REPOSITORY / "tools/debian/control").read_text(encoding="utf-8")
    names = re.findall(r"^ librte-((?:mempool|net)-[a-z-]+)\$\{dpdk:Abi\},?$", control, re.MULTILINE)
    assert names, "tools/debian/control names no driver"
    for name in [*_ADDED, *(name.replace("-", "_") for name in names)]:
        files = list(installed.glob(f"librte_{name}.so.*"))
        assert files, f"no driver {name} in {installed}; run tools/packages test"
        for file in files:
            shutil.copy2(file, few.name, follow_symlinks=False)
    return bytes(installed), few.name.encode()


_kept: list[tempfile.TemporaryDirectory] = []  # until these tests end
