"""A file of config/examples as a lab opens it: every interface that it names is made, with a host at
the other end of its cable. Only what this machine has none of is something else: a NIC that DPDK
drives is such an interface too, a core is one of those that there are, and sockets are in the test's
own folder."""

import os
import pathlib
import re
from collections.abc import Collection, Sequence
from typing import Optional

import yaml

from host import Host
from lab import Lab
from namespace import Namespace
from switch import Switch

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "config/examples"
NAMES = sorted(path.stem for path in FOLDER.glob("*.yaml"))
_ON_A_CABLE = ("af_packet", "af_xdp")


class Example:
    def __init__(self, lab: Lab, name: str, *, namespace: Optional[Namespace] = None,
                 cabled: Collection[str] = (), change_places: Sequence[tuple[str, str]] = ()):
        """Not started. In `namespace`, else the lab's own; interfaces of `cabled` have their cable;
        of each pair of words in the file one is written for the other."""
        self.folder = lab.folder
        text = (FOLDER / f"{name}.yaml").read_text()
        for one, other in change_places:
            text = other.join(part.replace(other, one) for part in text.split(one))
        self.comments = "\n".join(re.findall(r"^# ?(.*)$", text.replace("/run/sluice", str(lab.folder)),
                                             re.MULTILINE))
        self.hosts: dict[str, Host] = {}  # by the name of their port
        # A TPID is written in hexadecimal, and not otherwise.
        configuration = yaml.safe_load(re.sub(r"\b0x[0-9A-Fa-f]+", r'"\g<0>"', text))
        cores = sorted(os.sched_getaffinity(0))
        if "cores" in (workers := configuration.get("workers", {})):
            workers["cores"] = [cores[number % len(cores)] for number in range(workers["count"])]
        self.ports = configuration.pop("ports")
        for number, port in enumerate(self.ports):
            port.setdefault("name", f"p{number}")
            port["device"] = port["device"].replace("/run/sluice", str(lab.folder))
            scheme, _, target = port["device"].partition(":")
            if scheme == "pci":
                scheme, target = "af_packet", f"nic{number}"
                port["device"] = f"{scheme}:{target}"
            if scheme in _ON_A_CABLE and target not in cabled:
                self.hosts[port["name"]] = lab.add_host(target, namespace)
        self.switch: Switch = lab.make_switch(self.ports, namespace,
                                              **{"lldp": {}, **configuration})

    def links(self) -> dict[str, str]:
        """Returns the expected link states while no other process has connected."""
        return {port["name"]: "down" if port["device"].startswith(("memif:", "vhost:")) else "up"
                for port in self.ports}
