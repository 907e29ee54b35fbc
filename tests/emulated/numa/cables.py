"""A machine with two NUMA nodes, network cards in it, each on a node, and the cables between them.

Node 0 has CPUs 0 and 1, node 1 has CPUs 2 and 3, each 1.5 GiB.

Behind an expander bridge that QEMU says is on a node, the kernel finds its cards there. They are
82574L, which DPDK drives (net_e1000) once uio_pci_generic has them; the kernel for clouds drives
none. A cable is a hub of QEMU with two cards and nobody else."""

MACHINE = """
    -machine q35 -smp 4 -m 3G
    -object memory-backend-ram,id=near,size=1536M -numa node,nodeid=0,cpus=0-1,memdev=near
    -object memory-backend-ram,id=far,size=1536M -numa node,nodeid=1,cpus=2-3,memdev=far
    -numa dist,src=0,dst=1,val=20
    """.split()

_BUSES = {0: 0x40, 1: 0x80}  # of the bridges, by node


def cables(*pairs: tuple[int, int]) -> list[str]:
    """Words for QEMU: a cable for each pair of nodes, to a card on either. The cards of node 0 are
    0000:41:00.0, 0000:42:00.0 and so on, those of node 1 0000:81:00.0 and so on."""
    words = []
    for node, bus in _BUSES.items():
        words += ["-device", f"pxb-pcie,id=node{node},bus=pcie.0,bus_nr={bus},numa_node={node}"]
    for number, node in enumerate(node for pair in pairs for node in pair):
        words += [
            "-device", f"pcie-root-port,id=slot{number},bus=node{node},chassis={number + 1}",
            "-netdev", f"hubport,id=end{number},hubid={number // 2}",
            "-device", f"e1000e,bus=slot{number},netdev=end{number}",
        ]
    return words
