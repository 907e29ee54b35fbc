"""Examples of tests with a bed of rings; copy what you need."""

import os
import pathlib

import pytest

from ring_bed import RingBed, switches_in_a_row

# Folder of the examples: that of the package, or SLUICE_EXAMPLES.
EXAMPLES = pathlib.Path(os.environ.get("SLUICE_EXAMPLES", "/usr/share/doc/sluice/examples"))


@pytest.mark.parametrize("scenario, stations", [("a", 2), ("b", 4), ("c", 4)])
def test_a_scenario_loses_nothing_that_is_lossless(ring_bed: RingBed, scenario, stations):
    found = ring_bed.run((EXAMPLES / f"scenario-{scenario}.yaml").read_text())
    assert found["ports"] == stations and found["ledger_balanced"]
    assert found["lost"] == 0 and found["offered"] == found["delivered"] > 0


@pytest.mark.parametrize("switches", [1, 3])
def test_pauses_hold_a_row_of_switches_from_end_to_end(ring_bed: RingBed, switches):
    found = ring_bed.run(switches_in_a_row(switches))
    assert found["ports"] == 4 and found["ledger_balanced"] and found["lost"] == 0
    assert found["pfc_sent"] > 0, "the slow station was felt by those who send"
    *_, lossy = found["phases"]
    assert lossy["lost"] == sum(lossy["drops"].values()), "what is lossy is lost by name"


def test_a_switch_is_told_what_is_wrong_with_it(ring_bed: RingBed):
    with pytest.raises(AssertionError, match="bed.yaml:.*lossles"):
        ring_bed.run(switches_in_a_row(1, more="lossles: [3]"))
