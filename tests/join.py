#!/usr/bin/env python3
"""join.py SOURCE... -- UNIT...: writes the compile units of a test program from its sources.

To read headers takes longer than to compile what a file of tests says, so many share a unit. The
nameless namespace of each gets a named one around it, for the same name may stand in several; the
compiler and a test that fails name the source's own lines. Fuzz targets, of which each has a function
of one name, get one of their own and are known by it. A unit that stays the same is left alone, so
that after a change only the unit that it is in is compiled.
"""

import pathlib
import sys


def part(source):
    """What a source adds to its unit."""
    return fuzz_target(source) if source.endswith("_fuzz.cc") else test_file(source)


def test_file(source):
    opening, closing = "\nnamespace {\n", "\n}  // namespace\n"
    text = pathlib.Path(source).read_text(encoding="utf-8")
    if not text.count(opening) == text.count(closing) == 1:
        sys.exit(f"{source}: the tests are to be in one nameless namespace, closed by '// namespace'")
    name = pathlib.Path(source).stem
    text = text.replace(opening, f"\nnamespace {name} {{ namespace {{\n")
    return f'#line 1 "{source}"\n' + text.replace(closing, "\n}}  // namespace\n")


def fuzz_target(source):
    """Under a name of its own among those of its program (tests/fuzz/target.h)."""
    lines = pathlib.Path(source).read_text(encoding="utf-8").split("\n")
    after = 1 + max(number for number, line in enumerate(lines) if line.startswith("#include "))
    target = pathlib.Path(source).stem.removesuffix("_fuzz")
    function = f"play_{target}"
    return "\n".join([
        '#include "tests/fuzz/target.h"', f'#line 1 "{source}"', *lines[:after],
        f"#define LLVMFuzzerTestOneInput {function}", f"namespace {target}_fuzz {{",
        f'#line {after + 1} "{source}"', *lines[after:],
        f'static const sluice::test::FuzzTarget itself("{target}", {function});',
        "}", "#undef LLVMFuzzerTestOneInput", ""])


def main(words):
    middle = words.index("--")
    sources, units = words[:middle], words[middle + 1:]
    for number, unit in enumerate(units):
        first, end = (len(sources) * n // len(units) for n in (number, number + 1))
        text = "".join(map(part, sources[first:end]))
        path = pathlib.Path(unit)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
