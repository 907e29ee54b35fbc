"""From start to stop: signals, the socket, settings changed while traffic flows."""

import json
import os
import pathlib
import re
import signal
import socket
import time

import pytest

from frames import BROADCAST, frame, pause, times, without_the_hosts_own
from host import traffic
from lab import Lab
from switch import STARTS, USUAL_BUFFER, Switch, program
from waiting import until, until_equal

# What CONTRACT promises of each noun, in an array or an object.
PROMISED = {
    "ports": "name device link rate_bps rx_frames rx_bytes tx_frames tx_bytes dropped rx_bps rx_fps "
             "rx_share tx_bps tx_fps tx_share",
    "counters": "port link rx_ok rx_bps rx_share rx_err rx_drp rx_ovr tx_ok tx_bps tx_share tx_err "
                "tx_drp tx_ovr",
    "queues": "input output priority frames bytes max_bytes enqueued dequeued flushed dropped "
              "marked storm_dropped trimmed trim_dropped",
    "pfc": "port priority lossless rx_pause paused_ns paused_last_second_ns paused_last_minute_ns "
           "holds_up watchdog storms restored storm_ns storm_dropped tx_pause tx_resume pausing "
           "pausing_ns pausing_last_second_ns pausing_last_minute_ns because_of trigger "
           "occupancy_bytes xoff_bytes xon_bytes headroom_bytes headroom_used_max",
    "drops": "reason port frames",
    "fdb": "vlan address port kind age_s",
    "buffer": "", "vlan": "", "fabric": "", "workers": "", "events": "",
    "version": "version commit dpdk compiler cpu_level cpu_supports kernel host up_since up_s",
    "ledger": "received copied generated sent dropped waiting balanced in_motion",
}


def status(switch: Switch) -> dict[str, int]:
    """Its memory, in KiB."""
    text = pathlib.Path(f"/proc/{switch.process.pid}/status").read_text()
    return {key: int(value) for key, value in re.findall(r"^(\w+):\s+(\d+) kB", text, re.M)}


def processor_seconds(switch: Switch) -> float:
    fields = pathlib.Path(f"/proc/{switch.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# --- it ends --------------------------------------------------------------------------------------

@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGPWR])
def test_it_ends_when_asked(lab: Lab, kind: str, number):
    switch, (one, two) = lab.build(kind, 2)
    one.ping(two.ipv4)
    start = time.monotonic()
    switch.stop(number)
    assert time.monotonic() - start < 3
    assert "balanced" in switch.process.errors()


def test_signals_that_mean_nothing_to_it_do_not_end_it(lab: Lab):
    switch = lab.make_switch([{"device": "null:"}, {"device": "null:"}]).start()
    for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF,
                   signal.SIGIO):
        switch.process.signal(number)
    assert len(switch.show("ports")) == 2
    switch.stop()


def test_what_waits_is_sent_before_it_ends(lab: Lab, kind: str):
    one, two = lab.add_hosts(2)
    ports = lab.ports(kind)
    ports[1]["rate"] = "1M"  # 480 ms for what follows; a stop drains for a second
    switch = lab.make_switch(ports).start()
    first, second = lab.wires()
    sent = [frame(one.address, BROADCAST, length=1000) for _ in range(60)]
    first.send(*sent)
    until_equal(lambda: switch.port("p0")["rx_frames"], 60, "all are in")
    assert switch.waiting() > 0
    switch.stop()
    second.expect(*sent)


def test_what_cannot_be_sent_is_freed_and_counted(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, defaults={"speed": "10M", "lossless": [3]})
    first, second = lab.wires()
    second.send(pause(two.address, p3=65535))  # 3.4 s, longer than it drains
    until_equal(lambda: switch.pfc("p1", 3)["rx_pause"], 1, "the pause is received")
    first.send(*(frame(one.address, BROADCAST, vlan=1, priority=3) for _ in range(20)))
    until_equal(switch.waiting, 20, "they wait")
    switch.stop()
    # 20 frames and the pause came in; all of them are drops, the pause one that was understood.
    assert re.search(r"21 received .* 0 sent \+ 21 dropped \+ 0 waiting: balanced",
                     switch.process.errors())
    assert without_the_hosts_own(second.pending()) == []


