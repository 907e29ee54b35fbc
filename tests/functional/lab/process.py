"""A program that runs beside the test, in a namespace or not; it is ended by its process id.

What it prints goes to files, so that it never waits for a reader, unless the test is one. One that
takes commands gets them by `tell`. Should the tests themselves be killed, the kernel kills it too."""

import os
import pathlib
import select
import signal
import subprocess
from typing import Callable, Optional, Sequence

import drivers
from system_calls import die_with_parent
from waiting import until


def _prepare(words: Sequence[str]) -> Callable[[], None]:
    place_drivers = drivers.place(words)

    def before() -> None:
        die_with_parent(signal.SIGKILL)
        place_drivers()
    return before


def children_of(pid: int) -> list[int]:
    """Returns the child processes; none if the process has ended."""
    try:
        return [int(child) for child in
                pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def name_of(pid: int) -> str:
    """Returns the program's name, cut to 15 letters; empty if the process has ended."""
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text().rstrip("\n")
    except OSError:
        return ""


class Process:
    def __init__(self, words: Sequence[str], folder: pathlib.Path, name: str,
                 environment: Optional[dict] = None, standard_error: Optional[int] = None,
                 takes_commands: bool = False):
        self.words = list(words)
        self._output = folder / f"{name}.out"
        self._errors = folder / f"{name}.err"
        with open(self._output, "wb") as output, open(self._errors, "wb") as errors:
            self._process = subprocess.Popen(
                self.words, stdout=output,
                stdin=subprocess.PIPE if takes_commands else subprocess.DEVNULL,
                stderr=errors if standard_error is None else standard_error,
                env=environment, preexec_fn=_prepare(self.words))

    @property
    def pid(self) -> int:
        return self._process.pid

    def descriptors(self) -> int:
        """Returns the number of open files."""
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def running(self) -> bool:
        return self._process.poll() is None

    def output(self) -> str:
        return self._output.read_text(errors="replace")

    def errors(self) -> str:
        return self._errors.read_text(errors="replace")

    def said(self) -> str:
        return self.output() + self.errors()

    def tell(self, command: str) -> None:
        self._process.stdin.write(f"{command}\n".encode())
        self._process.stdin.flush()

    def until_it_says(self, text: str) -> None:
        def it_did() -> bool:
            assert self.running() or text in self.said(), f"{self.words} ended: {self.said()}"
            return text in self.said()
        until(it_did, f"{self.words[0]} says {text!r}")

    def signal(self, number: int) -> None:
        self._process.send_signal(number)

    def wait(self, seconds: float) -> int:
        """Its exit status; negative if a signal ended it."""
        assert self._ends_within(seconds), \
            f"{self.words} still runs after {seconds} s: {self.said()}"
        return self._process.wait()

    def _ends_within(self, seconds: float) -> bool:
        """Waits for the end, and notices it at once instead of at the next poll."""
        if not self.running():
            return True
        ended = os.pidfd_open(self.pid)
        try:
            return bool(select.select([ended], [], [], seconds)[0])
        finally:
            os.close(ended)

    def end(self, seconds: float = 5) -> None:
        """Ends it, whatever it does. For leaving; `wait` is for looking."""
        if self.running():
            self._process.terminate()
            if not self._ends_within(seconds):
                self._process.kill()
                self._process.wait()
