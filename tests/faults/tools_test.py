"""sluice-gen and sluice-demo, which are switches and stations themselves: a reader who has gone ends
them as anything else does, with all given back."""

import os
import pathlib
import subprocess

import pytest

from switch import program

GENERATOR = ["sluice-gen", "--port", "ring:a/a", "--port", "ring:a/b", "--seconds", "1.5"]
DEMO = ["sluice-demo", "--seconds", "0.6"]
PROGRAMS = pytest.mark.parametrize("words", [GENERATOR, DEMO], ids=["gen", "demo"])


def gone() -> int:
    """Where one writes and nobody reads."""
    reader, writer = os.pipe()
    os.close(reader)
    return writer


def run(words: list[str], **streams) -> subprocess.Popen:
    process = subprocess.Popen([program(words[0]), *words[1:]], stdin=subprocess.DEVNULL,
                               **streams)
    process.wait(60)
    assert not pathlib.Path(f"/run/dpdk/sluice-{process.pid}").exists()
    return process


@PROGRAMS
def test_nobody_need_watch_it(words):
    process = run(words, stdout=subprocess.PIPE, stderr=gone())
    assert process.returncode == 0
    assert process.stdout.read()


@PROGRAMS
def test_results_that_nobody_takes_are_a_failure(words):
    process = run(words, stdout=gone(), stderr=subprocess.PIPE)
    assert process.returncode == 1
    assert "standard output could not be written: " in process.stderr.read().decode()
