"""What an attacker who found a fault in a built program does not find: a place that he knows, a
table of calls to write to, memory to write code to, a stack that nobody guards.

The environment names the programs (SLUICE_PROGRAMS, by colons) and the objects of the frame path
(SLUICE_FRAME_PATH), where no call is guarded; without them there is nothing to look at.
"""

import os
import re
import subprocess

import pytest

PROGRAMS = [name for name in os.environ.get("SLUICE_PROGRAMS", "").split(":") if name]
FRAME_PATH = [name for name in os.environ.get("SLUICE_FRAME_PATH", "").split(":") if name]

# By name, what `readelf --wide --file-header --program-headers --dynamic --dyn-syms` then says.
PROPERTIES = {
    "position independent (-fPIE -pie)": r"Type: +DYN .*\n(?s:.*)FLAGS_1.* PIE",
    "read-only relocations (-z relro)": r"^ +GNU_RELRO ",
    "calls bound at start (-z now)": r"\(FLAGS_1\) +Flags:.* NOW\b",
    "no code on the stack (-z noexecstack)": r"^ +GNU_STACK +(?:0x\w+ +){5}RW ",
    "guarded stacks (-fstack-protector-strong)": r" __stack_chk_fail@",
    "guarded calls (-D_FORTIFY_SOURCE)": r" __\w+_chk@",
}
# And what it must not say.
FAULTS = {
    "memory that is writable and code": r"^ +LOAD +(?:0x\w+ +){5}RWE",
    "relocations in code": r"\(TEXTREL\)",
}


def properties_of(text):
    """What is missing, or there and should not be."""
    missing = [name for name, wanted in PROPERTIES.items() if not re.search(wanted, text, re.M)]
    return missing + [name for name, fault in FAULTS.items() if re.search(fault, text, re.M)]


def readelf(*words):
    return subprocess.run(["readelf", "--wide", *words], capture_output=True, text=True,
                          check=True).stdout


@pytest.mark.skipif(not PROGRAMS, reason="SLUICE_PROGRAMS names no program")
def test_every_program_is_hardened():
    assert {os.path.basename(name) for name in PROGRAMS} >= {"sluiced", "sluice"}
    amiss = {name: properties_of(readelf("--file-header", "--program-headers", "--dynamic",
                                         "--dyn-syms", name)) for name in PROGRAMS}
    assert {name: found for name, found in amiss.items() if found} == {}


@pytest.mark.skipif(not FRAME_PATH, reason="SLUICE_FRAME_PATH names no archive")
@pytest.mark.parametrize("archive", FRAME_PATH)
def test_the_frame_path_pays_for_no_guard(archive):
    symbols = readelf("--symbols", archive)
    assert "sluice" in symbols, "readelf found nothing: is this the archive?"
    assert not re.findall(r"UND +(__stack_chk_fail|__\w+_chk)$", symbols, re.M)


GOOD = """\
  Type:                              DYN (Position-Independent Executable file)
  LOAD           0x000000 0x0000000000000000 0x0000000000000000 0x00e0f8 0x00e0f8 R E 0x1000
  GNU_STACK      0x000000 0x0000000000000000 0x0000000000000000 0x000000 0x000000 RW  0x10
  GNU_RELRO      0x085748 0x0000000000086748 0x0000000000086748 0x0008b8 0x0008b8 R   0x1
 0x000000000000001e (FLAGS)              BIND_NOW
 0x000000006ffffffb (FLAGS_1)            Flags: NOW PIE
    11: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND __stack_chk_fail@GLIBC_2.4 (2)
    12: 0000000000000000     0 FUNC    GLOBAL DEFAULT  UND __read_chk@GLIBC_2.4 (2)
"""


@pytest.mark.parametrize("found, instead, missing", [
    ("DYN (Position-Independent Executable", "EXEC (Executable", "position independent"),
    ("NOW PIE", "NOW", "position independent"),
    ("NOW PIE", "PIE", "calls bound at start"),
    ("  GNU_RELRO", "  GNU_EH_FRAME", "read-only relocations"),
    (" RW  0x10", " RWE 0x10", "no code on the stack"),
    (" R E 0x1000", " RWE 0x1000", "memory that is writable and code"),
    ("__stack_chk_fail", "strlen", "guarded stacks"),
    ("__read_chk", "read", "guarded calls"),
])
def test_what_is_missing_is_named(found, instead, missing):
    assert properties_of(GOOD) == []
    named = properties_of(GOOD.replace(found, instead))
    assert len(named) == 1 and named[0].startswith(missing)
