"""dpdk-testpmd: a process that is at the other end of a memif or of a guest's virtio device."""

import pathlib

from namespace import Namespace
from process import Process


def start_testpmd(namespace: Namespace, mode: str, *devices: str, queues: int = 1,
                  peer: str = "") -> Process:
    """What comes in before it forwards is kept: it would throw that away, with the links up.
    `peer`: the station that `txonly` sends to."""
    return namespace.start(
        "dpdk-testpmd", "--no-huge", "-m", "256", "--no-pci", "--no-shconf", "--no-telemetry",
        "-l", "0,1", "--file-prefix", namespace.name, *(f"--vdev={device}" for device in devices),
        "--", f"--forward-mode={mode}", "--auto-start", "--total-num-mbufs=8192", "--no-mlockall",
        f"--rxq={queues}", f"--txq={queues}", "--no-flush-rx", "--stats-period=1",
        *([f"--eth-peer=0,{peer}"] if peer else []))


def start_guest(namespace: Namespace, commands: pathlib.Path, mode: str, peer: str, *devices: str,
                abilities: tuple[str, ...] = ()) -> Process:
    """Forwards between the first device, a guest's, and the second. `abilities` of the first, such as
    `tx tcp_tso`: what it leaves to its device, or takes unfinished. `commands`: a file to write."""
    lines = [f"port config 0 {ability.split()[0]}_offload {ability.split()[1]} on"
             for ability in abilities]
    if "tx tcp_tso" in abilities:
        lines += ["csum set tcp hw 0", "csum set udp hw 0", "tso set 1400 0"]
    commands.write_text("\n".join([*lines, "port start all", f"set fwd {mode}", ""]))
    return namespace.start(
        "dpdk-testpmd", "--no-huge", "-m", "256", "--no-pci", "--no-shconf", "--no-telemetry",
        "-l", "0,1", "--file-prefix", namespace.name, *(f"--vdev={device}" for device in devices),
        "--", "--disable-device-start", f"--cmdline-file={commands}", "--total-num-mbufs=8192",
        "--no-mlockall", "--no-flush-rx", "--stats-period=1", f"--eth-peer=0,{peer}")
