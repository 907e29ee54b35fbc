"""Machines that lack something: the demo runs there as everywhere."""

import json

import project
import result
from memory_limit import memory_limit
from root import Root
from terminal import COLUMNS, terminal

PROJECT = "/root/sluice"
DEMO = "tools/demo --json --seconds 0.5"


def shows_the_demo(root: Root, before: str = "", **environment: str) -> None:
    """Where something `before` it fails, the machine is not what the test is about."""
    done = result.went_well(root.run(f"set -e\n{before}\n{DEMO}", folder=PROJECT, **environment))
    shown = json.loads(done.stdout.splitlines()[-1])
    assert shown["ledger_balanced"] and shown["lost"] == 0 < shown["delivered"], shown


def test_no_huge_pages(built: Root):
    shows_the_demo(built, """
        umount /dev/hugepages 2>/dev/null || true
        mount -t tmpfs none /sys/kernel/mm/hugepages
        mount -o remount,ro,bind /sys
        if grep ' hugetlbfs ' /proc/mounts; then exit 1; fi
        """)


def test_one_cpu(prepared: Root):
    project.clone(prepared, PROJECT)
    shows_the_demo(prepared, "taskset -cp 0 $$\n[ $(nproc) = 1 ]")


def test_two_gibibytes_of_memory(prepared: Root):
    project.clone(prepared, PROJECT)
    with memory_limit(2 << 30) as group:
        # Compiled in truth: what the compiler's cache has takes no memory.
        shows_the_demo(prepared, f"echo 0 >{group}", CCACHE_RECACHE="1")


def test_a_terminal_of_80_columns(prepared: Root):
    project.clone(prepared, PROJECT)
    with terminal() as seen:
        done = prepared.run("tools/demo --seconds 3", folder=PROJECT, terminal=seen.descriptor)
    assert done.returncode == 0, seen.text()
    assert [line for line in seen.lines() if len(line) > COLUMNS] == []
    assert seen.longest_silence() < 10


def test_a_terminal_of_80_columns_without_packages(minimal: Root):
    with terminal() as seen:
        minimal.run("tools/demo", folder=PROJECT, network=False, terminal=seen.descriptor)
    before_apt_fails = seen.text().split("tools/packages: ")[0].splitlines()
    assert " ".join(before_apt_fails).startswith("installing g++ meson ")
    assert [line for line in before_apt_fails if len(line) > COLUMNS] == []


def test_the_language_c(built: Root):
    shows_the_demo(built, LANG="C", LC_ALL="C")


def test_a_language_that_is_not_installed(built: Root):
    shows_the_demo(built, LANG="de_DE.UTF-8", LC_ALL="de_DE.UTF-8", LANGUAGE="de")
