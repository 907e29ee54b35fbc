"""The topology page, in a browser: three switches in a row, whose far host pauses, are one picture
and one tree from who is paused to the port that began it; one that is killed is shown as gone,
one that does not allow it is not read; drops and mismatches show at their ports as they come."""

import json
import os
import pathlib
import signal
from typing import Iterator, Optional

import pytest

from browser import Browser
from frames import frame, lldp, of_priority
from lab import Lab
from slow_receiver import EACH, Stuck
from switch import Switch
from tunnels import cable
from waiting import until, until_equal

NAMES = ("leaf1", "spine", "leaf2")
# Each in a namespace of its own, on a network to the browser's; or all in one.
APART = {name: f"http://192.0.2.{4 * at + 2}:9475" for at, name in enumerate(NAMES)}
TOGETHER = {name: f"http://127.0.0.1:{9475 + at}" for at, name in enumerate(NAMES)}


def metrics(urls: dict[str, str], name: str, *allow: str) -> dict:
    """One list of switches does for all of them."""
    return {"listen": urls[name].removeprefix("http://"),
            "topology": [{"name": other, "url": url} for other, url in urls.items()],
            "allow": [urls[other] for other in allow]}


@pytest.fixture
def browser(lab: Lab) -> Iterator[Browser]:
    browser = Browser(lab.namespace)
    yield browser
    browser.close()


DEFAULTS = {"speed": "10M", "rate": "10M", "lossless": [3], "pfc": {
    "xoff": "16KiB", "xon": "8KiB", "headroom": "64KiB", "response": 0, "watchdog": {"action": "off"}}}
STRAY = "02:00:00:00:0b:ad"  # the spine has it behind the port that leads to leaf1


class Row:
    """h1 -- leaf1 -- spine -- leaf2 -- h9, which does not resume."""

    def __init__(self, lab: Lab):
        spaces = {name: lab.make_namespace(name) for name in NAMES}
        for at, (name, space) in enumerate(spaces.items()):
            space.ip("link", "add", "mgmt", "type", "veth", "peer", "name", name, "netns",
                     lab.namespace.name)
            for where, device, last in ((space, "mgmt", 2), (lab.namespace, name, 1)):
                where.ip("address", "add", f"192.0.2.{4 * at + last}/30", "dev", device)
                where.ip("link", "set", device, "up")
        self.first, self.last = (lab.add_host("p0", spaces["leaf1"]),
                                 lab.add_host("p1", spaces["leaf2"]))
        cable(spaces["leaf1"], "up1", spaces["spine"], "down1", mtu=1500)
        cable(spaces["spine"], "down2", spaces["leaf2"], "up2", mtu=1500)
        self.switches = {}
        for name, inner, outer in zip(NAMES, ("p0", "down1", "up2"), ("up1", "down2", "p1")):
            self.switches[name] = lab.make_switch(
                [{"name": port, "device": f"af_packet:{port}"} for port in (inner, outer)],
                spaces[name], lldp={"enabled": True, "system_name": name},
                metrics=metrics(APART, name, "leaf1"),
                recorder={"enabled": True, "triggers": ["xoff"], "after": "1ms"},
                defaults=DEFAULTS, fdb={"static": [
                    {"address": self.last.address, "port": outer},
                    *([{"address": STRAY, "port": inner}] if name == "spine" else [])]})
            self.switches[name].launch()
        for switch in self.switches.values():
            switch.until_ready()
        self.last.wire().send(lldp(self.last.address, "h9", name=b"h9"))
        self._stuck: Optional[Stuck] = None

    def fill(self) -> None:
        """h9 pauses, until the pause has gone the whole way back."""
        self._stuck = Stuck(self.last)
        until(lambda: self.switches["leaf2"].pfc("p1", 3)["rx_pause"] > 0, "the pause is received")
        wire = self.first.wire()
        for name, port in (("leaf2", "up2"), ("spine", "down1"), ("leaf1", "p0")):
            wire.send(*of_priority(self.first.address, 3, EACH, 1000, self.last.address))
            until(lambda: self.switches[name].pfc(port, 3)["pausing"], f"{name} pauses")

    def close(self) -> None:
        if self._stuck:
            self._stuck.end()


@pytest.fixture
def row(lab: Lab) -> Iterator[Row]:
    row = Row(lab)
    yield row
    row.close()


def document(browser: Browser) -> dict:
    return json.loads(browser.text("#json") or "{}")


def ports(pauses: list[dict]) -> list[str]:
    return [f"{one['switch']} {one['port']}" for one in pauses]


