"""The generator at a device under test: one core, the other ends of its ports."""

import json
import subprocess
import time
from typing import Callable

import devices
from switch import program  # noqa: E402  (devices says where that is)

ATTEMPTS = 15  # to be served, half a second apart at the least


class ServesNobody(Exception):
    pass


def offer(device: devices.Device, seconds: float, frame_bytes: str, rate: str,
          meanwhile: Callable[[], None] = lambda: None) -> dict:
    """What the generator found."""
    ports = [word for end in device.other_ends() for word in ("--port", end)]
    for _ in range(ATTEMPTS):
        time.sleep(0.5)  # until the device has noticed that the client before is gone
        with subprocess.Popen(
            [*device.inside, "taskset", "-c", str(devices.GENERATOR_CORE),
             program("sluice-gen"),
             *ports, "--pattern", "pairs" if device.ports == 2 else "uniform",
             "--frame-bytes", frame_bytes, "--rate", rate,
             "--seconds", str(seconds), "--addresses", str(device.addresses), "--json", "--quiet"],
            text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as generator:
            meanwhile()
            found, errors = generator.communicate()
        if "no process listens" not in errors:  # OVS restarts its ports once it has both
            break
    else:
        raise ServesNobody(f"{type(device).__name__}: {errors.strip()}")
    if generator.returncode != 0:
        raise SystemExit(f"peers.py: {type(device).__name__}: sluice-gen ended with "
                         f"{generator.returncode}: {errors.strip()}\n" +
                         "\n".join(process.said()[-2000:] for process in device.processes))
    return json.loads(found)
