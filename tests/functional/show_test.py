"""What `sluice show` shows: on a terminal of 80 columns every noun and every view of `top`, without a line
that is longer; all columns elsewhere; rows and columns that are asked for; rates and counters."""

import json
import os
import pathlib
import re
from typing import Any, Optional

import pytest

from everything import NOUNS, TABLES, everything
from frames import frame
from host import Host
from lab import Lab
from namespace import run
from switch import Switch, program, sluice
from tmux import Terminal
from waiting import until

WIDTH = 80


@pytest.fixture(scope="module")
def switch(shared_lab: Lab):
    with everything(shared_lab) as made:
        yield made


@pytest.fixture
def hosts(lab: Lab) -> tuple[Switch, list[Host]]:
    return lab.build("af_packet", 3)


# --- on a terminal --------------------------------------------------------------------------------

def shown_on_a_terminal(folder: pathlib.Path, switch: Switch, commands: list[list[str]]) -> list[str]:
    """Lines as programs wrote them, of one command after the other, each with its status."""
    words = " ; ".join(f"{program('sluice')} {' '.join(each)} --socket {switch.socket} ; "
                       f"echo '== {' '.join(each)}:' $?" for each in commands)
    terminal = Terminal(folder, ["sh", "-c", f"{words} ; echo walked"], WIDTH, 24)
    try:
        terminal.until_it_shows("walked", 60)
        return terminal.whole()
    finally:
        terminal.end()


def test_no_noun_is_wider_than_the_terminal(tmp_path: pathlib.Path, switch: Switch):
    commands = [["show", noun, *words] for noun in NOUNS if noun != "config"  # a file, as it is
                for words in ([], ["--all"]) if (noun, words) != ("queues", ["--all"])]
    commands += [["watch", "ports", "--count", "2", "--every", "0.1"],
                 ["top", "--count", "1", "--every", "0.1"], ["watch", "--since", "0", "--count", "1"]]
    lines = shown_on_a_terminal(tmp_path, switch, commands)
    assert [line for line in lines if len(line.rstrip()) > WIDTH] == []
    ended = [line for line in lines if line.startswith("== ")]
    assert len(ended) == len(commands) and all(line.endswith(": 0") for line in ended), ended
    assert any(line.startswith("Left out for want of room: ") for line in lines)


def test_every_view_of_top_fits_and_ends_by_its_own_word(tmp_path: pathlib.Path, switch: Switch):
    terminal = Terminal(tmp_path, [program("sluice"), "top", "--socket", switch.socket,
                                     "--every", "0.1"], WIDTH, 24)
    try:
        for key, view in (("1", "[1 ports]"), ("2", "[2 queues]"), ("3", "[3 pauses]"),
                          ("4", "[4 buffer]"), ("?", "q         quit")):
            terminal.press(key)
            lines = terminal.until_it_shows(view)
            assert all(len(line) <= WIDTH for line in lines) and "ports up" in lines[0]
        terminal.press("q")
        terminal.until_it_shows("status 0")
    finally:
        terminal.end()


def test_a_wider_terminal_shows_more(tmp_path: pathlib.Path, switch: Switch):
    terminal = Terminal(tmp_path, [program("sluice"), "show", "ports", "--socket", switch.socket],
                        240, 40)
    try:
        lines = terminal.until_it_shows("status 0")
    finally:
        terminal.end()
    assert lines[0].split()[-2:] == ["LLDP", "RX"], lines[0]
    assert not any("Left out" in line for line in lines)


# --- which columns --------------------------------------------------------------------------------

def titles(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines() if re.fullmatch("[A-Z][A-Z0-9 .%/_]+", line)]


def test_a_file_or_pipe_gets_every_column(switch: Switch):
    for noun in TABLES:
        said = switch.command("show", noun).stdout
        assert titles(said) == titles(switch.command("show", noun, "--wide").stdout), noun
        assert "Left out" not in said
    assert "RESTORES AFTER" in switch.command("show", "pfc").stdout


def test_columns_are_asked_for_by_title_or_key(switch: Switch):
    said = switch.command("show", "ports", "left", "--columns", "tx_frames,link,PORT").stdout
    titles, row = said.splitlines()
    assert titles.split() == ["TX", "FRAMES", "LINK", "PORT"]
    assert row.split()[1:] == ["up", "left"]
    said = switch.command("show", "ports", "left", "--columns", "name,max_frame").stdout
    assert said.split() == ["PORT", "MAX", "FRAME", "left", "1522"]
    wrong = switch.command("show", "ports", "--columns", "speed", check=False)
    assert wrong.returncode == 2 and "no column is called speed; there are PORT, LINK" in wrong.stderr


def commands() -> list[list[str]]:
    """`sluice --help` first, and of each command there."""
    lines = sluice("--help").stdout.splitlines()
    below = lines[lines.index("Subcommands:") + 1:]
    return [[]] + [[line.split()[0]] for line in below[:below.index("")] if line[2] != " "]


def test_help_fits_as_well():
    narrow = {**os.environ, "COLUMNS": str(WIDTH)}
    asked = commands()
    assert len(asked) > 20
    for words in (*asked, ["calc", "headroom"]):
        said = run(program("sluice"), *words, "--help", environment=narrow).stdout
        assert [line for line in said.splitlines() if len(line) > WIDTH] == [], words
    for command in ("show", "watch"):
        lines = sluice(command, "--help").stdout.splitlines()
        of_nouns = lines[lines.index("Nouns:") + 1:]
        nouns = [line for line in of_nouns if line.startswith("  ") and "sluice " not in line]
        assert len(nouns) == len(NOUNS)