def test_paused_peers_are_resumed(lab: Lab, kind: str):
    """Each peer that got an XOFF gets an XON before the switch leaves."""
    one, two = lab.add_hosts(2)
    ports = lab.ports(kind, lossless=[3], pfc={"xoff": "16KiB", "xon": "8KiB"})
    ports[1]["rate"] = "1M"
    switch = lab.make_switch(ports).start()
    wire = one.wire()
    wire.send(*(frame(one.address, BROADCAST, vlan=1, priority=3, length=1000)
                for _ in range(200)))
    until(lambda: switch.pfc("p0", 3)["pausing"], "the sender is paused")
    switch.stop()
    last = without_the_hosts_own(wire.pending())[-1]
    assert times(last) == {3: 0}, "its last word is an XON"


def test_it_ends_under_load(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2)
    two.serve_iperf3()
    one.start_iperf3(two, seconds=30)
    until(lambda: switch.port("p1")["tx_bytes"] > 1e6, "TCP runs")
    switch.stop()
    assert ": balanced" in switch.process.errors()


# --- it starts ------------------------------------------------------------------------------------

def test_it_starts_again_after_a_stop_and_after_a_kill(lab: Lab, kind: str):
    one, two = lab.add_hosts(2)
    switch = lab.make_switch(lab.ports(kind))
    # A killed one would leave its huge pages to the machine.
    switch.eal_arguments = ["--no-huge", "-m", "600", "--no-shconf"]
    switch.start()
    switch.stop()
    switch.start()
    switch.process.signal(signal.SIGKILL)
    assert switch.process.wait(5) == -signal.SIGKILL
    assert os.path.exists(switch.socket), "a killed one cannot tidy up"
    switch.start()
    one.ping(two.ipv4)


def test_a_second_one_on_the_same_socket_is_refused(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2)
    second = lab.make_switch([{"device": "null:"}])
    second.configuration["control"]["socket"] = switch.socket
    process = second.launch()
    assert process.wait(5) == 1
    [line] = process.errors().splitlines()
    assert f"control.socket: {switch.socket}: another sluiced answers there; stop it" in line
    one.ping(two.ipv4)
    assert os.path.exists(switch.socket)


def test_several_start_and_stop_at_the_same_time(lab: Lab):
    """They take their memory from the same machine."""
    switches = [lab.make_switch([{"device": "null:"}, {"device": "null:"}]) for _ in range(3)]
    for _ in range(2):
        for switch in switches:
            switch.launch()
        for switch in switches:
            switch.until_ready()
        for switch in switches:
            switch.process.signal(signal.SIGTERM)
        for switch in switches:
            assert switch.process.wait(10) == 0, switch.process.said()


