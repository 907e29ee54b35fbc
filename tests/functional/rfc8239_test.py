"""`sluice-gen --rfc8239`: buffering, microburst and head of line blocking through a switch of four
ports whose buffer is small."""

import csv
import io
import json

import pytest

from lab import Lab
from page import data_of, shown
from switch import program
from waiting import until_equal

# Of each port. A buffer of 512 KiB is full long before what all others send in a trial.
RATE = "400M"
FRAME_BYTES = 1518
BUFFER_BYTES = 512 << 10


@pytest.fixture
def generate(lab: Lab):
    """Runs sluice-gen with the four ports of a switch."""
    sockets = [str(lab.folder / f"{name}.sock") for name in "abcd"]
    switch = lab.make_switch([{"name": f"m{number}", "device": f"memif:{path}", "rate": RATE}
                              for number, path in enumerate(sockets)],
                             buffer={"size": BUFFER_BYTES, "alpha": 1}, workers={"cores": [0]})
    switch.launch()
    until_equal(switch.links, {f"m{number}": "down" for number in range(4)},
                "it waits for the generator")
    ports = [word for path in sockets for word in ("--port", f"memif:{path},client")]

    def run(*words: str, leave_out: int = 0, rate: str = "400Mbps",
            seconds: float = 0.1):
        used = ports[:len(ports) - 2 * leave_out]
        done = lab.namespace.run(program("sluice-gen"), *used, "--rfc8239", "--rate", rate,
                                 "--frame-bytes", str(FRAME_BYTES), "--seconds", str(seconds),
                                 "--repeats", "1", *words, seconds=400)
        return done, switch
    return run


def test_what_the_buffer_holds_and_that_it_blocks_nobody(generate, tmp_path):
    path = tmp_path / "report.html"
    done, switch = generate("--json", "--html", str(path))
    found = json.loads(done.stdout)
    assert found["complete"] and found["ports"] == 4 and found["excess_percent"] == 1
    [row] = found["rfc8239"]
    assert [one["senders"] for one in row["buffering"]] == [2, 3]
    burst = row["microburst"]
    assert burst["bounded"] and burst["senders"] == 3 and burst["searches"] == 1
    # By the threshold the last port's queues get most of the buffer. A generator that others keep
    # from its core sends slower than said, and then more seems to be held.
    assert burst["bytes"] > BUFFER_BYTES / 4
    assert [one["shift"] for one in row["blocking"]] == [0, 1, 2, 3]
    for one in row["blocking"]:
        assert one["victim_offered"] > 0 and one["congested_lost"] > 0
        # Nothing, where the switch has its core to itself; else an output sends less than said. Who
        # waits behind frames for the other output would lose as large a share as they.
        assert (one["victim_lost"] / one["victim_offered"]
                < 0.9 * one["congested_lost"] / one["congested_offered"]), one
    for test in ("buffering: 2 senders", "microburst: ",
                 "head-of-line blocking: roles shifted by 3 ports"):
        assert test in done.stderr
    switch.settled()
    assert data_of(path)["result"] == found
    page = shown(path)
    assert page.texts["title"] == ["RFC 8239 - sluice-gen"]
    assert page.texts["h2"] == ["Buffering", "Microburst", "Lost beside a congested output",
                                "Latency where there is room", "Buffering", "Microburst",
                                "Head of line blocking"]
    assert page.count("canvas") == 4
    # Heads, two ways of buffering, one burst, four roles of each port.
    assert len(page.texts["tr"]) == 3 + 2 + 1 + 4


def test_three_ports_are_reported_as_csv(generate):
    # So short that all of it is held, and little is searched.
    done, _ = generate("--csv", "--quiet", leave_out=1, rate="40Mbps", seconds=0.01)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert {(row["test"], row["senders"], row["shift"]) for row in rows} == {
        ("buffering", "2", ""), ("microburst", "2", "")}
    [octets] = [float(row["value"]) for row in rows
                if (row["test"], row["quantity"]) == ("microburst", "bytes")]
    assert octets > 2 * FRAME_BYTES


@pytest.mark.parametrize("words, what", [
    (["--port", "ring:a", "--port", "ring:b", "--rate", "1G"], "three ports"),
    (["--port", "ring:a", "--port", "ring:b", "--port", "ring:c"], "--rate"),
    (["--port", "ring:a", "--port", "ring:b", "--port", "ring:c", "--rate", "1Gbps", "--priority",
      "1,2"], "--priority"),
])
def test_words_that_are_wrong_are_reported(lab: Lab, words, what):
    done = lab.namespace.run(program("sluice-gen"), "--rfc8239", *words, check=False)
    assert done.returncode == 2 and what in done.stderr
