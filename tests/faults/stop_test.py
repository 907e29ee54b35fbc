"""Workers that are stopped and let on at random, under traffic and changing settings: afterwards
nothing stays, and a stop comes to its end. SLUICE_ROUNDS says how many times, SLUICE_SEED by which
draws."""

import os
import pathlib
import random
import signal
import time

import pytest

from lab import Lab
from leftovers import left, notes
from load import SEED, drawn, traffic
from namespace import run
from stalls import Stalls, stalled, stalled_in_call
from switch import Switch
from threads import worker_threads
from waiting import until

ROUNDS = int(os.environ.get("SLUICE_ROUNDS", "2"))
TWO = {"count": 2, "idle": "yield"}
HOSTS = 4
LONGEST = 0.2  # seconds, of a stall


def started(lab: Lab, kind: str, chance: random.Random) -> Switch:
    lab.add_hosts(HOSTS)
    return lab.start_switch(kind, workers=TWO, buffer={"size": "8MiB"}, **drawn(chance))


@pytest.mark.parametrize("number", range(ROUNDS))
def test_nothing_stays_and_a_stop_ends_after_random_stalls(lab: Lab, kind: str, number: int):
    chance = random.Random(f"{SEED} {kind} {number}")
    print(f"SLUICE_SEED={SEED}")
    switch = started(lab, kind, chance)
    threads = worker_threads(switch.process.pid)
    assert len(threads) == TWO["count"]
    stalls = Stalls(threads, chance, LONGEST)
    try:
        with traffic(lab, chance.random()):
            for _ in range(6):
                switch.apply(**drawn(chance))
                time.sleep(chance.random() * LONGEST)
    finally:
        stalls.end()
    assert stalls.count > 0
    switch.settled()

    stalls = Stalls(worker_threads(switch.process.pid), chance, LONGEST)
    try:
        with traffic(lab, chance.random()):
            time.sleep(chance.random() * LONGEST)
            switch.process.signal(signal.SIGTERM)
            assert switch.process.wait(15) == 0
    finally:
        stalls.end()
    assert "balanced" in switch.process.errors()


def test_a_worker_that_does_not_end_is_reported_by_name(lab: Lab):
    lab.add_hosts(2)
    switch = lab.start_switch("af_packet", workers=TWO)
    with stalled(worker_threads(switch.process.pid)[1]):
        switch.process.signal(signal.SIGTERM)
        until(lambda: "without closing devices" in switch.process.errors(), "it gives up", 20)
    assert switch.process.wait(5) == 1
    said = switch.process.errors()
    assert "worker 1 has not seen the stop" in said, said
    assert "worker 0 waits for the other workers" in said, said
    assert "ledger: " in said, said
    assert not os.path.exists(switch.socket), "sluiced left its socket"


def test_a_stall_that_is_over_in_time_costs_nothing_but_time(lab: Lab):
    lab.add_hosts(2)
    switch = lab.start_switch("af_packet", workers=TWO)
    with stalled(worker_threads(switch.process.pid)[0]):
        switch.process.signal(signal.SIGTERM)
        until(lambda: "receiving ended" in switch.process.errors(), "it stops")
        time.sleep(2)
        assert switch.process.running()
    assert switch.process.wait(5) == 0
    assert "balanced" in switch.process.errors()


def is_a_devices(file: int, pid: int) -> bool:
    """A packet socket at an interface, or the map of an XDP program."""
    about = f"/proc/{pid}/fd/{file}"
    link = os.readlink(about) if os.path.lexists(about) else ""  # as its closing ends
    packet_sockets = pathlib.Path(f"/proc/{pid}/net/packet").read_text().splitlines()[1:]
    of_interface = {inode: int(interface) for *_, interface, _, _, _, inode in
                    (row.split() for row in packet_sockets)}
    return link == "anon_inode:bpf-map" or of_interface.get(link[len("socket:["):-1], 0) != 0


def test_a_device_that_does_not_close_is_reported_by_name(lab: Lab, kind: str):
    lab.add_hosts(2)
    switch = lab.start_switch(kind)
    process = switch.process
    with stalled_in_call(process.pid, "close", lambda: process.signal(signal.SIGTERM),
                         lambda file: is_a_devices(file, process.pid)):
        assert "ledger: " in process.errors(), process.said()
        assert process.wait(40) == 1  # it waits for others to give its pages back
    last = process.errors().splitlines()[-1]
    assert f"port p1 ({kind}:p1) has not closed for 10s" in last, last
    assert left(lab, [process.pid]) == notes(lab) != []


def test_dpdk_that_does_not_end_is_reported(lab: Lab):
    switch = lab.make_switch([{"device": "null:"}, {"device": "null:"}])
    switch.start()
    process = switch.process
    with stalled_in_call(process.pid, "rmdir", lambda: process.signal(signal.SIGTERM),
                         lambda _: "ledger: " in process.errors()):
        assert process.wait(40) == 1  # it waits for others to give its pages back
    assert "DPDK has not closed for 10s" in process.errors().splitlines()[-1], process.errors()
    assert left(lab, [process.pid]) == []


def test_a_library_that_does_not_end_is_reported(lab: Lab, tmp_path: pathlib.Path):
    """After main, where nothing of ours runs any more."""
    source, library = tmp_path / "slow.c", tmp_path / "slow.so"
    source.write_text("#include <unistd.h>\n"
                      "__attribute__((destructor)) static void end(void) { sleep(60); }\n")
    run("gcc", "-shared", "-fPIC", "-o", str(library), str(source))
    switch = lab.make_switch([{"device": "null:"}, {"device": "null:"}])
    process = switch.launch(environment={**os.environ, "LD_PRELOAD": str(library)})
    switch.until_ready()
    process.signal(signal.SIGTERM)
    assert process.wait(40) == 1
    assert "libraries have not closed for 10s" in process.errors().splitlines()[-1]
    assert left(lab, [process.pid]) == []


def test_a_start_that_fails_ends_too(lab: Lab):
    """What is open by then does not close: why it does not start is printed before that."""
    lab.add_hosts(1)
    switch = lab.make_switch([*lab.ports("af_packet"), {"device": "vdev:net_none_0"}])
    process = switch.launch()
    until(lambda: os.path.exists(switch.socket), "it starts")
    with stalled_in_call(process.pid, "close", lambda: None,
                         lambda file: is_a_devices(file, process.pid)):
        assert process.wait(40) == 1  # it waits for others to give its pages back
    *_, why, last = process.errors().splitlines()
    assert "ports[1].device: vdev:net_none_0" in why, process.errors()
    assert "port p0 (af_packet:p0) has not closed for 10s" in last, last
    assert left(lab, [process.pid]) == notes(lab) != []
