"""A root file system of a test's own: layers that are only read, and a folder over them that takes
what is written.

Every run has a mount and a process namespace of its own. So nothing stays mounted and nothing goes
on running once it has ended, not even when the tests are killed; the folder is all that is left."""

import ctypes
import os
import pathlib
import shutil
import signal
import subprocess
from typing import Optional, Sequence

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PATIENCE = 7200  # seconds: a build on a machine that does much else

_libc = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG = 1

# Huge pages are the machine's, and so are the turns of taking them and the records of who is to
# give some back, which are kept in /run/sluice. $1 the layers, $2 where the compiler's cache is or
# nothing, $3 where the command is to run: `within` the root, there but `alone` with a /run/sluice
# of its own, or `beside` it. The shell stays, since the first process of a namespace ignores
# signals by default.
_ENTER = """
set -e
layers=$1 cache=$2 where=$3
shift 3
if [ -d work ]; then
  mount -t overlay overlay -o "lowerdir=$layers,upperdir=upper,workdir=work" tree
else
  mount --bind upper tree
fi
mount -t proc proc tree/proc
mount --rbind /sys tree/sys
mount --rbind /dev tree/dev
cat /etc/resolv.conf >tree/etc/resolv.conf 2>/dev/null || true
if [ -n "$cache" ]; then
  mkdir -p tree/var/cache/ccache
  mount --bind "$cache" tree/var/cache/ccache
fi
status=0
if [ "$where" = within ]; then
  mkdir -p -m 755 /run/sluice tree/run/sluice
  mount --bind /run/sluice tree/run/sluice
fi
if [ "$where" = beside ]; then
  "$@" || status=$?
else
  cd tree
  chroot "$@" || status=$?
fi
exit $status
"""


def _die_with_parent() -> None:
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _carries_overlays(folder: pathlib.Path) -> bool:
    """Not every file system can: an overlay itself, as containers have it, cannot."""
    tried = subprocess.run(
        ["unshare", "--mount", "sh", "-c", "mkdir -p upper work tree && mount -t overlay overlay "
         "-o lowerdir=tree,upperdir=upper,workdir=work tree"], cwd=folder, capture_output=True)
    return tried.returncode == 0


class Root:
    def __init__(self, folder: pathlib.Path, layers: Sequence[pathlib.Path],
                 cache: Optional[pathlib.Path] = None):
        """`folder` is made, the uppermost layer is the first, `cache` is that of the compiler."""
        self.folder = folder
        self._below = list(layers)
        self.cache = cache
        # False where /run/sluice is given to a user, and removed: the machine's is not.
        self.takes_turns = True
        folder.mkdir(parents=True)
        if _carries_overlays(folder):
            for name in ("upper", "work", "tree"):
                (folder / name).mkdir(exist_ok=True)
        else:
            shutil.rmtree(folder)
            (folder / "tree").mkdir(parents=True)
            subprocess.run(["cp", "-a", "--reflink=auto", self._below[0], folder / "upper"],
                           check=True)

    @property
    def upper(self) -> pathlib.Path:
        return self.folder / "upper"

    def layers(self) -> list[pathlib.Path]:
        """For a root over this one."""
        return [self.upper, *self._below]

    def run(self, command: str, user: str = "root", folder: str = "", network: bool = True,
            seconds: float = PATIENCE, terminal: Optional[int] = None,
            **environment: str) -> subprocess.CompletedProcess:
        """By bash, in `folder` or at home, as who has just logged in. A file descriptor given as
        `terminal` takes all that is printed."""
        home = "/root" if user == "root" else f"/home/{user}"
        settings = {"HOME": home, "USER": user, "PATH": PATH, "TERM": "xterm", **environment}
        if self.cache:
            settings |= {"CCACHE_DIR": "/var/cache/ccache", "CCACHE_UMASK": "000"}
        return self._enter(
            "within" if self.takes_turns else "alone",
            [f"--userspec={user}:{user}", "--groups=", ".", "env", "-i",
             *(f"{key}={value}" for key, value in settings.items()),
             "bash", "-c", f'cd "$0" && {{\n{command}\n}}', folder or home],
            network, seconds, terminal)

    def run_beside(self, *words: str) -> None:
        """A program of this machine; the root is tree/ in the folder that it runs in."""
        done = self._enter("beside", words, True, PATIENCE, None)
        assert done.returncode == 0, f"{words}: {done.returncode}: {done.stdout}{done.stderr}"

    def _enter(self, where: str, words: Sequence[str], network: bool, seconds: float,
               terminal: Optional[int]) -> subprocess.CompletedProcess:
        # By short names: all of them have to fit into a page.
        names = [os.path.relpath(layer, self.folder) for layer in self._below]
        files = dict(stdin=terminal, stdout=terminal, stderr=terminal) if terminal is not None \
            else dict(stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return subprocess.run(
            ["unshare", "--mount", "--pid", "--fork", "--kill-child",
             *([] if network else ["--net"]), "sh", "-c", _ENTER, "sh", ":".join(names),
             str(self.cache or ""), where, *words],
            cwd=self.folder, text=True, errors="replace", timeout=seconds,
            start_new_session=True, preexec_fn=_die_with_parent, **files)

    def remove(self) -> None:
        shutil.rmtree(self.folder)
