"""Adds up JUnit results, names the suites that took long, and ends with "N passed, N failed". Exit 1
if any failed, or none ran.

A test that was skipped did not pass: it is counted as failed, by name."""

import argparse
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

LONG = 10  # seconds


def tell_long_suites(part: str, root: ElementTree.Element) -> None:
    for suite in root.iter("testsuite"):
        seconds = sum(float(case.get("time") or 0) for case in suite.iter("testcase"))
        if seconds >= LONG:
            print(f"{part:11} {seconds:6.0f} s  {suite.get('name')}")


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
            if any(case.find(kind) is not None for kind in ("failure", "error", "skipped")):
                failed += 1
                print(f"failed: {case.get('classname', '')} {case.get('name')}")
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
