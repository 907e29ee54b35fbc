"""The recorder: bursts that a generator of the test's own writes into shared memory, found with their
start by the generator's clock, who fed them and what they cost; what is kept around a trigger; orders
and settings of it, good and bad."""

import contextlib
import csv
import io
import json
import os
import time
from typing import Iterator

import pytest

from browser import Browser
from frames import frame
from lab import Lab
from memif_client import Connected, client
from switch import STARTS, Switch, sluice
from waiting import until, until_equal
from web import LISTEN, get

HERE = "02:00:00:00:09:01"
THERE = "02:00:00:00:09:02"  # behind `out`
PLACES = 128
BURST = 64
OCTETS = 1000
MICROSECOND = 1000  # ns
RATE = 1_000_000_000
LONGEST_DISTANCE = (1 << 32) - 1  # ns, of two samples
RECORDER = {"enabled": True, "period": "1us", "depth": "8KiB", "triggers": ["depth"],
            "before": "100us", "after": "2ms"}


def switch_of(lab: Lab, recorder: dict = RECORDER, rate: str = "1G", **about) -> Switch:
    """Two feeders by memif, and a slow output that nothing has to be read from."""
    feeders = [{"name": name, "device": f"memif:{lab.folder / name}.sock"}
               for name in ("a", "b")]
    ports = [*feeders, {"name": "out", "device": "null:", "rate": rate}]
    return lab.make_switch(
        ports, workers={"idle": "poll"}, recorder=recorder,
        fdb={"static": [{"vlan": 1, "address": THERE, "port": "out"}]}, **about)


class Generator:
    """One feeder. Its clock is CLOCK_MONOTONIC."""

    def __init__(self, own):
        self.memif = Connected(own, places=PLACES)
        self.memif.tell_head(1, PLACES)  # room for pauses
        self.place = self.memif.head(0)
        self.head = 0

    def burst(self, frames: int, octets: bytes) -> tuple[int, int]:
        """Shows the switch all of them at once; when, at the earliest and at the latest, in ns."""
        for number in range(frames):
            self.memif.put((self.head + number) % PLACES, octets)
        self.head += frames
        clock, place, head = time.monotonic_ns, self.place, self.head & 0xFFFF
        until = clock() + 100 * MICROSECOND
        while clock() < until:  # what is to follow is in the cache, and this thread on its core
            pass
        before = clock()
        place.value = head
        return before, clock()


@contextlib.contextmanager
def generators(lab: Lab, *names: str) -> Iterator[list[Generator]]:
    with contextlib.ExitStack() as stack:
        yield [Generator(stack.enter_context(client(lab, f"{name}.sock"))) for name in names]


def leave_the_worker_alone(switch: Switch) -> None:
    """This thread, on the worker's core, would keep it from the burst for which it is to look."""
    cores = os.sched_getaffinity(0) - {row["core"] for row in switch.show("workers")}
    if cores:
        os.sched_setaffinity(0, cores)


@pytest.fixture(autouse=True)
def all_cores() -> Iterator[None]:
    cores = os.sched_getaffinity(0)
    yield
    os.sched_setaffinity(0, cores)


def launched(switch: Switch) -> None:
    switch.launch()
    until(lambda: sluice("--socket", switch.socket, "show", "version", check=False).returncode == 0,
          "it answers", STARTS)
    leave_the_worker_alone(switch)


def record(switch: Switch, *words: str, check: bool = True):
    return sluice("--socket", switch.socket, "record", *words, check=check)


def burst_since(switch: Switch, before: int) -> dict:
    """The first that began then, by the generator's clock, or in the poll that lasted then."""
    def found() -> list[dict]:
        return [one for one in switch.show("bursts")
                if one["start_ns"] + one["until_sample_ns"] >= before and not one["began_before"]]
    return until(found, "a burst is recorded")[0]


def feed(burst: dict) -> dict[str, int]:
    return {row["port"]: row["frames"] + row["dropped"] for row in burst["fed_by"]}


