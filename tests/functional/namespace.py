"""A network namespace of the test's own, and what runs in it. Nothing is made outside of one."""

import contextlib
import ctypes
import os
import pathlib
import subprocess
from typing import Iterator

from process import Process

_libc = ctypes.CDLL(None, use_errno=True)
_CLONE_NEWNET = 0x40000000
_PREFIX = "sluice-test"


def run(*words: str, seconds: float = 30, check: bool = True,
        environment=None) -> subprocess.CompletedProcess:
    """Runs to the end; fails with what the program said."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=seconds,
                          stdin=subprocess.DEVNULL, env=environment)
    assert not check or done.returncode == 0, \
        f"{' '.join(words)}: {done.returncode}: {done.stdout}{done.stderr}"
    return done


def remove_leftovers() -> None:
    """Removes namespaces of runs whose process is gone: one that was killed could not."""
    folder = pathlib.Path("/run/netns")
    for path in folder.glob(f"{_PREFIX}-*") if folder.is_dir() else []:
        pid = path.name.split("-")[2]
        if not pathlib.Path("/proc", pid).exists():
            run("ip", "netns", "del", path.name)


class Namespace:
    _made = 0

    def __init__(self, role: str, folder: pathlib.Path):
        Namespace._made += 1
        self.name = f"{_PREFIX}-{os.getpid()}-{Namespace._made}-{role}"
        self.role = role
        self._folder = folder
        self._processes: list[Process] = []
        run("ip", "netns", "add", self.name)
        run("ip", "-n", self.name, "link", "set", "lo", "up")

    def run(self, *words: str, seconds: float = 30,
            check: bool = True) -> subprocess.CompletedProcess:
        return run("ip", "netns", "exec", self.name, *words, seconds=seconds, check=check)

    def ip(self, *words: str) -> str:
        return run("ip", "-n", self.name, *words).stdout

    def start(self, *words: str, environment=None) -> Process:
        name = f"{self.role}-{len(self._processes)}-{os.path.basename(words[0])}"
        process = Process(["ip", "netns", "exec", self.name, *words], self._folder, name,
                          environment)
        self._processes.append(process)
        return process

    @contextlib.contextmanager
    def entered(self) -> Iterator[None]:
        """This thread is inside meanwhile. A socket stays where it was opened."""
        with open("/proc/thread-self/ns/net") as outside, open(f"/run/netns/{self.name}") as inside:
            self._enter(inside.fileno())
            try:
                yield
            finally:
                self._enter(outside.fileno())

    @staticmethod
    def _enter(descriptor: int) -> None:
        if _libc.setns(descriptor, _CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "setns")

    def set(self, setting: str, value: object) -> None:
        """Of the kernel, as sysctl has it, below net/."""
        with self.entered():
            pathlib.Path("/proc/sys/net", setting).write_text(str(value))

    def close(self) -> None:
        for process in reversed(self._processes):
            process.end()
        run("ip", "netns", "del", self.name)
