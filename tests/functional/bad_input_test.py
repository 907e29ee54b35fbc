"""What is wrong is said at once, all of it, by name, with what would be right."""

import contextlib
import fcntl
import glob
import json
import pathlib
import re
import select
import shutil
import signal
import socket
import termios
import time

import pytest

from lab import Lab
from namespace import run
from switch import Switch, program, sluice
from waiting import PATIENCE, until_equal

FAULTY = """\
defaults:
  mtu: 1500KB
ports:
  - {name: left, device: af_packet:p0, lossless: [9]}
  - {name: left, device: af_packet:p0}
  - {nam: right, device: "null:"}
  - {name: odd}
buffer: {size: 16MB}
fabric:
  iterations: 5
control:
  socket: sluice.sock
"""
# Where an editor would put the cursor, and the key.
FAULTS = ["2:8: defaults.mtu", "4:51: ports[0].lossless[0]", "5:12: ports[1].name",
          "5:26: ports[1].device", "6:6: ports[2].nam", "7:5: ports[3].device",
          "8:16: buffer.size", "10:15: fabric.iterations", "12:11: control.socket"]

EXAMPLES = sorted(pathlib.Path(__file__).resolve().parents[2].glob("config/examples/*.yaml"))


def sluiced(*words: str):
    return run(program("sluiced"), *words, check=False)


def write(folder: pathlib.Path, text: str) -> str:
    file = folder / "sluice.yaml"
    file.write_text(text)
    return str(file)


def remedy_in(said: str) -> list[str]:
    """The last command in backticks: what mends it."""
    return re.findall(r"`([^`]+)`", said)[-1].split()


# --- a wrong file ---------------------------------------------------------------------------------

@pytest.mark.parametrize("check", [
    lambda file: sluice("check", file, check=False),
    lambda file: sluiced("-c", file, "--dry-run"),
    lambda file: sluiced("-c", file),
], ids=["sluice_check", "dry_run", "sluiced"])
def test_every_fault_is_reported_in_one_run(tmp_path, check):
    file = write(tmp_path, FAULTY)
    done = check(file)
    assert done.returncode == 2 and done.stdout == ""
    lines = done.stderr.splitlines()
    for line in lines:
        _, _, rest = line.split(": ", 2)
        assert re.fullmatch(r".+; .+", rest), f"no remedy: {line}"
    assert [line[len(file) + 1:line.index(": ", line.index(": ") + 1)] for line in lines] == FAULTS


@pytest.mark.parametrize("text, complaint", [
    ("", r":1:1: "), ("ports: []\n", r"ports: "), ("ports: [\n", r":\d+:\d+: "),
    ("\x00\x01\x02", r":\d+:\d+: "), ("ports: \xff\n", r""), ("- a\n- b\n", r":1:1: ")])
def test_what_is_no_configuration(tmp_path, text, complaint):
    file = tmp_path / "sluice.yaml"
    file.write_bytes(text.encode("latin-1"))
    done = sluice("check", str(file), check=False)
    assert done.returncode == 2 and re.search(complaint, done.stderr), done.stderr


def test_a_file_that_is_not_there(tmp_path):
    for done in (sluice("check", str(tmp_path / "nothing.yaml"), check=False),
                 sluiced("-c", str(tmp_path / "nothing.yaml"))):
        assert done.returncode == 2
        assert f"{tmp_path}/nothing.yaml" in done.stderr


