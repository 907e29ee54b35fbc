"""tools/gen/ring_bed, as another project would use it: copied, and run by an ordinary user."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest

from switch import program

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOBODY = 65534


@pytest.fixture
def project():
    """A folder of nobody's with the recipe and what it runs. Not below pytest's own, which is root's
    alone."""
    folder = pathlib.Path(f"/tmp/ring-bed-{os.getpid()}")
    shutil.copytree(ROOT / "tools/gen/ring_bed", folder / "tests")
    shutil.copytree(ROOT / "config/examples", folder / "examples")
    shutil.copy(program("sluice-demo"), folder / "sluice-demo")
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, NOBODY, NOBODY)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def run(folder: pathlib.Path, *words: str, **more: str) -> subprocess.CompletedProcess:
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "TMPDIR": str(folder),
                   "SLUICE_EXAMPLES": str(folder / "examples"), **more}
    return subprocess.run(
        ["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups",
         "--bounding-set=-all", "/usr/bin/python3", "-m", "pytest", "-p", "no:cacheprovider",
         "--basetemp", str(folder / "temporary"), "-v", *words],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=400)


def test_the_recipe_works_for_an_ordinary_user(project):
    done = run(project, "tests", SLUICE_DEMO=str(project / "sluice-demo"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\b6 passed in ", done.stdout), done.stdout


def test_a_program_that_is_missing_is_reported(project):
    done = run(project, "tests", "-k", "row_of_switches")
    assert done.returncode == 1 and "install Sluice, or say where it is" in done.stdout
