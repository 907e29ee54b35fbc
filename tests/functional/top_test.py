"""`sluice top` on a terminal: what it shows, its keys, and that the terminal is whole afterwards."""

import signal
from typing import Iterator

import pytest
from lab import Lab
from switch import Switch, program
from tmux import Terminal
from waiting import until

ENDS = 20  # seconds


@pytest.fixture
def switch(lab: Lab) -> Switch:
    return lab.make_switch([{"name": "left", "device": "ring:x/a"},
                            {"name": "right", "device": "ring:x/b"}],
                           defaults={"lossless": [3]}).start()


@pytest.fixture
def terminal(lab: Lab, switch: Switch) -> Iterator[Terminal]:
    shown = Terminal(lab.folder, [str(program("sluice")), "top", "--socket", switch.socket,
                                  "--every", "0.2"])
    yield shown
    shown.end()


def row(lines: list[str], name: str) -> list[str]:
    [line] = [line for line in lines if line.startswith(name)]
    return line.split()


def test_it_shows_ports_and_a_key_shows_something_else(terminal: Terminal):
    lines = terminal.until_it_shows("2 of 2 ports up")
    assert "[1 ports]" in lines[1] and lines[-1].startswith("q quit")
    assert row(lines, "left")[1] == "up" and row(lines, "right")[1] == "up"
    assert all(len(line) <= 80 for line in lines)
    for key, view, title in (("2", "[2 queues]", "OUTPUT"), ("3", "[3 pauses]", "WATCHDOG"),
                             ("4", "[4 buffer]", "XOFF"), ("1", "[1 ports]", "LINK")):
        terminal.press(key)
        assert title in terminal.until_it_shows(view)[4]


def test_rows_are_sorted_by_the_column_that_is_chosen(terminal: Terminal):
    terminal.until_it_shows("left")
    terminal.press(">", "r")
    lines = terminal.until_it_shows("PORT^")
    assert lines[5].startswith("right") and lines[6].startswith("left")
    terminal.press("r")
    lines = terminal.until_it_shows("PORTv")
    assert lines[5].startswith("left")


def test_a_rate_is_there_after_the_second_look(terminal: Terminal):
    terminal.until_it_shows("left")

    def all_have_rates() -> bool:
        lines = [line for line in terminal.screen() if line.startswith(("left", "right"))]
        return len(lines) == 2 and all("/s" in line for line in lines)
    until(all_have_rates, "there are rates")


def test_it_keeps_to_the_size_of_the_terminal(terminal: Terminal):
    terminal.until_it_shows("left")
    terminal.resize(44, 9)
    lines = terminal.until_it_shows("q quit  1-4 view  < > sort  r reverse  + - i")
    assert len(lines) == 9 and all(len(line) <= 44 for line in lines)
    terminal.resize(150, 30)
    assert "DEVICE" in terminal.until_it_shows("ring:x/a")[4]


@pytest.mark.parametrize("key", ["q", "C-c"])
def test_who_quits_has_his_terminal_back(terminal: Terminal, key: str):
    terminal.until_it_shows("left")
    terminal.press(key)
    lines = terminal.until_it_shows("status 0")
    assert not any("ports up" in line for line in lines), lines
    terminal.press("words", "Enter")  # they are echoed again
    terminal.until_it_shows("words")


def test_a_switch_that_ends_is_reported_once_the_terminal_is_back(terminal: Terminal, switch: Switch):
    terminal.until_it_shows("left")
    switch.process.signal(signal.SIGTERM)
    switch.process.wait(ENDS)
    lines = terminal.until_it_shows("status 1")
    assert any("hung up" in line or "does not answer" in line for line in lines), lines
