"""Includes run one way.

    dataplane      includes nothing else of ours, and of the system only what is pure
      switch, shard, poll, ledger   above all of
      trace, tunnel            above all below
      trim                     above egress
      csig                     above these alone
      ingress, egress          above
      fabric, forward          above    (forward asks about Headers, so it may see ingress/parse.h)
      buffer, pfc, capture, latency, ipfix, sflow, offload  above    (credits above buffer)
      threads                  above types
      types
    config, pmd_glue           include dataplane; both read the table of device kinds
    control                    includes config and dataplane; only the daemon ties in pmd_glue
    tools/common               config and dataplane
    tools/sim                  these, and tools/common
    tools/sluice               these, and control; it reaches neither DPDK nor libbpf
    tools/gen                  may include all of them but tools/sim and tools/sluice
"""

import functools
import pathlib
import re

import pytest

import tree

CODE = [path for path in tree.sources() if path.suffix in {".cc", ".h"}]
DATAPLANE = [path for path in CODE if path.parts[0] == "dataplane"]

# What a folder of the dataplane may include, itself apart.
BELOW = {
    "types": set(),
    "threads": {"types"},
    "pfc": {"types", "threads"},
    "buffer": {"types", "threads"},
    "credits": {"types", "threads", "buffer"},
    "retry": {"types", "threads"},
    "recorder": {"types", "threads"},
    "ipfix": {"types", "threads"},
    "forward": {"types", "threads", "ingress/parse.h"},
    "fabric": {"types", "threads"},
    "capture": {"types", "threads"},
    "latency": {"types", "threads"},
    "sflow": {"types", "threads"},
    "offload": {"types", "threads"},
    "ingress": {"types", "threads", "buffer", "pfc", "fabric", "credits"},
    "egress": {"types", "threads", "pfc", "fabric", "credits"},
    "trim": {"types", "threads", "fabric", "egress"},
    "csig": {"types", "threads"},
    "trace": {"types", "threads", "pfc", "buffer", "forward", "fabric", "ingress", "egress", "credits"},
    "tunnel": {"types", "threads", "forward", "ingress", "egress", "retry"},
    "ingress_pipeline": {"types", "threads", "pfc", "buffer", "forward", "fabric", "ingress", "egress", "capture",
                         "latency", "sflow", "trace", "trim", "csig", "credits", "shared_state.h",
                         "bypass.h"},
    "top": {"types", "threads", "pfc", "buffer", "forward", "fabric", "ingress", "egress", "capture", "latency",
            "sflow", "trace", "trim", "csig", "credits", "retry", "recorder", "ipfix", "ingress_pipeline"},
}

# The standard's headers without clock, chance, input, output, threads or locks; and the
# processor's own.
PURE = {
    "algorithm", "cassert", "array", "atomic", "bit", "bitset", "compare", "concepts", "cstddef", "cstdint",
    "cstdlib", "cstring", "functional", "immintrin.h", "iterator", "limits", "memory", "memory_resource", "new", "numeric",
    "optional", "ranges", "span", "string_view", "tuple", "type_traits", "utility", "variant",
    "vector",
}

# Who may include whom, among our own top folders.
FOLDERS = {
    "dataplane": {"dataplane"},
    "config": {"config", "dataplane"},
    "pmd_glue": {"pmd_glue", "dataplane"},
    "control": {"control", "config", "dataplane"},
    "tools/common": {"tools/common", "config", "dataplane"},
    "tools/sim": {"tools/sim", "tools/common", "config", "dataplane"},
    "tools/sluice": {"tools/sluice", "tools/sim", "tools/common", "control", "config", "dataplane"},
    "tools/snmp": {"tools/snmp", "tools/sluice", "tools/common", "control", "config", "dataplane"},
    "tools/gen": {"tools/gen", "tools/common", "control", "config", "pmd_glue", "dataplane"},
}
# Of config, what is plain: a table of kinds and an account of their rings.
DEVICE_KINDS = {"config/device_kind.h", "config/device_buffers.h"}
# Of control, what ties the devices to the rest.
DAEMON = ("control/daemon/", "control/hotplug/", "control/runtime/", "control/main.cc")


def layer(name):
    """Of a path below dataplane/."""
    parts = pathlib.PurePath(name).parts
    return parts[0] if len(parts) > 1 else "top"