@pytest.mark.parametrize("example", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_the_examples_are_right(example):
    said = sluice("check", str(example)).stdout
    assert "fine" in said
    assert re.search(r"memory: \d\S*( \S+)? for \d+ frame buffers of \d+ octets", said), said


# --- a wrong device -------------------------------------------------------------------------------

def refused(lab: Lab, *devices: str, dry_run: bool = False) -> list[str]:
    """What sluiced says of ports on these; it exits 1."""
    switch = lab.make_switch([{"device": device} for device in devices])
    switch.write()
    words = [program("sluiced"), "-c", str(switch.file), *(["--dry-run"] if dry_run else [])]
    done = lab.namespace.run(*words, check=False)
    assert done.returncode == 1 and done.stdout == "", done.stderr
    place = rf"{re.escape(str(switch.file))}:\d+:\d+: ports\[\d+\]\.device: "
    for line in done.stderr.splitlines():
        assert re.match(place, line), line
    return done.stderr.splitlines()


def starts(lab: Lab, *devices: str) -> None:
    switch = lab.make_switch([{"device": device} for device in devices])
    switch.launch()
    names = [f"p{number}" for number in range(len(devices))]
    until_equal(lambda: list(switch.links()), names, "it starts")


def mend(lab: Lab, complaint: str) -> None:
    lab.namespace.run(*remedy_in(complaint))


@pytest.mark.parametrize("dry_run", [False, True], ids=["start", "dry_run"])
def test_a_device_that_is_not_there_is_named_with_what_mends_it(lab: Lab, kind: str, dry_run):
    lab.add_hosts(1)
    complaints = refused(lab, f"{kind}:p0", f"{kind}:nope", f"{kind}:nor_this", dry_run=dry_run)
    assert len(complaints) == 2, "each that is missing, and no other"
    for complaint, number, name in zip(complaints, (1, 2), ("nope", "nor_this")):
        assert f"ports[{number}].device: {kind}:{name}: " in complaint
        mend(lab, complaint)
    starts(lab, f"{kind}:p0", f"{kind}:nope", f"{kind}:nor_this")


@pytest.mark.parametrize("dry_run", [False, True], ids=["start", "dry_run"])
def test_more_ports_than_dpdk_opens_are_refused_at_once(lab: Lab, dry_run):
    (complaint,) = refused(lab, *["null:"] * 64, dry_run=dry_run)
    most = int(re.search(r"DPDK opens (\d+) in a process; keep \1 ports", complaint)[1])
    assert f"ports[{most}].device: port {most + 1} of 64: " in complaint
    assert 16 <= most < 64, "what Debian's opens, 32, or another's"


def beyond_any_memory(lab: Lab) -> Switch:
    switch = lab.make_switch([{"device": "null:"}], buffer={"size": "4GiB", "cell": "64B"})
    switch.write()
    return switch


@pytest.mark.parametrize("words", [[], ["--dry-run"]], ids=["start", "dry_run"])
def test_memory_that_the_machine_lacks_is_refused_before_it_is_taken(lab: Lab, words):
    switch = beyond_any_memory(lab)
    done = run(program("sluiced"), "-c", str(switch.file), *words, check=False)
    assert done.returncode == 1 and done.stdout == ""
    (complaint,) = done.stderr.splitlines()
    assert ": buffer.size: " in complaint and "lower buffer.size" in complaint


def test_memory_that_others_choose_or_have_already_is_none_to_refuse(lab: Lab):
    """By EAL's arguments; or where a switch runs, which would give its own back first."""
    switch = beyond_any_memory(lab)
    words = [program("sluiced"), "-c", str(switch.file), "--dry-run"]
    assert "fine" in run(*words, "--", "--no-huge", "-m", "512").stdout
    with socket.socket(socket.AF_UNIX) as running:
        running.bind(str(switch.socket))
        running.listen()
        assert "fine" in run(*words).stdout


def test_a_limit_of_the_process_is_named_in_place_of_huge_pages(lab: Lab):
    switch = lab.make_switch([{"device": "null:"}])
    switch.write()
    done = run("sh", "-c", 'ulimit -v 300000 && exec "$@"', "sh", program("sluiced"), "-c",
               str(switch.file), check=False)
    assert done.returncode == 1
    assert "(RLIMIT_AS)" in done.stderr and "nr_hugepages" not in done.stderr, done.stderr
    assert remedy_in(done.stderr) == ["ulimit", "-v", "unlimited"]


def test_tunnels_and_memif_are_none_of_those_that_dpdk_opens(lab: Lab):
    """As many ports as there may be, of which it opens one."""
    below = {"name": "below", "device": "ring:below/a", "mtu": 1558,
             "underlay": {"address": "192.0.2.1/24"}, "vlan": {"mode": "access", "access": 4000}}
    tunnels = [{"name": f"t{vni}", "device": f"vxlan:below/192.0.2.2/{vni}"} for vni in range(1, 63)]
    switch = lab.make_switch([below, {"name": "near", "device": f"memif:{lab.folder}/near.sock"},
                              *tunnels])
    switch.launch()
    until_equal(lambda: len(switch.links()), 64, "it starts")


def test_what_other_devices_miss_is_named_too(lab: Lab):
    lab.add_hosts(1)
    folder = lab.folder / "not" / "there"
    of_memif, of_tap, of_pci, of_pcap = refused(
        lab, f"memif:{folder}/x.sock", "tap:p0", "pci:0000:ff:1f.7", f"pcap:{folder}/x.pcap")
    assert "dpdk-devbind.py" in of_pci and "no such PCI device" in of_pci
    assert "cannot be read" in of_pcap
    mend(lab, of_memif)
    mend(lab, of_tap)
    starts(lab, f"memif:{folder}/x.sock", "tap:p0")


def test_an_interface_with_another_xdp_program_is_named_with_what_mends_it(lab: Lab):
    lab.add_hosts(2)
    [foreign] = glob.glob("/usr/lib/*/bpf/xsk_def_xdp_prog.o")  # any will do
    lab.namespace.ip("link", "set", "dev", "p0", "xdp", "obj", foreign, "sec", "xdp")
    [complaint] = refused(lab, "af_xdp:p0", "af_xdp:p1")
    assert "ports[0].device: af_xdp:p0: an XDP program is attached to p0" in complaint
    mend(lab, complaint)
    starts(lab, "af_xdp:p0", "af_xdp:p1")


def test_an_interface_of_another_sluiced_is_refused(lab: Lab):
    switch, (one, two) = lab.build("af_xdp", 2)
    [complaint] = refused(lab, "af_xdp:p1", "null:")
    assert re.search(r"af_xdp:p1: process \d+ \(sluiced\) has p1: .*; stop it first: `kill \d+`",
                     complaint)
    one.ping(two.ipv4)


# --- wrong words ----------------------------------------------------------------------------------

@pytest.mark.parametrize("words", [
    (), ("show",), ("show", "nothing"), ("shwo", "ports"), ("check",), ("check", "a", "b"),
    ("flush", "everything"), ("show", "ports", "--jsn"), ("show", "ports", "--every", "1")])
def test_words_that_sluice_does_not_know(words):
    done = sluice(*words, check=False)
    assert done.returncode == 2 and done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith("sluice: ") and "--help" in line


def test_for_an_unknown_noun_the_known_ones_are_listed():
    said = sluice("show", "nothing", check=False).stderr
    for noun in ("ports", "queues", "drops", "fdb", "multicast", "lldp", "ledger"):
        assert f" {noun}" in said, said


@pytest.mark.parametrize("words", [
    (), ("-c",), ("--nonsense",), ("-c", "x.yaml", "--log-level", "loud")])
def test_words_that_sluiced_does_not_know(words):
    done = sluiced(*words)
    assert done.returncode == 2 and done.stderr.startswith("sluiced: ")


def test_both_explain_themselves():
    for done in (sluice("--help"), run(program("sluiced"), "--help")):
        assert "Examples:" in done.stdout and done.stderr == ""


@pytest.mark.parametrize("words", [("show", "ports"), ("top",), ("flush", "fdb")])
def test_nobody_answers(tmp_path, words):
    path = str(tmp_path / "nobody.sock")
    done = sluice(*words, "--socket", path, check=False)
    assert done.returncode == 1 and done.stdout == ""
    assert path in done.stderr and "`sluiced -c FILE`" in done.stderr


def test_eal_arguments_that_dpdk_does_not_know(lab: Lab):
    lab.add_hosts(1)
    switch = lab.make_switch(lab.ports("af_packet"))
    switch.write()
    done = lab.namespace.run(program("sluiced"), "-c", str(switch.file), "--", "--nonsense",
                             check=False)
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert line.startswith("EAL: ") and "; " in line


# --- a file that takes long to read ---------------------------------------------------------------

def asked(switch: Switch, request: dict) -> socket.socket:
    """Once all of the request has been read."""
    own = socket.socket(socket.AF_UNIX)
    own.connect(switch.socket)
    own.sendall(json.dumps(request).encode() + b"\n")
    until_equal(lambda: fcntl.ioctl(own, termios.TIOCOUTQ, bytes(4)), bytes(4), "it is read")
    return own


def test_others_are_answered_while_a_long_file_is_read(lab: Lab):
    switch = lab.make_switch([{"device": "null:"}]).start()
    text = "ports:\n" + '  - {device: "null:", nope: 1}\n' * 30000
    with contextlib.closing(asked(switch, {"apply": {"file": "long", "text": text}})) as slow, \
            contextlib.closing(asked(switch, {"show": "ports"})) as quick:
        ready, _, _ = select.select([slow, quick], [], [], PATIENCE)
        assert ready == [quick]
        assert json.loads(quick.makefile().readline())["result"][0]["name"] == "p0"
        refusal = json.loads(slow.makefile().readline())
    assert "30000 items" in refusal["errors"][0]


def test_a_long_file_is_not_read_as_often_as_somebody_says_so(lab: Lab):
    switch = lab.make_switch([{"device": "null:"}]).start()
    good = shutil.copy(switch.file, lab.folder / "good.yaml")
    switch.file.write_text("ports:\n" + '  - {device: "null:"}\n' * 30000)
    for _ in range(60):
        switch.process.signal(signal.SIGHUP)
        time.sleep(0.01)  # or they would be one for the kernel
    switch.command("apply", str(good))  # has its turn after them
    refusals = [event for event in switch.show("events") if event["kind"] == "refused"]
    assert 2 <= len(refusals) <= 30
