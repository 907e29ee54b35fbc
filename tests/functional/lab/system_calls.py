"""What Linux does for a process or one of its threads, and Python has no words for. Each call raises
OSError where it is refused."""

import ctypes
from typing import Optional

CLONE_NEWNS, CLONE_NEWNET = 0x20000, 0x40000000
SO_RCVBUFFORCE = 33  # asm-generic/socket.h
MS_BIND, MS_REC, MS_SLAVE = 0x1000, 0x4000, 0x80000
_MNT_DETACH = 2
_PR_SET_PDEATHSIG = 1

_libc = ctypes.CDLL(None, use_errno=True)


def _succeeded(result: int, what: str) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), what)


def unshare(kinds: int) -> None:
    """The thread has new namespaces of these kinds."""
    _succeeded(_libc.unshare(kinds), "unshare")


def enter(descriptor: int, kind: int) -> None:
    """The thread is in that namespace from now on."""
    _succeeded(_libc.setns(descriptor, kind), "setns")


def mount(source: Optional[bytes], target: bytes, flags: int) -> None:
    _succeeded(_libc.mount(source, target, None, flags, None), f"mount on {target!r}")


def unmount(target: bytes) -> None:
    """Unmounts at once, even if it is in use."""
    _succeeded(_libc.umount2(target, _MNT_DETACH), f"umount of {target!r}")


def die_with_parent(signal: int) -> None:
    _succeeded(_libc.prctl(_PR_SET_PDEATHSIG, signal), "prctl")
