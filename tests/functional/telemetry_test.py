"""What DPDK's own tool gets from the switch, over the telemetry socket."""

import json
import pathlib
import shutil
import subprocess

import pytest

from frames import of_priority
from lab import Lab
from switch import Switch
from waiting import until

TOOL = shutil.which("dpdk-telemetry.py")


def ask(switch: Switch, *commands: str) -> list:
    """The results, in order."""
    done = subprocess.run([TOOL, "-f", f"sluice-{switch.process.pid}"],
                          input="\n".join(commands) + "\n", capture_output=True, text=True,
                          timeout=30, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert len(answers) == len(commands), done.stdout
    return [answer[command.split(",")[0]] for command, answer in zip(commands, answers)]


@pytest.fixture
def switch(lab: Lab) -> Switch:
    switch, (one, two) = lab.build("af_packet", 2, defaults={"lossless": [3]}, telemetry=True,
                                   latency={"sample": 1})
    first, second = lab.wires()
    sent = of_priority(one.address, 3, 8, 100)
    first.send(*sent)
    second.expect(*sent)
    return switch


def test_the_tool_sees_ports_pauses_and_queues(switch: Switch):
    def is_pictured() -> bool:
        port, latency = ask(switch, "/sluice/ports,p1", "/sluice/latency")
        return port["tx_frames"] >= 8 and latency == ["3"]
    until(is_pictured, "a picture of it is taken")
    ports, pfc, queues, latency = ask(switch, "/sluice/ports", "/sluice/pfc", "/sluice/queues,p0",
                                      "/sluice/latency")
    assert ports == ["p0", "p1"]
    assert "p0,3" in pfc and "p0,3" in [row for row in pfc if row.startswith("p0")]
    assert queues == ["p0,p1,3"]
    assert latency == ["3"]
    port, group, queue, waits, ledger = ask(
        switch, "/sluice/ports,p0", "/sluice/pfc,p0,3", "/sluice/queues,p0,p1,3",
        "/sluice/latency,3", "/sluice/ledger")
    shown = switch.port("p0")
    assert (port["name"], port["link"]) == ("p0", "up")
    assert 8 <= port["rx_frames"] <= shown["rx_frames"]
    assert (group["lossless"], group["watchdog"]) == (1, switch.pfc("p0", 3)["watchdog"])
    assert queue["enqueued"] == queue["dequeued"] == 8
    assert waits["frames"] == 8 and 0 < waits["p50_ns"]
    assert ledger["received"] >= 8


def test_dpdks_own_commands_are_there_and_nonsense_does_no_harm(switch: Switch):
    [known] = ask(switch, "/")
    assert {"/sluice/ports", "/sluice/pfc", "/sluice/queues", "/ethdev/list"} <= set(known)
    assert ask(switch, "/sluice/ports,nobody", "/sluice/pfc," + "x" * 500) == [[], []]
    assert switch.running()


def test_its_threads_have_no_privileges(switch: Switch):
    tasks = [(task / "status").read_text() for task in
             pathlib.Path(f"/proc/{switch.process.pid}/task").iterdir()]
    ours = [dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)
            for text in tasks if text.startswith("Name:\ttelemetry")]
    assert ours
    for status in ours:
        assert int(status["CapPrm"], 16) == 0 and int(status["CapBnd"], 16) == 0
        assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2")


def test_it_is_off_unless_written(lab: Lab):
    switch, _ = lab.build("af_packet", 2)
    assert "telemetry" not in "".join(
        (task / "comm").read_text() for task in
        pathlib.Path(f"/proc/{switch.process.pid}/task").iterdir())
    refusal = switch.apply(check=False, telemetry=True)
    assert refusal.returncode == 1 and "telemetry" in refusal.stderr
