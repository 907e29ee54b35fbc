"""Controls a running switch from Python: what the command `sluice` shows and does, as functions.

    import sluice

    with sluice.Switch() as switch:                  # at /run/sluice/sluice.sock
        for port in switch.show("ports"):
            print(port["name"], port["link"], port["rx_frames"])
        with switch.trial(open("new.yaml").read(), seconds=60):
            assert switch.ready()                    # else the switch rolls back

    sluice.Switch("http://192.0.2.1:9475").show("pfc")   # read-only, over HTTP
    sluice.Switch("https://leaf1:9475", token=secret, authorities="ca.pem")  # metrics.tls and token_file

Results are those of `sluice show NOUN --json`: lists and dictionaries. A connection is made at the
first request, and again after it was lost; a request is never repeated. One thread at a time.
Bound: waits `timeout` seconds for an answer, longer only for requests that take time, and accepts
64 MiB. Not here: capturing frames (`sluice capture`).

This file needs only Python 3.9 and its standard library: copy it, or install the package.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import socket
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Dict, Iterator, List, Optional, Union

__all__ = ["DEFAULT_SOCKET", "Refused", "SluiceError", "Switch", "Unreachable"]

DEFAULT_SOCKET = "/run/sluice/sluice.sock"
LONGEST_ANSWER = 64 * 1024 * 1024

Row = Dict[str, Any]


class SluiceError(Exception):
    """Base class of the errors of this module."""


class Unreachable(SluiceError):
    """No switch answers there, or not in time, or the answer is invalid."""


class Refused(SluiceError):
    """The switch refused the request. `errors`: lines for people; `status`: 1 if the switch cannot do
    it now, 2 if the arguments or the configuration are wrong."""

    def __init__(self, errors: List[str], status: int):
        super().__init__("\n".join(errors))
        self.errors = errors
        self.status = status


class Switch:
    def __init__(self, at: Union[str, "os.PathLike[str]"] = DEFAULT_SOCKET, timeout: float = 10,
                 token: Optional[str] = None, authorities: Optional[str] = None):
        """`at`: the path of a control socket, or http://ADDRESS:PORT of `metrics.listen`, https:// with
        `metrics.tls`. `token`: the contents of `metrics.token_file`. `authorities`: a PEM file of
        trusted certificate authorities; default: those of the machine."""
        where = os.fspath(at)
        is_http = where.startswith(("http://", "https://"))
        self._at: Union[_Http, _Socket] = \
            _Http(where, timeout, token, authorities) if is_http else _Socket(where, timeout)

    def __enter__(self) -> "Switch":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection. A later request connects again."""
        self._at.close()

    # --- show -------------------------------------------------------------------------------------
    def show(self, noun: str, **more: Any) -> Any:
        """Returns the answer of `sluice show NOUN`. `more`: further arguments of the noun: all=True, or
        ports=["host1"], vlan=10, address="02:00:00:00:00:01" or priority=3 to select rows."""
        return self._at.show(noun, more)

    def events(self, since: int = 0) -> List[Row]:
        """Returns the events with a number above `since`, of the last 1000."""
        return [row for row in self.show("events", **({"since": since} if since else {}))
                if row["number"] > since]

    def follow(self, period: float = 0.5) -> Iterator[Row]:
        """Yields new events, without an end."""
        seen = max((row["number"] for row in self.events()), default=0)
        while True:
            rows = self.show("events", since=seen)
            yield from rows
            seen = max((row["number"] for row in rows), default=seen)
            time.sleep(period)

    def ready(self, wait: float = 0) -> bool:
        """Returns whether every enabled port has a link and every frame is accounted for, as `sluice
        ready` does. Waits up to `wait` seconds for that."""
        until = time.monotonic() + wait
        while self.missing():
            if time.monotonic() >= until:
                return False
            time.sleep(0.2)
        return True

    def missing(self) -> List[str]:
        """Returns why the switch is not ready, a line for each reason."""
        faults = [f"{row['name']}: the link is {row['link']}" for row in self.show("ports")
                  if row.get("admin_status", "up") == "up" and row["link"] != "up"]
        # `balanced` is null while frames move: a later request may get a value.
        if self.show("ledger")["balanced"] is False:
            faults.append("the ledger does not balance")
        return faults

    # --- changes: only over the socket ------------------------------------------------------------
    def apply(self, text: str, confirm_s: Optional[int] = None, name: str = "sluice.py") -> Row:
        """Applies a whole configuration. With `confirm_s` the switch rolls back after that many seconds
        unless `confirm` is called before. `name`: the file name in faults."""
        file: Row = {"file": name, "text": text}
        if confirm_s is not None:
            file["confirm_s"] = confirm_s
        return self._do({"apply": file}, 60)

    def confirm(self) -> Row:
        return self._do({"confirm": True})

    @contextlib.contextmanager
    def trial(self, text: str, seconds: int = 60) -> Iterator[Row]:
        """Applies a configuration, and confirms it at the end of the `with` block. If the block raises or
        the connection is lost, the switch rolls back after `seconds`."""
        yield self.apply(text, confirm_s=seconds)
        self.confirm()

    def flush_fdb(self, vlan: Optional[int] = None, port: Optional[str] = None) -> Row:
        """Removes learned addresses and groups: all, or those of a VLAN or a port."""
        return self._do(_given({"flush": "fdb", "vlan": vlan, "port": port}))

    def clear(self, what: str = "counters") -> Row:
        """Clears `counters` or `watermarks`."""
        return self._do({"clear": what})

    def trace(self, for_s: int = 10, **match: Any) -> Any:
        """Traces the next `frames` frames that match `port`, `dst`, `src`, `vlan` and `priority`."""
        return self._do({"trace": {**match, "for_s": for_s}}, for_s)

    def what_if(self, frame: str, port: str) -> Any:
        """Predicts the path of a frame received by the port, in the form of `sluice trace --what-if`."""
        return self._do({"what_if": {"frame": frame, "port": port}})

    def try_cable(self, one: str, other: str) -> Row:
        return self._do({"try_cable": [one, other]}, 5)

    def _do(self, request: Row, patience: float = 0) -> Any:
        return self._at.do(request, patience)


