"""What a switch leaves behind, and what it leaves to its successor."""

import os
import pathlib
import signal
import subprocess

from huge_pages import huge_pages, reserved_at_rest, reserved_huge_pages
from lab import Lab
from leftovers import EAL_FOLDERS
from switch import Switch
from waiting import until

PORTS = [{"device": "null:"}, {"device": "null:"}]


def more_than_is_free() -> dict:
    """A buffer for which pages must be added: 16 MiB take some 80 of them."""
    return {"size": f"{(huge_pages('free_hugepages') + 160) // 80 * 16}MiB"}


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


def test_pages_that_a_killed_one_had_added_are_given_back_by_the_next_one(lab: Lab):
    before = reserved_at_rest()
    first = lab.make_switch(PORTS, buffer=more_than_is_free())
    first.start()
    assert reserved_huge_pages() > before
    first.process.signal(signal.SIGKILL)
    first.process.wait(5)
    second = lab.make_switch(PORTS, buffer={"size": "1MiB"})
    second.start().stop()
    until(lambda: reserved_huge_pages() <= before, "what was added is given back")


def test_pages_that_a_killed_one_had_added_serve_the_next_one(lab: Lab):
    before = reserved_at_rest()
    switch = lab.make_switch(PORTS, buffer=more_than_is_free())
    switch.start()
    added = reserved_huge_pages()
    for _ in range(2):
        switch.process.signal(signal.SIGKILL)
        switch.process.wait(5)
        switch.start()
        assert reserved_huge_pages() <= added
    switch.stop()
    until(lambda: reserved_huge_pages() <= before, "what was added is given back")
