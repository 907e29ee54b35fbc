"""Network cards of a guest, and the far ends of their cables, which the test has in its hands."""

import pathlib
import socket

from wire import Wire

MODELS = {  # by the name of the port: QEMU's words for a card
    "e1000": "e1000",
    "e1000e": "e1000e",
    "vmxnet3": "vmxnet3",
    "virtio": "virtio-net-pci,disable-legacy=on",
    "kernel": "virtio-net-pci",  # stays with the kernel's driver
}
_FIRST_SLOT = 0x10  # of the PCI bus


class FarEnd(Wire):
    """A datagram is a frame."""

    def __init__(self, folder: pathlib.Path, name: str):
        self._name = name
        self._near = folder / f"{name}.near"
        far = folder / f"{name}.far"
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(far))
        self.words = (f"dgram,id=cable-{name},local.type=unix,local.path={self._near},"
                      f"remote.type=unix,remote.path={far}")

    def send(self, *frames: bytes, rate: float = 0) -> None:
        self._socket.connect(str(self._near))
        super().send(*frames, rate=rate)


def address(name: str) -> str:
    """Of the PCI bus."""
    return f"0000:00:{_FIRST_SLOT + list(MODELS).index(name):02x}.0"


def mac(name: str) -> str:
    return f"52:54:00:00:00:{list(MODELS).index(name) + 1:02x}"


def card(name: str) -> dict[str, str]:
    """QEMU's device options of it, word by word."""
    model, *more = MODELS[name].split(",")
    slot = f"{_FIRST_SLOT + list(MODELS).index(name):#x}"
    return {"driver": model, "id": name, "netdev": f"cable-{name}", "mac": mac(name),
            "addr": slot, **dict(word.split("=") for word in more)}


def words(name: str, far_end: FarEnd) -> list[str]:
    about = card(name)
    device = [about.pop("driver"), *(f"{key}={value}" for key, value in about.items())]
    return ["-netdev", far_end.words, "-device", ",".join(device)]
