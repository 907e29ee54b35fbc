"""The source tree, as the house rules see it."""

import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(os.environ.get("SLUICE_SOURCE", pathlib.Path(__file__).parents[2]))
SOURCE = {".cc", ".h", ".c", ".py"}


def files():
    """Every file of the project, relative to its root: what git knows or would add, else all."""
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others",
         "--exclude-standard"],
        cwd=ROOT, capture_output=True, check=False)
    if listed.returncode == 0:
        names = [name for name in listed.stdout.decode().split("\0") if name]
    else:
        names = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*")
                 if not path.relative_to(ROOT).parts[0].startswith(("build", ".git"))]
    return sorted(pathlib.Path(name) for name in names if (ROOT / name).is_file())


def sources():
    return [path for path in files() if path.suffix in SOURCE]


def text(path):
    return (ROOT / path).read_text(encoding="utf-8", errors="replace")


INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)


def includes(path):
    """(ours, system): what a file includes, by quotes and by angle brackets."""
    found = INCLUDE.findall(text(path))
    return [quoted for quoted, _ in found if quoted], [angled for _, angled in found if angled]
