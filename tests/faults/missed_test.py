"""Frames that nobody took from the device in time: how a port that may lose none reports them."""

import signal

from frames import BROADCAST, frame
from lab import Lab
from waiting import until

FRAMES = 20_000  # more than any ring holds


def events(switch) -> list[dict]:
    return [row for row in switch.show("events") if row["kind"] == "missed"]


def lose(switch, host) -> int:
    """Frames come while the switch is held; returns how many its device lost."""
    wire = host.wire()
    before = switch.port(host.port)["device_counters"]["missed"]
    switch.process.signal(signal.SIGSTOP)
    wire.send(*[frame(host.address, BROADCAST, length=60)] * FRAMES)
    switch.process.signal(signal.SIGCONT)
    return until(lambda: switch.port(host.port)["device_counters"]["missed"] - before,
                 "the device lost some")


def test_a_lossless_port_whose_device_loses_frames_says_so(lab: Lab):
    switch, (one, two) = lab.build("af_packet", 2, defaults={"lossless": [3]})
    lose(switch, one)
    [event] = until(lambda: events(switch), "it is told of")
    assert event["port"] == "p0"
    assert "frame(s) lost in the device" in event["text"]
    assert "p0: " in switch.process.errors() and "raise rx_descriptors" in switch.process.errors()


def test_a_port_that_may_lose_says_nothing(lab: Lab):
    one, two = lab.add_hosts(2)
    ports = lab.ports("af_packet")
    ports[1]["lossless"] = [3]
    switch = lab.make_switch(ports).start()
    lose(switch, one)
    lose(switch, two)
    later = until(lambda: events(switch), "the other is told of")
    assert [event["port"] for event in later] == ["p1"]
