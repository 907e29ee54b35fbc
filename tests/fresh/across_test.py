"""Machines of two Debians beside each other: what one left or says, the other reads. A switch of one,
whose frames come by memif from a generator of the other and which that one's `sluice` asks; then a
switch of the other goes on from its state."""

import concurrent.futures
import json
import pathlib
import shutil
import tempfile

import pytest

import debians
import project
import result
from root import Root
from store import Store

# Sockets and files that both see, since every root has it (root.py).
SHARED = pathlib.Path("/run/sluice")
PROGRAMS = ("sluiced", "sluice", "sluice-gen")


@pytest.fixture(scope="module")
def machine_of():
    """By Debian, with the programs where a user has them; each is built once."""
    made: dict[str, Root] = {}
    stores = []

    def machine(suite: str) -> Root:
        if suite not in made:
            stores.append(Store(suite).in_use())
            root = stores[-1].__enter__().over_build()
            made[suite] = root
            project.clone(root, "/root/sluice")
            result.went_well(root.run(
                f"tools/build {' '.join(PROGRAMS)} && ln -s $PWD/build/sluice* /usr/local/bin/",
                folder="/root/sluice"))
        return made[suite]
    yield machine
    for root in made.values():
        root.remove()
    for store in stores:
        store.__exit__(None, None, None)


@pytest.fixture
def shared():
    SHARED.mkdir(exist_ok=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="across-", dir=SHARED))
    yield folder
    shutil.rmtree(folder)


CONFIGURATION = """
ports: [{{name: a, device: 'memif:{0}/a'}}, {{name: b, device: 'memif:{0}/b'}}]
control: {{socket: {0}/socket, state: {0}/state}}
state: {{counters: true}}
"""

# $1 the folder. Until the other one has done its part, and then an orderly end.
SWITCH = """
sluiced -c {0}/sluice.yaml &
switch=$!
until [ -e {0}/done ]; do
  kill -0 $switch || exit 1
  sleep 0.1
done
kill -TERM $switch
wait $switch
"""

ASKED = """
set -e
trap 'touch {0}/done' EXIT
for n in $(seq 600); do
  ! sluice show ports --socket {0}/socket >/dev/null 2>&1 || break
  sleep 0.1
done
sluice-gen --port memif:{0}/a,client --port memif:{0}/b,client --seconds 1 --rate 20K --json \
  --quiet >{0}/found
sluice show ports --json --socket {0}/socket >{0}/ports
sluice show ledger --json --socket {0}/socket >{0}/ledger
"""

RESTORED = """
set -e
rm -f {0}/done
trap 'touch {0}/done; wait' EXIT
({1}) &
for n in $(seq 600); do
  ! sluice show ports --json --socket {0}/socket >{0}/ports 2>/dev/null || break
  sleep 0.1
done
sluice show events --json --socket {0}/socket >{0}/events
"""


def read(shared: pathlib.Path, name: str):
    return json.loads((shared / name).read_text())


PAIRS = [(debians.OLDSTABLE, debians.STABLE), (debians.STABLE, debians.OLDSTABLE),
         pytest.param(debians.OLDSTABLE, debians.TESTING, marks=pytest.mark.testing),
         pytest.param(debians.TESTING, debians.STABLE, marks=pytest.mark.testing)]


@pytest.mark.parametrize("switching, asking", PAIRS)
def test_one_machine_reads_what_the_other_says(machine_of, shared, switching: str, asking: str):
    one, other = machine_of(switching), machine_of(asking)
    (shared / "sluice.yaml").write_text(CONFIGURATION.format(shared))
    with concurrent.futures.ThreadPoolExecutor() as pool:
        switch = pool.submit(one.run, SWITCH.format(shared))
        result.went_well(other.run(ASKED.format(shared)))
        result.went_well(switch.result())
    found, ledger = read(shared, "found"), read(shared, "ledger")
    assert found["delivered"] == found["offered"] > 0 and found["lost"] == 0, found
    assert ledger["received"] >= found["offered"] and ledger["balanced"] is not False, ledger
    counted = sum(port["rx_frames"] for port in read(shared, "ports"))
    assert counted >= found["offered"], "frames that teach addresses come before"

    restored = result.went_well(other.run(RESTORED.format(shared, SWITCH.format(shared))))
    texts = [event["text"] for event in read(shared, "events") if event["kind"] == "state_restored"]
    assert texts and "counters of 2 port" in texts[0], (texts, result.everything(restored))
    assert sum(port["rx_frames"] for port in read(shared, "ports")) == counted
