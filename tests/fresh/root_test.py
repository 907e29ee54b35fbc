"""Roots leave nothing behind."""

import os
import pathlib
import signal
import subprocess
import sys

import pytest

from root import Root
from store import Store
from waiting import until

HERE = pathlib.Path(__file__).parent

# A run of its own, which ends only when it is killed.
LONG_RUN = """
import pathlib, sys
sys.path.insert(0, sys.argv[1])
from root import Root
Root(pathlib.Path(sys.argv[2]), [pathlib.Path(sys.argv[3])]).run("sleep 12345.$PPID$$ & wait")
"""


def sleepers() -> set[int]:
    """Processes that the long run started, wherever they are."""
    found = set()
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0] == b"sleep" and words[1].startswith(b"12345."):
            found.add(int(folder.name))
    return found


def mounted_below(folder: pathlib.Path) -> list[str]:
    return [line for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines()
            if str(folder) in line]


def test_what_a_run_writes_is_there_in_the_next_one_and_not_below(store: Store):
    below, over = store.over_minimal(), None
    try:
        below.run("echo below >kept")
        over = store.over(below)
        assert over.run("cat kept; echo over >kept").stdout == "below\n"
        assert over.run("cat kept").stdout == "over\n"
        assert below.run("cat kept").stdout == "below\n"
    finally:
        below.remove()
        if over:
            over.remove()


def test_a_run_leaves_no_mount_and_no_process(minimal: Root):
    before = sleepers()
    done = minimal.run("mount -t tmpfs none /mnt; sleep 12345.1 >/dev/null 2>&1 & exit 3")
    assert done.returncode == 3
    assert mounted_below(minimal.folder) == [] and sleepers() == before


def test_nor_does_one_that_takes_too_long(minimal: Root):
    before = sleepers()
    with pytest.raises(subprocess.TimeoutExpired):
        minimal.run("sleep 12345.2", seconds=2)
    until(lambda: sleepers() == before, "what it started has ended")
    assert mounted_below(minimal.folder) == []


def test_nor_does_one_whose_tests_are_killed(minimal: Root, tmp_path: pathlib.Path):
    before = sleepers()
    tests = subprocess.Popen([sys.executable, "-c", LONG_RUN, HERE, tmp_path / "root",
                              minimal.layers()[-1]])
    try:
        until(lambda: sleepers() > before, "it runs")
    finally:
        tests.send_signal(signal.SIGKILL)
        tests.wait()
    until(lambda: sleepers() == before, "what it started has ended")
    assert mounted_below(tmp_path) == []


def test_a_killed_run_s_folder_goes_when_the_next_one_is_alone(tmp_path: pathlib.Path, monkeypatch):
    monkeypatch.setenv("SLUICE_FRESH_STORE", str(tmp_path))
    left = tmp_path / f"run-{os.getpid()}-1"
    left.mkdir()
    with Store().in_use():
        assert not left.exists()
        left.mkdir()
        with Store().in_use():
            assert left.exists()
