"""VPP between memif sockets, where the user has one (`--vpp BINARY`): a bridge domain, which
learns, or a cross-connect. It is started by a file of its own and a script of commands, both made
here, with one worker on the core of the device under test and its main thread on the generator's.
It was not run: what is made and read is tested, and VPP is in no package that this project uses.

Written by VPP's sources (2026-08): src/vlib/threads.c and unix/main.c for the file,
src/plugins/memif/cli.c and src/vnet/l2/ for the commands, src/vlib/node_cli.c for `show runtime`.
"""

import pathlib
import re
import subprocess
from typing import Optional

from devices import CORE, GENERATOR_CORE, Device
from waiting import until

RING = 1024
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
                *[f"set interface l2 bridge {name} 1" for name in names],
                *[f"set interface rx-mode {name} polling" for name in names]]
    pairs = zip(names[::2], names[1::2])
    return [*made, *[f"set interface l2 xconnect {one} {other}" for pair in pairs
                     for one, other in (pair, pair[::-1])],
            *[f"set interface rx-mode {name} polling" for name in names]]


def cycles_of(runtime: str) -> Optional[float]:
    """Of `show runtime`: clocks of all nodes of its worker, for each frame that an input node took.
    A polling node's clocks are of empty polls, too: under full load there are few."""
    clocks = 0.0
    taken = 0
    worker = False
    for line in runtime.splitlines():
        if line.startswith("Thread "):
            worker = "vpp_wk" in line
        row = _ROW.match(line)
        if not worker or not row or int(row[4]) == 0:
            continue
        clocks += float(row[6]) * int(row[4])
        if row[2] == "polling":
            taken += int(row[4])
    return clocks / taken if taken else None


class Vpp(Device):
    bridges = True
    binary: Optional[pathlib.Path] = None  # as --vpp says

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
        return cycles_of(self.ask("show", "runtime"))


class VppCrossConnect(Vpp):
    bridges = False
    meshes = False
