"""When the README's demo is run again."""

import os
import pathlib
import subprocess

import pytest

import passed
import project

PROGRAM = pathlib.Path(passed.__file__)


@pytest.mark.parametrize("path, read", [
    ("dataplane/switch.cc", True), ("meson.build", True), ("tools/demo", True),
    ("README.md", True), ("tests/fresh/root.py", True), ("tests/build.ini", True),
    ("config/examples/scenario-b.yaml", True),
    ("tools/README.md", False), ("tests/unit/meson.build", False), ("tests/summary.py", False),
])
def test_it_depends_on_what_it_reads(path: str, read: bool):
    assert path in project.git("ls-files", path).split(), "there is such a file"
    assert (passed.NOT_READ.match(path) is None) == read


def status(place: pathlib.Path, commit: str) -> int:
    return subprocess.run([PROGRAM], env={**os.environ, "SLUICE_FRESH_STORE": str(place),
                                          "SLUICE_FRESH_COMMIT": commit}).returncode


def test_it_is_run_until_it_passed_for_that_state(tmp_path: pathlib.Path, monkeypatch):
    monkeypatch.setenv("SLUICE_FRESH_STORE", str(tmp_path))
    assert status(tmp_path, project.COMMIT) == 1
    passed.keep(passed.state())
    assert status(tmp_path, project.COMMIT) == 0


def test_it_is_run_again_for_another_state(tmp_path: pathlib.Path, monkeypatch):
    monkeypatch.setenv("SLUICE_FRESH_STORE", str(tmp_path))
    passed.keep("of another commit")
    assert status(tmp_path, project.COMMIT) == 1
