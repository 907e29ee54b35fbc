"""Frames as tshark decodes them: a decoder that is not ours."""

import json
import pathlib

from namespace import run
from scapy.utils import RawPcapWriter


def dissected(folder: pathlib.Path, frames: list[bytes], *fields: str, only: str = "",
              checks: tuple[str, ...] = ()) -> list[dict[str, list[str]]]:
    """All values of each field that a frame has, one a frame; `only`: of those that this filter of
    its lets by. `checks`: checksums to verify, such as ip.check_checksum."""
    file = str(folder / "decoded.pcap")
    with RawPcapWriter(file, linktype=1) as capture:
        for octets in frames:
            capture.write(octets)
    words = ["-Y", only] if only else []
    for check in checks:
        words += ["-o", f"{check}:TRUE"]
    for field in fields:
        words += ["-e", field]
    packets = json.loads(run("tshark", "-n", "-r", file, "-T", "json", *words).stdout)
    assert only or len(packets) == len(frames)
    return [packet["_source"].get("layers", {}) for packet in packets]


def decoded(folder: pathlib.Path, frames: list[bytes], *fields: str,
            check: str = "") -> list[dict[str, str]]:
    """The first value of each field that a frame has, one a frame; `check`: a checksum to verify."""
    return [{field: values[0] for field, values in row.items()}
            for row in dissected(folder, frames, *fields, checks=(check,) if check else ())]


def decoded_pauses(folder: pathlib.Path, pauses: list[bytes]) -> list[dict[str, str]]:
    """Returns the fields of MAC control, and what tshark finds strange."""
    return decoded(folder, pauses, "eth.dst", "eth.src", "frame.len", "macc.opcode",
                   "macc.cbfc.enbv", "_ws.expert.message",
                   *(f"macc.cbfc.pause_time.c{n}" for n in range(8)))
