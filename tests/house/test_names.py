"""A type has one name and a name one type (C++'s one-definition rule, [basic.def.odr]): what two
files define under the same name, whichever the linker keeps serves both, and nobody says so.

What is in a namespace without a name is its file's own, so each may have one.
"""

import collections
import re

import tree

OPENS = re.compile(r"namespace(?: ([\w:]+))? \{")
CLOSES = re.compile(r"\}  // namespace")
DEFINES = re.compile(r"(?:class|struct|union|enum(?: class)?) "
                     r"(?:alignas\(\d+\) |\[\[\w+\]\] )?(\w+)(?!\w|::)(?: final)?(?: : .*)? \{")


def types_of(text):
    inside = []
    for line in text.splitlines():
        if opened := OPENS.match(line):
            inside.append(opened[1])
        elif CLOSES.match(line):
            inside.pop()
        elif (defined := DEFINES.match(line)) and None not in inside:
            yield "::".join([*inside, defined[1]])


def test_a_type_is_found_where_it_is_defined():
    text = "namespace a::b {\nstruct One {\nclass Two final : public One {};\nstruct Three;\n" \
           "class Two::Four {\nnamespace {\nenum class Five : uint8_t {\n}  // namespace\n" \
           "}  // namespace a::b\nstruct alignas(64) Six {\n"
    assert list(types_of(text)) == ["a::b::One", "a::b::Two", "Six"]


def test_no_two_files_define_a_type_of_the_same_name():
    files = collections.defaultdict(list)
    for path in tree.sources():
        if path.suffix in {".cc", ".h"}:
            for name in types_of(tree.text(path)):
                files[name].append(str(path))
    assert len(files) > 100
    assert {name: where for name, where in files.items() if len(where) > 1} == {}
