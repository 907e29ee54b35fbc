"""A machine with little memory: a control group, of either version, that a process joins."""

import contextlib
import os
import pathlib
from typing import Iterator

_GROUPS = pathlib.Path("/sys/fs/cgroup")


@contextlib.contextmanager
def memory_limit(octets: int) -> Iterator[pathlib.Path]:
    """The file to which a process writes its id to be limited, with all that it starts."""
    first = (_GROUPS / "cgroup.controllers").exists()
    if first:
        (_GROUPS / "cgroup.subtree_control").write_text("+memory")
    group = _GROUPS / ("" if first else "memory") / f"sluice-fresh-{os.getpid()}"
    group.mkdir()
    try:
        (group / ("memory.max" if first else "memory.limit_in_bytes")).write_text(str(octets))
        yield group / "cgroup.procs"
    finally:
        group.rmdir()
