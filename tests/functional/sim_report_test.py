"""`sluice sim ... --html`: the report, as a browser shows it after its scripts have run."""

import json
import pathlib

import pytest

from page import data_of, shown
from switch import sluice

EXAMPLES = pathlib.Path(__file__).parents[2] / "tools/sim/examples"

NASTY = """\
topology: {star: {hosts: 3}}
switch: {defaults: {lossless: [3], pfc: {xoff: 64KiB, xon: 32KiB}}}
# </script><script>document.title = "taken over"</script>
flows:
  - {name: one, from: h1, to: h0, priority: 3}
  - {name: two, from: h2, to: h0, priority: 3}
"""


@pytest.fixture
def report(tmp_path) -> pathlib.Path:
    return tmp_path / "report.html"


def test_a_scenario_is_shown_with_its_plots_tables_and_text(report):
    path = EXAMPLES / "incast.yaml"
    sluice("sim", "run", str(path), "--html", str(report))
    page = shown(report)
    assert page.texts["h1"] == ["incast.yaml"]
    assert page.texts["h2"] == [
        "Waiting for each port", "Buffer held by what came in by each port", "Pauses",
        "Throughput of each flow", "Delay of each flow", "Flows", "Ports", "Switches"]
    drawn = [has for tag, has in page.attributes if tag == "canvas"]
    assert len(drawn) == 5
    assert all(int(has["width"]) > 300 and int(has["height"]) > 200 for has in drawn)
    assert page.texts["div"].count("more than is carried") == 1, "a verdict names the incast"
    chips = page.texts["button"]
    assert chips[0] == "s0 p0 (h0)", "the receiver's queue is the fullest"
    assert "incast" in chips and "answers" in chips
    # Two flows, sixteen ports, one switch, and a head of each.
    assert len(page.texts["tr"]) == 2 + 16 + 1 + 3
    assert page.texts["pre"] == [path.read_text()]


def test_a_report_holds_what_json_prints(report):
    path = str(EXAMPLES / "ecn-before-pfc.yaml")
    said = sluice("sim", "run", path, "--json", "--series", "--html", str(report)).stdout
    data = data_of(report)
    assert data["result"] == json.loads(said)
    assert (data["kind"], data["file"]) == ("scenario", path)


def test_what_a_user_wrote_is_text_and_nothing_else(tmp_path, report):
    path = tmp_path / "<img src=x onerror=alert(1)>.yaml"
    path.write_text(NASTY)
    sluice("sim", "run", str(path), "--html", str(report))
    page = shown(report)
    assert page.texts["title"] == [f"{path.name} - sluice sim"]
    assert page.count("img") == 0
    assert page.texts["pre"] == [NASTY]


def test_crossbars_are_compared_with_output_queues(report):
    said = sluice("sim", "fabric", "islip,fifo", "--load", "0.3,0.5,0.9", "--slots", "20000",
                  "--json", "--html", str(report)).stdout
    data = data_of(report)
    assert data["rows"] == json.loads(said)
    assert [row["fabric"] for row in data["floor"]] == ["oq"] * 3
    page = shown(report)
    assert page.texts["h2"] == ["Throughput", "Mean delay", "Runs"]
    assert page.texts["button"] == ["islip", "fifo", "output queues", "islip", "fifo",
                                    "output queues, the floor"]
    assert len(page.texts["tr"]) == 1 + 6 + 3


def test_output_queues_that_were_asked_for_are_not_drawn_twice(report):
    sluice("sim", "fabric", "oq", "--load", "0.5", "--slots", "5000", "--html", str(report))
    assert data_of(report)["floor"] == []


def test_a_sweep_is_shown_against_what_was_swept(report):
    said = sluice("sim", "run", str(EXAMPLES / "incast.yaml"), "--time", "1ms",
                  "--sweep", "switch.defaults.pfc.xoff=64KiB,128KiB,256KiB",
                  "--sweep", "cable.length=5m,1km", "--json", "--html", str(report)).stdout
    assert data_of(report)["rows"] == json.loads(said)
    page = shown(report)
    assert page.texts["h2"][:2] == ["Throughput", "99th percentile of the delay"]
    assert page.texts["option"] == ["switch.defaults.pfc.xoff", "cable.length"]
    assert page.texts["button"][:4] == ["incast, length=5m", "answers, length=5m",
                                        "incast, length=1km", "answers, length=1km"]


def test_transfers_are_drawn_by_size(report):
    path = str(EXAMPLES / "slowdown.yaml")
    sluice("sim", "run", path, "--html", str(report))
    assert "Slowdown of transfers" in shown(report).texts["h2"]
    sluice("sim", "run", path, "--sweep", "flows[0].rate=10G,20G", "--html", str(report))
    page = shown(report)
    assert [title for title in page.texts["h2"] if "Slowdown" in title] == [
        f"Slowdown of transfers, p{percent}" for percent in (50, 95, 99)]
    assert page.texts["button"].count("hadoop, 20G") == 3


def test_a_report_that_cannot_be_written_is_reported_before_the_run(tmp_path):
    done = sluice("sim", "run", str(EXAMPLES / "leaf-spine.yaml"), "--html", str(tmp_path / "no/x.html"),
                  check=False)
    assert done.returncode == 2 and done.stdout == ""
    [line] = done.stderr.splitlines()
    assert "--html: " in line and "cannot be written" in line


def test_a_report_is_not_written_over_its_scenario(tmp_path):
    path = tmp_path / "same.yaml"
    path.write_text(NASTY)
    done = sluice("sim", "run", str(path), "--html", str(path), check=False)
    assert done.returncode == 2 and "which would be overwritten" in done.stderr
    assert path.read_text() == NASTY
    assert [file.name for file in tmp_path.iterdir()] == ["same.yaml"]


def test_a_report_without_a_name_is_refused():
    done = sluice("sim", "fabric", "oq", "--html", "", check=False)
    assert done.returncode == 2 and "--html: has an empty file name" in done.stderr
