"""Roots for the tests. README.md says which there are."""

import contextlib
import os
import pathlib
import shutil
import sys
from typing import Iterator

import pytest

_TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(_TESTS / "functional/lab"))

for module in ("result", "root", "project", "store"):
    pytest.register_assert_rewrite(module)

import debians  # noqa: E402
import project  # noqa: E402
import result  # noqa: E402
from root import Root  # noqa: E402
from store import Store  # noqa: E402


def pytest_sessionstart():
    if os.geteuid() != 0:
        pytest.exit("tests/fresh: roots are for root; run as root", returncode=2)
    for program in ("mmdebstrap", "git", "unshare"):
        if shutil.which(program) is None:
            pytest.exit(f"tests/fresh: {program} is missing; run tools/packages fresh",
                        returncode=2)


def pytest_configure(config):
    config.addinivalue_line("markers", "testing: in Debian testing, which may break by itself")


@pytest.fixture(scope="session")
def store():
    """Of the oldest Debian, which most tests are content with."""
    with Store().in_use() as store:
        yield store


@pytest.fixture(scope="session", params=debians.EACH)
def each_store(request):
    with Store(request.param).in_use() as store:
        yield store


@contextlib.contextmanager
def kept(root: Root, has_project: bool = True) -> Iterator[Root]:
    """For a test, with the project in /root/sluice or without."""
    try:
        if has_project:
            project.clone(root, "/root/sluice")
        yield root
    finally:
        root.remove()


@pytest.fixture
def each_minimal(each_store: Store):
    """The minimum of each Debian, and the project in /root/sluice."""
    with kept(each_store.over_minimal()) as root:
        yield root


@pytest.fixture
def each_prepared(each_store: Store):
    """The packages of the build of each Debian, and the project in /root/sluice."""
    with kept(each_store.over_build()) as root:
        yield root


# What was there where something was built, for the end of what pytest says.
_versions: list[str] = []


@pytest.fixture(scope="session")
def versions() -> list[str]:
    return _versions


def pytest_terminal_summary(terminalreporter):
    for line in dict.fromkeys(_versions):
        terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def built_once(store: Store):
    with kept(store.over_build()) as root:
        result.went_well(root.run("tools/build sluice-demo", folder="/root/sluice"))
        yield root


@pytest.fixture
def minimal(store: Store):
    """Debian's minimum, and the project in /root/sluice."""
    with kept(store.over_minimal()) as root:
        yield root


@pytest.fixture
def prepared(store: Store):
    """The packages of the build and no project."""
    with kept(store.over_build(), has_project=False) as root:
        yield root


@pytest.fixture
def built(store: Store, built_once: Root):
    """The project in /root/sluice, with sluice-demo built."""
    with kept(store.over(built_once), has_project=False) as root:
        yield root