def test_what_is_of_a_noun_needs_one(switch: Switch):
    for words in (["--port", "left"], ["--wide"], ["--every", "2"]):
        refused = switch.command("watch", *words, check=False)
        assert refused.returncode == 2 and f"{words[0]} requires NOUN" in refused.stderr
    refused = switch.command("watch", "events", "--since", "0", check=False)
    assert refused.returncode == 2 and "excludes" in refused.stderr


def test_a_count_of_none_is_refused(switch: Switch):
    for words in (["watch"], ["watch", "ports"], ["show", "ports", "--watch"], ["top"]):
        refused = switch.command(*words, "--count", "0", check=False)
        assert refused.returncode == 2, words
        assert "--count: 0: not a whole number from 1 on" in refused.stderr


# --- which rows -----------------------------------------------------------------------------------

def asked(switch: Switch, noun: str, *words: str) -> Any:
    """By the command line, which has words for it."""
    return json.loads(switch.command("show", noun, "--json", *words).stdout)


def names(rows: list[dict], key: str = "port") -> set[str]:
    return {row[key] for row in rows}


def test_rows_are_those_of_ports_vlans_priorities_and_addresses(switch: Switch):
    assert names(asked(switch, "ports", "left", "wan1"), "name") == {"left", "wan1"}
    assert names(asked(switch, "counters", "--port", "left")) == {"left"}
    rows = asked(switch, "pfc", "left", "--priority", "3", "--all")
    assert [(row["port"], row["priority"]) for row in rows] == [("left", 3)]
    assert names(asked(switch, "buffer", "--priority", "2", "--all")["groups"], "priority") == {2}
    assert names(asked(switch, "lacp", "group1")) == {"member1"}
    assert names(asked(switch, "dcbx", "right")) == {"right"}
    assert names(asked(switch, "vlan", "--vlan", "100")["vlans"], "vlan") == {100}
    assert names(asked(switch, "tunnels", "far1")["tunnels"]) == {"far1"}
    assert names(asked(switch, "events", "left")) == {"left"}


def test_addresses_are_chosen_by_the_switch(hosts: tuple[Switch, list[Host]]):
    switch, (one, two, three) = hosts
    for host in (one, two, three):
        host.wire().send(frame(host.address, "ff:ff:ff:ff:ff:ff"))
    until(lambda: len(switch.show("fdb")) >= 3, "all are learned")
    assert names(asked(switch, "fdb", "--port", "p1")) == {"p1"}
    [row] = asked(switch, "fdb", "--address", three.address)
    assert row["port"] == "p2"
    assert asked(switch, "fdb", "--vlan", "2") == []
    assert asked(switch, "fdb", "p0", "--address", three.address) == []


@pytest.mark.parametrize("words, why", [
    (["ports", "lfet"], 'no port is called "lfet"; there are left, right, member1'),
    (["ledger", "left"], "port: ledger has no rows by this key"),
    (["ports", "--vlan", "1"], "it can be filtered by port, address"),
    (["fdb", "--address", "x"], "address: no address; six octets with colons"),
    (["fdb", "--vlan", "4095"], "--vlan"),
])
def test_what_cannot_be_asked_for_is_refused(switch: Switch, words: list[str], why: str):
    refused = switch.command("show", *words, check=False)
    assert refused.returncode == 2 and why in refused.stderr, refused.stderr


# --- rates and counters ---------------------------------------------------------------------------

def test_rates_are_those_of_the_last_second(hosts: tuple[Switch, list[Host]]):
    switch, (one, two, _) = hosts
    wire, sent = one.wire(), frame(one.address, two.address)

    def with_a_rate() -> Optional[dict]:
        for _ in range(20):
            wire.send(sent)
        port = switch.port("p0")
        return port if port["rx_fps"] and port["rx_fps"] > 10 else None
    port = until(with_a_rate, "frames are received at a rate", 20)
    assert port["rx_bps"] > 8 * 60 * port["rx_fps"] * 0.9
    assert 0 < port["rx_share"] < 1
    assert re.search(r"^p0 +up .*/s", switch.command("show", "ports").stdout, re.M)
    until(lambda: switch.port("p0")["rx_fps"] < 10, "they end", 20)


def test_counters_are_those_of_sonic_and_can_be_cleared(hosts: tuple[Switch, list[Host]]):
    switch, (one, two, _) = hosts
    switch.settled()
    [before] = asked(switch, "counters", "p0")
    for _ in range(5):
        one.wire().send(frame(one.address, two.address))
    until(lambda: asked(switch, "counters", "p0")[0]["rx_ok"] >= before["rx_ok"] + 5, "they count")
    switch.settled()
    said = switch.command("show", "counters").stdout
    assert said.split()[:3] == ["PORT", "STATE", "RX_OK"] and "TX_OVR" in said
    switch.command("clear", "counters")
    [cleared] = asked(switch, "counters", "p0")
    assert cleared["rx_ok"] == 0 and cleared["tx_ok"] == 0
    assert sluice("watch", "counters", "p0", "--count", "1", "--json", "--socket",
                  switch.socket).stdout.startswith("[{")
