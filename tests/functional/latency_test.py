"""How long frames are in the switch, as `sluice show latency`, metrics and the page's source say."""

import re
import time

from frames import of_priority, pause
from lab import Lab
from waiting import until
from web import LISTEN, get

LONGEST = 65535  # quanta: 34 s at 1M
HELD = 0.3  # seconds, at least


def row(switch, priority: int) -> dict:
    rows = switch.show("latency")["priorities"]
    return next((each for each in rows if each["priority"] == priority), {"frames": 0})


def test_a_pause_is_seen_in_how_long_its_priority_waits(lab: Lab):
    switch, (one, two) = lab.build(
        "af_packet", 2, metrics=LISTEN, latency={"sample": 1},
        defaults={"speed": "1M", "lossless": [3], "pfc": {"response": 0}})
    first, second = lab.wires()
    sent = of_priority(one.address, 5, 8)
    first.send(*sent)
    second.expect(*sent)
    until(lambda: row(switch, 5)["frames"] == 8, "each frame is timed")

    second.send(pause(two.address, p3=LONGEST))
    until(lambda: switch.pfc("p1", 3)["rx_pause"] == 1, "the pause is received")
    held = of_priority(one.address, 3, 4)
    first.send(*held)
    until(lambda: switch.waiting() == 4, "they wait")
    time.sleep(HELD)
    second.send(pause(two.address, p3=0))
    second.expect(*held)
    until(lambda: row(switch, 3)["frames"] == 4, "each frame is timed")

    shown = switch.show("latency")
    assert (shown["sample"], shown["lost"]) == (1, 0)
    paused = row(switch, 3)
    assert paused["max_ns"] >= HELD * 1e9
    assert paused["p50_ns"] >= HELD * 1e9 and paused["p999_ns"] <= paused["max_ns"] * 1.25
    assert paused["sum_ns"] >= 4 * HELD * 1e9
    table = switch.command("show", "latency").stdout
    assert re.search(r"^ *PRIORITY +TIMED +MEAN +P50 +P99 +P99\.9 +MAX$", table, re.M), table
    assert re.search(r"^ +3 +4 ", table, re.M), table

    metrics = get(switch.namespace, "/metrics").text
    assert 'sluice_latency_seconds_count{priority="3"} 4\n' in metrics
    assert 'sluice_latency_seconds_bucket{priority="3",le="0.268435456"} 0\n' in metrics
    assert 'sluice_latency_seconds_bucket{priority="3",le="+Inf"} 4\n' in metrics

    switch.command("clear", "counters")
    assert switch.show("latency")["priorities"] == []
    switch.apply(latency={"sample": 0})
    more = of_priority(one.address, 3, 8)
    first.send(*more)
    second.expect(*more)
    assert switch.show("latency") == {"sample": 0, "lost": 0, "priorities": []}
    assert "Off: latency.sample is 0." in switch.command("show", "latency").stdout
