"""Heads of pause trees, and the burst that the topology page gives each: without a switch."""

from typing import Any, Iterator

import pytest

from browser import Browser
from page_scripts import call, scripts


@pytest.fixture(scope="module")
def browser(tmp_path_factory) -> Iterator[Browser]:
    with scripts(tmp_path_factory.mktemp("page")) as browser:
        yield browser


def node(name: str, port: str, *because: dict, kind: str = "pauses", **about: Any) -> dict:
    return {"kind": kind, "switch": name, "port": port, "priority": 3, "because": list(because),
            **about}


def burst(port: str = "out", **about: Any) -> dict:
    return {"recording": 1, "at": "2026-01-02T03:04:05.000006Z", "port": port, "priority": 3,
            "length_ns": 5000, "peak_bytes": 9000, "xoffs": 1, "dropped": 0, "began_before": False,
            "goes_on": True, "fed_by": [{"port": "in1", "frames": 5, "dropped": 1}], **about}


def test_a_head_holds_up_all_who_pause_because_of_it_once(browser: Browser):
    """Two inputs of b pause their peers because of one output; a passes on what it gets."""
    head = node("b", "out", kind="queue")
    trees = [node("a", "h", node("b", "d1", head), began=[head]),
             node("b", "d2", head, began=[head]), node("a", "h", node("b", "d1", again=True), began=[])]
    [found] = call(browser, "heads", "[...it.headsOf(trees).values()]", trees=trees)
    assert (found["switch"], found["port"], found["kind"], found["holds"]) == ("b", "out", "queue", 3)


def test_a_head_is_told_of_once_it_lasts(browser: Browser):
    head = {"switch": "b", "port": "out", "priority": 3, "kind": "queue", "holds": 1}
    assert call(
        browser, "heads", "(() => { let known = new Map(); return pictures.map(([now, there]) => {"
        " known = it.withKnown(known, new Map(there.map((each) => ['id', each])), now);"
        " return [...known.values()].map((each) => it.lasts(each, now)); }); })()",
        pictures=[[1000, [head]], [3999, [head]], [4000, [head]], [5000, []], [6000, [head]]]
    ) == [[False], [False], [True], [], [False]]


def test_the_burst_of_a_head_is_the_last_that_began_on_record(browser: Browser):
    def found(*sent: Any) -> Any:
        return call(browser, "heads", "it.burstOf(sent, head)", sent=list(sent),
                    head={"port": "out", "priority": 3})
    last = burst(recording=3)
    assert found(burst(), last, burst("other", recording=5), burst(priority=4))["recording"] == 3
    assert found(last)["fed_by"] == [{"port": "in1", "frames": 6}]
    goes_on = burst(recording=4, began_before=True)
    assert found(burst(), last, goes_on, {**goes_on, "recording": 5})["recording"] == 3
    assert found() is None and found(goes_on) is None
    assert found(burst(goes_on=False), goes_on) is None, "another one was over before"


def test_what_is_no_burst_is_none(browser: Browser):
    def found(sent: Any) -> Any:
        return call(browser, "heads", "it.burstOf(sent, head)", sent=sent,
                    head={"port": "out", "priority": 3})
    assert found("x") is None and found([None, 1, "x", {"port": "out"}]) is None
    nonsense = found([burst(at=1, peak_bytes="x", fed_by=[None, {"port": 2, "frames": -1}])])
    assert (nonsense["at"], nonsense["peak_bytes"]) == ("", 0)
    assert nonsense["fed_by"] == [{"port": "", "frames": 0}] * 2
