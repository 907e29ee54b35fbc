"""A machine that QEMU emulates: boots, runs commands, and is gone.

There is no disk and no network but the devices given: all it has is in memory from the start, which
is busybox, the programs and files given and the libraries that these name. Told is either one script,
whose results come back by the second serial port (`run`), or a command at a time, with its answer
(`shell`). What is said besides is on the console. The kernel is Debian's for clouds, or its usual one,
which has more drivers. It is plain emulation (TCG), which any machine can do and which is slow: its
times say nothing."""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tarfile
from typing import Iterable, Iterator, Mapping, Optional, Sequence

from process import Process
from shell import Shell
from waiting import until

CARDS = (pathlib.Path(__file__).parent / "cards.sh").read_text()

_INIT = """#!/usr/bin/busybox sh
/usr/bin/busybox --install -s /bin
mkdir -p /proc /sys /dev /tmp /run /results
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
mount -t tmpfs none /run
mkdir -p /dev/hugepages
mount -t hugetlbfs none /dev/hugepages
cd /results
stty -F /dev/ttyS1 raw -echo
"""

_BATCH = """timeout SECONDS sh -ex /script
echo $? >status
tar -cf /dev/ttyS1 .
poweroff -f
"""

_LISTENING = "the shell listens"
# Of a serial port that nobody has open the kernel reads nothing, and what is sent then is lost.
_SHELL = f"""exec 3</dev/ttyS1
echo {_LISTENING}
sh /dev/ttyS1 </dev/null >/dev/ttyS1 2>&1
poweroff -f
"""

_EMULATION = """
    -accel tcg,thread=multi -cpu max
    -nodefaults -no-user-config -no-reboot -display none -serial stdio
    """.split()

# Whether the timer interrupts, the kernel asks for a few ticks only, and panics: on a busy machine
# the emulated one is not there in time.
_TIMER = "no_timer_check"

_BOOT = 180  # seconds to boot and to end in; ten on a machine with nothing else to do


CLOUD, USUAL = "-cloud-amd64", "-amd64"  # Debian's kernels, by how their versions end


def _kernel(flavour: str) -> pathlib.Path:
    """The newest one of these that is installed."""
    found = [path for path in pathlib.Path("/boot").glob(f"vmlinuz-*{flavour}")
             if flavour == CLOUD or not path.name.endswith((CLOUD, "-rt-amd64"))]
    assert found, f"there is no kernel *{flavour} to boot; run tools/packages emulated"
    return max(found, key=os.path.getmtime)


def _version(flavour: str) -> str:
    return _kernel(flavour).name.removeprefix("vmlinuz-")


def modules(*names: str) -> list[pathlib.Path]:
    """Of the kernel for clouds, by the names of their files."""
    folder = pathlib.Path("/lib/modules", _version(CLOUD), "kernel")
    return [next(folder.rglob(f"{name}.ko")) for name in names]


def modules_and_needed(flavour: str, *names: str) -> list[pathlib.Path]:
    """Of such a kernel, by their names, in an order in which they can be loaded."""
    asked = subprocess.run(["/sbin/modprobe", "-S", _version(flavour), "--show-depends", "-a", *names],
                           capture_output=True, text=True, check=True).stdout
    return [pathlib.Path(path) for path in dict.fromkeys(re.findall(r"^insmod (\S+)", asked, re.M))]


def drivers(*names: str) -> list[pathlib.Path]:
    """Of DPDK, which loads whatever is in their folder: all 190 would take the guest long."""
    [folder] = pathlib.Path("/usr/lib/x86_64-linux-gnu/dpdk").glob("pmds-*")
    return [path for name in names for path in sorted(folder.glob(f"librte_{name}.so*"))]


class Booted:
    """A guest that runs, from its start to its end, with a shell in it once it listens."""

    def __init__(self, qemu: Process, path: pathlib.Path):
        self._qemu = qemu
        self._path = path
        self._boots = 0
        self.shell: Optional[Shell] = None

    def until_it_listens(self) -> "Booted":
        """And again, each time that it was told to boot anew."""
        self._boots += 1
        until(lambda: self._qemu.said().count(_LISTENING) == self._boots or not self._qemu.running(),
              "the guest boots", _BOOT)
        assert self._qemu.running(), f"the guest ended:\n{self.console()}"
        if self.shell is None:
            self.shell = Shell(self._path)
        return self

    def console(self) -> str:
        return self._qemu.said()[-4000:]

    def kill(self) -> None:
        self._qemu.signal(signal.SIGKILL)
        self._qemu.wait(_BOOT)

    def close(self) -> None:
        if self.shell is not None:
            self.shell.close()
        self._qemu.end()


