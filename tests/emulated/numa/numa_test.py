"""On a machine with two NUMA nodes every port has its buffers on the node of its device, or of its
worker where the device has none, and nothing is lost between nodes."""

import json
import pathlib
import re
from collections import Counter
from typing import NamedTuple, Optional

import pytest

from cables import MACHINE, cables
from guest import CARDS, Guest, drivers, modules
from switch import program

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "config/examples"
FRAMES = 10000  # each way, as carry.sh has it
NODE_OF_CPU = [0, 0, 1, 1]


class Run(NamedTuple):
    """A switch with two ports, each with a worker of its own, and a generator at their far ends."""
    name: str
    ports: tuple[str, str]
    far_ends: tuple[str, str]
    workers: tuple[int, int]  # their CPUs; the generator has the others
    nodes: set[int]  # where the buffers are to be
    allowed: tuple[int, ...] = (0, 1, 2, 3)  # CPUs that the switch may use
    example: Optional[str] = None  # a file of config/examples that says all that, to the letter


MEMIF = ("memif:/run/a", "memif:/run/b")
MEMIF_CLIENTS = ("memif:/run/a,client", "memif:/run/b,client")
RUNS = [
    Run("memory_of_both", MEMIF, MEMIF_CLIENTS, (1, 3), {0, 1}),
    Run("memory_of_one", MEMIF, MEMIF_CLIENTS, (2, 3), {1}),
    Run("card_on_each_node", ("pci:0000:41:00.0", "pci:0000:82:00.0"),
        ("pci:0000:81:00.0", "pci:0000:42:00.0"), (1, 3), {0, 1}, example="nic-pair"),
    Run("cards_far_away", ("pci:0000:81:00.0", "pci:0000:82:00.0"),
        ("pci:0000:41:00.0", "pci:0000:42:00.0"), (0, 1), {1}, allowed=(0, 1)),
]


def settings(run: Run) -> str:
    """The generator takes every frame that it has not sent for a stray, so nothing else is said."""
    if run.example is not None:
        return (EXAMPLES / f"{run.example}.yaml").read_text() + "lldp: {enabled: false}\n"
    # The cards keep pause frames, so nothing can be lossless there.
    lossless = {"lossless": [3], "pfc": {"headroom": "1MiB"}} if run.ports == MEMIF else {}
    return json.dumps({
        "ports": [{"name": name, "device": device} for name, device in zip("ab", run.ports)],
        "defaults": lossless,
        "workers": {"count": 2, "cores": run.workers},
        "lldp": {"enabled": False}})


def command(run: Run) -> str:
    others = {0, 1, 2, 3} - set(run.workers)
    masks = [f"{sum(1 << cpu for cpu in cpus):x}" for cpus in (run.allowed, others)]
    return " ".join(["carry", run.name, *masks, *run.far_ends])


@pytest.fixture(scope="module")
def seen(tmp_path_factory) -> pathlib.Path:
    """What a guest saw of all runs, one after the other: a folder each."""
    guest = Guest(tmp_path_factory.mktemp("guest"),
                  programs=[program(name) for name in ("sluiced", "sluice", "sluice-gen")],
                  files=[*drivers("bus_vdev", "bus_pci", "mempool_ring", "mempool_stack",
                                  "net_e1000"),
                         *modules("uio", "uio_pci_generic")],
                  texts={f"/{run.name}.json": settings(run) for run in RUNS},
                  machine=MACHINE, devices=cables((0, 1), (0, 1)))
    script = [CARDS, (HERE / "carry.sh").read_text(), "hand_over_cards", *map(command, RUNS)]
    return guest.run("\n".join(script), seconds=180)


@pytest.fixture(params=RUNS, ids=lambda run: run.name)
def run(request) -> Run:
    return request.param


@pytest.fixture
def folder(seen: pathlib.Path, run: Run) -> pathlib.Path:
    folder = seen / run.name
    assert (folder / "numa_maps").exists(), f"sluiced ended too early:\n{logs(folder)}"
    return folder


def logs(folder: pathlib.Path) -> str:
    return "\n".join(f"--- {path.name}\n{path.read_text()}" for path in folder.glob("*.log"))


def said(folder: pathlib.Path, program: str):
    text = (folder / f"{program}.json").read_text()
    assert text, f"it said nothing:\n{logs(folder)}"
    return json.loads(text)


def huge_pages(folder: pathlib.Path) -> Counter:
    """Of sluiced, by node."""
    pages = Counter()
    for line in (folder / "numa_maps").read_text().splitlines():
        if " huge " in line:
            for node, count in re.findall(r" N(\d)=(\d+)", line):
                pages[int(node)] += int(count)
    return pages


def test_the_guest_has_cards_on_both_nodes(seen: pathlib.Path):
    assert (seen / "cards").read_text().splitlines() == [
        "0000:41:00.0 0", "0000:42:00.0 0", "0000:81:00.0 1", "0000:82:00.0 1"]


def test_nothing_is_lost(folder: pathlib.Path):
    found = said(folder, "generator")
    assert found["offered"] == found["delivered"] == 2 * FRAMES
    assert found["lost"] == found["duplicates"] == found["strays"] == 0
    for row in said(folder, "ports"):
        assert row["rx_frames"] >= FRAMES and row["tx_frames"] >= FRAMES, row


def test_the_ledger_balances_to_the_end(folder: pathlib.Path):
    assert said(folder, "ledger")["balanced"]
    last = (folder / "sluiced.log").read_text().splitlines()[-1]
    assert "ledger: " in last and last.endswith("+ 0 waiting: balanced"), last


def test_a_worker_tells_its_node(folder: pathlib.Path, run: Run):
    assert [(row["core"], row.get("node")) for row in said(folder, "workers")] == \
        [(cpu, NODE_OF_CPU[cpu]) for cpu in run.workers]


def test_buffers_are_on_the_nodes_of_the_ports(folder: pathlib.Path, run: Run):
    pages = huge_pages(folder)
    # A third at least: DPDK and its drivers may have some elsewhere.
    assert {node for node in pages if 3 * pages[node] >= pages.total()} == run.nodes, pages


def test_huge_pages_are_given_back_to_each_node(folder: pathlib.Path):
    assert (folder / "pages_kept").read_text().split() == ["0", "0"]
