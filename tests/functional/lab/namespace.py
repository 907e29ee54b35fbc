"""A network namespace of the test's own, and what runs in it. Nothing is made outside of one.

It is made as `ip netns add` makes one, but by no program: to start one costs more than most of what
it is started for."""

import contextlib
import fcntl
import os
import pathlib
import socket
import struct
import subprocess
from typing import Iterator

from process import Process
from system_calls import CLONE_NEWNET, MS_BIND, enter, mount, unmount, unshare

_SIOCSIFFLAGS, _IFF_UP = 0x8914, 1
_FOLDER = pathlib.Path("/run/netns")
_PREFIX = "sluice-test"
# Others are given the namespace's /sys as well.
_ASK_BY_SOCKETS = {"bridge", "ethtool", "ip", "ping", "ss", "tc"}


def run(*words: str, seconds: float = 30, check: bool = True, environment=None,
        given: str = "") -> subprocess.CompletedProcess:
    """Runs to the end with `given` as input; fails with the program's output."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=seconds, input=given,
                          env=environment)
    assert not check or done.returncode == 0, \
        f"{' '.join(words)}: {done.returncode}: {done.stdout}{done.stderr}"
    return done


def _remove(path: pathlib.Path) -> None:
    if os.path.ismount(path):  # one that is half made is none
        unmount(bytes(path))
    path.unlink(missing_ok=True)


def remove_leftovers() -> None:
    """Removes namespaces of runs whose process is gone: one that was killed could not."""
    for path in _FOLDER.glob(f"{_PREFIX}-*"):
        pid = path.name.split("-")[2]
        if not pathlib.Path("/proc", pid).exists():
            _remove(path)


class Namespace:
    _made = 0

    def __init__(self, role: str, folder: pathlib.Path):
        Namespace._made += 1
        self.name = f"{_PREFIX}-{os.getpid()}-{Namespace._made}-{role}"
        self.role = role
        self._folder = folder
        self._processes: list[Process] = []
        self._path = _FOLDER / self.name
        self._make()
        with self.entered(), socket.socket() as any_socket:
            fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("=16sH22x", b"lo", _IFF_UP))

    def _make(self) -> None:
        if not os.path.ismount(_FOLDER):  # as `ip` prepares it
            run("ip", "netns", "add", self.name)
            return
        self._path.touch(exist_ok=False)
        with open("/proc/thread-self/ns/net") as outside:
            unshare(CLONE_NEWNET)
            try:
                mount(b"/proc/thread-self/ns/net", bytes(self._path), MS_BIND)
            finally:
                enter(outside.fileno(), CLONE_NEWNET)

    def run(self, *words: str, seconds: float = 30,
            check: bool = True) -> subprocess.CompletedProcess:
        if words[0] not in _ASK_BY_SOCKETS:
            return run("ip", "netns", "exec", self.name, *words, seconds=seconds, check=check)
        with self.entered():
            return run(*words, seconds=seconds, check=check)

    def ip(self, *words: str) -> str:
        return run("ip", "-n", self.name, *words).stdout

    def ip_each(self, *commands: str) -> None:
        """Runs the commands one after the other, in one program."""
        run("ip", "-n", self.name, "-batch", "-", given="".join(f"{line}\n" for line in commands))

    def start(self, *words: str, environment=None) -> Process:
        name = f"{self.role}-{len(self._processes)}-{os.path.basename(words[0])}"
        process = Process(["ip", "netns", "exec", self.name, *words], self._folder, name,
                          environment)
        self._processes.append(process)
        return process

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        """This thread is inside meanwhile. A socket stays where it was opened."""
        with open("/proc/thread-self/ns/net") as outside, open(self._path) as inside:
            enter(inside.fileno(), CLONE_NEWNET)
            try:
                yield
            finally:
                enter(outside.fileno(), CLONE_NEWNET)

    def set(self, setting: str, value: object) -> None:
        """Sets a kernel setting below net/, by sysctl's name."""
        with self.entered():
            pathlib.Path("/proc/sys/net", setting).write_text(str(value))

    def close(self) -> None:
        for process in reversed(self._processes):
            process.end()
        _remove(self._path)
