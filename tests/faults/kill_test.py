"""A switch that is killed at any moment, its start and its end among them: the next one of the same
configuration starts without help and forwards, and once that has ended nothing is left of either.
SLUICE_KILLS says how many times, SLUICE_SEED by which draws."""

import ctypes
import ctypes.util
import os
import random
import signal
import socket
import time
from typing import Any

from huge_pages import huge_pages, reserved_at_rest
from lab import Lab
from leftovers import left
from load import SEED
from switch import STARTS, Switch
from waiting import until, until_equal

KILLS = int(os.environ.get("SLUICE_KILLS", "6"))
LATE = [0.3, 0.8, 2.0]  # seconds after it was launched, at the most: in its start, mostly
MEMIF = "memif.sock"

_libbpf = ctypes.CDLL(ctypes.util.find_library("bpf"))


def configurations(lab: Lab) -> dict[str, dict[str, Any]]:
    """One for each kind of device; by all of them the first host reaches the second."""
    veth = lab.ports("af_packet")
    return {
        "af_packet": {"ports": veth},
        "af_xdp": {"ports": lab.ports("af_xdp")},
        "memif": {"ports": [*veth, {"name": "m", "device": f"memif:{lab.folder / MEMIF}"}]},
        "ring": {"ports": [veth[0] | {"default_vlan": 20}, veth[1] | {"default_vlan": 30},
                           {"name": "a", "device": "ring:x/a", "default_vlan": 20},
                           {"name": "b", "device": "ring:x/b", "default_vlan": 30}],
                 "vlans": [{"id": 20, "ports": ["p0", "a"]}, {"id": 30, "ports": ["p1", "b"]}]},
    }


def until_ready(switch: Switch) -> None:
    """Nobody has connected to its memif."""
    until(lambda: (links := switch.links()) and {links[port] for port in links if port != "m"}
          == {"up"}, "sluiced has every port up", STARTS)


def killed(switch: Switch, chance: random.Random) -> int:
    """Its process id, which nobody has any more."""
    switch.launch()
    if chance.random() < 0.25:
        until_ready(switch)
        switch.process.signal(signal.SIGTERM)
        time.sleep(chance.random() ** 2 * 0.3)
    else:
        time.sleep(chance.random() * chance.choice(LATE))
    switch.process.signal(signal.SIGKILL)
    status = switch.process.wait(5)
    assert status in (-signal.SIGKILL, 0), switch.process.said()
    return switch.process.pid


def is_whole(lab: Lab, switch: Switch) -> None:
    """It starts as if nothing had been, does what it is for, and ends."""
    switch.launch()
    until_ready(switch)
    lab.hosts[0].ping(lab.hosts[1].ipv4)
    if (lab.folder / MEMIF).exists():
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as client:
            client.settimeout(5)
            client.connect(str(lab.folder / MEMIF))
            assert client.recv(256), "whoever connects is greeted"
    switch.stop()


def xdp_program(index: int) -> int:
    """Its id, of an interface of this thread's namespace; 0: none."""
    found = ctypes.c_uint32(0)
    _libbpf.bpf_xdp_query_id(index, 0, ctypes.byref(found))
    return found.value


def killed_when_attached(lab: Lab, switch: Switch, port: str) -> None:
    """As soon as its XDP program is there."""
    with lab.namespace.entered():
        index = socket.if_nametoindex(port)
    switch.launch()
    with lab.namespace.entered():
        until(lambda: xdp_program(index), "its program is attached", STARTS, interval=0)
        switch.process.signal(signal.SIGKILL)
        assert switch.process.wait(5) == -signal.SIGKILL
        until(lambda: not xdp_program(index), "it goes with its process")


def test_the_next_one_starts_and_nothing_is_left(lab: Lab):
    chance = random.Random(f"{SEED} kill")
    print(f"SLUICE_SEED={SEED}")
    lab.add_hosts(2)
    switches = {kind: lab.make_switch(**about) for kind, about in configurations(lab).items()}
    before, kills, processes = reserved_at_rest(), 0, []
    while kills < KILLS:
        for kind, switch in switches.items():
            for _ in range(chance.choice([1, 1, 2, 3])):
                processes.append(killed(switch, chance))
                kills += 1
                print(f"kill {kills}, {kind}: process {processes[-1]}")
            is_whole(lab, switch)
            processes.append(switch.process.pid)
            assert left(lab, processes) == []
    after = reserved_at_rest()
    until_equal(lambda: huge_pages("free_hugepages"), after, "every huge page is free")
    assert after <= before, "what killed ones had added is gone"


def test_an_xdp_program_goes_with_its_process(lab: Lab):
    lab.add_hosts(2)
    switch = lab.make_switch(lab.ports("af_xdp"))
    for port in ("p0", "p1") * 3:
        killed_when_attached(lab, switch, port)
        is_whole(lab, switch)
        assert left(lab, [switch.process.pid]) == []
