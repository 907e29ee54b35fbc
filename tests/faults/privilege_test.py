"""What a switch at work may still do: each of its threads what control/security.md says, no more,
and that is enough for all that it does until it ends."""

import json
import os
import pathlib
import re
import shutil
import signal

import pytest

from frames import BROADCAST, frame
from huge_pages import huge_pages, reserved_at_rest, reserved_huge_pages
from lab import Lab
from process import Process
from switch import Switch, program
from threads import threads_of
from waiting import until, until_equal

PAGE = pathlib.Path(__file__).resolve().parents[2] / "control" / "security.md"
CAPABILITIES = {"CAP_NET_ADMIN": 12, "CAP_NET_RAW": 13, "CAP_IPC_LOCK": 14}
NONE = {"CapInh": 0, "CapPrm": 0, "CapEff": 0, "CapBnd": 0, "CapAmb": 0}
NOBODY = "65534"


def kept_by_the_page() -> dict[str, int]:
    """Of its table: by kind of device, what control keeps, as bits."""
    rows = re.findall(r"^\| ((?:`\w+:`(?:, )?)+) \| ([^|]*) \|", PAGE.read_text(), re.M)
    return {kind: sum(1 << CAPABILITIES[name] for name in re.findall(r"`(CAP_\w+)`", kept))
            for kinds, kept in rows for kind in re.findall(r"`(\w+):`", kinds)}


def by_name(process: Process) -> dict[str, dict[str, str]]:
    """What the kernel says of each thread; the first is control's."""
    threads = {}
    for number, thread in threads_of(process.pid).items():
        name = "control" if number == process.pid else thread["Name"]
        threads[name if name not in threads else f"{name} {number}"] = thread
    return threads


def capabilities_of(thread: dict[str, str]) -> dict[str, int]:
    return {key: int(thread[key], 16) for key in NONE}


def xdp_of(lab: Lab, interface: str):
    [link] = json.loads(lab.namespace.ip("-json", "link", "show", "dev", interface))
    return link.get("xdp")


def warnings_of(switch: Switch) -> list[str]:
    return [line for line in switch.process.errors().splitlines()
            if re.search(r"capabilit|bounding|no_new_privs|were not dropped|not permitted", line)]


# --- what is left to each thread ------------------------------------------------------------------

@pytest.mark.parametrize("kinds", [["ring"], ["null"], ["memif"], ["vhost"], ["pcap"], ["tap"],
                                   ["af_packet"], ["af_xdp"], ["vdev"], ["af_packet", "af_xdp"]], ids="+".join)
def test_threads_keep_what_the_page_says(lab: Lab, kinds):
    lab.add_hosts(2)
    devices = {"ring": "ring:loop", "tap": "tap:tap0", "pcap": f"pcap:,{lab.folder / 'out.pcap'}",
               "null": "null:", "memif": f"memif:{lab.folder / 'memif'}",
               "vhost": f"vhost:{lab.folder / 'vhost'}",
               "vdev": "vdev:net_null0,no-rx=1", "af_packet": "af_packet:p0", "af_xdp": "af_xdp:p1"}
    switch = lab.make_switch([{"device": devices[kind]} for kind in kinds], workers={"count": 2})
    switch.launch()
    until(switch.links, "it answers")
    threads = by_name(switch.process)
    assert {"control", "eal-intr-thread", "rte-worker-1", "rte-worker-2"} <= set(threads)
    page = kept_by_the_page()
    kept = 0
    for kind in kinds:
        kept |= page[kind]
    assert {name: capabilities_of(thread) for name, thread in threads.items()} == \
        {name: NONE for name in threads} | {"control": NONE | {"CapPrm": kept, "CapEff": kept}}
    assert {(thread["NoNewPrivs"], thread["Seccomp"]) for thread in threads.values()} == {("1", "2")}
    switch.stop()
    assert warnings_of(switch) == []


def test_the_page_has_every_kind():
    assert set(kept_by_the_page()) == {"ring", "null", "memif", "vhost", "pcap", "tap",
                                       "af_packet", "af_xdp", "vdev", "pci", "vxlan",
                                       "srv6", "mpls"}


def test_the_generator_keeps_no_more(lab: Lab):
    process = lab.namespace.start(program("sluice-gen"), "--port", "ring:one",
                                  "--port", "ring:two", "--seconds", "1000")
    until(lambda: {thread["Seccomp"] for thread in by_name(process).values()} == {"2"},
          "it has begun")
    assert {name: capabilities_of(thread) for name, thread in by_name(process).items()} == \
        {name: NONE for name in ("control", "eal-intr-thread", "rte-worker-1")}
    process.signal(signal.SIGTERM)
    process.wait(30)


