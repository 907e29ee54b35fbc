"""How the tree looks: what is where, how long, and what every file begins with."""

import re

import pytest

import tree

FILES = tree.files()
SOURCES = tree.sources()
HEADERS = [path for path in SOURCES if path.suffix == ".h"]

TOP_LEVEL = {
    "meson.build", "dataplane", "control", "pmd_glue", "config", "tests", "tools", "README.md",
    "LICENSE", "findings",
}
KINDS_OF_TEST = ("_test.cc", "_property.cc", "_fuzz.cc", "_bench.cc")
LONGEST_FILE = 450
LONGEST_LINE = 100
LONGEST_ROW = 300  # of a table in a text

# Put together here, so that this file does not hold them.
UNFINISHED = re.compile(r"\b(?:" + "|".join(["TO" "DO", "FIX" "ME", "X" "XX", "HA" "CK"]) + r")\b")


def test_the_top_level_holds_only_what_belongs_there():
    found = {path.parts[0] for path in FILES if not path.parts[0].startswith(".")}
    assert found <= TOP_LEVEL, f"found {sorted(found - TOP_LEVEL)}"


def test_every_folder_with_sources_tells_what_lives_there():
    folders = {path.parent for path in SOURCES}
    for folder in sorted(folders):
        # The tests are described in one place.
        home = "tests" if folder.parts[0] == "tests" else folder
        assert (tree.ROOT / home / "README.md").is_file(), f"{folder} has no README.md"


@pytest.mark.parametrize("path", SOURCES, ids=str)
def test_a_file_holds_one_idea(path):
    lines = tree.text(path).splitlines()
    assert len(lines) <= LONGEST_FILE, f"{path} has {len(lines)} lines"
    for number, line in enumerate(lines if path.suffix in {".cc", ".h"} else [], 1):
        assert len(line) <= LONGEST_LINE, f"{path}:{number} has {len(line)} columns"


@pytest.mark.parametrize("path", HEADERS, ids=str)
def test_a_header_opens_as_a_man_page(path):
    lines = tree.text(path).splitlines()
    assert lines[0].startswith("// "), f"{path} does not say what it is"
    assert "#pragma once" in lines, f"{path} may be included twice"


@pytest.mark.parametrize("path", FILES, ids=str)
def test_nothing_is_left_for_later(path):
    if "corpus" in path.parts:
        return
    found = UNFINISHED.search(tree.text(path))
    assert not found, f"{path} says {found.group()}"


def test_every_source_of_the_dataplane_has_its_test():
    for path in SOURCES:
        if path.parts[0] != "dataplane" or path.suffix != ".cc":
            continue
        test = tree.ROOT / "tests/unit" / path.with_name(path.stem + "_test.cc")
        assert test.is_file(), f"{path} has no {test.relative_to(tree.ROOT)}"


def is_named(path, build_file):
    """As `it_test.cc`, or as `it` where the build file makes the name: `name + '_test.cc'`."""
    words = set(re.findall(r"'([^'\n]*)'", tree.text(build_file)))
    stem, kind = path.stem.rsplit("_", 1)
    made = f"_{kind}.cc" in words and build_file.parent == path.parent
    return str(path.relative_to(build_file.parent)) in words or (made and stem in words)


def test_every_test_is_built():
    build_files = {path.parent: path for path in FILES if path.name == "meson.build"}
    for path in SOURCES:
        if path.parts[0] != "tests" or not path.name.endswith(KINDS_OF_TEST):
            continue
        above = [build_files[folder] for folder in path.parents if folder in build_files]
        assert any(is_named(path, each) for each in above), f"no meson.build names {path}"


LINK = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix == ".md"], ids=str)
def test_links_lead_to_what_is_there(path):
    missing = [link for link in LINK.findall(tree.text(path))
               if not (tree.ROOT / path.parent / link).exists()]
    assert not missing, f"{path} leads to {missing}"


@pytest.mark.parametrize("path", [path for path in FILES if path.suffix == ".md"], ids=str)
def test_a_row_of_a_table_can_be_read(path):
    for number, line in enumerate(tree.text(path).splitlines(), 1):
        if line.startswith("|"):
            assert len(line) <= LONGEST_ROW, f"{path}:{number} has {len(line)} columns"


def test_the_readme_is_short():
    assert len(tree.text("README.md").splitlines()) <= 250


FINDING = re.compile(r"^#!/usr/bin/env bash\n(?:#.*\n)+set -euo pipefail\n", re.MULTILINE)


def test_a_finding_is_a_script_that_says_what_it_is():
    for path in FILES:
        if path.parts[0] == "findings" and path.name != "README.md":
            assert path.suffix == ".sh" and path.parent.name == "findings", path
            assert FINDING.match(tree.text(path)), f"{path} does not say what it is"
