"""A group that may look (`control.readers`): by the user and the groups with which a client connects,
whichever of them it is."""

import json
import os
import pathlib
import shutil
import subprocess
from typing import Iterator

import pytest

from lab import Lab
from namespace import run
from switch import Switch, program

READERS = "games"  # that every Debian has
STRANGER, OTHER_GROUP = "4711", "4712"

# `sluice` may lie in a folder that other users may not enter.
ASK = """
import contextlib, socket, sys
with socket.socket(socket.AF_UNIX) as client:
    client.connect(sys.argv[1])
    with contextlib.suppress(BrokenPipeError):  # who is turned away need not ask
        client.sendall(sys.argv[2].encode() + b"\\n")
    print(client.makefile().readline(), end="")
"""


def group_number(name: str) -> str:
    return run("getent", "group", name).stdout.split(":")[2]


@pytest.fixture
def switch(lab: Lab, tmp_path) -> Iterator[Switch]:
    """Its socket in a folder that all may enter."""
    folder = pathlib.Path(f"/run/{tmp_path.name}-{os.getpid()}")
    folder.mkdir()
    try:
        folder.chmod(0o755)  # whatever the umask is
        switch = lab.make_switch([{"device": "ring:loop"}])
        switch.socket = str(folder / "socket")
        switch.configuration["control"] |= {"socket": switch.socket, "readers": READERS}
        switch.start()
        yield switch
        switch.stop()
    finally:
        shutil.rmtree(folder)


def asked(switch: Switch, request: dict, *, user: str = STRANGER, group: str = OTHER_GROUP,
          groups: str = "") -> dict:
    """What a client of that user gets."""
    which = f"--groups={groups}" if groups else "--clear-groups"
    done = run("setpriv", f"--reuid={user}", f"--regid={group}", which, "/usr/bin/python3", "-c", ASK,
               switch.socket, json.dumps(request))
    return json.loads(done.stdout)


def test_readers_are_shown_and_change_nothing(switch: Switch):
    number = group_number(READERS)
    before = switch.show("config")
    for member in ({"group": number}, {"groups": f"{OTHER_GROUP},{number}"}):
        assert asked(switch, {"show": "ports"}, **member)["result"][0]["name"]
        for request in ({"clear": "counters"}, {"flush": "fdb"}, {"capture": {"ports": ["0"]}},
                        {"apply": {"file": "x", "text": "ports: [{device: 'null:'}]"}}):
            refused = asked(switch, request, **member)
            assert refused["status"] in (1, 2) and "result" not in refused, (request, refused)
        assert "(control.readers) may only use show" in asked(switch, {"clear": "counters"}, **member)["errors"][0]
    assert switch.show("config") == before
    assert not {"cleared", "fdb_flushed", "adopted"} & {row["kind"] for row in switch.show("events")}


def test_others_are_turned_away_and_the_sockets_group_does_everything(switch: Switch):
    turned_away = asked(switch, {"show": "ports"})
    assert turned_away["status"] == 1 and "control.readers" in turned_away["errors"][0]
    os.chown(switch.socket, -1, int(OTHER_GROUP))
    assert asked(switch, {"clear": "counters"})["result"] == {"cleared": True}


def test_readers_leave_places_to_those_who_may_do_everything(switch: Switch):
    sitting = subprocess.Popen(
        ["setpriv", f"--reuid={STRANGER}", f"--regid={group_number(READERS)}", "--clear-groups",
         "/usr/bin/python3", "-c", "import socket, sys, time\n"
         "clients = [socket.socket(socket.AF_UNIX) for _ in range(20)]\n"
         "for client in clients: client.connect(sys.argv[1])\n"
         "print('sit', flush=True); sys.stdin.read()", switch.socket],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert sitting.stdout.readline() == "sit\n"
        assert switch.show("ports")
        refused = asked(switch, {"show": "ports"}, group=group_number(READERS))
        assert "serves 8 readers already" in refused["errors"][0]
    finally:
        sitting.communicate()


@pytest.mark.parametrize("words", [[], ["--dry-run"]], ids=["start", "dry_run"])
def test_a_group_that_is_not_there_is_refused(lab: Lab, words):
    switch = lab.make_switch([{"device": "ring:loop"}])
    switch.configuration["control"]["readers"] = "no-such-group"
    switch.write()
    done = run(program("sluiced"), "-c", str(switch.file), *words, check=False)
    assert done.returncode == 1 and "control.readers: there is no group no-such-group" in done.stderr
