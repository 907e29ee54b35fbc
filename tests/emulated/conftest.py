"""Where the harness finds what the functional tests have, and the programs that the guest runs."""

import os
import pathlib
import shutil
import sys

import pytest

_TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(_TESTS / "functional/lab"))
os.environ.setdefault("SLUICE_BUILD", str(_TESTS.parent / "build-emulated"))


def pytest_sessionstart():
    for program in ("qemu-system-x86_64", "busybox"):
        if shutil.which(program) is None:
            pytest.exit(f"tests/emulated: {program} is missing; run tools/packages emulated",
                        returncode=2)
