"""A machine with two NUMA nodes, emulated by QEMU: boots, runs one script, and is gone.

Node 0 has CPUs 0 and 1, node 1 has CPUs 2 and 3, each 1.5 GiB. There is no disk and no network: all
it has is in memory from the start, which is busybox, the programs and files given and the libraries
that these name. What the script leaves in /results comes back by the second serial port; what it
says is on the console. The kernel is Debian's for clouds. It is plain emulation (TCG), which any
machine can do and which is slow: its times say nothing."""

import os
import pathlib
import re
import shutil
import subprocess
import tarfile
from typing import Iterable, Mapping, Sequence

from process import Process
from waiting import until

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
timeout SECONDS sh -ex /script
echo $? >status
stty -F /dev/ttyS1 raw
tar -cf /dev/ttyS1 .
poweroff -f
"""

_MACHINE = """
    -machine q35 -accel tcg,thread=multi -cpu max -smp 4 -m 3G
    -object memory-backend-ram,id=near,size=1536M -numa node,nodeid=0,cpus=0-1,memdev=near
    -object memory-backend-ram,id=far,size=1536M -numa node,nodeid=1,cpus=2-3,memdev=far
    -numa dist,src=0,dst=1,val=20
    -nodefaults -no-user-config -no-reboot -display none -serial stdio
    """.split()

_BOOT = 60  # seconds to boot and to end in; ten on a machine with nothing else to do


def _kernel() -> pathlib.Path:
    """The newest one for clouds that is installed."""
    found = sorted(pathlib.Path("/boot").glob("vmlinuz-*-cloud-amd64"), key=os.path.getmtime)
    assert found, "there is no kernel to boot; run tools/packages numa"
    return found[-1]


def modules(*names: str) -> list[pathlib.Path]:
    """Of that kernel, by the names of their files."""
    folder = pathlib.Path("/lib/modules", _kernel().name.removeprefix("vmlinuz-"), "kernel")
    return [next(folder.rglob(f"{name}.ko")) for name in names]


def drivers(*names: str) -> list[pathlib.Path]:
    """Of DPDK, which loads whatever is in their folder: all 190 would take the guest long."""
    [folder] = pathlib.Path("/usr/lib/x86_64-linux-gnu/dpdk").glob("pmds-*")
    return [path for name in names for path in sorted(folder.glob(f"librte_{name}.so*"))]


class Guest:
    def __init__(self, folder: pathlib.Path, programs: Iterable[str],
                 files: Iterable[pathlib.Path] = (), texts: Mapping[str, str] = {},
                 devices: Sequence[str] = ()):
        """`programs` are on its path, `files` are where they are here, `texts` where they say, and
        `devices` are words for QEMU."""
        self._folder = folder
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
        self._write("/init", _INIT.replace("SECONDS", str(seconds)))
        archive, results = self._folder / "results.tar", self._folder / "results"
        qemu = Process(
            ["qemu-system-x86_64", *_MACHINE, "-serial", f"file:{archive}", *self._devices,
             "-kernel", str(_kernel()), "-initrd", str(self._pack()), "-append",
             "console=ttyS0 quiet panic=-1 mitigations=off"], self._folder, "qemu")
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
