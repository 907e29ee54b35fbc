"""Adds up JUnit results, names the suites that took long and the tests that failed, with the first
lines of why, and ends with "N passed, N failed". Exit 1 if any failed, or none ran.

A test that was skipped did not pass: it is counted as failed, by name."""

import argparse
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

LONG = 10  # seconds
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


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--broken", type=int, default=0, help="parts that did not get to run")
    words.add_argument("results", nargs="*")
    asked = words.parse_args()

    passed, failed = 0, asked.broken
    for path in asked.results:
        try:
            root = ElementTree.parse(path).getroot()
        except (OSError, ElementTree.ParseError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            failed += 1
            continue
        tell_long_suites(pathlib.Path(path).stem, root)
        for case in root.iter("testcase"):
            found = [case.find(kind) for kind in ("failure", "error", "skipped")]
            if any(each is not None for each in found):
                failed += 1
                print(f"failed: {case.get('classname', '')} {case.get('name')}")
                tell_why(next(each for each in found if each is not None))
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
