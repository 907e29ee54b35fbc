"""Every reader of `show` lives with every field being null, as the switch says of what there is none of:
the tables, the views of `sluice top` and the web page. Answers are those of a real switch; a stand-in
gives them, with one of their values after the other null."""

import copy
import json
import pathlib
import re
from typing import Any, Iterator, Union

import pytest

from answering import answering
from browser import Browser
from everything import NOUNS, everything
from lab import Lab
from namespace import Namespace, run
from switch import program
from tmux import Terminal
from waiting import until

CONTROL = pathlib.Path(__file__).parents[2] / "control"
PAGE = CONTROL / "http" / "page"
NOUNS_PAGE = CONTROL / "nouns.md"
ADDRESS = "http://127.0.0.1:9481"
# The nouns of control/http/page/main.js, and the parts of the page that are drawn of them.
SHOWN = "ports queues buffer pfc drops latency workers lldp dcbx".split()
PARTS = {"tiles": ["drawTiles"], "picture": ["drawPicture"], "ports": ["drawPorts"],
         "voqs": ["drawVoqs"], "pauses": ["drawPauses"], "latency": ["drawLatency"], "buffer": ["drawBuffer"],
         "tables": ["drawDrops", "drawNeighbours"]}
Path = tuple[Union[str, int], ...]


def values_in(answer: Any, path: Path = ()) -> Iterator[Path]:
    """Where each number, truth and text is. Of long lists the first three rows."""
    if isinstance(answer, dict):
        for key, value in answer.items():
            yield from values_in(value, (*path, key))
    elif isinstance(answer, list):
        for index, value in enumerate(answer[:3]):
            yield from values_in(value, (*path, index))
    else:
        yield path


def without(answer: Any, *paths: Path) -> Any:
    changed = copy.deepcopy(answer)
    for path in paths:
        place = changed
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = None
    return changed


@pytest.fixture(scope="module")
def answers(shared_lab: Lab) -> dict[str, Any]:
    """By noun, with rows that say nothing: among them levels that lossy priorities have not."""
    with everything(shared_lab) as switch:
        return {noun: switch.show(noun, all=True) for noun in NOUNS}


def test_the_answers_have_nulls_and_rows(answers: dict[str, Any]):
    text = json.dumps(answers["buffer"])
    assert '"xoff_bytes": null' in text and '"occupancy_bytes"' in text
    for noun in ("lldp", "dcbx", "lacp", "tunnels", "credits", "multicast", "fdb", "sflow", "ipfix"):
        assert len(list(values_in(answers[noun]))) > 4, noun


def keys_in(answer: Any, closed: set[str]) -> Iterator[str]:
    """Of `closed` keys nothing below them."""
    if isinstance(answer, dict):
        for key, value in answer.items():
            yield key
            if key not in closed:
                yield from keys_in(value, closed)
    elif isinstance(answer, list):
        for value in answer:
            yield from keys_in(value, closed)


def test_each_key_is_in_the_reference(answers: dict[str, Any]):
    """Each in the section of its noun in control/nouns.md."""
    sections = re.split(r"^## `([\w-]+)`$", NOUNS_PAGE.read_text(), flags=re.M)
    documented = {noun: set(re.findall(r"[\w-]+", " ".join(re.findall(r"`([^`]+)`", text))))
                  for noun, text in zip(sections[1::2], sections[2::2])}
    assert set(documented) == set(NOUNS)
    named_elsewhere = {"device_counters", "refused"}  # by the device; in config/tunnels.md
    missing = {noun: sorted(set(keys_in(answers[noun], named_elsewhere)) - documented[noun])
               for noun in NOUNS}
    assert {noun: keys for noun, keys in missing.items() if keys} == {}


# Nothing of this switch is a burst: unit_control_values has one.
@pytest.mark.parametrize("noun", [noun for noun in NOUNS if noun != "bursts"])
def test_tables_show_it(answers: dict[str, Any], tmp_path, noun: str):
    changed = [without(answers[noun], path) for path in values_in(answers[noun])]
    turns = iter(changed)
    with answering(tmp_path / "sock", lambda request: next(turns)) as socket:
        shown = run(program("sluice"), "show", noun, "--socket", socket, "--watch", "--every",
                    "0.01", "--count", str(len(changed)), check=False, seconds=120)
    assert (shown.returncode, shown.stderr) == (0, "")


