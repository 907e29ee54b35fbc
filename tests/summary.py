"""Adds up JUnit results and ends with "N passed, N failed". Exit 1 if any failed, or none ran.

A test that was skipped did not pass: it is counted as failed, by name."""

import argparse
import sys
import xml.etree.ElementTree as ElementTree


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--broken", type=int, default=0, help="parts that did not get to run")
    words.add_argument("results", nargs="*")
    asked = words.parse_args()

    passed, failed = 0, asked.broken
    for path in asked.results:
        try:
            cases = list(ElementTree.parse(path).getroot().iter("testcase"))
        except (OSError, ElementTree.ParseError) as error:
            print(f"{path}: {error}", file=sys.stderr)
            failed += 1
            continue
        for case in cases:
            if any(case.find(kind) is not None for kind in ("failure", "error", "skipped")):
                failed += 1
                print(f"failed: {case.get('classname', '')} {case.get('name')}")
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
