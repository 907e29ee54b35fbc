"""Bed: starts the switch, and connects it to the generator by memif sockets, veth pairs, or NICs.

`ends` are the far ends of the switch's ports, in the order of the ports, as devices of sluice-gen;
server.py converts them to TRex's devices. With a file of settings, the far end follows from the
device of the port:

    memif:SOCKET               the generator connects to that socket
    af_packet:X, af_xdp:X      if there is no interface X, a veth pair X and gX is made, and the far
                               end is gX; otherwise --ends names the far end
    pci:ADDRESS                --ends names the NIC at the other end of the cable
"""

import json
import os
import pathlib
import signal
import subprocess
import time
from typing import Optional

TOP = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = 30  # seconds


class Refused(Exception):
    """Arguments or machine are unsuitable; the text has the remedy."""


def program(name: str) -> str:
    """Returns the path of a program: in SLUICE_BUILD or build/, or where it is installed."""
    folder = pathlib.Path(os.environ.get("SLUICE_BUILD", TOP / "build"))
    for place in (folder, folder / "control", folder / "tools" / "sluice", folder / "tools" / "gen",
                  pathlib.Path("/usr/bin"), pathlib.Path("/usr/sbin")):
        if (place / name).is_file():
            return str(place / name)
    raise Refused(f"{name} is not built in {folder}; run tools/build, or set SLUICE_BUILD")


def own_settings(kind: str, ports: int, folder: pathlib.Path, wanted: dict) -> dict:
    """Returns the settings without a file: ports of that kind, and the profile's settings."""
    if kind == "memif":
        devices = [f"memif:{folder}/p{index}.sock" for index in range(ports)]
    else:
        devices = [f"{kind}:sl{os.getpid() % 10000}p{index}" for index in range(ports)]
    names = [f"p{index}" for index in range(ports)]
    settings = {**wanted, "ports": [{"name": name, "device": device}
                                    for name, device in zip(names, devices)],
                "lldp": {"enabled": False}}
    if "vlans" in wanted:
        settings["vlans"] = [{"id": number, "ports": names} for number in (1, *wanted["vlans"])]
    if kind == "memif":  # as many as TRex's memif needs: see README.md
        settings["defaults"] = {**wanted.get("defaults", {}), "rx_descriptors": 8192}
    return settings


def settings_in(file: pathlib.Path) -> dict:
    import yaml  # Debian's python3-yaml; only needed for a user's file
    try:
        settings = yaml.safe_load(file.read_text())
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise Refused(f"{file}: {error}") from None
    if not isinstance(settings, dict) or not settings.get("ports"):
        raise Refused(f"{file}: it has no `ports`")
    return settings


class Bed:
    """A context in which the switch runs and its ports have far ends."""

    def __init__(self, settings: dict, folder: pathlib.Path, core: int,
                 ends: Optional[list[str]] = None):
        self._settings = settings
        self._folder = folder
        self._pairs: list[str] = []
        self._process: Optional[subprocess.Popen] = None
        self._socket = str(folder / "sluice.sock")
        self._core = core
        self.names = [port["name"] for port in settings["ports"]]
        self.devices = [port["device"] for port in settings["ports"]]
        if ends and len(ends) != len(self.devices):
            raise Refused(f"--ends: {len(ends)} for {len(self.devices)} ports")
        self.ends = ends or []

    def __enter__(self) -> "Bed":
        try:
            if not self.ends:
                self.ends = [self._far_end(device) for device in self.devices]
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()
        for name in self._pairs:
            subprocess.run(["ip", "link", "del", name], capture_output=True)

    def _far_end(self, device: str) -> str:
        kind, _, rest = device.partition(":")
        if kind == "memif":
            return f"memif:{rest.split(',')[0]},client"
        if kind in ("af_packet", "af_xdp"):
            name = rest.split(",")[0]
            if not pathlib.Path("/sys/class/net", name).exists():
                self._lay_cable(name)
                return f"af_packet:g{name}"
        raise Refused(f"{device}: what is at the other end of it? Say so: --ends")

    def _lay_cable(self, name: str) -> None:
        """Makes a veth pair without IPv6 addresses: neighbour discovery would be counted."""
        far = f"g{name}"
        words = [["link", "add", name, "type", "veth", "peer", "name", far]]
        for end in (name, far):
            words += [["link", "set", end, "addrgenmode", "none"],
                      ["link", "set", end, "arp", "off", "up"]]
        for line in words:
            done = subprocess.run(["ip", *line], capture_output=True, text=True)
            if done.returncode != 0:
                raise Refused(f"ip {' '.join(line)}: {done.stderr.strip()}")
            if line is words[0]:
                self._pairs.append(name)

    def _start(self) -> None:
        workers = self._settings.get("workers") or {"cores": [self._core], "idle": "poll"}
        settings = {**self._settings, "workers": workers,
                    "control": {"socket": self._socket, "state": str(self._folder / "state")}}
        file = self._folder / "switch.yaml"
        file.write_text(json.dumps(settings, indent=1))
        with open(self._folder / "sluiced.log", "wb") as log:
            self._process = subprocess.Popen([program("sluiced"), "-c", str(file)],
                                             stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        limit = time.monotonic() + PATIENCE
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > limit:
                raise Refused("sluiced does not start: " +
                              (self._folder / "sluiced.log").read_text(errors="replace")[-2000:])
            time.sleep(0.1)

    def _answers(self) -> bool:
        return self._ask("show", "ports").returncode == 0

    def _ask(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run([program("sluice"), *words, "--json", "--socket", self._socket],
                              capture_output=True, text=True)

    def show(self, noun: str):
        limit = time.monotonic() + PATIENCE
        while (asked := self._ask("show", noun)).returncode != 0:
            if self._process.poll() is None and time.monotonic() < limit:
                continue  # on a busy machine the answer may be late
            raise Refused(f"sluice show {noun}: {asked.stderr.strip()}; sluiced said: "
                          f"{(self._folder / 'sluiced.log').read_text(errors='replace')[-1000:]}")
        return json.loads(asked.stdout)

    def forget(self) -> None:
        """Forgets learned addresses: otherwise they would move between steps."""
        self._ask("flush", "fdb")

    def counted(self) -> tuple[list[dict], dict]:
        """Returns the counters of each port, and the ledger, once no frame moves."""
        limit = time.monotonic() + PATIENCE
        before = None
        while time.monotonic() < limit:
            balance = self.show("ledger")
            if balance == before and not balance["in_motion"] and balance["waiting"] == 0:
                break
            before = balance
            time.sleep(0.2)
        by_name = {row["name"]: row for row in self.show("ports")}
        return [by_name[name] for name in self.names], balance


def difference(after: tuple[list[dict], dict], before: tuple[list[dict], dict]):
    """Returns the increase of the counters between two times."""
    def less(new: dict, old: dict) -> dict:
        return {key: value - old[key] if type(value) is int and key not in ("waiting", "index")
                else value for key, value in new.items()}
    return [less(new, old) for new, old in zip(after[0], before[0])], less(after[1], before[1])