def folder(name):
    parts = pathlib.PurePath(name).parts
    return "/".join(parts[:2]) if parts[0] == "tools" else parts[0]


@pytest.mark.parametrize("path", DATAPLANE, ids=str)
def test_the_dataplane_includes_downwards(path):
    mine = layer(path.relative_to("dataplane"))
    assert mine in BELOW, f"{path}: a new folder needs its place in the order"
    ours, _ = tree.includes(path)
    for name in ours:
        assert name.startswith("dataplane/"), f"{path} includes {name}"
        inner = name.removeprefix("dataplane/")
        allowed = BELOW[mine] | {mine}
        assert layer(inner) in allowed or inner in allowed, f"{path} includes {name}, above it"


@pytest.mark.parametrize("path", DATAPLANE, ids=str)
def test_the_dataplane_includes_nothing_impure(path):
    _, system = tree.includes(path)
    assert set(system) <= PURE, f"{path} includes {sorted(set(system) - PURE)}"


def test_includes_of_the_dataplane_make_no_circle():
    graph = {str(path): tree.includes(path)[0] for path in DATAPLANE}
    done, under_way = set(), []

    def visit(name):
        assert name not in under_way, " > ".join(under_way + [name])
        if name in done:
            return
        under_way.append(name)
        for included in graph.get(name, []):
            visit(included)
        under_way.pop()
        done.add(name)

    for name in graph:
        visit(name)


@pytest.mark.parametrize("path", [path for path in CODE if folder(path) in FOLDERS], ids=str)
def test_folders_include_one_way(path):
    allowed = set(FOLDERS[folder(path)])
    if str(path).startswith(DAEMON):
        allowed.add("pmd_glue")
    ours, _ = tree.includes(path)
    for name in ours:
        assert (tree.ROOT / name).is_file(), f"{path}: {name} is no path from the root"
        is_plain = folder(path) == "pmd_glue" and name in DEVICE_KINDS
        assert folder(name) in allowed or is_plain, f"{path} includes {name}"


def is_driver(header):
    return header.startswith(("rte_", "bpf/", "linux/bpf"))


@pytest.mark.parametrize("path", CODE, ids=str)
def test_only_pmd_glue_includes_dpdk_and_libbpf(path):
    if "pmd_glue" in path.parts:
        return
    _, system = tree.includes(path)
    assert not [name for name in system if is_driver(name)], f"{path} includes a driver's header"


@functools.cache
def reached(path):
    """Everything of ours that a file includes, through others as well."""
    found = {path}
    for name in tree.includes(path)[0]:
        if (tree.ROOT / name).is_file():
            found |= reached(pathlib.Path(name))
    return found


def test_the_command_line_reaches_no_driver():
    for path in CODE:
        if folder(path) != "tools/sluice":
            continue
        drivers = [other for other in reached(path) if other.parts[0] == "pmd_glue"]
        assert not drivers, f"{path} reaches {drivers}"


# Who opens devices, and so has a row a kind.
OPENERS = {"config/device_kind.h", "pmd_glue/device.cc"}


@pytest.mark.parametrize("path", [path for path in CODE if path.parts[0] != "tests"], ids=str)
def test_only_the_tables_of_kinds_tell_them_apart(path):
    """Whoever else asks which kind a device is, wants a trait of its row."""
    if str(path) in OPENERS:
        return
    text = (tree.ROOT / path).read_text()
    named = [word for word in re.findall(r"DeviceKind::(\w+)", text)
             if f"DeviceKind kind = DeviceKind::{word}" not in text]
    assert not named, f"{path} asks for {sorted(set(named))}: make it a trait (config/device_kind.h)"
    assert "enum DeviceKind" not in text, f"{path} takes the names of kinds"


# What a worker calls of the switch, and what polls it.
OF_WORKERS = {pathlib.Path("dataplane/shard.h"), pathlib.Path("dataplane/poll.h")}


def test_control_reaches_nothing_that_is_a_workers():
    for path in CODE:
        if folder(path) != "control" or str(path).startswith(DAEMON):
            continue
        found = reached(path) & OF_WORKERS
        assert not found, f"{path} reaches {found}: dataplane/switch.h has what control may see and do"
