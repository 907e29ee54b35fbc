"""A log that is not read, on each kind of standard error: nobody waits for it or ends by it."""

import contextlib
import fcntl
import json
import os
import pty
import re
import select
import socket
from typing import Iterator

import pytest

from lab import Lab
from process import Process
from switch import Switch, program
from waiting import PATIENCE, until

PORTS = [{"device": "null:"}, {"device": "null:"}]
FLUSHES = 6000  # a line of the log each; no pipe, socket or terminal holds so many


class Stream:
    """Standard error of a switch: what it writes to, and who should be reading."""

    def __init__(self, kind: str):
        if kind == "pipe":
            self.reader, self.writer = os.pipe()
        elif kind == "socket":
            self.reader, self.writer = (each.detach() for each in socket.socketpair())
        else:
            self.reader, self.writer = pty.openpty()
        self.text = ""

    def read_some(self, seconds: float = PATIENCE) -> bool:
        """False: nobody can write there any more. Nothing comes: it fails."""
        assert select.select([self.reader], [], [], seconds)[0], f"silent after {self.text[-200:]}"
        try:
            octets = os.read(self.reader, 65536)
        except OSError:  # a terminal's end
            octets = b""
        self.text += octets.decode().replace("\r", "")
        return octets != b""

    def read_until(self, pattern: str) -> re.Match:
        while not (found := re.search(pattern, self.text)):
            assert self.read_some(), f"ended without {pattern}: {self.text[-200:]}"
        return found

    def read_to_the_end(self) -> str:
        self.close_writer()
        while self.read_some():
            pass
        return self.text

    def close_writer(self) -> None:
        if self.writer is not None:
            os.close(self.writer)
            self.writer = None

    def close_reader(self) -> None:
        if self.reader is not None:
            os.close(self.reader)
            self.reader = None


@pytest.fixture(params=["pipe", "socket", "terminal"])
def errors(request) -> Iterator[Stream]:
    stream = Stream(request.param)
    yield stream
    stream.close_writer()
    stream.close_reader()


def launch(lab: Lab, errors: Stream, ports=PORTS) -> Switch:
    switch = lab.make_switch(ports)
    switch.write()
    switch.process = Process([program("sluiced"), "-c", str(switch.file)], lab.folder, "sluiced",
                             standard_error=errors.writer)
    return switch


def start(lab: Lab, errors: Stream) -> Switch:
    switch = launch(lab, errors)
    switch.until_ready()
    return switch


def flush(switch: Switch, times: int) -> None:
    """Each leaves a line in the log."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(PATIENCE)
        client.connect(switch.socket)
        replies = client.makefile()
        for _ in range(times):
            client.sendall(b'{"flush": "fdb"}\n')
            assert json.loads(replies.readline())["status"] == 0


def fill(writer: int) -> None:
    os.set_blocking(writer, False)
    for piece in (b"full\n" * 100, b"."):
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(writer, piece)
    os.set_blocking(writer, True)


def seen(text: str) -> int:
    return text.count("every learned address forgotten")


def missed(text: str) -> int:
    return sum(map(int, re.findall(r"(\d+) lines lost", text)))


def lost_lines(switch: Switch) -> int:
    return sum(int(row["text"].split()[0]) for row in switch.show("events")
               if row["kind"] == "log_lost")


def test_a_reader_that_goes_away_ends_nothing(lab: Lab, errors: Stream):
    switch = start(lab, errors)
    errors.close_writer()
    errors.close_reader()
    flush(switch, 3)
    assert until(lambda: lost_lines(switch), "what nobody reads is counted") >= 1
    switch.stop()


def test_a_reader_that_stalls_holds_up_nothing(lab: Lab, errors: Stream):
    switch = start(lab, errors)
    flush(switch, FLUSHES)
    assert until(lambda: lost_lines(switch), "what nobody reads is counted") >= 1
    switch.stop()


def test_a_reader_that_comes_back_is_told_what_it_missed(lab: Lab, errors: Stream):
    switch = start(lab, errors)
    flush(switch, FLUSHES)
    while seen(errors.text) + missed(errors.text) < FLUSHES:
        assert errors.read_some()
    switch.stop()
    output = errors.read_to_the_end()
    assert seen(output) + missed(output) == FLUSHES
    assert missed(output) > 0
    assert re.search(r"ledger: .* balanced\n$", output)


def test_those_who_share_it_find_it_as_it_was(lab: Lab, errors: Stream):
    before = fcntl.fcntl(errors.writer, fcntl.F_GETFL)
    switch = start(lab, errors)
    flush(switch, 1)
    errors.read_until("every learned address forgotten")
    assert fcntl.fcntl(errors.writer, fcntl.F_GETFL) == before
    assert not before & os.O_NONBLOCK
    switch.stop()


def test_a_start_that_fails_ends_even_if_nobody_reads_why(lab: Lab, errors: Stream):
    fill(errors.writer)
    switch = launch(lab, errors, [{"device": "af_packet:nowhere"}])
    assert switch.process.wait(30) == 1
