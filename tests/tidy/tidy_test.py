"""clang-tidy, with the profile of .clang-tidy, on each compile unit of the programs and on the
headers of ours that it reads; tests and benches are left out. It wants a build folder (SLUICE_BUILD)
in which the sources that are made have been made."""

import json
import os
import pathlib
import subprocess

import pytest

TOP = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("SLUICE_BUILD", TOP / "build-tests"))
OURS = r".*/\.\./(dataplane|pmd_glue|config|control|tools)/.*"  # as paths of a build folder
MADE = ("_page.cc", "page_files.cc")  # pages as arrays


def units() -> list[str]:
    """The sources that meson compiles, which are whole folders where it joins them."""
    commands = json.loads((BUILD / "compile_commands.json").read_text())
    return sorted({one["file"] for one in commands if one["file"].endswith((".cc", ".cpp"))
                   and not one["output"].startswith("tests") and not one["file"].endswith(MADE)})


@pytest.fixture(scope="session")
def commands(tmp_path_factory) -> pathlib.Path:
    """As clang understands them: without gcc's warnings and the compiler's cache."""
    folder = tmp_path_factory.mktemp("commands")
    database = json.loads((BUILD / "compile_commands.json").read_text())
    for one in database:
        words = [word for word in one["command"].split() if not word.startswith("-W")]
        one["command"] = " ".join(words[1:] if words[0].endswith("ccache") else words)
    (folder / "compile_commands.json").write_text(json.dumps(database))
    return folder


@pytest.mark.parametrize("unit", units())
def test_it_finds_nothing(unit, commands):
    run = subprocess.run(
        ["clang-tidy-16", "-p", str(commands), f"--config-file={TOP}/.clang-tidy", "--quiet",
         f"--header-filter={OURS}", str(BUILD / unit)], text=True, capture_output=True, cwd=BUILD)
    assert run.returncode == 0, run.stdout or run.stderr
