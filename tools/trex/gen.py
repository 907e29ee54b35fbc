"""SluiceGen: sends the streams of a profile by `sluice-gen`, without TRex or to compare with it."""

import json
import pathlib
import subprocess

from outcome import Outcome, Row, asked_of
from streams import Stream

MOST_ADDRESSES = 65536  # addresses of a station: its MAC addresses have 16 bits for their number
STARTS_AND_STOPS = 60   # seconds to start and stop, on a busy machine


class CannotRun(Exception):
    """The generator cannot send a stream; the text has the reason and a remedy."""


def described(stream: Stream, rate: float) -> dict:
    """Returns the stream in the form of `--streams` (tools/gen/stream_file.h)."""
    a_second = max(1, round(stream.a_second or stream.share * rate))
    of_all = {"name": stream.name, "from": stream.sender, "rate": str(a_second)}
    if stream.octets:
        return {**of_all, "octets": stream.octets.hex()}
    mix = "+".join(f"{octets}:{times}" for octets, times in stream.frame_bytes)
    return {**of_all, "to": stream.receiver, "vlan": stream.vlan, "pcp": stream.pcp,
            "addresses": stream.addresses, "format": stream.format,
            "frame_bytes": mix if len(stream.frame_bytes) > 1 else stream.frame_bytes[0][0]}


class SluiceGen:
    name = "sluice-gen"

    def __init__(self, program: str, ends: list[str], folder: pathlib.Path, core: int):
        self._program = program
        self._ends = ends
        self._folder = folder
        self._core = core

    def __enter__(self) -> "SluiceGen":
        return self

    def __exit__(self, *_) -> None:
        pass

    def version(self) -> str:
        return ""

    def run(self, streams: list[Stream], rate: float, seconds: float) -> Outcome:
        if any(stream.addresses > MOST_ADDRESSES for stream in streams):
            raise CannotRun(f"sluice-gen has {MOST_ADDRESSES:,} addresses a port; take more "
                            "--ports, or TRex")
        file = self._folder / "streams.yaml"
        file.write_text(json.dumps({"streams": [described(one, rate) for one in streams]}))
        ports = [word for end in self._ends for word in ("--port", end)]
        done = subprocess.run(
            ["taskset", "-c", str(self._core), self._program, *ports, "--streams", str(file),
             "--seconds", str(seconds), "--json", "--quiet"], text=True, capture_output=True,
            timeout=seconds + STARTS_AND_STOPS)
        if not done.stdout:
            raise CannotRun(f"sluice-gen ended with {done.returncode}: {done.stderr.strip()}")
        return outcome_of(json.loads(done.stdout), asked_of(streams, rate))


def outcome_of(found: dict, asked: float) -> Outcome:
    rows = []
    for flow in found["flows"]:
        if flow["receiver"] is None:
            rows.append(Row(flow["stream"], flow["offered"]))
            continue
        latency = {key: value / 1000 for key, value in flow["latency_ns"].items()}
        rows.append(Row(flow["stream"], flow["offered"], flow["delivered"], flow["lost"],
                        flow["reordered"], flow["duplicates"], latency))
    devices = [(one["sent"], one["received"]) for one in found["devices"]]
    return Outcome(rows, devices, found["seconds"], asked)
