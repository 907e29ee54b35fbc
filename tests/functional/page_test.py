"""The web page, in a browser: an incast is seen on it as it is, live, held, light and dark, from a
telephone's width to a wall's, and nothing is asked of anybody else. With SLUICE_PICTURES=FOLDER the
screenshots are kept."""

import os
import pathlib
from typing import Iterator

import pytest

from browser import Browser, Picture
from frames import lldp
from lab import Lab
from slow_receiver import slow_receiver
from switch import Switch
from waiting import until, until_equal
from web import LISTEN

ADDRESS = f"http://{LISTEN['listen']}/"


@pytest.fixture
def incast(lab: Lab) -> Iterator[Switch]:
    with slow_receiver(lab) as (switch, _):
        yield switch


@pytest.fixture
def browser(lab: Lab) -> Iterator[Browser]:
    browser = Browser(lab.namespace)
    yield browser
    browser.close()


def look(browser: Browser, width: int = 1280) -> None:
    browser.resize(width)
    browser.open(ADDRESS)
    until(lambda: browser.text("#live") == "live" and
          browser.value("document.querySelectorAll('svg .because').length") > 0 and
          browser.value("document.querySelectorAll('.pause').length") == 3,
          "the page shows the incast", 30, interval=0.2)


def keep(picture: Picture, name: str) -> None:
    if folder := os.environ.get("SLUICE_PICTURES"):
        pathlib.Path(folder, f"{name}.png").write_bytes(picture.octets)


def hexadecimal(browser: Browser, name: str) -> tuple[int, ...]:
    text = browser.value(
        f"getComputedStyle(document.documentElement).getPropertyValue('--{name}').trim()")
    return tuple(int(text[at:at + 2], 16) for at in (1, 3, 5))


def middle(browser: Browser, selector: str) -> tuple[float, float]:
    box = browser.place(selector)
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def lanes(picture: Picture, browser: Browser) -> dict[str, str]:
    """By port: what of pauses is at the newest end of its lane."""
    box, found = browser.place("#pause-lines"), {}
    for number in range(4):
        for name, down in (("rx-pause", -4), ("tx-pause", 4)):
            here = picture.pixel(box["x"] + box["width"] - 6, box["y"] + 30 * number + 15 + down)
            if here == hexadecimal(browser, name):
                found[f"p{number}"] = name
    return found


def test_who_pauses_whom_is_seen(incast: Switch, browser: Browser):
    look(browser)
    causes = browser.value("[...document.querySelectorAll('svg .because')].map((each) => "
                           "each.dataset.input + ' ' + each.dataset.output).sort()")
    assert causes == ["p0 p2", "p1 p2"]
    assert browser.value("[...document.querySelectorAll('.pause.tx-pause')].map((each) => "
                         "each.dataset.port).sort()") == ["p0", "p1"]
    assert browser.value("document.querySelector('.pause.rx-pause').dataset.port") == "p2"
    waits = browser.value("[...document.querySelectorAll('svg .waits')].map((each) => "
                          "each.dataset.input + ' ' + each.dataset.output).sort()")
    assert waits == ["p0 p2", "p1 p2"]
    assert "p2" in browser.text("#voq-said")
    assert browser.text("#fdb").count("static") == 4
    assert "lldp" not in browser.text("#live")
    assert "started" in browser.text("#event-list")
    about = incast.show("version")
    said = browser.text("#version")
    assert all(about[key] in said for key in ("version", "commit", "dpdk", "cpu_level", "kernel", "host"))
    assert about["up_since"][:19].replace("T", " ") in said
    assert browser.value("document.title") == f"{about['host']} - Sluice"
    assert browser.complaints == []
    assert browser.requested and all(url.startswith(ADDRESS) for url in browser.requested)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_its_pixels_are_what_it_means(incast: Switch, browser: Browser, dark: bool):
    look(browser)
    if browser.value("document.documentElement.dataset.theme") == "light" and dark:
        browser.press("t")
    until(lambda: browser.value("document.documentElement.dataset.theme") ==
          ("dark" if dark else "light"), "the theme is the wanted one")
    until(lambda: browser.value("document.querySelectorAll('.pause').length") == 3 and
          lanes(browser.picture(), browser) == {"p0": "tx-pause", "p1": "tx-pause", "p2": "rx-pause"},
          "the last seconds are on the lanes", 30, interval=1)
    browser.press(" ")  # so that it does not change between two looks
    until_equal(lambda: browser.text("#live"), "held", "it is held")
    picture = browser.picture()
    keep(picture, "dark" if dark else "light")
    assert picture.pixel(4, picture.height - 4) == hexadecimal(browser, "back")
    box = browser.place(".group[data-port=p0] rect.held")  # XON stands in its middle
    assert picture.pixel(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2) == hexadecimal(browser, "held")
    x, y = middle(browser, ".pause.tx-pause line")
    near = {picture.pixel(x + across, y + down) for across in (-8, 0) for down in (-1, 0, 1)}
    assert hexadecimal(browser, "tx-pause") in near
    # In the map the pair that waits is not as one that does not.
    box = browser.place("#voq-map")
    size = (box["width"] - 2 - 26) / 4  # names of two letters take 26
    row, column = 0, 2
    busy = picture.pixel(box["x"] + 26 + (column + 0.5) * size, box["y"] + 26 + (row + 0.5) * size)
    idle = picture.pixel(box["x"] + 26 + 0.5 * size, box["y"] + 26 + (row + 0.5) * size)
    assert idle == hexadecimal(browser, "faint") and sum(
        abs(one - other) for one, other in zip(busy, idle)) > 150
    assert browser.complaints == []


