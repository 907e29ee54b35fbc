"""What every test gets: what those of tests/functional do, whose harness this is."""

import importlib.util
import pathlib

_functional = pathlib.Path(__file__).resolve().parents[1] / "functional"
_spec = importlib.util.spec_from_file_location("functional_conftest", _functional / "conftest.py")
_harness = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_harness)

kind = _harness.kind
lab = _harness.lab
pytest_sessionstart = _harness.pytest_sessionstart
pytest_runtest_makereport = _harness.pytest_runtest_makereport
