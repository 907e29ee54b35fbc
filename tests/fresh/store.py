"""Stored roots: made once a month, or when what they are made of changes, and shared by all tests.

They are folders under SLUICE_FRESH_STORE, or where this user's caches are. `minimal` is Debian's
`minbase` and an ordinary user; `build` is a layer over it, with the packages of the build and
ccache. Both are of one Debian. Beside them lies the cache of the compiler, which only roots over
`build` have."""

import contextlib
import fcntl
import hashlib
import itertools
import os
import pathlib
import shutil
import subprocess
import time
from typing import Callable, Iterator

import debians
import package_source
import project
from root import PATIENCE, Root

USER = "anna"
_numbers = itertools.count(1)  # of the roots of this process, of whichever Debian


def place() -> pathlib.Path:
    caches = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(os.environ.get("SLUICE_FRESH_STORE") or f"{caches}/sluice/fresh")


def _short(*what: object) -> str:
    return hashlib.sha256(repr(what).encode()).hexdigest()[:12]


def minimal_key(suite: str) -> str:
    return _short(suite, time.strftime("%Y-%m"), package_source.entries(suite),
                  package_source.settings(suite))


def _names(suite: str) -> tuple[str, str]:
    return (f"minimal-{minimal_key(suite)}",
            f"build-{_short(minimal_key(suite), project.packages('build'))}")


class Store:
    def __init__(self, suite: str = debians.OLDSTABLE):
        self.suite = suite
        self._place = place()
        self._minimal, self._build = _names(suite)

    @contextlib.contextmanager
    def in_use(self) -> Iterator["Store"]:
        """Meanwhile nobody removes what is stored. Who is alone removes what is of no use any more:
        roots of runs that were killed, and of other months."""
        self._place.mkdir(parents=True, exist_ok=True)
        with open(self._place / "lock", "w") as lock:
            with contextlib.suppress(BlockingIOError):
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self._remove_leftovers()
            fcntl.flock(lock, fcntl.LOCK_SH)
            yield self

    def _remove_leftovers(self) -> None:
        kept = [name for suite in debians.ALL for name in _names(suite)]
        for path in self._place.glob("*-*"):
            if path.name not in kept:
                shutil.rmtree(path)

    # --- roots ------------------------------------------------------------------------------------
    def over_minimal(self) -> Root:
        return self._root(self._layer(self._minimal, self._make_minimal))

    def over_build(self) -> Root:
        minimal = self._layer(self._minimal, self._make_minimal)
        return self._root(self._layer(self._build, self._make_build), minimal,
                          cache=self._cache())

    def over(self, root: Root) -> Root:
        """It must not be written to any more."""
        return self._root(*root.layers(), cache=root.cache)

    def _root(self, *layers: pathlib.Path, cache=None) -> Root:
        return Root(self._next(), layers, cache)

    def _next(self) -> pathlib.Path:
        return self._place / f"run-{os.getpid()}-{next(_numbers)}"

    def _cache(self) -> pathlib.Path:
        """For this CPU: -march=native depends on it, and the cache's key does not."""
        flags = {line for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
                 if line.startswith("flags")}
        cache = self._place / "ccache" / _short("\n".join(sorted(flags)))
        cache.mkdir(parents=True, exist_ok=True)
        cache.chmod(0o777)
        return cache

    # --- making them ------------------------------------------------------------------------------
    def _layer(self, name: str, make: Callable[[], pathlib.Path]) -> pathlib.Path:
        with open(self._place / "making", "w") as making:
            fcntl.flock(making, fcntl.LOCK_EX)
            if not (self._place / name).is_dir():
                make().rename(self._place / name)
        return self._place / name

    def _make_minimal(self) -> pathlib.Path:
        folder = self._next()
        entries = package_source.entries(self.suite)
        # What is signed for a web server needs somebody to ask about its certificate.
        more = ["--include=ca-certificates"] if any("https:" in line for line in entries) else []
        done = subprocess.run(
            ["unshare", "--mount", "mmdebstrap", "--variant=minbase", *more,
             *(f"--aptopt={line}" for line in package_source.settings(self.suite)),
             f'--customize-hook=chroot "$1" useradd --create-home --shell /bin/bash {USER}',
             self.suite, str(folder), *entries],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, f"mmdebstrap: {done.stderr}"
        return folder

    def _make_build(self) -> pathlib.Path:
        root = self._root(self._place / self._minimal)
        packages = " ".join([*project.packages("build"), "ccache"])
        done = root.run("export DEBIAN_FRONTEND=noninteractive\n"
                        "apt-get update -q && apt-get install -y -q --no-install-recommends"
                        f" -o Dpkg::Options::=--force-unsafe-io {packages} && apt-get clean")
        assert done.returncode == 0, done.stdout + done.stderr
        return root.upper