def test_it_fits_every_screen(incast: Switch, browser: Browser):
    for width in (360, 390, 768, 1280, 1920, 2560):
        look(browser, width)
        assert browser.value("document.documentElement.scrollWidth") <= width
        picture = browser.picture()
        keep(picture, str(width))
        assert picture.width == width and picture.colours() > 20
        # No section is beyond the edge or of no height.
        boxes = browser.value("[...document.querySelectorAll('section')].map((each) => "
                              "[each.getBoundingClientRect().right, each.offsetHeight])")
        assert len(boxes) == 11, width
        assert all(right <= width and height > 40 for right, height in boxes), (width, boxes)
        # Nothing has to be moved to be seen.
        assert browser.value("[...document.querySelectorAll('.scroll:not(.tall)')].filter((each) => "
                             "each.scrollWidth > each.clientWidth + 1).map((each) => "
                             "each.id || each.firstElementChild.id)") == [], width
        # Each link of the navigation can be seen: it wraps.
        assert browser.value("[...document.querySelectorAll('nav a')].every((each) => "
                             f"each.getBoundingClientRect().right <= {width})"), width
        assert browser.complaints == [], width


def test_it_says_which_switch_it_is(incast: Switch, browser: Browser):
    about = incast.show("version")
    look(browser)
    until(lambda: browser.text("#who").startswith(f"{about['host']}, {about['version']}, up "),
          "name, version and uptime")
    assert browser.value("document.title") == f"{about['host']} - Sluice"


def test_ports_have_rates_and_their_last_minutes(incast: Switch, browser: Browser):
    """Those from before the page was opened, too."""
    def known() -> bool:
        rows = incast.show("history")
        return all(len(row["tx_bps"]) >= 2 for row in rows) and any(
            share > 0.5 for row in rows for share in row["paused_share"])
    until(known, "ten seconds of a pause are kept", 30)
    look(browser, 390)
    rows = "document.querySelectorAll('#port-table tbody tr')"
    until_equal(lambda: browser.value(f"{rows}.length"), len(incast.show("ports")), "a row each")
    until(lambda: browser.value("document.querySelectorAll('#port-table svg.line .paused').length") >= 1,
          "the pause is in the line")
    keep(browser.picture(), "ports")
    paused = browser.value(f"[...{rows}].map((each) => each.textContent).find((each) => "
                           "each.includes('sends'))")
    assert "paused" in paused and "priority 3" in paused and "bit/s" in paused, paused
    assert browser.complaints == []


def test_it_is_live_until_it_is_held(incast: Switch, browser: Browser):
    look(browser)
    rows = "document.querySelectorAll('#event-list tbody tr').length"
    before = browser.value(rows)
    incast.command("flush", "fdb")
    until(lambda: browser.value(rows) > before, "the event is on the page")
    browser.press(" ")
    until_equal(lambda: browser.text("#live"), "held", "it is held")
    held = browser.value(rows)
    incast.command("flush", "fdb")
    until(lambda: len(incast.show("events")) > held, "it happened")
    browser.value("new Promise((done) => setTimeout(done, 1500))")
    assert browser.value(rows) == held
    browser.press(" ")
    until(lambda: browser.value(rows) > held, "what happened meanwhile is there")
    assert browser.text("#live") == "live"


def test_addresses_are_searched(incast: Switch, browser: Browser):
    look(browser)
    browser.value("document.querySelector('#addresses').scrollIntoView()")
    until(lambda: "4 of 4" in browser.text("#found"), "all addresses are there", 20)
    browser.press("/")
    for letter in "p2":
        browser.press(letter)
    until(lambda: "1 of 4" in browser.text("#found"), "one is found")
    assert browser.text("#fdb td:nth-child(3)") == "p2"


def test_what_a_neighbour_says_is_text_and_nothing_else(incast: Switch, lab: Lab, browser: Browser):
    look(browser)
    lab.hosts[3].wire().send(lldp(lab.hosts[3].address, "evil",
                                  name=b"<img src=x onerror=alert(1)>"))
    until(lambda: "<img src=x onerror" in browser.text("#dcbx"), "its name is shown")
    assert browser.value("document.querySelectorAll('img, section script').length") == 0
    assert browser.complaints == []


def test_it_finds_the_switch_again(incast: Switch, browser: Browser):
    look(browser)
    incast.stop()
    until_equal(lambda: browser.text("#live"), "no connection", "it says that nobody is there", 20)
    incast.start()
    until_equal(lambda: browser.text("#live"), "live", "it goes on", 30)
    until(lambda: browser.value("document.querySelectorAll('#event-list tbody tr').length") <= 8,
          "the events are those of the new one")
