"""The project as a stranger gets it: what is committed, cloned."""

import os
import pathlib
import re
import subprocess

from root import Root

FOLDER = pathlib.Path(__file__).resolve().parents[2]


def git(*words: str) -> str:
    done = subprocess.run(["git", "-c", "safe.directory=*", "-C", str(FOLDER), *words],
                          capture_output=True, text=True)
    assert done.returncode == 0, f"git {' '.join(words)}: {done.stderr}"
    return done.stdout


# Of all tests, also when somebody commits meanwhile.
COMMIT = git("rev-parse", os.environ.get("SLUICE_FRESH_COMMIT", "HEAD") + "^{commit}").strip()


def has_word(word: str) -> bool:
    """Whether any file that is committed has it."""
    done = subprocess.run(["git", "-c", "safe.directory=*", "-C", str(FOLDER), "grep", "--quiet",
                           "--fixed-strings", "-e", word, COMMIT])
    assert done.returncode in (0, 1), f"git grep ends with {done.returncode}"
    return done.returncode == 0


def clone(root: Root, place: str, user: str = "root", commit: str = COMMIT) -> None:
    """Into a folder of the root that is not there yet. Objects are copied, as over a network."""
    # The user may not own the project; git asks only the user's own settings about that.
    settings = root.folder / "gitconfig"
    settings.write_text("[safe]\n\tdirectory = *\n[advice]\n\tdetachedHead = false\n")
    root.run_beside(
        "env", f"GIT_CONFIG_GLOBAL={settings}", "sh", "-ec",
        'git clone -q --no-local --no-checkout "$1" "tree$2"; git -C "tree$2" checkout -q "$3"; '
        'chown -R "$(chroot tree id -u "$4"):$(chroot tree id -g "$4")" "tree$2"',
        "sh", str(FOLDER), place, commit, user)


def packages(purpose: str) -> list[str]:
    """That tools/packages says the purpose needs."""
    done = subprocess.run([FOLDER / "tools/packages", "--list", purpose], capture_output=True,
                          text=True, check=True)
    return done.stdout.split()


def first_screen() -> list[str]:
    """The commands of the README's first block of code that has tools/demo in it."""
    text = git("show", f"{COMMIT}:README.md")
    for block in re.findall(r"(?:^ {4}.*\n|^[ \t]*\n(?= {4}))+|^```.*\n(?:(?!```).*\n)*", text,
                            re.MULTILINE):
        commands = [line.split("#")[0].strip() for line in block.splitlines()
                    if not line.startswith("```")]
        if any(command.startswith("tools/demo") for command in commands):
            return [command for command in commands if command]
    raise AssertionError("README.md has no block of code with tools/demo")
