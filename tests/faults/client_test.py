"""A server that is no switch: what it says writes on nobody's terminal, and `sluice` exits as it
promises to, with 0, 1 or 2."""

import json
import pathlib
import socket
import threading

import pytest

from switch import sluice

# A title, a bell, a clear screen, a command by C1, DEL, a line of one's own, and a mere letter.
FOUL = "\x1b]0;owned\x07\x1b[2J\u009b31m\x7f\nports: fine\rü"


def answered(folder: pathlib.Path, reply: bytes, *words: str):
    """What `sluice` makes of that reply."""
    path = str(folder / "foul.sock")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()

        def answer() -> None:
            client, _ = server.accept()
            with client:
                client.makefile().readline()
                client.sendall(reply + b"\n")
        thread = threading.Thread(target=answer)
        thread.start()
        done = sluice(*words, "--socket", path, check=False)
        thread.join()
    return done


def controls(text: str) -> set[str]:
    """Characters in it that a terminal would obey, but for the end of a line."""
    return {each for each in text if (ord(each) < 0x20 or 0x7F <= ord(each) < 0xA0)} - {"\n"}


def as_json(value, **about) -> bytes:
    return json.dumps(value, ensure_ascii=False, **about).encode()


@pytest.mark.parametrize("status, exits", [
    (0, 1), (1, 1), (2, 2), (3, 1), (77, 1), (-1, 1), (256, 1), (1e300, 1), (None, 1), ("2", 1),
    ([2], 1)])
def test_what_it_exits_with_is_not_the_servers_to_say(tmp_path, status, exits):
    done = answered(tmp_path, as_json({"status": status, "errors": ["no"]}), "show", "ports")
    assert (done.returncode, done.stderr) == (exits, "no\n")


def test_errors_are_lines_and_nothing_else(tmp_path):
    done = answered(tmp_path, as_json({"status": 1, "errors": [FOUL, "last"]}), "show", "ports")
    first, last = done.stderr.splitlines()
    assert controls(done.stderr) == set()
    assert first == r"\x1B]0;owned\x07\x1B[2J\xC2\x9B31m\x7F\x0Aports: fine\x0Dü"
    assert last == "last"


EVENTS = [{"number": 1, "at": FOUL, "kind": FOUL, "port": FOUL, "text": FOUL}]
FABRIC = {"algorithm": FOUL, "iterations": 1, "rule": FOUL, "quantum_bytes": 1, "slots": 0,
          "pairs": 0, "frames": 0, "bypassed": [], "mean_matching": 0, "histogram": []}
VLANS = {"filtering": False, "vlans": [{"vlan": FOUL, "ports": [FOUL], "untagged": [FOUL],
                                        "tagged": [], "learning": True, "flood_unknown": True}]}


@pytest.mark.parametrize("noun, result, lines", [
    ("events", EVENTS, 2), ("fabric", FABRIC, 3), ("vlan", VLANS, 4)])
def test_a_table_has_rows_and_nothing_else(tmp_path, noun, result, lines):
    done = answered(tmp_path, as_json({"status": 0, "result": result}), "show", noun)
    assert done.returncode == 0, done.stderr
    assert controls(done.stdout) == set()
    assert len(done.stdout.splitlines()) == lines


def test_json_says_the_same_and_writes_on_no_terminal(tmp_path):
    done = answered(tmp_path, as_json({"status": 0, "result": EVENTS}), "show", "events", "--json")
    assert controls(done.stdout) == set()
    assert json.loads(done.stdout) == EVENTS


@pytest.mark.parametrize("opens, closes", [("[", "]"), ('{"a":', "}")], ids=["list", "object"])
def test_an_answer_may_be_deep(tmp_path, opens, closes):
    result = opens * 1_000_000 + "1" + closes * 1_000_000
    reply = b'{"status": 0, "result": ' + result.encode() + b"}"
    assert answered(tmp_path, reply, "show", "events", "--json").returncode in (0, 1)
