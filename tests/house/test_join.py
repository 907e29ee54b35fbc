"""Files of tests that share a compile unit: tests/join.py."""

import os
import subprocess
import sys

import pytest

from tree import ROOT

FILE = """#include <string>

namespace sluice {{
namespace {{

const int size = {size};

}}  // namespace
}}  // namespace sluice
"""


def join(folder, sources, units):
    words = [f"{name}.cc" for name in sources] + ["--"] + units
    return subprocess.run([sys.executable, ROOT / "tests/join.py", *words], cwd=folder,
                          capture_output=True, text=True, check=False)


@pytest.fixture(name="folder")
def a_folder_of_tests(tmp_path):
    for size, name in enumerate(["one_test", "two_test", "three_test"]):
        (tmp_path / f"{name}.cc").write_text(FILE.format(size=size))
    return tmp_path


ALL = ["one_test", "two_test", "three_test"]


def test_each_source_is_in_one_unit(folder):
    join(folder, ALL, ["0.cc", "1.cc"])
    units = (folder / "0.cc").read_text() + (folder / "1.cc").read_text()
    assert [units.count(f'#line 1 "{name}.cc"') for name in ALL] == [1, 1, 1]


def test_the_same_name_may_stand_in_two_sources_and_lines_stay(folder):
    (folder / "two_test.cc").write_text(FILE.format(size="no_such_size"))
    join(folder, ALL, ["faulty.cc"])
    compiled = subprocess.run(["c++", "-fsyntax-only", "faulty.cc"], cwd=folder,
                              env=os.environ | {"LC_ALL": "C"}, capture_output=True, text=True, check=False)
    assert [line for line in compiled.stderr.splitlines() if " error: " in line] == [
        "two_test.cc:6:18: error: 'no_such_size' was not declared in this scope"]


def test_a_unit_that_stays_the_same_is_left_alone(folder):
    join(folder, ALL, ["0.cc", "1.cc"])
    before = [(folder / unit).stat().st_mtime_ns for unit in ["0.cc", "1.cc"]]
    (folder / "three_test.cc").write_text(FILE.format(size=7))
    join(folder, ALL, ["0.cc", "1.cc"])
    after = [(folder / unit).stat().st_mtime_ns for unit in ["0.cc", "1.cc"]]
    assert [new == old for new, old in zip(after, before)] == [True, False]


def test_a_source_without_its_nameless_namespace_is_named(folder):
    (folder / "two_test.cc").write_text("int global;\n")
    refused = join(folder, ALL, ["unit.cc"])
    assert refused.returncode == 1 and refused.stderr.startswith("two_test.cc: ")


TARGET = """#include <cstddef>
#include <cstdint>

namespace {{

constexpr int answer = {answer};

}}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* octets, size_t size) {{
    return answer + static_cast<int>(size) + octets[0];
}}
"""
MAIN = """#include "tests/fuzz/target.h"

int main() {
    using sluice::test::FuzzTarget;
    return FuzzTarget::find("one") == FuzzTarget::find("two") || !FuzzTarget::find("two") ||
           FuzzTarget::find("three");
}
"""


def test_fuzz_targets_of_one_unit_are_known_by_name(folder):
    for answer, name in enumerate(["one", "two"]):
        (folder / f"{name}_fuzz.cc").write_text(TARGET.format(answer=answer))
    (folder / "main.cc").write_text(MAIN)
    join(folder, ["one_fuzz", "two_fuzz"], ["0.cc"])
    subprocess.run(["c++", "-std=c++20", "-I", ROOT, "0.cc", "main.cc"], cwd=folder, check=True)
    subprocess.run([folder / "a.out"], check=True)
