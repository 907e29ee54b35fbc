"""A socket that answers as a sluiced does, with what a test has it say."""

import contextlib
import json
import pathlib
import socket
import threading
from typing import Any, Callable, Iterator, Union


@contextlib.contextmanager
def answering(path: pathlib.Path, result: Union[Any, Callable[[dict], Any]]) -> Iterator[str]:
    """Answers every request with `result`, or with its return value, until the test is over."""
    def line_for(request: bytes) -> bytes:
        said = result(json.loads(request)) if callable(result) else result
        return json.dumps({"status": 0, "result": said}).encode() + b"\n"

    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        def answer() -> None:
            with contextlib.suppress(OSError):  # when it is shut down
                while True:
                    client, _ = listener.accept()
                    with client, client.makefile("rb") as requests:
                        for request in requests:
                            client.sendall(line_for(request))
        thread = threading.Thread(target=answer)
        thread.start()
        try:
            yield str(path)
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()
            path.unlink()
