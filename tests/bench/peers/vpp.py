"""VPP between memif sockets, where the user has one (`--vpp BINARY`): a bridge domain, which
learns, or a cross-connect. It is started by a file of its own and a script of commands, both made
here, with one worker on the core of the device under test and its main thread on the generator's.
VPP is in no package that this project uses; it was run as it is in its repository (26.10-rc0,
b575ec2c56d).

Its ports poll, as is its default; `set interface rx-mode` would not reach rings that come with the
generator. Written by VPP's sources: src/vlib/threads.c and unix/main.c for the file,
src/plugins/memif/cli.c and src/vnet/l2/ for the commands, src/vlib/node_cli.c for `show runtime`.
"""

import pathlib
import re
import subprocess
from typing import NamedTuple, Optional

from devices import CORE, GENERATOR_CORE, Device
from waiting import until

RING = 1024
INPUT = "memif-input"  # polls all ports of its worker
_ROW = re.compile(r"^\s*(\S+)\s+([a-z][a-z -]*?)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s*$")


def startup(folder: pathlib.Path) -> str:
    return f"""unix {{
  nodaemon
  nobanner
  nocolor
  log {folder}/vpp.log
  runtime-dir {folder}
  cli-listen {folder}/cli.sock
  exec {folder}/vpp.cli
}}
cpu {{ main-core {GENERATOR_CORE} corelist-workers {CORE} }}
socksvr {{ socket-name {folder}/api.sock }}
statseg {{ socket-name {folder}/stats.sock }}
api-segment {{ prefix sluice-peers }}
plugins {{ plugin default {{ disable }} plugin memif_plugin.so {{ enable }} }}
"""


def commands(sockets: list[pathlib.Path], bridges: bool) -> list[str]:
    names = [f"memif{number}/0" for number in range(1, len(sockets) + 1)]
    made = []
    for number, (name, socket) in enumerate(zip(names, sockets), 1):
        made += [f"create memif socket id {number} filename {socket}",
                 f"create interface memif id 0 socket-id {number} ring-size {RING} master",
                 f"set interface state {name} up"]
    if bridges:
        return [*made, "create bridge-domain 1",
                *[f"set interface l2 bridge {name} 1" for name in names]]
    pairs = zip(names[::2], names[1::2])
    return [*made, *[f"set interface l2 xconnect {one} {other}" for pair in pairs
                     for one, other in (pair, pair[::-1])]]


class Node(NamedTuple):
    """Of the worker, since its counts were cleared."""

    calls: int
    frames: int
    clocks: float


def nodes_of(runtime: str) -> dict[str, Node]:
    """Of `show runtime`: clocks for each frame, or for each call where there was none."""
    nodes = {}
    worker = False
    for line in runtime.splitlines():
        if line.startswith("Thread "):
            worker = "vpp_wk" in line
        if worker and (row := _ROW.match(line)):
            calls, frames = int(row[3]), int(row[4])
            nodes[row[1]] = Node(calls, frames, float(row[6]) * (frames or calls))
    return nodes


def clocks_of_an_idle_poll(runtime: str) -> Optional[float]:
    """Of one, as shown while next to nothing came."""
    node = nodes_of(runtime).get(INPUT)
    return node.clocks / node.calls if node and node.calls else None


def cycles_of(runtime: str, idle_poll: float = 0) -> Optional[float]:
    """Of all nodes of the worker, for each frame that came in, but for polls of its ports that found
    nothing, as others that are compared with it tell of busy polls only. Each that found something
    calls l2-input at least once, for frames of all ports together. What its loop does between nodes
    is in no figure: a clock or two a frame, of vectors of 80."""
    nodes = nodes_of(runtime)
    taken = nodes.get(INPUT)
    if taken is None or taken.frames == 0:
        return None
    found = nodes["l2-input"].calls if "l2-input" in nodes else taken.calls
    clocks = sum(node.clocks for node in nodes.values() if node.frames > 0)
    return (clocks - max(0, taken.calls - found) * idle_poll) / taken.frames


class Vpp(Device):
    bridges = True
    binary: Optional[pathlib.Path] = None  # as --vpp says
    counts_idle_polls = True
    idle_poll = 0.0  # clocks

    def start(self) -> None:
        (self.folder / "vpp.cli").write_text("\n".join(commands(self.sockets, self.bridges)) + "\n")
        (self.folder / "startup.conf").write_text(startup(self.folder))
        self.run("vpp", str(self.binary), "-c", str(self.folder / "startup.conf"))
        until(lambda: all(socket.exists() for socket in self.sockets)
              and self.ask("show", "version"), "vpp listens", 60)

    def ask(self, *words: str) -> str:
        asked = subprocess.run([str(self.binary.with_name("vppctl")), "-s",
                                str(self.folder / "cli.sock"), *words], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        return asked.stdout if asked.returncode == 0 else ""

    def forget_cycles(self) -> None:
        self.ask("clear", "runtime")

    def cycles_a_frame(self) -> Optional[float]:
        return cycles_of(self.ask("show", "runtime"), self.idle_poll)

    def note_idle_polls(self) -> None:
        self.idle_poll = until(lambda: clocks_of_an_idle_poll(self.ask("show", "runtime")),
                               "vpp polls the generator's rings")


class VppCrossConnect(Vpp):
    bridges = False
    meshes = False
