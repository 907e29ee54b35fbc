"""`sluice sim retry`: links that lose, by the words of the command line."""

import csv
import io
import json

import pytest

from switch import sluice

SHORT = ("--run-slots", "200000")


def simulated(*words: str) -> dict[tuple[str, float], dict]:
    """A row for each kind of recovery and share of loss."""
    rows = json.loads(sluice("sim", *words, *SHORT, "--json").stdout)["rows"]
    return {(row["recovery"], row["loss"]): row for row in rows}


def test_a_row_for_each_recovery_and_share_of_loss():
    found = simulated("retry", "all", "--links", "1", "--loss", "1e-6,1e-3")
    assert list(found) == [(recovery, loss) for loss in (1e-6, 1e-3)
                           for recovery in ("pfc", "retry", "selective", "credit", "cbfc", "cbfc_alone",
                                            "end_to_end")]
    assert found["pfc", 1e-3]["lost"] > 0 and found["cbfc_alone", 1e-3]["lost"] > 0
    for recovery in ("retry", "selective", "credit", "cbfc", "end_to_end"):
        row = found[recovery, 1e-3]
        assert (row["lost"], row["doubled"], row["out_of_order"]) == (0, 0, 0)
        assert row["cells_again"] > 0 and row["goodput"] == pytest.approx(0.8, abs=0.01)


def test_by_link_it_costs_less_than_from_end_to_end():
    found = simulated("retry", "retry,end_to_end", "--offered", "1", "--loss", "1e-3")
    assert found["retry", 1e-3]["goodput"] > 1.3 * found["end_to_end", 1e-3]["goodput"]


def test_without_cc_updates_the_credit_of_lost_cells_leaks():
    words = ("retry", "cbfc,cbfc_alone", "--links", "1", "--loss", "2e-3")
    found = simulated(*words)
    assert found["cbfc_alone", 2e-3]["goodput"] == pytest.approx(0.8, abs=0.01)
    assert found["cbfc_alone", 2e-3]["credits_recovered"] > 0 == found["cbfc", 2e-3]["credits_recovered"]
    silent = simulated(*words, "--cc-timer", "0")
    assert silent["cbfc_alone", 2e-3]["goodput"] < 0.4
    assert silent["cbfc", 2e-3]["goodput"] == pytest.approx(0.8, abs=0.01)
    assert {row["cc_updates"] for row in silent.values()} == {0}


def test_what_a_list_says_is_lost():
    words = ("--loss", "0", "--lost-cells", "100,101,900", "--lossless-return", "--stall-every", "0")
    words += "--links", "1"
    assert simulated("retry", "pfc", *words)["pfc", 0]["lost"] == 3
    again = simulated("retry", "retry", *words, "--vanish")["retry", 0]
    assert again["lost"] == 0 and again["replays"] in (2, 3)


def test_a_table_and_rows_for_spreadsheets():
    words = ("sim", "retry", "retry", "--loss", "1e-9,1e-2", *SHORT)
    said = sluice(*words).stdout
    assert [line.split()[:2] for line in said.splitlines()[-2:]] == [["1e-09", "retry"], ["1e-02", "retry"]]
    assert all(len(line) <= 80 for line in said.splitlines()[2:])
    rows = list(csv.DictReader(io.StringIO(sluice(*words, "--csv").stdout)))
    assert [float(row["loss"]) for row in rows] == [1e-9, 1e-2]
    assert sluice(*words, "--seed", "2").stdout != said == sluice(*words).stdout


@pytest.mark.parametrize("words, said", [
    (["retry", "hope"], "RECOVERY"),
    (["retry", "all", "--loss", "0.9"], "--loss"),
    (["retry", "all", "--lost-cells", "7,7"], "write each once, in order"),
    (["retry", "all", "--stall-for", "5000"], "write less than the 5000"),
    (["retry", "cbfc", "--vcs", "33"], "--vcs"),
    (["link", "credit", "--loss", "0.1"], "--loss"),
])
def test_words_that_do_not_fit_are_reported(words, said):
    done = sluice("sim", *words, check=False)
    assert done.returncode == 2 and done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith("sluice: ") and said in line, line
