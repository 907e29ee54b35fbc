"""A socket that answers as a sluiced does, with what a test has it say."""

import contextlib
import json
import pathlib
import socket
import threading
from typing import Any, Iterator


@contextlib.contextmanager
def answering(path: pathlib.Path, result: Any) -> Iterator[str]:
    """Every request gets `result`, until the test is over."""
    line = json.dumps({"status": 0, "result": result}).encode() + b"\n"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        def answer() -> None:
            with contextlib.suppress(OSError):  # when it is shut down
                while True:
                    client, _ = listener.accept()
                    with client, client.makefile("rb") as requests:
                        for _ in requests:
                            client.sendall(line)
        thread = threading.Thread(target=answer)
        thread.start()
        try:
            yield str(path)
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()
            path.unlink()
