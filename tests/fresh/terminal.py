"""A terminal of 80 columns and 24 lines, and what somebody in front of it sees."""

import contextlib
import fcntl
import os
import re
import struct
import termios
import threading
import time
from typing import Iterator

COLUMNS, LINES = 80, 24

_CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    def __init__(self):
        self._master, self.descriptor = os.openpty()
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
        self._text = b""
        self._times = [time.monotonic()]
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        with contextlib.suppress(OSError):  # which is how the other end of a terminal is closed
            while piece := os.read(self._master, 65536):
                self._text += piece
                self._times.append(time.monotonic())

    def close(self) -> None:
        os.close(self.descriptor)
        self._reader.join()
        self._times.append(time.monotonic())
        os.close(self._master)

    def text(self) -> str:
        return self._text.decode(errors="replace")

    def lines(self) -> list[str]:
        """Each as it was when the next one was begun over it or below it."""
        return re.split(r"[\r\n]+", _CONTROL.sub("", self.text()))

    def longest_silence(self) -> float:
        """In seconds."""
        return max(later - earlier for earlier, later in zip(self._times, self._times[1:]))


@contextlib.contextmanager
def terminal() -> Iterator[Terminal]:
    """Closed at the end: what was seen is complete then."""
    made = Terminal()
    try:
        yield made
    finally:
        made.close()