def way(tree: dict) -> list[str]:
    """The ports along the first branch, the last of them where it began."""
    found = ports([tree])
    return found + (way(tree["because"][0]) if tree["because"] else [])


def state(browser: Browser, name: str) -> dict:
    return next(one for one in document(browser)["switches"] if one["name"] == name)


def test_pauses_are_followed_to_the_port_that_began_them(row: Row, browser: Browser):
    row.fill()
    browser.resize(1280)
    browser.open(f"{APART['leaf1']}/topology")
    whole = ["leaf1 p0", "spine down1", "leaf2 up2", "leaf2 p1"]
    until_equal(lambda: [way(tree) for tree in document(browser).get("trees", [])], [whole],
                "there is one tree, and it is whole", 30)
    [tree] = document(browser)["trees"]
    assert ports(tree["began"]) == ["leaf2 p1"] and tree["began"][0]["kind"] == "received"
    assert tree["began"][0]["peer"]["outside"] == "h9"
    assert document(browser)["loops"] == []
    assert {name for name in NAMES if state(browser, name)["answers"]} == set(NAMES)
    links = document(browser)["links"]
    assert [ports(link["ends"]) for link in links] == [["leaf1 up1", "spine down1"],
                                                       ["leaf2 up2", "spine down2"]]
    assert all(link["seen"] == [True, True] and link["faults"] == [] for link in links)
    # In words, and as a picture.
    assert "h9 1 pauses leaf2 p1" in browser.text("#trees li[data-began=true]")
    arrows = browser.value("[...document.querySelectorAll('#map .pause')].map((each) => "
                           "[each.dataset.from, each.dataset.to].join(' to ')).sort()")
    assert arrows == ["h9 to leaf2 p1", "leaf1 p0 to its peer", "leaf2 up2 to spine down2",
                      "spine down1 to leaf1 up1"]
    assert browser.text("#live") == "all answer"
    browser.press(" ")
    until_equal(lambda: browser.text("#live"), "held", "it is held")
    line = "document.querySelector('#map .link line').getAttribute('stroke')"
    light = browser.value(line)
    browser.press("t")
    until(lambda: browser.value(line) != light, "what is held has the colours of the theme")
    browser.press("t")
    browser.press(" ")
    until_equal(lambda: browser.text("#live"), "all answer", "it goes on")
    # Where it began, whom that holds up, and the burst with which it did.
    head = until(lambda: next((one for one in document(browser)["heads"] if one["burst"]), None),
                 "the head of the tree is told of, with its burst", 20, interval=0.2)
    assert ports([head]) == ["leaf2 p1"] and head["holds"] == 3
    assert head["peer"]["outside"] == "h9" and head["priority"] == 3
    burst = head["burst"]
    assert burst["xoffs"] > 0 and [feeder["port"] for feeder in burst["fed_by"]] == ["up2"]
    [recorded] = [each for each in row.switches["leaf2"].show("bursts")
                  if (each["recording"], each["at"]) == (burst["recording"], burst["at"])]
    assert (recorded["port"], recorded["peak_bytes"]) == ("p1", burst["peak_bytes"])
    said = browser.text("#alerts")
    assert "3 ports pause their peers because of leaf2 p1, priority 3: h9 1 pauses it" in said
    assert f"It began with a burst at {burst['at'].replace('T', ' ')[:-1]} UTC" in said
    if folder := os.environ.get("SLUICE_PICTURES"):
        browser.resize(1000, 700)
        pathlib.Path(folder, "topology.png").write_bytes(browser.window().octets)
    # Nobody else is asked, and nothing is refused by the page's own policy.
    assert browser.complaints == []
    assert all(url.startswith(tuple(APART.values())) for url in browser.requested)

    row.switches["leaf2"].process.signal(signal.SIGKILL)
    until(lambda: not state(browser, "leaf2")["answers"], "leaf2 is gone", 20, interval=0.2)
    assert state(browser, "leaf2")["why"] == "does not answer"
    assert state(browser, "leaf2")["received_at"] < document(browser)["at"]
    assert browser.value("document.querySelector('[data-switch=leaf2]').dataset.gone") == "true"
    assert ["leaf2 does not answer"] in [link["faults"] for link in document(browser)["links"]]
    assert browser.text("#live") == "1 of 3 do not answer"
    row.switches["leaf2"].start()
    until_equal(lambda: browser.text("#live"), "all answer", "it is back", 30)


