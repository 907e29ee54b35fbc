"""Workers that are stopped and let on at random, under traffic and changing settings: afterwards
nothing stays, and a stop comes to its end. SLUICE_ROUNDS says how many times, SLUICE_SEED by which
draws."""

import os
import random
import signal
import time

import pytest

from lab import Lab
from load import SEED, drawn, traffic
from stalls import Stalls, stalled, worker_threads
from switch import Switch
from waiting import until

ROUNDS = int(os.environ.get("SLUICE_ROUNDS", "2"))
TWO = {"count": 2, "idle": "yield"}
HOSTS = 4
LONGEST = 0.2  # seconds, of a stall


def started(lab: Lab, kind: str, draws: random.Random) -> Switch:
    lab.add_hosts(HOSTS)
    return lab.start_switch(kind, workers=TWO, buffer={"size": "8MiB"}, **drawn(draws))


@pytest.mark.parametrize("number", range(ROUNDS))
def test_nothing_stays_and_a_stop_ends_after_random_stalls(lab: Lab, kind: str, number: int):
    draws = random.Random(f"{SEED} {kind} {number}")
    print(f"SLUICE_SEED={SEED}")
    switch = started(lab, kind, draws)
    threads = worker_threads(switch.process.pid)
    assert len(threads) == TWO["count"]
    stalls = Stalls(threads, draws, LONGEST)
    try:
        with traffic(lab, draws.random()):
            for _ in range(6):
                switch.apply(**drawn(draws))
                time.sleep(draws.random() * LONGEST)
    finally:
        stalls.end()
    assert stalls.count > 0
    switch.settled()

    stalls = Stalls(worker_threads(switch.process.pid), draws, LONGEST)
    try:
        with traffic(lab, draws.random()):
            time.sleep(draws.random() * LONGEST)
            switch.process.signal(signal.SIGTERM)
            assert switch.process.wait(15) == 0
    finally:
        stalls.end()
    assert "balanced" in switch.process.errors()


def test_a_worker_that_does_not_end_is_told_by_name(lab: Lab):
    lab.add_hosts(2)
    switch = lab.start_switch("af_packet", workers=TWO)
    with stalled(worker_threads(switch.process.pid)[1]):
        switch.process.signal(signal.SIGTERM)
        until(lambda: "putting its devices away" in switch.process.errors(), "it gives up", 20)
    assert switch.process.wait(5) == 1
    said = switch.process.errors()
    assert "worker 1 has not heard of the stop" in said, said
    assert "worker 0 waits for the others" in said, said
    assert "ledger: " in said, said
    assert not os.path.exists(switch.socket), "sluiced left its socket"


def test_a_stall_that_is_over_in_time_costs_nothing_but_time(lab: Lab):
    lab.add_hosts(2)
    switch = lab.start_switch("af_packet", workers=TWO)
    with stalled(worker_threads(switch.process.pid)[0]):
        switch.process.signal(signal.SIGTERM)
        until(lambda: "takes nothing more in" in switch.process.errors(), "it stops")
        time.sleep(2)
        assert switch.process.running()
    assert switch.process.wait(5) == 0
    assert "balanced" in switch.process.errors()
