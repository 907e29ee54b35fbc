"""Every block of the README's quick starts, as it stands there, in a copy of the tree, with a network, a
/run and processes of its own. `tools/build` is replaced by links to the programs under test."""

import os
import re
import stat
import subprocess
from pathlib import Path

import pytest

from switch import program

SOURCE = Path(__file__).resolve().parents[2]
PROGRAMS = ("sluiced", "sluice", "sluice-gen", "sluice-demo")
# What a block prints at its end where all went well.
SHOWS = {
    "A laptop": r"3 received, 0% packet loss[^$]*learned",
    "Containers": r"3 received, 0% packet loss",
    "A RoCE rack": r"fine[^$]*headroom",
    "A VXLAN leaf": r"3 received, 0% packet loss",
    "A test bed": r"ledger +ok",
}


def blocks() -> dict[str, str]:
    """The commands of each quick start, by its name."""
    text = (SOURCE / "README.md").read_text().split("\n## Quick starts\n")[1].split("\n## ")[0]
    found = re.findall(r"^\*\*(.+?):\*\*(?:.*\n)+?\n((?:    .*\n|\n(?=    ))+)", text, re.MULTILINE)
    return {name: re.sub("^    ", "", block, flags=re.MULTILINE) for name, block in found}


def copy_of_the_tree(folder: Path) -> Path:
    tree = folder / "sluice"
    tree.mkdir()
    subprocess.run("git -c safe.directory='*' ls-files -z --cached --others --exclude-standard"
                   f" | xargs -0 cp --parents -t {tree}", shell=True, cwd=SOURCE, check=True)
    links = " && ".join(f"ln -sf {program(name)} build/{name}" for name in PROGRAMS)
    build = tree / "tools/build"
    build.write_text(f"#!/bin/sh\nmkdir -p build && {links}\n")
    build.chmod(build.stat().st_mode | stat.S_IXUSR)
    return tree


def test_each_quick_start_is_tried():
    assert list(blocks()) == list(SHOWS)


@pytest.mark.parametrize("name", SHOWS)
def test_a_quick_start_runs_as_it_stands(tmp_path, name: str):
    tree = copy_of_the_tree(tmp_path)
    commands = blocks()[name]
    assert commands.startswith("tools/build\n")
    (tree / "block").write_text(commands)
    apart = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    of_its_own = "mount -t tmpfs none /run && ip link set lo up && exec bash -e block"
    done = subprocess.run([*apart, "bash", "-e", "-c", of_its_own], cwd=tree, input="",
                          capture_output=True, text=True, timeout=120,
                          env={**os.environ, "LC_ALL": "C.UTF-8"})
    said = done.stdout + done.stderr
    assert done.returncode == 0, f"{commands}\n{said}"
    assert re.search(SHOWS[name], said), said