class Guest:
    def __init__(self, folder: pathlib.Path, programs: Iterable[str],
                 machine: Sequence[str], files: Iterable[pathlib.Path] = (),
                 texts: Mapping[str, str] = {}, devices: Sequence[str] = (), kernel: str = CLOUD):
        """`programs` are on its path, `files` are where they are here, `texts` where they say;
        `machine` and `devices` are words for QEMU."""
        self._folder = folder
        self._kernel = _kernel(kernel)
        self._machine = machine
        self._root = folder / "root"
        self._devices = devices
        for name in ("bin", "sbin", "lib", "lib64"):  # as Debian has them
            (self._root / "usr" / name).mkdir(parents=True)
            (self._root / name).symlink_to(f"usr/{name}")
        for program in ["/usr/bin/busybox", *programs]:
            shutil.copy(program, self._root / "usr/bin")
        for path in [*files, *_libraries([*programs, *files])]:
            self._add(path)
        for place, text in texts.items():
            self._write(place, text)

    def run(self, script: str, seconds: int) -> pathlib.Path:
        """The folder of what the script left. It ends at the first command that fails, or when the
        seconds are over."""
        self._write("/script", script)
        archive, results = self._folder / "results.tar", self._folder / "results"
        qemu = self._boot(_BATCH.replace("SECONDS", str(seconds)), f"file:{archive}")
        try:
            until(lambda: not qemu.running(), "the guest ends", seconds + _BOOT)
            with tarfile.open(archive) as packed:
                packed.extractall(results)
            status = (results / "status").read_text().strip()
            assert status == "0", f"its script ended with {status}"
        except (AssertionError, OSError, tarfile.TarError) as fault:
            raise AssertionError("\n".join(
                [f"guest: {fault}", "--- console", qemu.said()[-4000:]] +
                [f"--- {path.name}\n{path.read_text()[-4000:]}"
                 for path in sorted(results.rglob("*.log"))])) from None
        finally:
            qemu.end()
        return results

    @contextlib.contextmanager
    def shell(self) -> Iterator[Shell]:
        with contextlib.closing(self.boot()) as booted:
            yield booted.until_it_listens().shell

    def boot(self) -> Booted:
        """Does not wait for it, so that several can at once."""
        path = self._folder / "shell"
        return Booted(self._boot(_SHELL, f"unix:{path},server=on,wait=off"), path)

    def _boot(self, what_it_does: str, second_port: str) -> Process:
        self._write("/init", _INIT + what_it_does)
        return Process(
            ["qemu-system-x86_64", *self._machine, *_EMULATION, "-serial", second_port,
             *self._devices, "-kernel", str(self._kernel), "-initrd", str(self._pack()), "-append",
             f"console=ttyS0 quiet panic=-1 mitigations=off {_TIMER}"], self._folder, "qemu")

    # --- what is in it ----------------------------------------------------------------------------
    def _add(self, path: pathlib.Path) -> None:
        """Once, and linked to by its other names, as here: one driver under two names would be two
        for DPDK."""
        real, name = path.resolve(), path.parent.resolve() / path.name
        for place in (real, name):
            self._here(place).parent.mkdir(parents=True, exist_ok=True)
        if not self._here(real).exists():
            shutil.copy(real, self._here(real))
        if not self._here(name).is_symlink() and name != real:
            self._here(name).symlink_to(real)

    def _write(self, place: str, text: str) -> None:
        path = self._here(pathlib.Path(place))
        path.write_text(text)
        path.chmod(0o755)

    def _here(self, place: pathlib.Path) -> pathlib.Path:
        return self._root / place.relative_to("/")

    def _pack(self) -> pathlib.Path:
        """Not compressed: to read it takes the guest less than to unpack it."""
        packed = self._folder / "initramfs"
        names = [str(path.relative_to(self._root))
                 for path in [self._root, *sorted(self._root.rglob("*"))]]
        with open(packed, "wb") as file:
            subprocess.run(["busybox", "cpio", "-o", "-H", "newc"], cwd=self._root, check=True,
                           input="\n".join(names).encode(), stdout=file, stderr=subprocess.PIPE)
        return packed


def _libraries(files: Iterable[os.PathLike]) -> list[pathlib.Path]:
    """That the loader finds for them; a file that is no program needs none."""
    listed = [subprocess.run(["ldd", file], capture_output=True, text=True).stdout
              for file in files]
    return [pathlib.Path(name) for text in listed for name in re.findall(r"(/\S+) \(0x", text)]
