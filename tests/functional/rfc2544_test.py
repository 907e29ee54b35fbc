"""`sluice-gen --rfc2544`: every test of section 26 but the reset, through a switch whose outputs are
slow, and what is printed and drawn of it."""

import csv
import io
import json
import pathlib
import signal

import pytest

from lab import Lab
from page import data_of, shown
from switch import program
from waiting import until_equal

# Two outputs of 20 Mb/s, and buffers of 50 ms of frames, which a busy machine needs. They are offered
# so much more that they lose even if the generator hardly runs.
SLOW = {"rate": "20M"}
WORDS = ["--pattern", "pairs", "--rate", "400Mbps", "--frame-bytes", "1518", "--seconds", "0.3",
         "--resolution", "1", "--repeats", "1"]


@pytest.fixture
def generate(lab: Lab):
    """Runs sluice-gen with two ports of a switch whose outputs are slow."""
    sockets = [str(lab.folder / name) for name in ("a.sock", "b.sock")]
    switch = lab.make_switch([{"name": f"m{number}", "device": f"memif:{path}", **SLOW}
                              for number, path in enumerate(sockets)],
                             buffer={"size": "256KiB", "alpha": 1})
    switch.launch()
    until_equal(switch.links, {"m0": "down", "m1": "down"}, "it waits for the generator")
    ports = [word for path in sockets for word in ("--port", f"memif:{path},client")]

    def run(*words: str):
        return lab.namespace.run(program("sluice-gen"), *ports, *WORDS, *words, seconds=400)
    return run


def test_every_test_is_run_and_drawn(generate, tmp_path: pathlib.Path):
    path = tmp_path / "report.html"
    done = generate("--rfc2544", "--json", "--html", str(path))
    found = json.loads(done.stdout)
    assert found["complete"] and found["trial_seconds"] == 0.3
    [row] = found["rfc2544"]
    assert row["frame_bytes"] == 1518
    assert not row["throughput"]["trials"][0]["passed"]
    assert 4e6 < row["throughput"]["rate_bps"] < 60e6
    assert row["latency"]["trials"] == 1 and row["latency"]["mean_ns"] > 0

    losses = row["frame_loss"]
    assert [point["load_percent"] for point in losses] == list(range(100, 0, -10))[:len(losses)]
    # A tenth of 400 Mb/s is twice what an output sends, so no load of these loses nothing.
    assert len(losses) == 10 and all(point["lost"] > 0 for point in losses[:5])
    assert losses[0]["loss_percent"] == pytest.approx(
        100 * losses[0]["lost"] / losses[0]["offered"])

    assert row["back_to_back"]["bounded"] and row["back_to_back"]["searches"] == 1
    assert row["recovery"]["trials"] == 1

    # The lines of progress name each test.
    for test in ("trial 1 at", "latency:", "frame loss:", "back-to-back:", "recovery:"):
        assert test in done.stderr
    assert data_of(path)["result"] == found
    page = shown(path)
    assert page.texts["title"] == ["RFC 2544 - sluice-gen"]
    assert page.texts["h2"][:5] == ["Throughput", "Throughput on the wire",
                                    "Latency at the throughput", "Frame loss rate",
                                    "Back-to-back frames"]
    assert page.texts["h2"][-2:] == ["Each length", "Frame loss rate"]


def test_a_part_of_the_tests_is_reported_as_csv(generate):
    done = generate("--rfc2544", "--csv", "--quiet", "--tests", "loss")
    assert done.stderr == "" or "lost" not in done.stderr
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert {row["test"] for row in rows} == {"throughput", "frame_loss"}
    shares = [float(row["value"]) for row in rows if row["quantity"] == "loss_percent"]
    assert len(shares) == 10 and all(0 <= share <= 100 for share in shares)


def test_a_page_that_cannot_be_written_is_reported_before_the_first_frame(lab: Lab, tmp_path):
    generator = lab.namespace.start(
        program("sluice-gen"), "--port", "ring:a", "--port", "ring:b", "--rfc2544", "--html",
        str(tmp_path / "no/report.html"))
    assert generator.wait(20) == 2
    assert "--html: " in generator.errors() and "cannot be written" in generator.errors()


def test_tests_that_are_broken_off_report_what_they_have(lab: Lab):
    generator = lab.namespace.start(
        program("sluice-gen"), "--port", "ring:x/a", "--port", "ring:x/b", "--pattern", "pairs",
        "--rfc2544", "--json", "--frame-bytes", "64,128", "--rate", "1K", "--seconds", "0.1",
        "--repeats", "9999")
    generator.until_it_says("64 octets, latency: ")
    generator.signal(signal.SIGINT)
    assert generator.wait(30) == 1
    found = json.loads(generator.output())
    assert not found["complete"]
    [row] = found["rfc2544"]
    assert row["throughput"]["rate_fps"] > 0 and row["latency"]["trials"] > 0
    assert not row["complete"] and row["frame_loss"] is None
