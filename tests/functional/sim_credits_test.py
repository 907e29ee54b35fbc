"""`sluice sim link` and `grants`: flow control in slots, by the words of the command line."""

import csv
import io
import json

import pytest

from switch import sluice


def simulated(*words: str):
    return json.loads(sluice("sim", *words, "--json").stdout)


def test_the_toy_example_needs_no_words():
    found = simulated("link", "credit")
    assert (found["sent"], found["lost"], found["taken"]) == (15, 0, 12)
    at_six = found["slots"][6]
    assert (at_six["buffered"], at_six["credits"], at_six["held"]) == (4, 0, True)
    assert [row["buffered"] for row in found["slots"][:9]] == [0, 0, 0, 1, 2, 3, 4, 5, 6]
    said = sluice("sim", "link", "credit", "--rows", "9").stdout
    assert said.splitlines()[-3].split()[:2] == ["8", "0"] and "6/6" in said.splitlines()[-3]


def test_less_room_loses_only_with_more_credits_than_room():
    honest = simulated("link", "credit", "--room", "5")
    assert honest["initial_credits"] + honest["returning"] == 5 and honest["lost"] == 0
    assert simulated("link", "credit", "--room", "5", "--credits", "3", "--returning",
                     "3")["lost"] == 1
    assert simulated("link", "credit", "--room", "5", "--credits", "2")["returning"] == 3


def test_xoff_is_worked_out_so_that_nothing_is_lost():
    words = ["link", "xon_xoff", "--room", "20", "--reaction", "4", "--stall", "0-40", "--rows",
             "60"]
    found = simulated(*words)
    assert (found["xoff"], found["xon"], found["lost"]) == (11, 10, 0)
    assert found["most_buffered"] == 20
    assert simulated(*words, "--xoff", "12")["lost"] == 1


def test_a_row_of_csv_is_a_slot():
    rows = list(csv.DictReader(io.StringIO(
        sluice("sim", "link", "credit", "--rows", "5", "--csv").stdout)))
    assert [row["slot"] for row in rows] == ["0", "1", "2", "3", "4"]
    assert rows[2]["cells_under_way"] == "3 2 1"


def test_grants_by_slice_are_unfair_and_by_port_fair():
    by_slice = simulated("grants", "slice")
    assert [round(port["share"], 2) for port in by_slice["ports"]] == [0.25, 0.25, 0.5]
    by_port = simulated("grants", "port")
    assert [round(port["share"], 2) for port in by_port["ports"]] == [0.33, 0.33, 0.33]
    assert by_port["utilisation"] == pytest.approx(1, abs=0.001)
    assert by_port["bdp_bytes"] == 40000
    assert len(sluice("sim", "grants", "port", "--csv").stdout.splitlines()) == 4


def test_a_quantum_that_is_too_small_starves_the_port():
    assert simulated("grants", "port", "--quantum", "50B")["utilisation"] == \
        pytest.approx(0.5, abs=0.01)
    assert simulated("grants", "port", "--egress-buffer", "20000B")["utilisation"] == \
        pytest.approx(0.5, abs=0.02)
    stopped = simulated("grants", "port", "--stop", "50us")
    assert stopped["most_buffered_bytes"] > 39000


@pytest.mark.parametrize("words, said", [
    (["link", "credit", "--xoff", "3"], "only xon_xoff has it"),
    (["link", "xon_xoff", "--credits", "3"], "only credit has it"),
    (["link", "xon_xoff", "--xoff", "7"], "write 1 to the 6 of --room"),
    (["link", "xon_xoff", "--xoff", "3", "--xon", "3"], "write 2 or less"),
    (["link", "credit", "--stall", "9-5"], "write 5-9"),
    (["link", "pause"], "CONTROL"),
    (["grants", "slice", "--span", "2us"], "more than three round trips"),
    (["grants", "slice", "--egress-buffer", "100B"], "write 256B or more"),
    (["grants", "slice", "--delay", "3"], "--delay"),
])
def test_words_that_do_not_fit_are_reported(words, said):
    done = sluice("sim", *words, check=False)
    assert done.returncode == 2 and done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith("sluice: ") and said in line, line
