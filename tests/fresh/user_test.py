"""An ordinary user: who may not install packages, and may do all else."""

import json
import re

import project
import result
from root import Root
from store import USER

PROJECT = f"/home/{USER}/sluice"


def test_who_lacks_packages_is_told_which_and_how(minimal: Root):
    project.clone(minimal, PROJECT, user=USER)
    done = minimal.run("tools/demo", folder=PROJECT, user=USER)
    line = result.failed(done, "packages", "installing packages", "are missing: .*g\\+\\+.*meson")
    [command] = re.findall("as root: (.*)$", line)
    # What it says works, as far as apt can simulate it.
    command = command.replace("apt-get install", "apt-get install --simulate")
    planned = result.went_well(minimal.run(command))
    assert "Inst meson " in planned.stdout, result.everything(planned)


def test_who_has_them_sees_the_demo(prepared: Root):
    project.clone(prepared, PROJECT, user=USER)
    done = result.went_well(
        prepared.run("tools/demo --json --seconds 0.5", folder=PROJECT, user=USER))
    shown = json.loads(done.stdout.splitlines()[-1])
    assert shown["ledger_balanced"] and shown["lost"] == 0 < shown["delivered"], shown


def test_who_does_not_own_the_folder_is_told_so(built: Root):
    result.went_well(built.run("mv sluice /srv/sluice"))
    done = built.run("tools/demo", folder="/srv/sluice", user=USER)
    result.failed(done, "build", "clearing build", f"{USER} may not write", "/srv/sluice")
