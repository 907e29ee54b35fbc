"""A topology file of containerlab: what its schema, and what it does with the file, would refuse."""

import ipaddress
import pathlib
from collections import Counter
from typing import Iterator

from kubernetes import TEXT, Schema, list_of, one_of, pattern, record, schema_faults

# Kinds that need no image of a vendor; nodes of other kinds have keys that ours do not have.
KIND = one_of("linux", "bridge", "ovs-bridge", "host", "ext-container")
NODE_NAME = r"[a-zA-Z0-9][a-zA-Z0-9_.-]*"
ADDRESS = r"([0-9]{1,3}\.){3}[0-9]{1,3}"
NODE = record(kind=KIND, group=TEXT, image=TEXT, entrypoint=TEXT, cmd=TEXT,
              exec=list_of(TEXT),
              **{"mgmt-ipv4": pattern(f"^{ADDRESS}$")}, binds={**list_of(pattern(r"^[^:]+:/[^:]*(:(ro|rw))?$")), "uniqueItems": True})
# Interfaces as the kernel takes them; eth0 is that of the management network.
END = pattern(rf"^{NODE_NAME}:(?!eth0$)[^\s:/]{{1,15}}$")


def named(item: Schema, names: str = ".*") -> Schema:
    return {"type": "object", "minProperties": 1, "patternProperties": {f"^{names}$": item},
            "additionalProperties": False}


FILE = record(
    "name", "topology", name=pattern(rf"^{NODE_NAME}$"),
    mgmt=record(network=TEXT, **{"ipv4-subnet": pattern(f"^{ADDRESS}/[0-9]{{1,2}}$")}), topology=record(
        "nodes", nodes=named(NODE, NODE_NAME), groups=named(NODE), defaults=NODE,
        kinds={**named(NODE), "propertyNames": KIND},
        links=list_of(record("endpoints", endpoints={
            **list_of(END), "minItems": 2, "maxItems": 2, "uniqueItems": True}))))


def faults(file: dict, folder: pathlib.Path) -> list[str]:
    """Returns the faults of the topology; files are bound from `folder`."""
    return (schema_faults(file, FILE) or list(lost_addresses(file))
            + list(lost_names(file["topology"], folder)))


def lost_addresses(file: dict) -> Iterator[str]:
    """Fixed ones are of the management network that the file has, which begins with its bridge."""
    addresses = {name: node["mgmt-ipv4"] for name, node in file["topology"]["nodes"].items()
                 if "mgmt-ipv4" in node}
    subnet = file.get("mgmt", {}).get("ipv4-subnet")
    if addresses and not subnet:
        yield "mgmt: has no ipv4-subnet for the addresses of nodes"
        return
    hosts = set(map(str, list(ipaddress.ip_network(subnet).hosts())[1:])) if subnet else set()
    yield from (f"{name}: {address} is no address for a node of {subnet}"
                for name, address in addresses.items() if address not in hosts)
    yield from (f"mgmt: {address} is that of {count}"
                for address, count in Counter(addresses.values()).items() if count > 1)


def lost_names(topology: dict, folder: pathlib.Path) -> Iterator[str]:
    groups = topology.get("groups", {})
    for name, node in topology["nodes"].items():
        # A group that is none is not a fault of containerlab: it sorts the nodes of a drawing by it.
        if "group" in node and node["group"] not in groups:
            yield f"{name}: there is no group {node['group']!r}"
        group, defaults = groups.get(node.get("group"), {}), topology.get("defaults", {})
        kind = node.get("kind") or group.get("kind") or defaults.get("kind")
        of_kind = topology.get("kinds", {}).get(kind, {})
        if kind is None:
            yield f"{name}: has no kind"
        elif kind == "linux" and not any("image" in each for each in (node, group, of_kind, defaults)):
            yield f"{name}: has no image"
        for bind in node.get("binds", []) + group.get("binds", []):
            if not (folder / bind.split(":")[0]).exists():
                yield f"{name}: there is no file {bind.split(':')[0]!r}"
    ends = [end for link in topology.get("links", []) for end in link["endpoints"]]
    for end in ends:
        if end.split(":")[0] not in topology["nodes"]:
            yield f"links: there is no node of {end}"
    yield from (f"links: {end} is an end of {count}" for end, count in Counter(ends).items() if count > 1)
