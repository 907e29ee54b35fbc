"""A few that failed among hosts are tried once more, and the run says so: tests/again.py and
tests/summary.py."""

import pathlib
import subprocess
import sys

import pytest

from tree import ROOT

HERE = "tests.house.test_second_tries"
FILE = "tests/house/test_second_tries.py"
FAILED = '<failure message="one of two was lost"/>'


@pytest.fixture
def results(tmp_path: pathlib.Path):
    """A result of some part: what became of each test, by its name."""
    def write(file: str, **cases: str) -> pathlib.Path:
        path = tmp_path / file
        lines = [f'<testcase classname="{HERE}" name="{name}" time="1">{body}</testcase>'
                 for name, body in cases.items()]
        path.write_text(f"<testsuites><testsuite>{''.join(lines)}</testsuite></testsuites>")
        return path
    return write


def run(script: str, *words) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, f"tests/{script}.py", *map(str, words)], cwd=ROOT,
                          capture_output=True, text=True)


@pytest.mark.parametrize("failed, tried", [(0, 0), (1, 1), (3, 3), (4, 0)])
def test_a_few_are_tried_again(results, failed: int, tried: int):
    result = results("faults.xml", good="", skipped="<skipped/>",
                     **{f"bad{number}": FAILED for number in range(failed)})
    assert run("again", result).stdout.split() == [f"{FILE}::bad{n}" for n in range(tried)]


def test_what_cannot_be_read_or_found_is_not(results, tmp_path: pathlib.Path):
    result = results("faults.xml", bad=FAILED)
    result.write_text(result.read_text().replace("second_tries", "no_such_file"))
    assert run("again", result).stdout.split() == []
    result.write_text("<testsuites>")
    assert run("again", result).stdout.split() == []
    assert run("again", tmp_path / "nothing.xml").stdout.split() == []


def test_a_second_try_counts_and_is_named(results):
    first = results("faults.xml", good="", bad=FAILED)
    second = results("faults.again.xml", bad="")
    done = run("summary", first, second)
    assert done.returncode == 0 and done.stdout.splitlines() == [
        f"passed at its second try: {HERE} bad", "  one of two was lost", "2 passed, 0 failed"]


@pytest.mark.parametrize("second", [{"bad": FAILED}, {"bad": "<skipped/>"}, {}])
def test_one_that_does_not_pass_then_has_failed(results, second: dict[str, str]):
    first = results("faults.xml", good="", bad=FAILED)
    done = run("summary", first, results("faults.again.xml", **second))
    assert done.returncode == 1 and done.stdout.splitlines()[-1] == "1 passed, 1 failed"
    assert f"failed: {HERE} bad" in done.stdout
