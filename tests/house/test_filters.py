"""Programs of which meson runs a part a test: each part must be there, since a filter that nothing
matches passes."""

import fnmatch
import re

import pytest

from tree import ROOT

PARTS = re.compile(r"'(\w+)': \[?'([*\w]+)'")
SUITE = re.compile(r"^(?:TEST|TEST_F|RC_GTEST_PROP)\((\w+),", re.MULTILINE)
INSTANCE = re.compile(r"^INSTANTIATE_TEST_SUITE_P\(\s*(\w+),\s*(\w+),", re.MULTILINE)


def parts_of(folder: str, table: str, ending: str) -> list[tuple]:
    text = (ROOT / "tests" / folder / "meson.build").read_text()
    body = text[text.index(table + " = {"):]
    body = body[:body.index("\n}")]
    return [(ROOT / "tests" / folder / (name + ending), suite)
            for name, suite in PARTS.findall(body)]


ALL = (parts_of("property", "property_tests", "_property.cc") +
       parts_of("lossless", "lossless_tests", "_test.cc"))


@pytest.mark.parametrize("source, suite", ALL, ids=lambda value: getattr(value, "name", value))
def test_a_part_that_is_run_has_tests(source, suite):
    text = source.read_text()
    named = SUITE.findall(text) + ["/".join(names) for names in INSTANCE.findall(text)]
    assert fnmatch.filter(named, suite + "*"), f"{suite} matches none of {named}"


def test_all_parts_are_known():
    assert len(ALL) >= 10
