"""`sluice-gen --y1564`: services through a switch whose outputs are slow, some as they were sold,
some not, and what is printed and drawn of them."""

import csv
import io
import json
import pathlib

import pytest

from lab import Lab
from page import data_of, shown
from switch import program
from waiting import until_equal

# What the outputs send.
RATE = "20M"
# Far below it, and patient with a machine that has others to run, too.
GOOD = """\
services:
  - {name: voice, from: 0, to: 1, cir: 2Mbps, frame_bytes: 500, pcp: 5, max_loss: 2%,
     max_latency: 2s, max_variation: 5s}
  - {name: bulk, from: 1, to: 0, cir: 4Mbps, eir: 2Mbps, frame_bytes: imix, max_loss: 2%}
"""
# At 100 % it is twice what an output sends, which polices it so.
TOO_MUCH = """\
services:
  - {name: bulk, from: 0, to: 1, cir: 40Mbps, frame_bytes: 1518, policing: 1%}
"""


@pytest.fixture
def generate(lab: Lab):
    return generator(lab, "64KiB")


def generator(lab: Lab, buffer: str):
    """Runs sluice-gen with two ports of a switch and a file of services."""
    sockets = [str(lab.folder / name) for name in ("a.sock", "b.sock")]
    switch = lab.make_switch([{"name": f"m{number}", "device": f"memif:{path}", "rate": RATE}
                              for number, path in enumerate(sockets)],
                             buffer={"size": buffer, "alpha": 1}, workers={"cores": [0]})
    switch.launch()
    until_equal(switch.links, {"m0": "down", "m1": "down"}, "it waits for the generator")
    ports = [word for path in sockets for word in ("--port", f"memif:{path},client")]
    path = lab.folder / "services.yaml"

    def run(services: str, *words: str, check: bool = True):
        path.write_text(services)
        return lab.namespace.run(program("sluice-gen"), *ports, "--y1564", str(path), "--seconds",
                                 "0.3", "--performance", "0.5", *words, seconds=120, check=check)
    return run


def test_services_that_are_as_they_were_sold(lab: Lab, tmp_path: pathlib.Path):
    # Room for what a generator sends at once that others kept from its core.
    generate = generator(lab, "1MiB")
    path = tmp_path / "report.html"
    for _ in range(5):
        done = generate(GOOD, "--json", "--html", str(path), check=False)
        found = json.loads(done.stdout)
        # A generator that others keep from its core has sent too little in some step.
        if all(service["performance"] for service in found["y1564"]):
            break
    assert all(service["performance"] for service in found["y1564"]), found
    assert found["complete"] and (found["step_seconds"], found["performance_seconds"]) == (0.3, 0.5)
    voice, bulk = found["y1564"]
    assert (voice["service"], voice["pcp"], voice["frame_bytes"]) == ("voice", 5, 500)
    assert (bulk["service"], bulk["eir_bps"], bulk["frame_bytes"]) == ("bulk", 2e6, "imix")
    assert [step["load_percent"] for step in voice["configuration"]] == [25, 50, 75, 100]
    assert [step["test"] for step in bulk["configuration"]] == ["cir"] * 4 + ["eir"]
    assert bulk["configuration"][-1]["load_percent"] == 150
    for service in found["y1564"]:
        for step in service["configuration"]:
            assert step["passed"] and step["faults"] == [], step
            assert step["offered_bps"] == pytest.approx(step["asked_bps"], rel=0.2)
            latency = step["latency_ns"]
            assert 0 < latency["min"] <= latency["mean"] <= latency["max"]
            assert step["variation_ns"] == latency["p999"] - latency["min"]
        # It is tried once; a generator that others keep from its core may have sent less than all.
        assert all("too slow" in fault for fault in service["performance"]["faults"])
    assert done.returncode == (0 if found["passed"] else 1)
    # A mix of lengths is of whole frames a second, so it is 6.001 Mb/s.
    for line in ("voice, cir at 500 kb/s: passed", "bulk, eir at 6",
                 "voice, performance at 2 Mb/s: "):
        assert line in done.stderr
    assert data_of(path)["result"] == found
    page = shown(path)
    assert page.texts["title"] == ["Service activation (Y.1564) - sluice-gen"]
    assert page.texts["h2"] == ["Received", "Lost", "Latency", "Delay variation", "Services",
                                "Configuration", "Performance"]
    assert page.count("canvas") == 4


def test_a_service_that_is_not_carried_fails_and_none_is_performed(generate):
    done = generate(TOO_MUCH, "--csv", "--quiet", check=False)
    assert done.returncode == 1
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    passed = {(row["test"], row["load_percent"]): row["value"] for row in rows
              if row["quantity"] == "passed"}
    assert set(passed) == {("cir", "25"), ("cir", "50"), ("cir", "75"), ("cir", "100"),
                           ("policing", "125")}
    assert passed["cir", "100"] == "false", "half of it is lost"
    assert passed["policing", "125"] == "false", "less than CIR comes through"
    [lost] = [float(row["value"]) for row in rows
              if (row["test"], row["load_percent"], row["quantity"]) == ("cir", "100",
                                                                          "loss_percent")]
    assert lost > 20


def test_faults_of_services_are_reported_by_line_and_column(lab: Lab):
    path = lab.folder / "services.yaml"
    path.write_text("services:\n  - {from: 0, to: 1}\n  - {from: 0, to: 1, cir: 1M, max_loss: 2}\n")
    done = lab.namespace.run(program("sluice-gen"), "--port", "ring:a", "--port", "ring:b",
                             "--y1564", str(path), check=False)
    assert done.returncode == 2
    assert [line.partition(": ")[0] for line in done.stderr.splitlines()] == [
        f"{path}:2:5", f"{path}:3:41"]
