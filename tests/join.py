#!/usr/bin/env python3
"""join.py SOURCE... -- UNIT...: writes the compile units of a test program from its sources.

To read headers takes longer than to compile what a file of tests says, so many share a unit. The
nameless namespace of each gets a named one around it, for the same name may stand in several; the
compiler and a test that fails name the source's own lines. A unit that stays the same is left alone,
so that after a change only the unit that it is in is compiled.
"""

import pathlib
import sys


def part(source):
    """What a source adds to its unit."""
    opening, closing = "\nnamespace {\n", "\n}  // namespace\n"
    text = pathlib.Path(source).read_text(encoding="utf-8")
    if not text.count(opening) == text.count(closing) == 1:
        sys.exit(f"{source}: the tests are to be in one nameless namespace, closed by '// namespace'")
    name = pathlib.Path(source).stem
    text = text.replace(opening, f"\nnamespace {name} {{ namespace {{\n")
    return f'#line 1 "{source}"\n' + text.replace(closing, "\n}}  // namespace\n")


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
