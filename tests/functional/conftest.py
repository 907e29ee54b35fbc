"""What every test gets. README.md says how they are written."""

import os
import pathlib
import sys
from typing import Iterator

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "lab"))

for module in ("waiting", "process", "namespace", "wire", "vlan_device", "host", "host_traffic",
               "switch", "lab", "frames", "membership", "member_flows", "tshark", "lldpd", "open_vswitch",
               "web", "browser", "page", "slurm", "snmp", "retry_ends"):
    pytest.register_assert_rewrite(module)

from lab import Lab  # noqa: E402
from namespace import remove_leftovers  # noqa: E402
from switch import program  # noqa: E402

_outcome = pytest.StashKey[pytest.CollectReport]()


def pytest_configure(config):
    config.addinivalue_line("markers", "full: a case between others; by tools/test with --full alone")


def pytest_sessionstart():
    if os.geteuid() != 0:
        pytest.exit("tests/functional: namespaces need root; run as root", returncode=2)
    for name in ("sluiced", "sluice"):
        try:
            program(name)
        except AssertionError as missing:
            pytest.exit(f"tests/functional: {missing}", returncode=2)
    remove_leftovers()


@pytest.hookimpl(tryfirst=True, hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    lab = item.funcargs.get("lab") if hasattr(item, "funcargs") else None
    if report.when == "call":
        item.stash[_outcome] = report
    if report.failed and lab is not None:
        report.sections.append(("what the programs said", lab.log()))


@pytest.fixture(params=["af_packet", "af_xdp"])
def kind(request) -> str:
    """The kind of device that the switch's ports are. A test that takes it runs once over each."""
    return request.param


@pytest.fixture
def lab(request, tmp_path):
    """Namespaces of this test's own; all gone afterwards. A test that passed ends its switches, and
    their ledgers balance."""
    lab = Lab(tmp_path)
    try:
        yield lab
        report = request.node.stash.get(_outcome, None)
        if report is not None and report.passed:
            lab.finish()
    finally:
        lab.close()


@pytest.fixture(scope="module")
def shared_lab(tmp_path_factory) -> Iterator[Lab]:
    """One for a whole file, whose tests only look at the switch that is there: a start costs more."""
    lab = Lab(tmp_path_factory.mktemp("shared"))
    try:
        yield lab
        lab.finish()
    finally:
        lab.close()
