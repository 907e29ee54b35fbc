"""What switches that have ended left on the machine, although it is theirs."""

import json
import os
import pathlib

from lab import Lab

CLAIMS = pathlib.Path("/run/sluice")
EAL_FOLDERS = pathlib.Path("/run/dpdk")


def claims(lab: Lab) -> list[pathlib.Path]:
    """A claim counts if this namespace has its interface: the kernel gives the numbers of namespaces
    again, so one that is gone may have had this number."""
    space = os.stat(f"/run/netns/{lab.namespace.name}").st_ino
    links = json.loads(lab.namespace.ip("-json", "link", "show"))
    files = [CLAIMS / f"{space}-{link['ifname']}" for link in links]
    return [file for file in files if file.exists()]


def notes(lab: Lab) -> list[str]:
    """How interfaces were, for the next switch, since this one ended without giving them back."""
    return [str(claim) for claim in claims(lab) if claim.read_text()]


def left(lab: Lab, processes: list[int]) -> list[str]:
    """What is there although no switch is."""
    links = json.loads(lab.namespace.ip("-json", "link", "show"))
    return [*map(str, claims(lab)),
            *(str(folder) for process in processes
              if (folder := EAL_FOLDERS / f"sluice-{process}").exists()),
            *map(str, lab.folder.glob("**/*.sock")),
            *(f"an XDP program on {link['ifname']}" for link in links if "xdp" in link)]
