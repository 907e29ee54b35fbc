"""dpdk-testpmd: a process that is at the other end of a memif or of a guest's virtio device."""

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
