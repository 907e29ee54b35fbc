"""Commands in a guest, one at a time, over a serial port that its shell reads from."""

import pathlib
import re
import socket
import subprocess
import time

_ENDED = "-- ended"
_LAST_LINE = re.compile(rf"{_ENDED} (\d+)\n$".encode())


class Shell:
    def __init__(self, path: pathlib.Path):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(path))

    def close(self) -> None:
        self._socket.close()

    def run(self, command: str, seconds: float = 60,
            check: bool = True) -> subprocess.CompletedProcess:
        """What it printed, on either stream."""
        self._socket.sendall(f"{{ {command}\n}} 2>&1; echo {_ENDED} $?\n".encode())
        deadline = time.monotonic() + seconds
        said = b""
        while not (end := _LAST_LINE.search(said)):
            self._socket.settimeout(max(0.01, deadline - time.monotonic()))
            try:
                more = self._socket.recv(65536)
            except TimeoutError:
                more = b""
            assert more, f"{command}: no end within {seconds} s: {said.decode(errors='replace')}"
            said += more
        status, text = int(end.group(1)), said[:end.start()].decode(errors="replace")
        assert not check or status == 0, f"{command}: {status}: {text}"
        return subprocess.CompletedProcess(command, status, text, text)