def test_who_is_not_root_has_nothing_to_lose(lab: Lab, tmp_path):
    """A user with ring ports, and a program that he can reach, gets no line about privileges."""
    folder = pathlib.Path(f"/run/{tmp_path.name}-{os.getpid()}")
    folder.mkdir(mode=0o755)
    try:
        mine = folder / "sluiced"
        shutil.copy(program("sluiced"), mine)
        switch = lab.make_switch([{"device": "ring:loop"}])
        switch.write()
        shutil.copy(switch.file, folder / "sluice.yaml")
        os.chown(folder, int(NOBODY), int(NOBODY))
        switch.socket = str(folder / "socket")
        text = json.loads((folder / "sluice.yaml").read_text())
        text["control"] = {"socket": switch.socket}
        (folder / "sluice.yaml").write_text(json.dumps(text))
        switch.process = lab.namespace.start(
            "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
            "env", f"XDG_RUNTIME_DIR={folder}", str(mine), "-c", str(folder / "sluice.yaml"),
            "--", "--no-huge", "-m", "600")
        until(switch.links, "it answers")
        threads = by_name(switch.process)
        assert {thread["Uid"].split()[0] for thread in threads.values()} == {NOBODY}
        assert {name: capabilities_of(thread)["CapEff"] for name, thread in threads.items()} == \
            {name: 0 for name in threads}
        assert {thread["NoNewPrivs"] for thread in threads.values()} == {"1"}
        assert warnings_of(switch) == []
        switch.stop()
    finally:
        shutil.rmtree(folder)


# --- and it is enough -----------------------------------------------------------------------------

def test_all_that_a_switch_does_still_works(lab: Lab):
    """Links down and up, settings by word and by signal, an interface that goes, and the end."""
    one, two, three = lab.add_hosts(3)
    ports = [{"name": "p0", "device": "af_packet:p0"}, {"name": "p1", "device": "af_xdp:p1"},
             {"name": "p2", "device": "af_xdp:p2"}]
    switch = lab.make_switch(ports).start()
    assert xdp_of(lab, "p1") and xdp_of(lab, "p2")
    one.ping(two.ipv4)

    for host, port in ((one, "p0"), (two, "p1")):
        host.set_link(up=False)
        until_equal(lambda: switch.port(port)["link"], "down", f"{port} is seen to go down")
        host.set_link(up=True)
        until_equal(lambda: switch.port(port)["link"], "up", f"{port} is seen to come up")
        one.ping(two.ipv4)

    switch.apply(ports=[{**port, "rate": "100M"} for port in ports])
    switch.write(ports=[{**port, "rate": "200M"} for port in ports])
    switch.process.signal(signal.SIGHUP)
    until(lambda: sum(row["kind"] == "adopted" for row in switch.show("events")) == 2,
          "both are adopted")

    lab.namespace.ip("link", "del", "p2")
    until_equal(lambda: switch.port("p2")["link"], "gone", "p2 is seen to go")
    one.ping(two.ipv4)
    switch.settled()
    switch.stop()
    assert xdp_of(lab, "p1") is None, "its program is gone with it"
    assert warnings_of(switch) == []


def test_it_gives_its_huge_pages_back(lab: Lab):
    """Pages beyond those that are there: it takes them as root, and returns them as one without
    capabilities."""
    before = reserved_at_rest()
    free = huge_pages("free_hugepages")
    # A frame buffer for every 256 octets: a MiB of it takes nearly five pages.
    switch = lab.make_switch([{"device": "ring:loop"}], buffer={"size": f"{free // 4 + 8}MiB"})
    switch.launch()
    until(switch.links, "it answers", seconds=60)  # by when all are cleared
    during = reserved_huge_pages()
    switch.stop()
    assert during > before, "there were too few, or this shows nothing"
    until_equal(reserved_huge_pages, before, "they are given back")


def test_an_af_xdp_port_can_be_taken_again_and_again(lab: Lab):
    one, two = lab.add_hosts(2)
    for _ in range(3):
        switch = lab.make_switch(lab.ports("af_xdp")).start()
        one.wire().send(frame(one.address, BROADCAST))
        until_equal(lambda: switch.port("p1")["tx_frames"], 1, "it switches")
        switch.stop()
        assert [xdp_of(lab, port) for port in ("p0", "p1")] == [None, None]
