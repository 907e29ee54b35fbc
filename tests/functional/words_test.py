"""What an operator types in the first hour: versions of both ends, --socket anywhere, misspelled
words, help of one command, and --json of commands that change something."""

import json
import re
import signal
import subprocess

import pytest

from lab import Lab
from namespace import run
from switch import USUAL_BUFFER, program, sluice
from waiting import until


def said(*words: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run([program("sluice"), *words], capture_output=True, text=True, timeout=60,
                          env={"PATH": "/usr/bin:/bin", **environment})


@pytest.fixture
def switch(lab: Lab):
    return lab.make_switch([{"name": "left", "device": "ring:a", "description": "to the lab"},
                            {"name": "right", "device": "ring:b"}],
                           vlans=[{"id": 10, "name": "storage", "ports": ["left", "right"]}],
                           buffer=USUAL_BUFFER).start()


# --- versions -------------------------------------------------------------------------------------

def test_both_ends_say_which_version_they_are(switch):
    own = said("--version").stdout
    assert re.fullmatch(r"sluice \d+\.\d+\.\d+ \(commit [0-9a-f]{8}\+?\)\n", own)
    both = said("version", "--socket", switch.socket).stdout
    assert both.startswith(own.strip() + ", built by ")
    assert own.replace("sluice", "sluiced") in both and "The versions differ" not in both
    about = json.loads(said("version", "--json", "--socket", switch.socket).stdout)
    assert about["same"] and about["sluiced"]["commit"] == about["commit"]
    shown = switch.command("show", "version").stdout
    assert re.search(r"up since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC, \d+ s\n", shown)
    assert about["sluiced"]["kernel"] in shown and about["sluiced"]["dpdk"] in shown
    # And in its log.
    started = re.search(r"sluiced (\S+) \(commit (\S+)\) by (.*) with (DPDK \S+), for (x86-64\S*) "
                        r"\(the CPU has (\S+)\), on (.*)", switch.process.errors())
    assert [*started.groups()] == [about["sluiced"][key] for key in (
        "version", "commit", "compiler", "dpdk", "cpu_level", "cpu_supports", "kernel")]


def test_a_switch_that_is_another_or_none_is_told(lab: Lab, tmp_path):
    answer = said("version", "--socket", str(tmp_path / "none"))
    assert answer.returncode == 0 and "no sluiced answers there" in answer.stdout
    # One of another commit.
    socket = tmp_path / "other"
    other = subprocess.Popen(["python3", "-c", _OTHER, str(socket)])
    until(socket.exists, "it listens")
    assert "The versions differ: this is sluice" in said("version", "--socket", str(socket)).stdout
    about = json.loads(said("version", "--json", "--socket", str(socket)).stdout)
    assert about["same"] is False and about["sluiced"]["version"] == "0.1.0"
    other.terminate()
    other.wait()


_OTHER = """
import json, socket, sys
server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1])
server.listen()
while True:
    client = server.accept()[0]
    client.recv(4096)
    client.sendall(json.dumps({"status": 0, "result": {"version": "0.1.0"}}).encode() + b"\\n")
    client.close()
"""


# --- words ----------------------------------------------------------------------------------------

def test_a_switch_that_hangs_is_not_waited_for_as_long_as_for_an_answer(switch):
    """`version` is what is asked first where something is wrong."""
    switch.process.signal(signal.SIGSTOP)
    try:
        said = run("timeout", "8", program("sluice"), "version", "--socket", switch.socket).stdout
    finally:
        switch.process.signal(signal.SIGCONT)
    assert "sluiced does not answer" in said


def test_the_socket_may_stand_before_the_command(switch):
    for words in (["--socket", switch.socket, "show", "ports", "--json"],
                  [f"--socket={switch.socket}", "show", "ports", "--json"],
                  ["--socket", "/nowhere", "show", "ports", "--json", "--socket", switch.socket]):
        assert [port["name"] for port in json.loads(said(*words).stdout)] == ["left", "right"]


@pytest.mark.parametrize("words, meant", [
    ("shwo ports", "shwo: no such command; did you mean show? `sluice --help` has examples"),
    ("calc hedroom", '"hedroom" is not a known word; did you mean headroom; `sluice calc --help`'),
    ("show ports --jsno", "--jsno: no such option; did you mean --json? `sluice show --help`"),
    ("show prots", '"prots" is not a known noun; did you mean ports; `sluice show --help` has examples'),
    ("show qqqq", '"qqqq" is not a known noun; one of version, ports'),
    ("qqqqqq", "qqqqqq: no such command; `sluice --help` has examples")])
def test_a_misspelled_word_is_told_with_what_was_meant(words, meant):
    answer = said(*words.split())
    assert (answer.returncode, answer.stdout) == (2, "") and meant in answer.stderr
    assert answer.stderr.count("\n") == 1


def test_help_of_a_command_has_its_own_examples():
    assert "sluice calc" in said("--help").stdout
    for command in ("show", "apply", "diff", "trace", "ready"):
        lines = re.findall(r"^  sluice (\w+)", said(command, "--help").stdout, re.M)
        assert set(lines) == {command}, command
    assert "sluice check" not in said("calc", "headroom", "--help").stdout


# --- JSON -----------------------------------------------------------------------------------------

FAULT = {"file", "line", "column", "path", "message", "remedy"}


def asked(*words: str) -> tuple[int, dict]:
    answer = said(*words, "--json")
    assert answer.stderr == ""
    value = json.loads(answer.stdout)
    assert value["ok"] is (answer.returncode == 0) is (value["faults"] == [])
    assert all(set(fault) == FAULT for fault in value["faults"])
    return answer.returncode, value


def test_commands_answer_in_json(switch, tmp_path):
    file, at = str(switch.file), ("--socket", switch.socket)
    status, checked = asked("check", file)
    assert status == 0 and checked["ports"][0] == {"name": "left", "device": "ring:a"}
    assert asked("diff", file, *at) == (0, {"ok": True, "faults": [], "changes": [],
                                            "needs_restart": [], "restart": []})
    switch.write(buffer={"size": "32MiB"}, fdb={"ageing": "10s"})
    status, changed = asked("diff", file, *at)
    assert [change["key"] for change in changed["changes"]] == ["fdb.ageing", "buffer.size"] \
        or {change["key"] for change in changed["changes"]} == {"fdb.ageing", "buffer.size"}
    assert changed["restart"][0]["path"] == "buffer.size" and changed["restart"][0]["line"] > 1
    status, refused = asked("apply", file, *at)
    assert status != 0 and refused["faults"][0]["path"] == "buffer.size"
    switch.write(buffer=USUAL_BUFFER)
    status, applied = asked("apply", file, "--confirm", "60s", *at)
    assert status == 0 and applied["confirm_s"] == 60 and applied["added"] == []
    assert asked("confirm", *at)[0] == 0
    status, late = asked("confirm", *at)
    assert status == 1 and late["faults"][0]["message"]
    until(lambda: asked("ready", *at)[0] == 0, "it is ready")
    status, not_ready = asked("ready", "nobody", *at)
    assert status == 1 and "nobody" in not_ready["faults"][0]["message"]


def test_faults_in_json_have_their_place(switch, tmp_path):
    file = tmp_path / "bad.yaml"
    file.write_text("ports:\n  - {device: ring:a, mtuu: 1500}\n")
    at = ("--socket", switch.socket)
    for words in (["check", str(file)], ["diff", str(file), *at], ["apply", str(file), *at]):
        status, answer = asked(*words)
        assert status == 2 and answer["faults"] == [{
            "file": str(file), "line": 2, "column": 22, "path": "ports[0].mtuu",
            "message": "is not a known key", "remedy": "did you mean mtu"}]
    assert asked("apply", str(tmp_path / "none"), *at)[0] == 2
    status, nobody = asked("confirm", "--socket", str(tmp_path / "none"))
    assert status == 1 and nobody["faults"][0]["line"] is None


# --- what ports and VLANs are called --------------------------------------------------------------

def test_a_port_has_a_description_and_a_vlan_a_name(switch):
    assert [port["description"] for port in switch.show("ports")] == ["to the lab", ""]
    assert [(vlan["vlan"], vlan["name"]) for vlan in switch.show("vlan")["vlans"]][-1] \
        == (10, "storage")
    assert "storage" in switch.command("show", "vlan").stdout
    switch.apply(ports=[{"name": "left", "device": "ring:a", "description": "to the roof"},
                        {"name": "right", "device": "ring:b"}])
    assert switch.port("left")["description"] == "to the roof"


# --- support --------------------------------------------------------------------------------------

def unpacked(path, folder) -> dict[str, str]:
    listed = subprocess.run(["tar", "-xvf", path, "-C", folder], capture_output=True, text=True,
                            check=True).stdout.split()
    top = listed[0].split("/")[0]
    return {name.removeprefix(top + "/"): (folder / name).read_text() for name in listed}


def test_support_makes_an_archive_for_who_is_to_help(switch, tmp_path):
    nouns = re.findall(r"^  (\w+)  ", said("show", "--help").stdout.split("Nouns:")[1], re.M)
    archive = tmp_path / "it.tar.gz"
    answer = said("support", str(archive), "--socket", switch.socket, "--config", str(switch.file))
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout.splitlines()[0] == str(archive)
    assert archive.stat().st_mode & 0o777 == 0o600
    found = unpacked(archive, tmp_path)
    assert {f"show/{noun}.json" for noun in nouns if noun != "config"} <= set(found)
    assert json.loads(found["show/ports.json"])[0]["description"] == "to the lab"
    assert "ring:a" in found["running.yaml"] and "ring:a" in found["file.yaml"]
    assert "sluiced" in found["version.txt"] and "Linux" in found["system.txt"]
    assert all(name.removesuffix(".txt") in answer.stdout for name in found if name != "CONTENTS")
    again = said("support", str(archive), "--socket", switch.socket)
    assert again.returncode == 2 and "exists already" in again.stderr


def test_support_works_where_no_switch_answers_and_follows_no_link(tmp_path):
    secret = tmp_path / "secret.yaml"
    secret.write_text("metrics: {token: 'abc'}  # of mine: abc\nlist_of_tokens:\n  - abc\nports: []\n")
    link = tmp_path / "link.yaml"
    link.symlink_to(secret)
    made = said("support", str(tmp_path / "a.tar.gz"), "--socket", "/nowhere", "--config", str(secret))
    assert made.returncode == 0 and "show: /nowhere: no sluiced answers there" in made.stdout
    found = unpacked(tmp_path / "a.tar.gz", tmp_path)
    assert found["file.yaml"] == "metrics: {token: LEFT_OUT}\nlist_of_tokens: LEFT_OUT\nports: []\n"
    assert not any("abc" in text for name, text in found.items() if name != "check.txt")
    made = said("support", str(tmp_path / "b.tar.gz"), "--socket", "/nowhere", "--config", str(link))
    assert made.returncode == 0 and "file.yaml" not in unpacked(tmp_path / "b.tar.gz", tmp_path)
    (tmp_path / "c.tar").symlink_to(tmp_path / "target")
    refused = said("support", str(tmp_path / "c.tar.gz"), "--socket", "/nowhere")
    assert refused.returncode == 1 and not (tmp_path / "target").exists()