class _Socket:
    def __init__(self, path: str, timeout: float):
        self._path = path
        self._timeout = timeout
        self._socket: Optional[socket.socket] = None
        self._received = bytearray()

    def show(self, noun: str, more: Row) -> Any:
        return self.do({"show": noun, **more}, 0)

    def do(self, request: Row, patience: float) -> Any:
        line = json.dumps(request).encode() + b"\n"
        try:
            return _result(self._exchange(line, time.monotonic() + self._timeout + patience))
        except socket.timeout:
            self.close()
            raise Unreachable(f"{self._path}: no answer in time") from None
        except OSError as fault:
            self.close()
            raise Unreachable(f"{self._path}: {fault}") from fault
        except Unreachable as fault:
            self.close()
            raise Unreachable(f"{self._path}: {fault}") from None
        except Refused:
            raise
        except BaseException:  # such as ^C
            self.close()  # otherwise the next request would read this answer
            raise

    def _exchange(self, line: bytes, until: float) -> bytes:
        if self._socket is not None and self._has_hung_up():
            self.close()
        if self._socket is None:
            self._socket = socket.socket(socket.AF_UNIX)
            self._socket.settimeout(_left(until))
            self._socket.connect(self._path)
        self._socket.settimeout(_left(until))
        self._socket.sendall(line)
        while b"\n" not in self._received:
            if len(self._received) > LONGEST_ANSWER:
                raise Unreachable("the answer is longer than any that a switch gives")
            self._socket.settimeout(_left(until))
            piece = self._socket.recv(1 << 20)
            if not piece:
                raise Unreachable("it hung up before it answered")
            self._received += piece
        answer, _, rest = bytes(self._received).partition(b"\n")
        self._received = bytearray(rest)
        return answer

    def _has_hung_up(self) -> bool:
        """Whether the switch closed the connection, as it does after half a minute without requests."""
        assert self._socket is not None
        self._socket.settimeout(0)
        try:
            return not self._socket.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        except OSError:
            return True

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
        self._socket = None
        self._received.clear()


class _Http:
    def __init__(self, url: str, timeout: float, token: Optional[str], authorities: Optional[str]):
        self._url = url.rstrip("/")
        self._timeout = timeout
        self._fields = {"Authorization": f"Bearer {token}"} if token is not None else {}
        self._tls = ssl.create_default_context(cafile=authorities) if url.startswith("https:") else None

    def show(self, noun: str, more: Row) -> Any:
        since = more.pop("since", None) if noun == "events" else None
        words = urllib.parse.urlencode(
            {"port" if key == "ports" else key: _words(value) for key, value in more.items()}, doseq=True)
        url = f"{self._url}/api/show/{urllib.parse.quote(noun, safe='')}" + (f"?{words}" if words else "")
        try:
            request = urllib.request.Request(url)
            for name, value in self._fields.items():
                request.add_unredirected_header(name, value)
            with urllib.request.urlopen(request, timeout=self._timeout, context=self._tls) as answer:
                text = answer.read(LONGEST_ANSWER + 1)
        except urllib.error.HTTPError as fault:
            said = fault.read(65536).decode(errors="replace").strip()
            raise Refused([said or str(fault)], 1 if fault.code >= 500 else 2) from None
        except OSError as fault:
            raise Unreachable(f"{self._url}: {getattr(fault, 'reason', fault)}") from fault
        except http.client.HTTPException as fault:
            raise Unreachable(f"{self._url}: what answers there is no switch") from fault
        rows = _parsed(text)
        return rows if since is None else [row for row in rows if row["number"] > since]

    def do(self, request: Row, _: float) -> Any:
        raise Refused([f"{next(iter(request))}: not over HTTP, where nothing can be changed; use the "
                       f"switch's control socket, such as {DEFAULT_SOCKET}"], 2)

    def close(self) -> None:
        """Does nothing: each request has its own connection."""


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise Unreachable("no answer in time")
    return left


def _given(request: Row) -> Row:
    return {key: value for key, value in request.items() if value is not None}


def _words(value: Any) -> List[str]:
    """Returns the values of a query parameter: of a list, one for each item."""
    if isinstance(value, (list, tuple)):
        return [str(each) for each in value]
    return [str(value).lower() if isinstance(value, bool) else str(value)]


def _parsed(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Unreachable("what answers there is no switch") from None


def _result(text: bytes) -> Any:
    reply = _parsed(text)
    if not isinstance(reply, dict) or "status" not in reply:
        raise Unreachable("what answers there is no switch")
    if reply["status"] == 0:
        return reply.get("result")
    raise Refused([str(line) for line in reply.get("errors", [])], int(reply["status"]))
