"""C++ looks as clang-format would have it (.clang-format), so that nobody has to think of it."""

import subprocess

import tree

FORMATTER = "clang-format-16"  # another version breaks lines elsewhere


def complaints(paths, text=None):
    done = subprocess.run([FORMATTER, "--dry-run", *map(str, paths)], input=text, text=True,
                          cwd=tree.ROOT, capture_output=True, check=True)
    return done.stderr.splitlines()[:3]


def test_what_is_out_of_shape_is_found():
    assert complaints(["--assume-filename=a.cc"], "int  a ;\n")
    assert not complaints(["--assume-filename=a.cc"], "int a;\n")


def test_every_file_is_as_it_would_be_written_anew():
    files = [path for path in tree.sources() if path.suffix in {".cc", ".h", ".hpp"}]
    assert len(files) > 100
    assert complaints(files) == [], f"{FORMATTER} -i FILE mends it"