def payload(priority: int = 0) -> bytes:
    return frame(HERE, THERE, vlan=1, priority=priority, length=OCTETS)


def test_a_burst_of_64_frames_begins_when_its_generator_says(lab: Lab):
    """On a core that others use, too, samples may be far apart: then the record says so, and begins
    no earlier than the sample before; where the worker kept its core it is right to 2 us."""
    switch = switch_of(lab)
    launched(switch)
    punctual = []
    with generators(lab, "a") as (generator,):
        until_equal(lambda: switch.port("a")["link"], "up", "the link is up")
        for _ in range(200):
            before, after = generator.burst(BURST, payload())
            burst = burst_since(switch, before)
            assert (burst["port"], burst["priority"]) == ("out", 0)
            assert feed(burst) == {"a": BURST} and burst["frames"] == BURST
            assert burst["dropped"] == burst["marked"] == burst["xoffs"] == 0
            # A frame of a thousand octets for each has left meanwhile, but what was sent at once.
            assert OCTETS * BURST / 2 < burst["peak_bytes"] < 1.1 * (OCTETS + 256) * BURST
            late = burst["start_ns"] - after
            early = before - burst["start_ns"]
            if burst["since_sample_ns"] == LONGEST_DISTANCE:
                continue
            assert late < burst["since_sample_ns"] + 2 * MICROSECOND, burst
            assert early < burst["until_sample_ns"] + 2 * MICROSECOND, burst
            # The poll that receives it takes some tens of microseconds, from memory that is cold.
            if burst["since_sample_ns"] > 2 * MICROSECOND or after - before > 5 * MICROSECOND or \
                    burst["until_sample_ns"] > 100 * MICROSECOND:
                continue
            # As long as the shaper takes for what it did not let go at once.
            whole = BURST * (OCTETS + 24) * 8 * 1_000_000_000 / RATE
            if not burst["goes_on"]:
                assert 0.6 * whole < burst["length_ns"], burst
            punctual.append(max(late, early, 0))
            if len(punctual) == 10:
                break
    assert len(punctual) == 10, "the worker has its core for ten of two hundred bursts"
    assert max(punctual) <= 2 * MICROSECOND, punctual


