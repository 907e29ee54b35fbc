"""QEMU's monitor (QMP): cables and cards are pulled out and put in while a guest runs."""

import json
import pathlib
import socket
from typing import Any


class Monitor:
    def __init__(self, path: pathlib.Path):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(60)
        self._socket.connect(str(path))
        self._answers = self._socket.makefile("r")
        self._answers.readline()  # its greeting
        self.do("qmp_capabilities")

    def close(self) -> None:
        self._answers.close()
        self._socket.close()

    def do(self, command: str, **arguments: Any) -> Any:
        asked = {"execute": command, "arguments": arguments}
        self._socket.sendall(json.dumps(asked).encode() + b"\n")
        while True:  # past what has happened meanwhile
            answer = json.loads(self._answers.readline())
            assert "error" not in answer, f"{command}: {answer}"
            if "return" in answer:
                return answer["return"]

    def has(self, device: str) -> bool:
        return any(row["name"] == device
                   for row in self.do("qom-list", path="/machine/peripheral"))
