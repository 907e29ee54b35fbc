"""What switches that have ended left on the machine, although it is theirs."""

import json
import os
import pathlib

from lab import Lab

CLAIMS = pathlib.Path("/run/sluice")
EAL_FOLDERS = pathlib.Path("/run/dpdk")


def left(lab: Lab, processes: list[int]) -> list[str]:
    """What is there although no switch is."""
    space = os.stat(f"/run/netns/{lab.namespace.name}").st_ino
    links = json.loads(lab.namespace.ip("-json", "link", "show"))
    return [*map(str, CLAIMS.glob(f"{space}-*")),
            *(str(folder) for process in processes
              if (folder := EAL_FOLDERS / f"sluice-{process}").exists()),
            *map(str, lab.folder.glob("**/*.sock")),
            *(f"an XDP program on {link['ifname']}" for link in links if "xdp" in link)]
