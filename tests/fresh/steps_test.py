"""tools/steps.sh: what takes long shows that it goes on, and what fails says why, last."""

import os
import pathlib
import re
import signal
import subprocess

import pytest

import project
import result
from terminal import COLUMNS, terminal
from waiting import until

# Two lines in the time in which something has to be seen twice.
SLOW = "step waiting bash -c 'for n in {1..22}; do echo line $n; sleep 1; done'"


@pytest.fixture
def script(tmp_path: pathlib.Path):
    """A script of tools/ that does what it is given."""
    def write(*commands: str) -> pathlib.Path:
        path = tmp_path / "some"
        path.write_text("\n".join(["#!/usr/bin/env bash", "set -euo pipefail",
                                   f'. "{project.FOLDER}/tools/steps.sh"', *commands, ""]))
        path.chmod(0o755)
        return path
    return write


def run(path: pathlib.Path, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run([path], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env={**os.environ, **environment}, timeout=300)


def test_a_log_has_a_line_every_ten_seconds(script):
    done = result.went_well(run(script(SLOW)))
    seen = re.findall(r"^tools/some: waiting, (\d+) s: line \d+$", done.stderr, re.MULTILINE)
    assert len(seen) == 2 and 10 <= int(seen[0]) < int(seen[1]), result.everything(done)
    assert done.stdout == ""


def test_a_terminal_has_one_line_that_changes(script):
    path = script(SLOW.replace("line $n", f"line $n {'x' * 200}"))
    with terminal() as seen:
        subprocess.run([path], stdout=seen.descriptor, stderr=seen.descriptor, timeout=300)
    shown = [line for line in seen.lines() if line]
    assert len(shown) > 5 and "\n" not in seen.text(), seen.text()
    assert all(line.startswith("tools/some: waiting, ") and len(line) < COLUMNS for line in shown)
    assert len(set(shown)) == len(shown)
    assert seen.text().endswith("\r\033[K"), "it is gone afterwards"


def test_a_step_that_fails_shows_what_it_said(script):
    done = run(script("step 'making bread' bash -c 'echo no flour; exit 3'"))
    line = result.failed(done, "some", "making bread", "status 3")
    [log] = re.findall(r"\S+\.log", line)
    assert pathlib.Path(log).read_text().strip() == "no flour" and "no flour" in done.stderr
    os.remove(log)


def test_short_steps_keep_the_log(script):
    # What shows their progress is ended while it is being begun.
    done = run(script("for n in {1..200}; do step 'short work' true; done",
                      "step 'the last one' bash -c 'echo no space left on device; exit 1'"))
    result.failed(done, "some", "the last one", "a disk is full")
    assert len(done.stderr.splitlines()) == 2, result.everything(done)


def test_what_fails_outside_a_step_has_a_last_line_too(script):
    result.failed(run(script("doing='counting'", "false")), "some", "counting", "status 1")


def test_a_program_that_is_killed(script):
    line = result.failed(run(script("doing='the demo'", "hand_over bash -c 'kill -SEGV $$'")), "some",
                       "the demo", "SIGSEGV")
    assert "memory" not in line


def test_a_program_that_the_kernel_may_have_killed(script):
    result.failed(run(script("doing='the demo'", "hand_over bash -c 'kill -KILL $$'")), "some",
                "the demo", "SIGKILL", "memory")


def test_a_program_that_reports_by_itself(script):
    done = run(script("hand_over bash -c 'echo last >&2; exit 4'"))
    assert (done.returncode, done.stderr) == (4, "last\n")


@pytest.mark.parametrize("name, status", [("INT", 130), ("TERM", 143)])
def test_who_interrupts_a_step_sees_its_end(script, name: str, status: int):
    started = script("step 'long work' sleep 1000")
    # It takes SIGINT, though the parent may have it ignored, as `&` does.
    process = subprocess.Popen([started], stderr=subprocess.PIPE, text=True, start_new_session=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))

    def children() -> list[str]:
        ids = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        return sorted(pathlib.Path(f"/proc/{number}/comm").read_text() for number in ids)
    # Not before the step's program runs: a signal to its shell until then is lost.
    until(lambda: children() == ["bash\n", "sleep\n"], "the step and what shows its progress run")
    os.killpg(process.pid, getattr(signal, f"SIG{name}"))
    said = process.communicate(timeout=60)[1]
    assert process.returncode == status
    assert said.splitlines()[-1].startswith("tools/some: interrupted at long work; "), said


