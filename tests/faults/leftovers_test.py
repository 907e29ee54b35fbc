"""What a switch leaves behind, and what it leaves to its successor."""

import os
import pathlib
import signal
import subprocess

from lab import Lab
from switch import Switch

EAL_FOLDERS = pathlib.Path("/run/dpdk")
PORTS = [{"device": "null:"}, {"device": "null:"}]


def folder_of(switch: Switch) -> pathlib.Path:
    return EAL_FOLDERS / f"sluice-{switch.process.pid}"


def test_eal_leaves_no_folder(lab: Lab):
    switch = lab.make_switch(PORTS)
    switch.launch()
    switch.until_ready()
    folder = folder_of(switch)
    assert folder.is_dir()
    switch.stop()
    assert not folder.exists()


def test_the_folder_of_a_killed_one_goes_when_the_next_one_starts(lab: Lab):
    switch = lab.make_switch(PORTS)
    # A killed one would leave its huge pages to the machine.
    switch.eal_arguments = ["--no-huge", "-m", "600", "--no-shconf"]
    switch.launch()
    switch.until_ready()
    folder = folder_of(switch)
    switch.process.signal(signal.SIGKILL)
    switch.process.wait(5)
    assert folder.is_dir()
    somebody = subprocess.Popen(["sleep", "1000"])
    others = EAL_FOLDERS / f"sluice-{somebody.pid}"
    others.mkdir()
    try:
        switch.launch()
        switch.until_ready()
        assert not folder.exists()
        assert others.is_dir(), "who lives needs his"
    finally:
        others.rmdir()
        somebody.kill()
        somebody.wait()


def test_a_start_that_fails_leaves_no_folder(lab: Lab):
    switch = lab.make_switch(PORTS)
    # It fails once EAL has its folder. That it was there is seen to by making it first.
    switch.eal_arguments = ["--vdev=net_nosuch0"]
    process = switch.launch("sh", "-c", f'mkdir -p {EAL_FOLDERS}/sluice-$$ && exec "$@"', "sh")
    assert process.wait(30) == 1
    assert "net_nosuch0" in process.errors()
    assert not folder_of(switch).exists()


def test_the_socket_of_a_successor_stays(lab: Lab):
    first, second = lab.make_switch(PORTS), lab.make_switch(PORTS)
    first.launch()
    first.until_ready()
    os.remove(first.socket)  # as an impatient operator does
    second.socket = second.configuration["control"]["socket"] = first.socket
    second.launch()
    second.until_ready()
    first.process.signal(signal.SIGTERM)
    assert first.process.wait(10) == 0
    assert second.show("ledger")["balanced"]
    second.stop()
