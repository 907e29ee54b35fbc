"""Nobody outside holds control: a service manager that does not read, clients that take every
descriptor, a server that listens and does not accept, files on a mount that does not answer."""

import concurrent.futures
import contextlib
import os
import resource
import signal
import socket

from lab import Lab
from switch import STARTS, Switch
from unanswered import unanswered
from waiting import until, until_equal
from web import LISTEN, PORT, get

PORTS = [{"device": "null:"}, {"device": "null:"}]


def test_a_service_manager_that_does_not_read_is_not_waited_for(lab: Lab):
    path = str(lab.folder / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(path)
        switch = lab.make_switch(PORTS)
        with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as other:
            other.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while True:  # there is no room even for what it says first
                    other.sendto(b"WATCHDOG=1", path)
        switch.launch(environment={**os.environ, "NOTIFY_SOCKET": path, "WATCHDOG_USEC": "400000"})
        until_equal(lambda: set(switch.links().values()), {"up"}, "it runs", STARTS)
        for adopted in range(1, 21):
            switch.process.signal(signal.SIGHUP)
            until_equal(lambda: sum(row["kind"] == "adopted" for row in switch.show("events")), adopted,
                        "it reads the file again")
        # Once the manager reads, it hears what holds now.
        manager.settimeout(10)
        while manager.recv(4096) != b"READY=1":
            pass
        assert [manager.recv(4096) for _ in range(3)] == [b"WATCHDOG=1"] * 3
        switch.stop()


def leave_descriptors(switch: Switch, count: int) -> None:
    """So many more can be opened: the lowest numbers that are free."""
    pid = switch.process.pid
    taken = {int(name) for name in os.listdir(f"/proc/{pid}/fd")}
    free = [number for number in range(len(taken) + count + 1) if number not in taken]
    _, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (free[count], hard))


def test_idle_http_clients_make_way_where_descriptors_run_out(lab: Lab):
    switch = lab.make_switch(PORTS, metrics=LISTEN).start()
    leave_descriptors(switch, 30)
    with contextlib.ExitStack() as clients:
        with switch.namespace.entered():
            for _ in range(60):
                clients.enter_context(socket.create_connection(("127.0.0.1", PORT), timeout=10))
        for _ in range(20):
            assert len(switch.show("ports")) == 2
            assert get(switch.namespace, "/metrics").status == 200


def test_who_finds_no_descriptor_is_turned_away_and_does_not_wait(lab: Lab):
    switch = lab.make_switch(PORTS).start()
    leave_descriptors(switch, 0)
    refused = switch.command("show", "ports", check=False)
    assert refused.returncode == 1 and "no descriptor is left" in refused.stderr
    leave_descriptors(switch, 30)
    until(lambda: len(switch.show("ports")) == 2, "it answers again")


def test_a_server_that_does_not_accept_is_not_waited_for(lab: Lab):
    """Where a memif port is to listen, somebody else does."""
    path = str(lab.folder / "taken.sock")
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
        server.bind(path)
        server.listen(0)
        with contextlib.suppress(BlockingIOError):
            while True:
                client = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET))
                client.setblocking(False)
                client.connect(path)
        switch = lab.make_switch(PORTS, hotplug={"ports": 4}).start()
        refused = switch.apply(check=False, ports=[*PORTS, {"device": f"memif:{path}"}])
        assert refused.returncode == 1 and "stop the process that does" in refused.stderr
        assert len(switch.show("ports")) == 2


def test_a_configuration_that_cannot_be_read_keeps_no_switch_from_its_end(lab: Lab):
    """It drains and puts its devices away as ever, and then waits no longer than for each of them."""
    switch = lab.make_switch(PORTS).start()
    with unanswered(switch.file):
        switch.process.signal(signal.SIGHUP)
        until_equal(lambda: len(switch.show("ports")), 2, "it answers meanwhile")
        switch.process.signal(signal.SIGTERM)
        assert switch.process.wait(30) == 1
        last = switch.process.errors().splitlines()[-1]
        assert "a file has not been read or written for 10s" in last, last


def test_a_capture_that_cannot_be_read_holds_up_nobody_but_who_asked_for_it(lab: Lab):
    capture = lab.folder / "a.pcap"
    capture.write_bytes(bytes.fromhex("d4c3b2a1020004000000000000000000ffff000001000000"))
    switch = lab.make_switch(PORTS, hotplug={"ports": 4}).start()
    with concurrent.futures.ThreadPoolExecutor() as beside:
        with unanswered(capture):
            asked = beside.submit(switch.apply, ports=[*PORTS, {"device": f"pcap:{capture}"}])
            for _ in range(20):
                assert len(switch.show("ports")) == 2
            assert not asked.done()
        asked.result(30)
        until_equal(lambda: len(switch.show("ports")), 3, "it is there")
    # What is amiss in one is found out there as well.
    raw = lab.folder / "raw.pcap"
    raw.write_bytes(capture.read_bytes()[:20] + b"\x65\0\0\0")
    refused = switch.apply(check=False, ports=[*PORTS, {"device": f"pcap:{raw}"}])
    assert refused.returncode == 1 and "ports[2].device" in refused.stderr, refused.stderr
    assert "has frames of link type RAW, not ETHERNET" in refused.stderr
    assert len(switch.show("ports")) == 3
