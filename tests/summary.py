"""Adds up JUnit results, names the suites that took long and the tests that failed, with the first
lines of why, and ends with "N passed, N failed". Exit 1 if any failed, or none ran.

A test that was skipped did not pass: it is counted as failed, by name. PART.again.xml holds second
tries of tests of PART.xml (again.py): one that passed there has passed, and is named."""

import argparse
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

LONG = 10  # seconds
AGAIN = ".again.xml"
LINES_OF_WHY, WIDTH_OF_WHY = 4, 300


def tell_long_suites(part: str, root: ElementTree.Element) -> None:
    for suite in root.iter("testsuite"):
        seconds = sum(float(case.get("time") or 0) for case in suite.iter("testcase"))
        if seconds >= LONG:
            print(f"{part:11} {seconds:6.0f} s  {suite.get('name')}")


def tell_why(found: ElementTree.Element) -> None:
    why = [line for line in (found.get("message") or found.text or "").splitlines() if line.strip()]
    for line in why[:LINES_OF_WHY]:
        print(f"  {line[:WIDTH_OF_WHY]}")


def key(case: ElementTree.Element) -> tuple[str, str]:
    return case.get("classname", ""), case.get("name", "")


def not_passed(case: ElementTree.Element) -> ElementTree.Element | None:
    """What says that it failed, was skipped, or could not be run."""
    return next((found for kind in ("failure", "error", "skipped")
                 if (found := case.find(kind)) is not None), None)


def second_tries(path: str) -> dict[tuple[str, str], bool]:
    """Whether each that was tried again has passed."""
    try:
        cases = list(ElementTree.parse(path).getroot().iter("testcase"))
    except (OSError, ElementTree.ParseError):
        return {}
    tries: dict[tuple[str, str], bool] = {}
    for case in cases:
        tries[key(case)] = tries.get(key(case), True) and not_passed(case) is None
    return tries


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--broken", type=int, default=0, help="parts that did not get to run")
    words.add_argument("results", nargs="*")
    asked = words.parse_args()

    passed, failed = 0, asked.broken
    for path in [result for result in asked.results if not result.endswith(AGAIN)]:
        try:
            root = ElementTree.parse(path).getroot()
        except (OSError, ElementTree.ParseError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            failed += 1
            continue
        tell_long_suites(pathlib.Path(path).stem, root)
        tries = second_tries(path.removesuffix(".xml") + AGAIN)
        for case in root.iter("testcase"):
            found, passed_then = not_passed(case), tries.get(key(case), False)
            if found is None or passed_then:
                passed += 1
            else:
                failed += 1
            if found is not None:
                print("passed at its second try:" if passed_then else "failed:", *key(case))
                tell_why(found)
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
