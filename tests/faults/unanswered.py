"""A file whose opening waits, as on a mount whose server has gone: the kernel asks a listener of
fanotify(7) whether it may be opened, and this one does not answer."""

import contextlib
import ctypes
import os
import pathlib
from typing import Iterator

_ASKS = 0x04  # FAN_CLASS_CONTENT
_ADD = 0x01  # FAN_MARK_ADD
_OPENING = 0x1_0000  # FAN_OPEN_PERM
_HERE = -100  # AT_FDCWD

_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


@contextlib.contextmanager
def unanswered(file: pathlib.Path) -> Iterator[None]:
    """Whoever opens it waits until this ends; so the test itself must not."""
    listener = _checked(_libc.fanotify_init(_ASKS, os.O_RDONLY | os.O_CLOEXEC))
    try:
        _checked(_libc.fanotify_mark(listener, _ADD, ctypes.c_uint64(_OPENING), _HERE,
                                     os.fsencode(file)))
        yield
    finally:
        os.close(listener)  # whoever waits may now
