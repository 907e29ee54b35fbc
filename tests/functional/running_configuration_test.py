"""What runs, as a file; what another file would change; counters that begin again."""

import json
import pathlib
import re
import shutil
import time

from lab import Lab
from switch import USUAL_BUFFER, program, sluice
from waiting import until, until_equal


def test_what_is_shown_makes_the_same_switch(lab: Lab):
    switch = lab.make_switch([{"name": "left", "device": "ring:a", "lossless": [3]},
                              {"device": "null:", "rate": "1G"}],
                             lldp={"system_name": "- it's: [mine]"})
    switch.start()
    shown = lab.folder / "shown.yaml"
    shown.write_text(switch.command("show", "config").stdout)
    assert json.loads(switch.command("show", "config", "--json").stdout) == \
        {"file": str(switch.file), "text": shown.read_text()}
    sluice("check", str(shown))
    assert "no differences" in switch.command("diff", str(shown)).stdout
    assert switch.command("apply", str(shown)).returncode == 0
    assert switch.command("show", "config").stdout == shown.read_text()
    switch.stop()
    shutil.copy(shown, switch.file)
    switch.process = switch.namespace.start(program("sluiced"), "-c", str(switch.file))
    switch.until_ready()
    assert switch.command("show", "config").stdout == shown.read_text()


def test_a_difference_is_reported_and_goes_once_it_is_applied(lab: Lab):
    switch = lab.make_switch([{"name": "left", "device": "ring:a"}]).start()
    switch.write(ports=[{"name": "left", "device": "ring:a", "rate": "1G"}],
                 fabric={"iterations": 3})
    differences = switch.command("diff", str(switch.file)).stdout.splitlines()
    assert differences == ["fabric.iterations: 2 > 3", "ports[left].rate: 0 > 1G"]
    switch.command("apply", str(switch.file))
    assert "no differences" in switch.command("diff", str(switch.file)).stdout


def iterations(switch) -> int:
    text = switch.command("show", "config").stdout
    return int(re.search(r"iterations: (\d)", text)[1]) if "iterations" in text else 2


def test_what_nobody_confirms_goes_back(lab: Lab):
    switch = lab.make_switch([{"device": "ring:a"}]).start()
    for number in (3, 4):
        switch.write(fabric={"iterations": number})
        said = switch.command("apply", str(switch.file), "--confirm", "2s").stdout
        assert "Rolls back in 2 s unless confirmed (`sluice confirm`)." in said
        assert iterations(switch) == number
    until_equal(lambda: iterations(switch), 2, "what ran before the first of both runs again")
    kinds = [event["kind"] for event in switch.show("events")]
    assert kinds[-2:] == ["not_confirmed", "adopted"]
    done = switch.command("confirm", check=False)
    assert done.returncode == 1 and "no configuration waits to be confirmed" in done.stderr


def test_what_is_confirmed_stays(lab: Lab):
    switch = lab.make_switch([{"device": "ring:a"}]).start()
    switch.write(fabric={"iterations": 3})
    switch.command("apply", str(switch.file), "--confirm", "1s")
    switch.command("confirm")
    time.sleep(1.5)
    assert iterations(switch) == 3
    # So does what is adopted for good.
    for number, words in ((4, ["--confirm", "1s"]), (1, [])):
        switch.write(fabric={"iterations": number})
        switch.command("apply", str(switch.file), *words)
    time.sleep(1.5)
    assert iterations(switch) == 1


def test_a_time_to_confirm_is_from_a_second_to_an_hour(lab: Lab):
    switch = lab.make_switch([{"device": "ring:a"}]).start()
    for time_ in ("0s", "2h", "soon"):
        done = switch.command("apply", str(switch.file), "--confirm", time_, check=False)
        assert done.returncode == 2 and "--confirm" in done.stderr, done.stderr


def test_what_needs_a_restart_is_distinguished(lab: Lab):
    switch = lab.make_switch([{"name": "left", "device": "ring:a"}], buffer=USUAL_BUFFER).start()
    switch.write(buffer={"size": "1MiB"}, fabric={"slots": 4})
    differences = json.loads(switch.command("diff", str(switch.file), "--json").stdout)
    assert differences["changes"] == [{"key": "buffer.size", "running": "16MiB", "file": "1MiB"},
                               {"key": "fabric.slots", "running": "8", "file": "4"}]
    [line] = differences["needs_restart"]
    assert "buffer.size: cannot change from 16MiB to 1MiB while running" in line
    wrong = pathlib.Path(lab.folder / "wrong.yaml")
    wrong.write_text("ports: []\n")
    assert switch.command("diff", str(wrong), check=False).returncode == 2


def test_counters_begin_again_and_the_ledger_does_not(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2)
    one.ping(two.ipv4)
    switch.settled()
    before = switch.show("ledger")
    assert switch.port("p0")["rx_frames"] > 0
    switch.command("clear", "counters")
    quiet = switch.show("ledger")["received"] - before["received"]
    assert switch.port("p0")["rx_frames"] <= quiet
    one.ping(two.ipv4)
    switch.settled()
    since = sum(port["rx_frames"] for port in switch.show("ports"))
    assert 2 <= since <= switch.show("ledger")["received"] - before["received"]
    assert sum(row["enqueued"] for row in switch.show("queues")) == \
        sum(row["dequeued"] + row["flushed"] + row["frames"] for row in switch.show("queues"))
    assert switch.command("clear", "fdb", check=False).returncode == 2


def test_watermarks_begin_again_and_counters_do_not(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2, fabric={"bypass": False})
    one.ping(two.ipv4)
    switch.settled()
    counted = switch.port("p0")["rx_frames"]
    assert switch.show("buffer")["pool"]["max_used_bytes"] > 0
    switch.command("clear", "watermarks")

    def all_begin_again() -> bool:
        held = [switch.show("buffer")["pool"]["max_used_bytes"],
                *(row["max_bytes"] for row in switch.show("queues")),
                *(row["occupancy_max"] for row in switch.show("buffer")["groups"])]
        return set(held) == {0}
    until(all_begin_again, "nothing was held since")
    assert switch.port("p0")["rx_frames"] >= counted > 0
    one.ping(two.ipv4)
    assert switch.show("buffer")["pool"]["max_used_bytes"] > 0
