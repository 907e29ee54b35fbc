"""Who may keep a switch from starting: nobody but another of the same owner, and that one is named.

Each test has a /run/sluice of its own, so that it holds nobody else up."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

import pytest

from huge_pages import reserved_at_rest, reserved_huge_pages
from lab import Lab
from switch import Switch
from waiting import until

NOBODY = 65534
PORTS = [{"device": "null:"}, {"device": "null:"}]


@pytest.fixture
def run_folder():
    """What the switch takes for /run/sluice, which everybody may look into."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sluice-faults-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def holders():
    """Processes that hold a lock; none outlives the test."""
    started: list[subprocess.Popen] = []
    yield started
    for process in started:
        process.kill()
        process.wait()


def old_file(folder: pathlib.Path, name: str) -> pathlib.Path:
    """As versions before left it: open to everybody."""
    path = folder / name
    path.touch()
    path.chmod(0o644)
    return path


def hold(holders: list, path: pathlib.Path, **about) -> int:
    """The process that has locked it from now on."""
    holder = subprocess.Popen(["flock", "--exclusive", "--no-fork", str(path), "sleep", "1000"],
                              **about)
    holders.append(holder)
    until(lambda: pathlib.Path(f"/proc/{holder.pid}/comm").read_text() == "sleep\n", "it is locked")
    return holder.pid


def hold_by_inheritance(holders: list, path: pathlib.Path, **about) -> int:
    """As `hold`, but who took the lock has ended, and left it to the shell that ran it."""
    holder = subprocess.Popen(
        ["sh", "-c", f"exec 9<{path} && flock --exclusive 9 && echo locked && exec sleep 1000"],
        stdout=subprocess.PIPE, text=True, **about)
    holders.append(holder)
    assert holder.stdout.readline() == "locked\n"
    return holder.pid


def launch(lab: Lab, run_folder: pathlib.Path, ports=PORTS, eal_arguments=(),
           **configuration) -> Switch:
    switch = lab.make_switch(ports, **configuration)
    switch.eal_arguments = list(eal_arguments)
    pathlib.Path("/run/sluice").mkdir(mode=0o755, exist_ok=True)
    switch.launch("unshare", "--mount", "sh", "-c",
                  f'mount --bind {run_folder} /run/sluice && exec "$@"', "sh")
    return switch


def claim_of(lab: Lab, interface: str) -> str:
    space = os.stat(f"/run/netns/{lab.namespace.name}").st_ino
    return f"{space}-{interface}"


# --- the turn to take huge pages ------------------------------------------------------------------

def test_a_strangers_lock_keeps_nobody_from_starting(lab: Lab, run_folder, holders):
    path = old_file(run_folder, "huge-pages")
    hold(holders, path, user=NOBODY, group=NOBODY)
    launch(lab, run_folder).until_ready()
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_strangers_lock_keeps_nobody_from_starting_even_if_its_taker_has_ended(
        lab: Lab, run_folder, holders):
    path = old_file(run_folder, "huge-pages")
    hold_by_inheritance(holders, path, user=NOBODY, group=NOBODY)
    launch(lab, run_folder).until_ready()
    assert path.stat().st_mode & 0o777 == 0o600


def test_who_has_a_turn_is_named_even_if_somebody_else_took_it(lab: Lab, run_folder, holders):
    path = run_folder / "huge-pages"
    path.touch(0o600)
    holder = hold_by_inheritance(holders, path)
    switch = launch(lab, run_folder)
    assert switch.process.wait(30) == 1
    assert switch.process.errors().endswith(f"stop it first: `kill {holder}`\n")


def test_who_does_not_end_his_turn_is_named(lab: Lab, run_folder, holders):
    path = run_folder / "huge-pages"
    holder = hold(holders, path)
    switch = launch(lab, run_folder)
    assert switch.process.wait(30) == 1
    assert switch.process.errors() == (
        f"huge pages: process {holder} (sleep) has the lock for reserving them: "
        f"/run/sluice/huge-pages is locked; stop it first: `kill {holder}`\n")


def test_a_switch_that_waits_for_its_turn_can_be_stopped(lab: Lab, run_folder, holders):
    hold(holders, run_folder / "huge-pages")
    switch = launch(lab, run_folder)

    def has_the_folder_open() -> bool:
        """As long as it waits; the file itself is open for an instant at each try."""
        descriptors = pathlib.Path(f"/proc/{switch.process.pid}/fd").iterdir()
        return any(os.path.realpath(each) in (str(run_folder), "/run/sluice")
                   for each in descriptors)
    until(has_the_folder_open, "it waits")
    switch.process.signal(signal.SIGTERM)
    assert switch.process.wait(30) == 1
    assert "stopped by a signal while process" in switch.process.errors()


def test_a_stop_gives_its_pages_back_without_a_turn_in_the_end(lab: Lab, run_folder, holders):
    before = reserved_at_rest()
    # More than is likely to be free, so that some are reserved.
    switch = launch(lab, run_folder, buffer={"size": "64MiB"})
    switch.until_ready()
    raised = reserved_huge_pages() > before
    hold(holders, run_folder / "huge-pages")
    switch.process.signal(signal.SIGTERM)
    assert switch.process.wait(30) == 0
    if raised:
        until(lambda: reserved_huge_pages() == before, "what was raised is given back")


# --- the claim of an interface --------------------------------------------------------------------

def test_a_strangers_lock_claims_no_interface(lab: Lab, run_folder, holders):
    """What a killed switch left behind, its file, is open to everybody if it is old."""
    lab.add_hosts(1)
    path = old_file(run_folder, claim_of(lab, "p0"))
    hold(holders, path, user=NOBODY, group=NOBODY)
    launch(lab, run_folder, lab.ports("af_packet")).until_ready()
    assert path.stat().st_mode & 0o777 == 0o600


def test_what_a_killed_switch_leaves_is_nobodys_to_lock(lab: Lab, run_folder):
    lab.add_hosts(1)
    # Without huge pages, which it would leave to the machine.
    switch = launch(lab, run_folder, lab.ports("af_packet"),
                    ["--no-huge", "-m", "600", "--no-shconf"])
    switch.until_ready()
    switch.process.signal(signal.SIGKILL)
    switch.process.wait(5)
    [left] = run_folder.iterdir()
    assert left.name == claim_of(lab, "p0")
    assert left.stat().st_mode & 0o777 == 0o600


# --- the folder -----------------------------------------------------------------------------------

def test_a_folder_of_somebody_else_is_refused(lab: Lab, run_folder):
    os.chown(run_folder, NOBODY, NOBODY)
    switch = launch(lab, run_folder)
    assert switch.process.wait(30) == 1
    assert switch.process.errors() == (
        f"huge pages: /run/sluice belongs to user {NOBODY}, which could prevent the switch "
        "from starting; give it back: `chown root /run/sluice`\n")


def test_a_link_is_not_followed(lab: Lab, run_folder, tmp_path):
    elsewhere = old_file(tmp_path, "precious")
    (run_folder / "huge-pages").symlink_to(elsewhere)
    switch = launch(lab, run_folder)
    assert switch.process.wait(30) == 1
    assert "huge-pages cannot be opened: it is a symbolic link" in switch.process.errors()
    assert elsewhere.stat().st_mode & 0o777 == 0o644