def test_drops_and_mismatches_show_where_and_while_they_are(row: Row, browser: Browser):
    browser.resize(1280)
    browser.open(f"{APART['leaf1']}/topology")
    until(lambda: [link["faults"] for link in document(browser).get("links", [])] == [[], []],
          "two links, and nothing wrong", 30, interval=0.2)
    stray = dict(switch="spine", port="down1", side="ingress", reason="same_port",
                 peer={"switch": "leaf1", "port": "up1"})

    def drops() -> list[dict]:
        return [{key: drop[key] for key in (*stray, "frames")} for drop in document(browser)["drops"]
                if drop["reason"] == "same_port"]
    assert drops() == []
    # What the leaf sends to the spine, which would have to send it back.
    wire = row.first.wire()
    wire.send(*(frame(row.first.address, STRAY) for _ in range(3)))
    until_equal(drops, [{**stray, "frames": 3}], "three are dropped", 20)
    wire.send(frame(row.first.address, STRAY))
    until_equal(drops, [{**stray, "frames": 4}], "and a fourth", 20)
    # In words, and at that end of that link.
    assert "spine down1leaf1 up1ingresssame_port4" in browser.text("#drop-table")
    assert browser.value("[...document.querySelectorAll('#map .link [data-dropped]')].map((each) => "
                         "[each.closest('.link').dataset.link, each.dataset.dropped, "
                         "each.textContent])") == [
        ["leaf1 up1 spine down1", "spine down1", "4 dropped"]]

    row.switches["spine"].apply(defaults={**DEFAULTS, "lossless": [3, 4]})
    def faults() -> list[list[str]]:
        return [sorted(link["faults"]) for link in document(browser)["links"]]
    until_equal(faults, [[f"DCBX of {leaf}: pfc differs", "DCBX of spine: pfc differs",
                          "lossless: 3 and 3 4"] for leaf in ("leaf1", "leaf2")],
                "both ends of both links say so", 20)
    assert "pfc differs" in browser.text("#link-table .badge.bad")
    assert browser.value("document.querySelectorAll('#map .link.faulty').length") == 2
    row.switches["spine"].apply(defaults=DEFAULTS)
    until_equal(faults, [[], []], "it is over", 20)
    assert browser.value("document.querySelectorAll('#map .link.faulty').length") == 0


def ring_switch(lab: Lab, name: str, *allow: str) -> Switch:
    return lab.make_switch([{"device": f"ring:{name}"}],
                           lldp={"enabled": True, "system_name": name},
                           metrics=metrics(TOGETHER, name, *allow)).start()


def test_a_page_that_is_opened_by_another_name_shows_its_switch_once(lab: Lab, browser: Browser):
    by_name = TOGETHER["leaf1"].replace("127.0.0.1", "localhost")
    lab.make_switch([{"device": "ring:leaf1"}], lldp={"enabled": True, "system_name": "leaf1"},
                    metrics={**metrics(TOGETHER, "leaf1"), "allow": [by_name]}).start()
    browser.open(f"{by_name}/topology")
    until(lambda: document(browser) and state(browser, "leaf1 (this)")["same_as"] == "leaf1",
          "they are known for one", 20)
    assert browser.value("document.querySelectorAll('#map .switch').length") == len(NAMES)
    assert "the same as leaf1" in browser.text("#switch-table")


def test_only_who_is_allowed_reads_a_switch(lab: Lab, browser: Browser):
    ring_switch(lab, "leaf1", "spine")
    spine = ring_switch(lab, "spine")
    browser.open(f"{TOGETHER['leaf1']}/topology")
    until(lambda: document(browser) and state(browser, "leaf1")["answers"], "it shows itself", 30)
    until(lambda: state(browser, "spine") and any(
        "Access-Control-Allow-Origin" in said and TOGETHER["spine"] in said
        for said in browser.complaints), "the browser has asked it, and keeps what it answered", 20)
    assert not state(browser, "spine")["answers"]
    assert state(browser, "spine")["why"] == "has not answered yet"
    assert f"metrics.allow does not name {TOGETHER['leaf1']}" in browser.text("#silent")
    # `metrics.allow` takes effect without a restart, and revoking it ends streams that are open.
    spine.apply(metrics=metrics(TOGETHER, "spine", "leaf1"))
    until(lambda: state(browser, "spine")["answers"], "the browser may read it", 20)
    assert browser.text("#switch-table tr:nth-child(2) td") == "spine"
    assert state(browser, "leaf2")["why"] == "has not answered yet"
    spine.apply(metrics=metrics(TOGETHER, "spine"))
    until(lambda: not state(browser, "spine")["answers"], "it may no more", 20)
