"""What differs between releases of DPDK stands in one header of the programs; our own release in one
place."""

import re

import tree

HEADER = "pmd_glue/dpdk_release.h"
ASKS = re.compile(r"\bRTE_VER(SION|_YEAR|_MONTH)\b|\brte_version(_year|_month)?\(")
# What is shown, and kept with the proof of a cable.
SHOWS = {"pmd_glue/eal.cc"}


def asking():
    return {str(path) for path in tree.sources()
            if path.suffix in {".cc", ".h"} and path.parts[0] != "tests"
            and ASKS.search(tree.text(path))}


def test_one_header_asks_which_release_it_is():
    assert asking() - SHOWS == {HEADER}


def test_what_is_said_to_show_it_does():
    assert SHOWS <= asking()


def test_the_changelog_begins_with_the_release_that_is_built():
    [built] = re.findall(r"^  version: '([^']+)',$", tree.text("meson.build"), re.MULTILINE)
    assert tree.text("tools/debian/changelog").startswith(f"sluice ({built}) ")