def test_every_view_of_top_shows_it(answers: dict[str, Any], tmp_path):
    """One value after the other, and at last all but the names of rows."""
    asked = {"ports": 0, "queues": 0, "pfc": 0, "buffer": 0, "workers": 0}
    names = {"name", "port", "input", "output", "priority", "index"}

    def answer(request: dict) -> Any:
        noun = request["show"]
        paths = list(values_in(answers[noun]))
        asked[noun] += 1
        if asked[noun] % 2 == 0:
            return without(answers[noun], *(path for path in paths if path[-1] not in names))
        return without(answers[noun], paths[asked[noun] // 2 % len(paths)])

    with answering(tmp_path / "sock", answer) as socket:
        terminal = Terminal(tmp_path, [program("sluice"), "top", "--socket", socket, "--every",
                                       "0.1"])
        try:
            for key, view, noun in (("1", "[1 ports]", "ports"), ("2", "[2 queues]", "queues"),
                                    ("3", "[3 pauses]", "pfc"), ("4", "[4 buffer]", "buffer")):
                terminal.press(key)
                terminal.until_it_shows(view)
                enough = asked[noun] + 30
                until(lambda: asked[noun] > enough, f"{noun} is looked at often", 30)
                assert view in "".join(terminal.screen()), "\n".join(terminal.screen())
            terminal.press("q")
            terminal.until_it_shows("status 0")
        finally:
            terminal.end()


DRAWN = """(async () => {
  const [state, dom] = await Promise.all(["/state.js", "/dom.js"].map((name) => import(name)));
  const page = await (await fetch("/index.html")).text();
  document.body.innerHTML = new DOMParser().parseFromString(page, "text/html").body.innerHTML;
  const draws = [];
  for (const [name, functions] of Object.entries(PARTS)) {
    const module = await import(`/${name}.js`);
    draws.push(...functions.map((each) => [each, module[each]]));
  }
  const { drawAddresses, drawEvents } = await import("/tables.js");
  const wrong = [];
  let tried = 0;
  const draw = (which, picture, addresses, events) => {
    for (const [name, part] of [...draws, ["drawAddresses", drawAddresses],
      ["drawEvents", drawEvents]]) {
      try {
        const shown = new state.State();
        shown.take({ at: "2026-01-01T00:00:00Z", ...ANSWERS });
        shown.take({ at: "2026-01-01T00:00:02Z", ...picture });
        shown.addresses = { rows: addresses, why: "" };
        shown.events = events;
        part(shown);
        tried += 1;
      } catch (error) {
        wrong.push(`${which}: ${name}: ${error}`);
      }
    }
  };
  for (const [noun, path] of PATHS) {
    const changed = structuredClone(noun === "fdb" ? ADDRESSES : noun === "events" ? EVENTS
      : ANSWERS[noun]);
    path.slice(0, -1).reduce((place, key) => place[key], changed)[path.at(-1)] = null;
    draw(`${noun}/${path.join("/")}`, SHOWN.includes(noun) ? { ...ANSWERS, [noun]: changed }
      : ANSWERS, noun === "fdb" ? changed : ADDRESSES, noun === "events" ? changed : EVENTS);
  }
  return { tried, wrong };
})()"""
# What a row is called is never null.
NAMES = {"name", "port", "input", "output", "index", "at", "kind", "reason", "address", "feature",
         "number"}


def test_every_part_of_the_page_shows_it(answers: dict[str, Any], tmp_path):
    namespace = Namespace("page", tmp_path)
    namespace.start("python3", "-m", "http.server", "-b", "127.0.0.1", "-d", str(PAGE), "9481")
    browser = Browser(namespace)
    try:
        def opened() -> bool:
            browser.open(ADDRESS + "/icon.svg")
            return browser.value("location.href") == ADDRESS + "/icon.svg"
        until(opened, "the files are served", interval=0.2)
        browser.call("Page.navigate", url=ADDRESS + "/")
        paths = [(noun, path) for noun in (*SHOWN, "fdb", "events")
                 for path in values_in(answers[noun]) if path[-1] not in NAMES]
        given = {"PARTS": PARTS, "SHOWN": SHOWN, "PATHS": paths, "ADDRESSES": answers["fdb"],
                 "EVENTS": answers["events"], "ANSWERS": {noun: answers[noun] for noun in SHOWN}}
        words = "".join(f"const {name} = {json.dumps(value)};" for name, value in given.items())
        drawn = browser.value(f"{{{words} {DRAWN}}}")
        assert drawn["wrong"] == [] and drawn["tried"] > 1000, drawn
    finally:
        browser.close()
        namespace.close()
