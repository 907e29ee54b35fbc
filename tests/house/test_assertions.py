"""An assertion changes nothing: it is not there in a release, where the switch does the same.

What stands between the brackets of `assert` has no assignment, no `++` and no `--`, and exchanges
nothing. A function that is called there may still change something: no test can tell.
"""

import re

import tree

ASSERT = re.compile(r"(?<!\w)assert\(")
WORDS = re.compile(r'"(?:[^"\\]|\\.)*"')
CHANGES = re.compile(r"\+\+|--|(?<![=!<>])=(?!=)|<<=|>>=|\bexchange\(|\bmove\(")


def assertions_of(text):
    for begins in ASSERT.finditer(text):
        depth = 1
        end = begins.end()
        while depth > 0:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        yield WORDS.sub('""', text[begins.end():end - 1])


def test_what_changes_something_is_found():
    text = 'assert(a == b && c <= d && "x = 1");\nstatic_assert(e = 1);\nassert(f(++g));\n' \
           "assert(h = 2);\nassert(i += 3);\nassert(std::exchange(j, 0) == 1);\nassert(!k(l));\n"
    found = list(assertions_of(text))
    assert [bool(CHANGES.search(one)) for one in found] == [False, True, True, True, True, False]


def test_no_assertion_changes_anything():
    found = [(path, one) for path in tree.sources() if path.suffix in {".cc", ".h"}
             for one in assertions_of(tree.text(path))]
    assert len(found) > 100
    assert [(str(path), one) for path, one in found if CHANGES.search(one)] == []
