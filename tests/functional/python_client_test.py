"""tools/python: a switch by Python's client, over its socket and over HTTP, and by the playbook for Ansible."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading

import pytest
import yaml

from lab import Lab
from switch import Switch, program
from waiting import until
from web import LISTEN, PORT

PYTHON = pathlib.Path(__file__).resolve().parents[2] / "tools/python"
sys.path.insert(0, str(PYTHON))

import sluice  # noqa: E402

RINGS = [{"name": "p0", "device": "ring:pythonic/a"}, {"name": "p1", "device": "ring:pythonic/b"}]
SLOWER = "1G"


@pytest.fixture
def switch(lab: Lab) -> Switch:
    return lab.make_switch(RINGS, metrics=LISTEN).start()


@pytest.fixture
def client(switch: Switch):
    with sluice.Switch(switch.socket) as client:
        yield client


def slower(switch: Switch) -> str:
    """The same switch with a shaper."""
    ports = [{**port, "rate": SLOWER} for port in switch.configuration["ports"]]
    return yaml.safe_dump({**switch.configuration, "ports": ports})


def rates(client: sluice.Switch) -> set[int]:
    return {row["rate_bps"] for row in client.show("ports")}


def test_it_shows_what_the_command_shows(switch: Switch, client: sluice.Switch):
    for noun in ("vlan", "config", "dcbx"):
        assert client.show(noun) == switch.show(noun)
    assert [row["name"] for row in client.show("ports")] == ["p0", "p1"]
    assert [row["name"] for row in client.show("ports", ports=["p1"])] == ["p1"]
    assert len(client.show("queues", all=True)) > len(client.show("queues")) == 0
    assert client.ready() and client.missing() == []


def test_it_does_what_the_command_does(switch: Switch, client: sluice.Switch):
    before = rates(client)
    assert client.apply(slower(switch)) == {"adopted": True}
    assert rates(client) == {10**9} != before
    assert client.flush_fdb(vlan=1) == {"flushed": True}
    assert client.clear() == client.clear("watermarks") == {"cleared": True}
    assert client.trace(for_s=1, port="p0")["frames"] == []
    frame = "eth src 02:00:00:00:00:01 dst 02:00:00:00:00:02"
    assert client.what_if(frame, "p0")["parsed"]["src"] == "02:00:00:00:00:01"
    assert [row["kind"] for row in client.events(since=1)][0] == "adopted"


def test_a_trial_is_kept_once_it_ended_well(switch: Switch, client: sluice.Switch):
    with client.trial(slower(switch), seconds=30) as answer:
        assert answer["confirm_within_s"] == 30
    assert "confirmed" in [row["kind"] for row in client.events()]
    assert rates(client) == {10**9}


def test_a_trial_that_ends_badly_goes_back(switch: Switch, client: sluice.Switch):
    before = rates(client)
    with pytest.raises(ZeroDivisionError), client.trial(slower(switch), seconds=1):
        assert rates(client) == {10**9}
        1 / 0
    until(lambda: rates(client) == before, "what ran before holds again")


def test_what_is_refused_says_why(client: sluice.Switch):
    with pytest.raises(sluice.Refused) as refused:
        client.apply("ports: [{device: ring:a}]\nspeling: 1\n", name="mine.yaml")
    assert refused.value.status == 2
    assert any(line.startswith("mine.yaml:2:1") and "speling" in line for line in refused.value.errors)
    with pytest.raises(sluice.Refused):
        client.show("nothing")
    assert client.ready(), "and it goes on"


def test_who_follows_gets_each_event_once(client: sluice.Switch, switch: Switch):
    following = client.follow(period=0.05)
    threading.Timer(0.5, lambda: switch.command("flush", "fdb")).start()
    assert next(following)["kind"] == "fdb_flushed"
    assert [row["kind"] for row in client.events(since=client.events()[-1]["number"])] == []


def test_over_http_it_looks_and_changes_nothing(switch: Switch, client: sluice.Switch):
    with switch.namespace.entered():
        over_http = sluice.Switch(f"http://127.0.0.1:{PORT}")
        assert [row["name"] for row in over_http.show("ports")] == ["p0", "p1"]
        assert over_http.show("queues", all=True)
        assert over_http.events(since=0) == client.events(since=0)
        with pytest.raises(sluice.Refused, match="over HTTP"):
            over_http.clear()
        with pytest.raises(sluice.Refused) as refused:
            over_http.show("nothing/../ports")
        assert refused.value.status == 2


def test_a_switch_that_starts_anew_is_found_again(switch: Switch, client: sluice.Switch):
    assert client.ready()
    switch.stop()
    with pytest.raises(sluice.Unreachable, match=switch.socket):
        client.show("ports")
    switch.start()
    assert client.ready(wait=10)


@pytest.mark.parametrize("result, said", [
    (b"HTTP/1.1 400\r\n", "no switch"), (b"[]\n", "no switch"), (b'{"result": 1}\n', "no switch"),
    (b"[" * 100_000 + b"\n", "no switch"), (b"", "hung up"), (None, "in time")],
    ids=["words", "list", "no status", "deep", "silence", "waits"])
def test_what_is_no_answer_is_none(tmp_path: pathlib.Path, result, said: str):
    path = str(tmp_path / "other")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()

        def answer() -> None:
            other, _ = listener.accept()
            with other:
                other.recv(1000)
                if result is None:
                    other.recv(1000)
                else:
                    other.sendall(result)
        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(sluice.Unreachable, match=said), sluice.Switch(path, timeout=1) as client:
            client.show("ports")
        client.close()
        thread.join()


def test_what_is_not_answered_is_not_sent_again(tmp_path: pathlib.Path):
    """It may have been done. The next call has a connection of its own."""
    path = str(tmp_path / "other")
    asked = []
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()

        def answer() -> None:
            for reply in (b"", b'{"status": 0, "result": {"cleared": true}}\n'):
                other, _ = listener.accept()
                with other:
                    asked.append(json.loads(other.recv(1000)))
                    other.sendall(reply)
        thread = threading.Thread(target=answer)
        thread.start()
        with sluice.Switch(path) as client:
            with pytest.raises(sluice.Unreachable, match="hung up"):
                client.clear("watermarks")
            assert client.clear() == {"cleared": True}
        thread.join()
    assert asked == [{"clear": "watermarks"}, {"clear": "counters"}]


def test_an_answer_to_what_was_interrupted_is_not_that_to_another(tmp_path: pathlib.Path):
    path = str(tmp_path / "other")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt
    before = signal.signal(signal.SIGUSR1, interrupt)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen()

        def answer() -> None:
            other, _ = listener.accept()
            with other:
                other.recv(1000)
                signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)
                other.recv(1000)  # nothing: it hung up
            other, _ = listener.accept()
            with other:
                other.recv(1000)
                other.sendall(b'{"status": 0, "result": [1]}\n')
        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        with sluice.Switch(path, timeout=10) as client:
            with pytest.raises(KeyboardInterrupt):
                client.show("ports")
            assert client.show("queues") == [1]
        thread.join()
    signal.signal(signal.SIGUSR1, before)


def test_what_answers_no_http_is_no_switch():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()

        def answer() -> None:
            other, _ = listener.accept()
            with other:
                other.recv(1000)
                other.sendall(b"SSH-2.0-OpenSSH\r\n\r\n")
        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(sluice.Unreachable, match="no switch"):
            sluice.Switch(f"http://127.0.0.1:{listener.getsockname()[1]}").show("ports")
        thread.join()


# --- Ansible ----------------------------------------------------------------------------------------
def played(switch: Switch, folder: pathlib.Path, text: str) -> subprocess.CompletedProcess:
    (folder / "configurations").mkdir(exist_ok=True)
    (folder / "configurations/leaf1.yaml").write_text(text)
    more = {"configurations": str(folder / "configurations"), "file": str(switch.file), "confirm_s": 10,
            "socket": switch.socket, "sluice": program("sluice"),
            "ansible_python_interpreter": "/usr/bin/python3", "metrics": f"http://127.0.0.1:{PORT}",
            "token": "not asked for here"}
    with switch.namespace.entered():
        return subprocess.run(
            ["ansible-playbook", "-c", "local", "-i", "leaf1,", str(PYTHON / "sluice.yaml"), "-e",
             json.dumps(more)], capture_output=True, text=True, timeout=120,
            env={**os.environ, "ANSIBLE_NOCOLOR": "1", "HOME": str(folder), "LC_ALL": "C.UTF-8"})


def test_a_playbook_applies_and_keeps(switch: Switch, client: sluice.Switch, tmp_path: pathlib.Path):
    for changed in (True, False):
        done = played(switch, tmp_path, slower(switch))
        assert done.returncode == 0, done.stdout + done.stderr
        assert ("skipping" not in done.stdout) is changed
        assert [row["kind"] for row in client.events()].count("confirmed") == 1
    assert rates(client) == {10**9}
    assert yaml.safe_load(switch.file.read_text())["ports"][0]["rate"] == SLOWER


def test_a_playbook_stops_at_what_is_wrong(switch: Switch, client: sluice.Switch, tmp_path: pathlib.Path):
    before = switch.file.read_text()
    done = played(switch, tmp_path, "speling: 1\n")
    assert done.returncode != 0 and "speling" in done.stdout
    assert switch.file.read_text() == before
    assert "adopted" not in [row["kind"] for row in client.events()]