CAUSES = {
    "a disk is full": ["write error: No space left on device",
                       "E: You don't have enough free space in /var/cache/apt/archives/."],
    "memory ran out": ["virtual memory exhausted: Cannot allocate memory",
                       "cc1plus: out of memory allocating 65536 bytes",
                       "g++: fatal error: Killed signal terminated program cc1plus",
                       "terminate called after throwing an instance of 'std::bad_alloc'"],
    "another program is installing packages": [
        "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7 (apt-get)"],
    "was interrupted": ["E: dpkg was interrupted, you must manually run 'dpkg --configure -a'"],
    "no package source": ["E: Unable to locate package meson",
                          "E: Failed to fetch http://deb.debian.org/x.deb  Could not connect"],
    "may not write": ["mkdir: cannot create directory 'build': Read-only file system"],
}


@pytest.mark.parametrize("cause, said",
                         [(cause, said) for cause in CAUSES for said in CAUSES[cause]])
def test_a_cause_is_read_out_of_what_was_said(script, cause: str, said: str):
    path = script('step "some work" bash -c \'echo "$SAID"; exit 1\'')
    result.failed(run(path, SAID=said), "some", "some work", cause)


# --- build folders ------------------------------------------------------------------------------
@pytest.fixture
def with_stubs(script, tmp_path: pathlib.Path):
    """What configures a folder, where meson keeps what it was told, and whoever else is asked for
    is a program that says what it is to."""
    def configure(command: str, settings: dict[str, str], **stubs: str) -> subprocess.CompletedProcess:
        for name, text in {"meson": '[ "$1" != setup ] || { mkdir "$2"; echo "$@" >"$2/told"; }',
                           **stubs}.items():
            stub = tmp_path / name
            stub.write_text(f"#!/bin/sh\n{text}\n")
            stub.chmod(0o755)
        return run(script(f"cd {tmp_path}", command), **settings,
                   PATH=f"{tmp_path}:{os.environ['PATH']}")
    return configure


def test_of_two_dpdks_it_says_which_is_taken(with_stubs, tmp_path: pathlib.Path):
    local = tmp_path / "pkgconfig"
    local.mkdir()
    (local / "libdpdk.pc").write_text("Name: local\nDescription: local\nVersion: 99.11\n")
    done = result.went_well(with_stubs("configure build", {"PKG_CONFIG_PATH": str(local)}))
    assert f"uses DPDK 99.11 in {local}, not " in done.stderr, result.everything(done)
    assert f"DPDK 99.11 in {local}\n" in (tmp_path / "build/made_with").read_text()


@pytest.mark.parametrize("defines, strict", [
    ("__GNUC__ 12", "true"),
    ("__GNUC__ 13", "false"),
    ("__GNUC__ 4\n#define __clang_major__ 16", "true"),
    ("__GNUC__ 4\n#define __clang_major__ 12", "false"),
    ("__TINYC__ 1", "false"),
])
def test_warnings_are_errors_of_compilers_that_were_looked_at(
        with_stubs, tmp_path: pathlib.Path, defines: str, strict: str):
    compiler = f"cat <<'END'\n#define {defines}\nEND"
    result.went_well(with_stubs("configure_tests build --buildtype=release", {"CXX": "cxx -std=c++20"},
                                cxx=compiler))
    assert (tmp_path / "build/told").read_text().split() == \
        ["setup", "build", "--buildtype=release", f"-Dwerror={strict}"]


def test_warnings_of_a_stranger_s_build_are_no_errors(with_stubs, tmp_path: pathlib.Path):
    result.went_well(with_stubs("configure build --buildtype=release", {}))
    assert "werror" not in (tmp_path / "build/told").read_text()