def test_who_fed_a_burst_and_what_it_cost(lab: Lab):
    """Two feeders at once, for more than the queue holds; of another priority nothing waits."""
    switch = switch_of(lab, RECORDER | {"triggers": ["drop"]}, rate="100M",
                       buffer={"size": "64KiB", "alpha": 0.5})
    launched(switch)
    with generators(lab, "a", "b") as (first, second):
        until_equal(lambda: {switch.port(name)["link"] for name in "ab"}, {"up"}, "links are up")
        before, _ = first.burst(BURST, payload())
        second.burst(BURST // 2, payload())
        burst = burst_since(switch, before)
    assert burst["trigger"] == "drop"
    refused = {row["port"]: row["frames"] for row in switch.show("drops")
               if row["reason"] == "over_threshold"}
    assert sum(refused.values()) > 0
    # A part of the record may end while more comes; the sum over all bursts is what was counted.
    dropped: dict[str, int] = {}
    came: dict[str, int] = {}
    for one in switch.show("bursts"):
        for row in one["fed_by"]:
            dropped[row["port"]] = dropped.get(row["port"], 0) + row["dropped"]
            came[row["port"]] = came.get(row["port"], 0) + row["frames"]
    assert {port: frames for port, frames in dropped.items() if frames} == refused
    assert {port: came[port] + dropped[port] for port in came} == {"a": BURST, "b": BURST // 2}


def test_xoffs_belong_to_the_burst_that_made_them(lab: Lab):
    lossless = {"lossless": [3]}
    switch = switch_of(lab, RECORDER | {"triggers": ["xoff"]}, rate="100M", defaults=lossless,
                       buffer={"size": "1MiB"})
    switch.configuration["ports"][0]["pfc"] = {"xoff": "16KiB", "xon": "8KiB"}
    launched(switch)
    with generators(lab, "a") as (generator,):
        until_equal(lambda: switch.port("a")["link"], "up", "the link is up")
        before, _ = generator.burst(BURST, payload(priority=3))
        burst = burst_since(switch, before)
    assert (burst["trigger"], burst["priority"], burst["dropped"]) == ("xoff", 3, 0)
    sent = next(row["tx_pause"] for row in switch.show("pfc")
                if (row["port"], row["priority"]) == ("a", 3))
    assert burst["xoffs"] >= 1 and burst["xoffs"] <= sent
    assert [row["port"] for row in burst["fed_by"] if row["xoffs"]] == ["a"]
    recording = switch.show("recorder")["recordings"][0]
    assert (recording["port"], recording["priority"]) == ("a", 3)


def test_a_frame_that_waits_for_long_is_a_trigger(lab: Lab):
    """Of 64 frames at once, 80 us each, the last waits for some 5 ms."""
    switch = switch_of(lab, RECORDER | {"triggers": ["latency"], "latency": "2ms"}, rate="100M",
                       latency={"sample": 1})
    launched(switch)
    with generators(lab, "a") as (generator,):
        until_equal(lambda: switch.port("a")["link"], "up", "the link is up")
        before, _ = generator.burst(BURST, payload(priority=3))
        burst = burst_since(switch, before)
    assert (burst["trigger"], burst["port"], burst["priority"]) == ("latency", "out", 3)
    made = switch.show("recorder")["recordings"][0]
    assert (made["trigger"], made["priority"]) == ("latency", 3)
    assert made["value"] >= 2_000_000


def test_what_was_before_the_trigger_and_after_it_is_kept(lab: Lab):
    """By hand, with nothing going on; then with a burst shortly before it."""
    switch = switch_of(lab, RECORDER | {"triggers": [], "before": "50ms", "after": "1ms"})
    launched(switch)
    with generators(lab, "a") as (generator,):
        until_equal(lambda: switch.port("a")["link"], "up", "the link is up")
        before, _ = generator.burst(BURST, payload())
        until_equal(lambda: switch.port("out")["tx_frames"], BURST, "all left")
        record(switch, "trigger")
        made = until(lambda: switch.show("recorder")["recordings"], "it is recorded")
    assert [row["trigger"] for row in made] == ["hand"]
    dump = json.loads(record(switch, "dump", "--json").stdout)
    assert dump["recording"] == 1 and dump["before_ns"] == 50_000_000
    assert dump["after_ns"] >= 1_000_000
    paths = [dict(zip(dump["columns"], row)) for row in dump["rows"] if row[1] == "path"]
    assert sum(row["came"] for row in paths if row["input"] == "a") == BURST
    assert all(row["time_ns"] <= 0 for row in paths if row["came"]), "it was before the trigger"
    table = list(csv.DictReader(io.StringIO(record(switch, "dump", "1", "--csv").stdout)))
    assert [row["kind"] for row in table] == [row[1] for row in dump["rows"]]
    assert len(table) == dump["entries"] == made[0]["entries"]
    # Each sample says how far it is from the one before.
    samples = [dict(zip(dump["columns"], row)) for row in dump["rows"] if row[1] == "sample"]
    assert all(row["since_ns"] <= row["longest_ns"] for row in samples)


def test_it_is_started_stopped_and_started_again(lab: Lab):
    switch = switch_of(lab, RECORDER | {"enabled": False})
    launched(switch)
    refused = record(switch, "trigger", check=False)
    assert refused.returncode == 1 and "sluice record start" in refused.stderr
    refused = record(switch, "dump", check=False)
    assert refused.returncode == 1 and "no recording yet" in refused.stderr
    for number in (1, 2):
        record(switch, "start")
        record(switch, "trigger")
        until_equal(lambda: switch.show("recorder")["made"], number, "one more is made")
        record(switch, "stop")
        samples = switch.show("recorder")["samples"]
        assert samples > 0 and switch.show("recorder")["recording"] is False
        time.sleep(0.05)
        assert switch.show("recorder")["samples"] == samples, "none is taken"
    assert [row["recording"] for row in switch.show("recorder")["recordings"]] == [1, 2]
    refused = record(switch, "dump", "7", check=False)
    assert refused.returncode == 2 and "numbers are 1 to 2" in refused.stderr
    assert any(row["kind"] == "burst_recorded" for row in switch.show("events"))


def test_the_page_draws_a_burst_with_its_inputs(lab: Lab):
    switch = switch_of(lab, rate="100M", metrics=LISTEN)
    launched(switch)
    with generators(lab, "a", "b") as (first, second):
        until_equal(lambda: {switch.port(name)["link"] for name in "ab"}, {"up"}, "links are up")
        before, _ = first.burst(BURST, payload())
        second.burst(BURST, payload())
        until(lambda: burst_since(switch, before), "it is recorded")
    browser = Browser(lab.namespace)
    try:
        browser.open(f"http://{LISTEN['listen']}/")
        until(lambda: browser.value("document.querySelector('#bursts') !== null"), "it is there")
        browser.value("document.querySelector('#bursts').scrollIntoView()")
        until(lambda: browser.value("document.querySelectorAll('[data-burst]').length") >= 1,
              "it is listed", 30)
        browser.value("[...document.querySelectorAll('[data-burst]')].at(-1).click()")
        drawn = until(lambda: browser.value("[...document.querySelectorAll('#burst-picture polygon')]"
                                            ".map((each) => each.dataset.source).sort()"),
                      "it is drawn", 30)
        assert "a" in drawn and "behind the VOQs" in drawn
        assert "out, priority 0" in browser.text("#burst-picture")
        assert browser.complaints == []
    finally:
        browser.close()
    answer = get(lab.namespace, "/api/recording/1")
    assert answer.status == 200 and json.loads(answer.text)["recording"] == 1
    assert get(lab.namespace, "/api/recording/99").status == 404
    assert get(lab.namespace, "/api/recording/1?to=3").status == 400
    assert get(lab.namespace, "/api/recording/x").status == 404
    metrics = get(lab.namespace, "/metrics").text
    assert "sluice_recorder_recordings_total" in metrics


def test_settings_hold_from_where_they_are_applied(lab: Lab):
    switch = switch_of(lab, RECORDER | {"enabled": False})
    launched(switch)
    switch.write(recorder=RECORDER | {"ports": ["out"], "priorities": [0], "period": "20us"})
    sluice("--socket", switch.socket, "apply", str(switch.file))
    shown = switch.show("recorder")
    assert shown["recording"] is True and shown["period_ns"] == 20_000
    switch.write(recorder=RECORDER | {"enabled": False})
    sluice("--socket", switch.socket, "apply", str(switch.file))
    assert switch.show("recorder")["recording"] is False


@pytest.mark.parametrize("wrong,why", [
    ({"period": 0}, "recorder.period"),
    ({"period": "1s"}, "recorder.period"),
    ({"memory": "2GiB"}, "recorder.memory"),
    ({"memory": "4KiB"}, "recorder.memory"),
    ({"triggers": ["flood"]}, "recorder.triggers"),
    ({"ports": ["nobody"]}, "recorder.ports"),
    ({"priorities": [8]}, "recorder.priorities"),
    ({"latency": "5us"}, "recorder.latency"),
    ({"keep": 0}, "recorder.keep")])
def test_what_cannot_be_is_refused_with_its_key(lab: Lab, wrong: dict, why: str):
    switch = switch_of(lab, RECORDER | wrong)
    switch.write()
    checked = sluice("check", str(switch.file), check=False)
    assert checked.returncode == 2
    assert why in checked.stderr and ";" in checked.stderr, checked.stderr


@pytest.mark.parametrize("words", [["begin"], ["start", "3"], ["trigger", "--csv"], ["dump", "0"],
                                   ["dump", "--csv", "--json"]])
def test_words_that_mean_nothing_are_refused(lab: Lab, words: list[str]):
    assert sluice("record", *words, check=False).returncode == 2