def test_it_notifies_systemd(lab: Lab):
    lab.add_hosts(2)
    path = str(lab.folder / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(path)
        systemd.settimeout(STARTS)
        switch = lab.make_switch(lab.ports("af_packet"))
        switch.launch(environment={**os.environ, "NOTIFY_SOCKET": path})
        assert b"READY=1" in systemd.recv(4096)
        assert switch.show("ports"), "ready means that it answers"
        switch.process.signal(signal.SIGHUP)
        assert b"RELOADING=1" in systemd.recv(4096)
        assert b"READY=1" in systemd.recv(4096)
        switch.stop()
        assert b"STOPPING=1" in systemd.recv(4096)


def test_it_is_small_and_at_rest_while_nothing_happens(lab: Lab):
    """The default configuration but for its ports: below 300 MiB, and a laptop stays usable."""
    switch, hosts = lab.build("af_packet", 4, buffer=USUAL_BUFFER)
    for host in hosts[1:]:
        hosts[0].ping(host.ipv4)
    memory = status(switch)
    assert memory["VmRSS"] + memory["HugetlbPages"] < 300 * 1024

    polls = switch.show("workers")[0]["polls"]
    start, used = time.monotonic(), processor_seconds(switch)
    until(lambda: time.monotonic() - start > 1, "a second goes by")
    share = (processor_seconds(switch) - used) / (time.monotonic() - start)
    assert share < 0.5, f"{share:.0%} of a core"
    assert switch.show("workers")[0]["polls"] > polls, "it still looks"


# --- settings change ------------------------------------------------------------------------------

def test_a_rate_is_changed_while_tcp_runs(lab: Lab, kind: str):
    one, two = lab.add_hosts(2)
    switch = lab.make_switch(lab.ports(kind)).start()
    two.serve_iperf3()
    client = one.start_iperf3(two, "--interval", "0.25", seconds=4)
    until(lambda: switch.port("p1")["tx_bytes"] > 1e6, "TCP runs")
    ports = lab.ports(kind)
    ports[1]["rate"] = "50M"
    switch.apply(ports=ports)
    found = traffic(client, 4)
    assert found.octets_received > 0
    rates = [interval["sum"]["bits_per_second"]
             for interval in json.loads(client.output())["intervals"]]
    assert max(rates) > 100e6, "it was fast"
    assert sorted(rates[-4:])[1] < 60e6, "and is slow"
    assert switch.port("p1")["rate_bps"] == 50_000_000
    assert [row["kind"] for row in switch.show("events")][-1] == "adopted"
    # What TCP had under way may be more than the buffer takes; nothing is lost for other reasons.
    assert set(switch.drops()) <= {"over_threshold"}


def test_sighup_reads_the_file_again(lab: Lab):
    switch, (one, two) = lab.build("af_packet", 2, buffer=USUAL_BUFFER)
    switch.write(buffer={"alpha": 0.5})
    assert switch.show("buffer")["alpha"] == 1
    switch.process.signal(signal.SIGHUP)
    until_equal(lambda: switch.show("buffer")["alpha"], 0.5, "the file's alpha is adopted")
    one.ping(two.ipv4)

    switch.write(buffer={"alpha": "much"})
    switch.process.signal(signal.SIGHUP)
    refused = until(lambda: [row for row in switch.show("events") if row["kind"] == "refused"],
                    "the bad file is refused")
    assert f"{switch.file}:" in refused[0]["text"] and "buffer.alpha" in refused[0]["text"]
    assert "buffer.alpha" in switch.process.errors()
    assert switch.show("buffer")["alpha"] == 0.5
    one.ping(two.ipv4)


def test_membership_changes_while_running(lab: Lab, kind: str):
    switch, (one, two, three) = lab.build(kind, 3)
    one.ping(two.ipv4)
    switch.apply(vlans=[{"id": 1, "ports": ["p0", "p2"]}])
    until(lambda: switch.show("vlan")["filtering"], "it is adopted")
    one.ping(three.ipv4)
    one.cannot_ping(two.ipv4)
    switch.apply(vlans=[{"id": 1, "ports": ["p0", "p1", "p2"]}])
    one.ping(two.ipv4)


def test_what_needs_a_restart_is_refused_by_name_and_whole(lab: Lab):
    switch, (one, two) = lab.build("af_packet", 2)
    ports = lab.ports("af_packet")
    ports[0]["mtu"] = 3000
    ports[1].update(name="renamed", rate="20M")
    done = switch.apply(check=False, ports=ports, workers={"count": 2}, buffer={"size": "32MiB"},
                        fdb={"capacity": 1024})
    assert done.returncode == 1 and done.stdout == ""
    lines = done.stderr.splitlines()
    refused = []
    for line in lines:
        place, path, rest = line.split(": ", 2)
        assert re.fullmatch(rf"{re.escape(str(switch.file))}:\d+:\d+", place), line
        assert "cannot change from" in rest and "restart sluiced" in rest, line
        refused.append(path)
    assert sorted(refused) == ["buffer.size", "fdb.capacity", "ports[0].mtu", "workers.count"]
    row = switch.port("p1")
    assert row["rate_bps"] == 10_000_000_000, "nothing of it was adopted"
    one.ping(two.ipv4)


def test_a_faulty_file_is_not_applied(lab: Lab):
    switch, (one, two) = lab.build("af_packet", 2)
    done = switch.apply(check=False, fdb={"ageing": "soon"}, fabric={"iterations": 9})
    assert done.returncode == 2
    assert [line.split(": ")[1] for line in done.stderr.splitlines()] == \
        ["fdb.ageing", "fabric.iterations"]
    one.ping(two.ipv4)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/zero")],
                         ids=["pipe", "directory", "device"])
