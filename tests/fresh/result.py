"""What a script of tools/ leaves its user with: it went well, or a last line with what to do."""

import re
import subprocess


def everything(done: subprocess.CompletedProcess) -> str:
    return f"status {done.returncode}\n--- stdout\n{(done.stdout or '')[-4000:]}" \
           f"\n--- stderr\n{(done.stderr or '')[-8000:]}"


def went_well(done: subprocess.CompletedProcess) -> subprocess.CompletedProcess:
    assert done.returncode == 0, everything(done)
    return done


def last_line(done: subprocess.CompletedProcess) -> str:
    lines = done.stderr.splitlines()
    assert lines, f"nothing on standard error: {everything(done)}"
    return lines[-1]


def failed(done: subprocess.CompletedProcess, script: str, step: str, *why: str) -> str:
    """Its last line is `tools/SCRIPT: STEP failed: WHY; REMEDY`. `step` and each of `why` are
    regular expressions."""
    line = last_line(done)
    assert done.returncode == 1, everything(done)
    assert re.fullmatch(rf"tools/{script}: {step} failed: [^;]+; .+", line), everything(done)
    for text in why:
        assert re.search(text, line), f"no {text!r} in the last line: {everything(done)}"
    return line


def refused(done: subprocess.CompletedProcess, script: str, word: str) -> None:
    """The words were wrong: its last line names the one, and what would be right."""
    assert done.returncode == 2, everything(done)
    assert re.fullmatch(rf"{script}: (.*\W)?{re.escape(word)}: .+; .+", last_line(done)), \
        everything(done)
