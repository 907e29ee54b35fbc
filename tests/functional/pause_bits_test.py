"""Pause frames name priorities as frames have them on the wire, where the switch maps PCPs to other
priorities, or writes others."""

from frames import is_pause, of_priority, pause, times
from lab import Lab
from switch import sluice
from waiting import until, until_equal

LONGEST = 65535  # quanta: 34 s at 1M
HELD = 30  # frames of 1000 octets


def test_pauses_are_sent_and_obeyed_by_the_pcp_on_the_wire(lab: Lab, kind: str):
    switch, (one, two) = lab.build(
        kind, 2,
        defaults={"speed": "1M", "lossless": [3], "pcp_to_priority": [0, 1, 2, 3, 4, 3, 6, 7],
                  "remark": {"pcp": {"3": 5}}, "pfc": {
                      "xoff": "16KiB", "xon": "8KiB", "headroom": "64KiB", "response": 0,
                      "watchdog": {"action": "off"}}},
        fdb={"static": [{"address": "02:00:00:00:00:fe", "port": "p1"}]})
    first, second = lab.wires()
    row = switch.pfc("p1", 3)
    assert (row["bits_sent"], row["bits_received"]) == ([3, 5], [3, 5])
    second.send(pause(two.address, p5=LONGEST))
    until_equal(lambda: switch.pfc("p1", 3)["rx_pause"], 1, "a pause of PCP 5 holds priority 3")
    held = of_priority(one.address, 5, HELD, 1000, "02:00:00:00:00:fe")
    first.send(*held)
    until(lambda: switch.pfc("p0", 3)["pausing"], "the sender is paused")
    xoff = first.collect(lambda frames: any(map(is_pause, frames)), "an XOFF")[-1]
    assert set(times(xoff)) == {3, 5} and all(times(xoff).values()), times(xoff)
    assert second.pending() == []
    second.send(pause(two.address, p5=0))
    second.expect(*held)
    xon = first.collect(lambda frames: any(times(each)[5] == 0 for each in frames), "an XON")[-1]
    assert times(xon) == {3: 0, 5: 0}
    assert switch.drops() == {"mac_control": 2}


def test_numbers_that_contradict_each_other_are_refused(lab: Lab):
    switch = lab.make_switch([{"device": "null:"}, {"device": "null:"}], defaults={
        "lossless": [3], "pcp_to_priority": [0, 1, 2, 0, 4, 3, 6, 7],
        "dscp_to_priority": {"26": 3}})
    switch.write()
    refused = sluice("check", str(switch.file), check=False)
    assert refused.returncode == 2
    assert "a pause of 3 would hold both" in refused.stderr
    assert "pfc.bits.sent" in refused.stderr