def test_what_it_would_wait_for_is_no_file_to_read_again(lab: Lab, make):
    switch, (one, two) = lab.build("af_packet", 2)
    switch.file.unlink()
    make(switch.file)
    switch.process.signal(signal.SIGHUP)
    until(lambda: switch.show("events")[-1]["kind"] == "refused", "it says so and still answers")
    assert "is a pipe, device or directory" in switch.show("events")[-1]["text"]
    one.ping(two.ipv4)


def test_a_pipe_is_waited_for_by_who_applies_it(lab: Lab):
    switch, _ = lab.build("af_packet", 2)
    text = switch.file.read_text()
    switch.file.unlink()
    os.mkfifo(switch.file)
    applied = switch.namespace.start(program("sluice"), "apply", str(switch.file),
                                     "--socket", switch.socket)
    switch.file.write_text(text)
    assert applied.wait(10) == 0, applied.said()
    endless = switch.command("apply", "/dev/zero", check=False)
    assert endless.returncode == 2
    assert endless.stderr.startswith("/dev/zero:1:1: file: is larger than 1 MiB; ")


def test_many_changes_under_traffic_lose_nothing(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, workers={"count": 2})
    first, second = lab.wires()
    sent = [frame(one.address, BROADCAST) for _ in range(400)]
    for turn in range(20):
        switch.apply(fdb={"ageing": f"{100 + turn}s"}, fabric={"iterations": 1 + turn % 4})
        first.send(*sent[turn * 20:turn * 20 + 20])
    second.expect(*sent)
    assert switch.settled()["dropped"] == 0


# --- what it says ---------------------------------------------------------------------------------

@pytest.fixture
def busy_switch(lab: Lab) -> Switch:
    """Has something to say under every noun."""
    switch, (one, two) = lab.build("af_packet", 2, defaults={"lossless": [3]})
    one.ping(two.ipv4)
    two.wire().send(pause(two.address, p3=1))
    switch.until_dropped("mac_control", 1)
    switch.apply()
    return switch


@pytest.mark.parametrize("noun", PROMISED)
def test_show_keeps_its_promises(busy_switch: Switch, noun):
    answer = busy_switch.show(noun)
    rows = answer if isinstance(answer, list) else [answer]
    assert rows
    for row in rows:
        assert set(PROMISED[noun].split()) <= set(row)


def test_show_makes_tables_for_people(busy_switch: Switch):
    for noun in PROMISED:
        table = busy_switch.command("show", noun)
        assert table.stderr == "" and len(table.stdout.splitlines()) >= 2, noun
    ports = busy_switch.command("show", "ports").stdout
    assert re.search(r"^p0\s+up\s.*\baf_packet:p0\b", ports, re.M), ports


def test_the_ledger_is_not_judged_while_frames_flow(lab: Lab):
    switch, (one, two) = lab.build("af_packet", 2)
    two.serve_iperf3()
    client = one.start_iperf3(two, seconds=4)
    until(lambda: switch.port("p1")["tx_bytes"] > 1e6, "TCP runs")
    asked = [switch.show("ledger") for _ in range(20)]
    assert asked[0]["received"] < asked[-1]["received"], "frames flow meanwhile"
    assert traffic(client, 4).octets_received > 0
    assert [ledger for ledger in asked if ledger["balanced"] is False] == []
    assert switch.settled()["in_motion"] is False


def test_top_shows_rates(busy_switch: Switch):
    page = busy_switch.command("top", "--count", "1", "--every", "0.1").stdout
    assert "p0" in page and "p1" in page


def test_the_events_say_what_happened(busy_switch: Switch):
    events = busy_switch.show("events")
    assert [row["number"] for row in events] == list(range(1, len(events) + 1))
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", events[-1]["at"])
    assert events[-1]["kind"] == "adopted"
