"""Headroom: as much as speed, cable and response need, by `sluice calc` as by the switch; less is
refused, and a peer that needs more than there is loses frames by name."""

import json
import pathlib

import pytest

from frames import of_priority, pause
from lab import Lab
from switch import USUAL_BUFFER, sluice
from waiting import until, until_equal

FRAME = 1500 + 22  # the longest: header and two tags


def calculated(speed: str, cable: str, response: str, cell: int) -> int:
    done = sluice("calc", "headroom", "--speed", speed, "--cable", cable, "--response", response,
                  "--mtu", str(FRAME), "--cell", str(cell), "--json")
    return json.loads(done.stdout)["result"]


def checked(folder: pathlib.Path, **port) -> tuple[int, str]:
    """What `sluice check` says of a file with one lossless port."""
    file = folder / "checked.yaml"
    file.write_text(json.dumps({"ports": [{"device": "null:", "lossless": [3], **port}]}))
    done = sluice("check", str(file), check=False)
    return done.returncode, done.stdout + done.stderr


# --- how much -------------------------------------------------------------------------------------

LINKS = [("10M", "5m", "0"), ("10G", "5m", "20us"), ("25G", "300m", "10us"),
         ("100G", "300m", "1us")]


@pytest.mark.parametrize("cell", [1, 256])
def test_the_switch_sets_aside_what_the_command_line_works_out(lab: Lab, cell):
    links = [{"device": "null:", "lossless": [3], "speed": speed,
              "pfc": {"cable": cable, "response": int(response) if response == "0" else response}}
             for speed, cable, response in LINKS]
    switch = lab.make_switch(links, buffer={"size": "4MiB", "cell": cell}).start()
    shown = [row["headroom_bytes"] for row in switch.show("pfc")]
    assert shown == [calculated(*link, cell) for link in LINKS]
    assert len(set(shown)) == len(shown)
    groups = switch.show("buffer", all=True)["groups"]
    assert [row["headroom_bytes"] for row in groups if row["lossless"]] == shown


def test_what_is_set_aside_is_not_shared(lab: Lab):
    """Of each lossless group: its headroom, and the frame that reaches XOFF in whole cells."""
    switch = lab.make_switch([{"device": "null:", "lossless": [3, 4]}] * 2,
                             buffer=USUAL_BUFFER).start()
    headroom = calculated("10G", "5m", "20us", 256)
    pool = switch.show("buffer")["pool"]
    assert pool["size_bytes"] == 16 * 1024 * 1024 - 4 * (headroom + 6 * 256)


# --- too little -----------------------------------------------------------------------------------

@pytest.mark.parametrize("speed, cable, response", [link for link in LINKS if link[2] != "0"])
def test_less_than_the_link_needs_is_refused_with_figures(tmp_path, speed, cable, response):
    due = calculated(speed, cable, response, 256)
    about = {"speed": speed, "pfc": {"cable": cable, "response": response}}
    about["pfc"]["headroom"] = due - 1
    status, said = checked(tmp_path, **about)
    assert status == 2 and said.count("\n") == 1
    assert "ports[0].pfc.headroom: " in said and f"{due - 1}B is below the {due // 1024}KiB" in said
    assert f"that {speed} over {cable} with a response of {response} needs" in said
    assert f"; write {due // 1024}KiB or more" in said

    about["pfc"]["headroom"] = due
    status, said = checked(tmp_path, **about)
    assert status == 0, said


def test_a_quick_peer_may_have_less(tmp_path):
    status, said = checked(tmp_path, pfc={"headroom": "16KiB"})
    assert status == 2 and "or a shorter pfc.response if the peer is that quick" in said
    assert checked(tmp_path, pfc={"headroom": "16KiB", "response": 0})[0] == 0


def test_less_is_refused_by_a_running_switch_too(lab: Lab):
    switch = lab.make_switch([{"device": "null:", "lossless": [3]}]).start()
    before = switch.pfc("p0", 3)["headroom_bytes"]
    done = switch.apply(check=False, defaults={"pfc": {"headroom": "1KiB"}})
    assert done.returncode == 2 and "pfc.headroom: 1KiB is below the" in done.stderr
    assert switch.pfc("p0", 3)["headroom_bytes"] == before


# --- overrun --------------------------------------------------------------------------------------

TIGHT = {"xoff": "16KiB", "xon": "8KiB", "headroom": "16KiB", "response": 0}


def test_who_does_not_obey_overruns_the_headroom(lab: Lab, kind: str):
    lab.add_hosts(2)
    ports = lab.ports(kind, lossless=[3], pfc=TIGHT)
    ports[1]["rate"] = "10M"
    switch = lab.make_switch(ports).start()
    first, second = lab.wires()
    first.send(*of_priority(lab.hosts[0].address, 3, 150, length=1000))
    ledger = switch.settled(received=150)

    lost = switch.drops("p0")["headroom_overrun"]
    assert switch.drops() == {"headroom_overrun": lost}
    assert len(second.pending()) == 150 - lost
    assert 50 < lost <= 150 - 32 and ledger["dropped"] == lost

    def reports_of_all() -> list[dict]:
        reports = [event for event in switch.show("events") if event["kind"] == "headroom_overrun"]
        frames = [int(event["text"].split(" frame(s) ")[0]) for event in reports]
        return reports if sum(frames) == lost else []
    # Usually one; what is lost after a look that found the first of them is reported 10 s later.
    for event in until(reports_of_all, "the loss is reported", 20):
        assert event["port"] == "p0" and "raise it" in event["text"]


def test_the_headroom_is_used_to_its_last_cell_and_no_further(lab: Lab, kind: str):
    """The output stands, with 8 KiB in front of it. XOFF and the headroom are 16 frames each, and
    the next one is too many, unless the output has taken one in the meantime."""
    switch, (one, two) = lab.build(kind, 2, defaults={"speed": "10M", "lossless": [3],
                                                      "pfc": TIGHT})
    first, second = lab.wires()
    second.send(pause(two.address, p3=65535))
    until_equal(lambda: switch.pfc("p1", 3)["rx_pause"], 1, "the pause is received")
    sent = of_priority(one.address, 3, 60, length=1000)
    first.send(*sent)
    until_equal(lambda: switch.port("p0")["rx_frames"], 60, "all are in")
    held = switch.waiting()
    assert 32 <= held <= 32 + 8
    row = switch.pfc("p0", 3)
    assert row["headroom_used_max"] == row["headroom_bytes"] == 16 * 1024
    assert switch.drops("p0") == {"headroom_overrun": 60 - held}

    second.send(pause(two.address, p3=0))
    received = second.collect(lambda received: len(received) == held, "what was held")
    assert received[:32] == sent[:32]
    assert received == [frame for frame in sent if frame in received], "in order, each once"
    assert switch.settled()["dropped"] == 60 - held + 2
