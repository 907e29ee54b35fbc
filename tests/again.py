"""Which tests of a JUnit result are worth a second try: what failed, as pytest names it, a line each.

A test among hosts goes by this machine's clock, and a machine that is taken away for a moment fails
one that is right. So a few are run once more, by themselves, and the result says so by name: each
is a fault in the test or the switch that waits to be found. More than a few at once are no chance,
and neither is a result that cannot be read: then nothing is printed."""

import pathlib
import sys
import xml.etree.ElementTree as ElementTree

A_FEW = 3


def failed(case: ElementTree.Element) -> bool:
    return any(case.find(kind) is not None for kind in ("failure", "error"))


def name_of(case: ElementTree.Element) -> str:
    """pytest's own: its class is the file's path with dots."""
    return f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name')}"


def worth_a_second_try(result: str) -> list[str]:
    try:
        cases = ElementTree.parse(result).getroot().iter("testcase")
    except (OSError, ElementTree.ParseError):
        return []
    # One that fails, and then fails to be cleaned up, is there twice.
    names = list(dict.fromkeys(name_of(case) for case in cases if failed(case)))
    if len(names) > A_FEW or not all(pathlib.Path(name.partition("::")[0]).is_file()
                                     for name in names):
        return []
    return names


if __name__ == "__main__":
    print("\n".join(worth_a_second_try(sys.argv[1])))
