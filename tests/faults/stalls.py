"""Single threads of a process stopped and let on again, as a kernel that has no time for them would,
or that does not come back from a call, by ptrace: a signal would stop all of them."""

import contextlib
import ctypes
import errno
import os
import pathlib
import random
import threading
import time
from typing import Callable, Iterator

_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
_libc.ptrace.restype = ctypes.c_long
_CONT, _DETACH, _SYSCALL, _SEIZE, _INTERRUPT = 7, 17, 24, 0x4206, 0x4207
_WALL = 0x40000000
_CALLS = {"close": 3, "rmdir": 84}


def _ptrace(request: int, thread: int) -> bool:
    """False: the thread is gone."""
    return _libc.ptrace(request, thread, None, None) == 0


def stop(thread: int) -> bool:
    """False: the thread is gone."""
    if not _ptrace(_SEIZE, thread):
        # One that is about to end may not be seized.
        if ctypes.get_errno() not in (errno.ESRCH, errno.EPERM):
            raise OSError(ctypes.get_errno(), f"thread {thread} cannot be stopped")
        return False
    return _ptrace(_INTERRUPT, thread) and os.waitpid(thread, _WALL)[1] >> 16 != 0


def let_on(thread: int) -> None:
    if not _ptrace(_DETACH, thread):
        with contextlib.suppress(ChildProcessError):
            os.waitpid(thread, _WALL)  # its process ended, and waits for us to have seen that


@contextlib.contextmanager
def stalled(thread: int) -> Iterator[None]:
    assert stop(thread), f"thread {thread} does not stop"
    try:
        yield
    finally:
        let_on(thread)


@contextlib.contextmanager
def stalled_in_call(pid: int, call: str, begin: Callable[[], None],
                    wanted: Callable[[int], bool]) -> Iterator[None]:
    """After `begin` a process's first thread makes `call`, with a first argument that is `wanted`,
    and does not come back from it; if the process ends, it is to be waited for in here."""
    assert stop(pid), f"process {pid} does not stop"
    try:
        begin()
        while not _is_at(pid, call, wanted):
            assert _goes_on(pid), f"process {pid} ended before it made the call"
        yield
    finally:
        let_on(pid)


def _goes_on(pid: int) -> bool:
    """To the next beginning or end of a call, which is all that this thread stops for."""
    return _ptrace(_SYSCALL, pid) and os.WIFSTOPPED(os.waitpid(pid, _WALL)[1])


def _is_at(thread: int, call: str, wanted: Callable[[int], bool]) -> bool:
    words = pathlib.Path(f"/proc/{thread}/syscall").read_text().split()
    return words[0] == str(_CALLS[call]) and wanted(int(words[1], 16))


class Stalls:
    """Each of the threads stops again and again at random, until `end`; all on at the end."""

    def __init__(self, threads: list[int], chance: random.Random, longest: float):
        self._ended = threading.Event()
        self.count = 0
        # Who stops a thread is the only one who may let it on.
        self._own = [threading.Thread(target=self._stall, args=(thread, chance.random(), longest))
                     for thread in threads]
        for own in self._own:
            own.start()

    def _stall(self, thread: int, seed: float, longest: float) -> None:
        chance = random.Random(seed)
        while not self._ended.wait(chance.random() ** 3 * longest):
            if not stop(thread):
                return
            self.count += 1
            time.sleep(chance.random() ** 3 * longest)
            let_on(thread)

    def end(self) -> None:
        self._ended.set()
        for own in self._own:
            own.join()
