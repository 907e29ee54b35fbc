"""The guests, which all tests share."""

import sys
from pathlib import Path
from typing import Iterator

import pytest

pytest.register_assert_rewrite("vms", "traffic")
sys.path.insert(0, str(Path(__file__).parent))

from vms import Bed  # noqa: E402


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    report = (yield).get_result()
    if report.failed and "bed" in item.funcargs:
        item.funcargs["bed"].has_failed = True
        report.sections.append(("what was said", item.funcargs["bed"].said()))


@pytest.fixture
def bed(booted: Bed) -> Iterator[Bed]:
    """Two guests with a card each, and one with two."""
    yield booted
    if booted.has_failed:  # nobody knows what its guests are up to
        booted.boot_anew()


@pytest.fixture(scope="session")
def booted(tmp_path_factory) -> Iterator[Bed]:
    bed = Bed(tmp_path_factory.mktemp("guests"), cards=(1, 1, 2))
    try:
        bed.boot()
        yield bed
    finally:
        bed.close()
