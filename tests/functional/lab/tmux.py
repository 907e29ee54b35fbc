"""A terminal of a size: tmux's, which says what is on its screen. Its server is a process of its own,
on a socket of its own, and is ended with this."""

import pathlib
import shlex
from typing import Sequence

from namespace import run
from process import Process
from waiting import PATIENCE, until


class Terminal:
    def __init__(self, folder: pathlib.Path, words: Sequence[str], columns: int = 80,
                 rows: int = 24):
        """Runs a program; once it has ended the screen says `status N`."""
        self._socket = str(folder / "tmux.sock")
        self._tmux = ["tmux", "-S", self._socket, "-f", "/dev/null"]
        # -D: it stays a child of ours, and the kernel ends it if the tests are killed.
        self._server = Process([*self._tmux, "-D"], folder, "tmux")
        until(pathlib.Path(self._socket).exists, "tmux answers")
        run(*self._tmux, "set-option", "-g", "history-limit", "20000")
        run(*self._tmux, "new-session", "-d", "-x", str(columns), "-y", str(rows),
            f"{shlex.join(words)}; echo status $?; sleep 1000")

    def screen(self) -> list[str]:
        return run(*self._tmux, "capture-pane", "-p").stdout.splitlines()

    def press(self, *keys: str) -> None:
        run(*self._tmux, "send-keys", *keys)

    def resize(self, columns: int, rows: int) -> None:
        run(*self._tmux, "resize-window", "-x", str(columns), "-y", str(rows))

    def whole(self) -> list[str]:
        """All that was written, lines that the terminal wrapped as one."""
        return run(*self._tmux, "capture-pane", "-p", "-J", "-S", "-").stdout.splitlines()

    def until_it_shows(self, text: str, seconds: float = PATIENCE) -> list[str]:
        shown: list[str] = []

        def it_does() -> bool:
            shown[:] = self.screen()
            return any(text in line for line in shown)
        try:
            until(it_does, f"the screen shows {text!r}", seconds)
        except AssertionError as error:
            raise AssertionError("\n".join([str(error), *shown])) from error
        return shown

    def end(self) -> None:
        run(*self._tmux, "kill-server", check=False)
        self._server.end()
