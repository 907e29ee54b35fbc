"""What the topology page makes of what switches say, in a browser and without a switch."""

from typing import Any, Iterator

import pytest

from browser import Browser
from page_scripts import call, scripts


@pytest.fixture(scope="module")
def browser(tmp_path_factory) -> Iterator[Browser]:
    with scripts(tmp_path_factory.mktemp("page")) as browser:
        yield browser


def port(name: str, **about: Any) -> dict:
    return {"name": name, "link": "up", "rate_bps": 10_000_000_000, "max_frame": 1522,
            "rx_bytes": 0, "tx_bytes": 0, **about}


def pauses(port: str, *outputs: str, priority: int = 3) -> dict:
    """It pauses its peer because of these."""
    return {"port": port, "priority": priority, "lossless": True, "pausing": True,
            "pausing_last_second_ns": 500_000_000, "paused_last_second_ns": 0, "watchdog": "off",
            "because_of": [{"output": output, "pauses": 1} for output in outputs]}


def paused(port: str, priority: int = 3) -> dict:
    return {"port": port, "priority": priority, "lossless": True, "pausing": False,
            "pausing_last_second_ns": 0, "paused_last_second_ns": 900_000_000, "watchdog": "off",
            "because_of": []}


def both(port: str, output: str) -> dict:
    return {**pauses(port, output), "paused_last_second_ns": 900_000_000}


def switch(name: str, cables: dict[str, str], *pfc: dict, ports=(), dcbx=(), gone=False) -> dict:
    """`cables`: own port to "switch port" of the LLDP neighbour there."""
    def neighbours_of(said: str) -> list[dict]:
        chassis, its_port = said.split()
        return [{"chassis_id": chassis, "port_id": its_port, "system_name": chassis}]
    own = {row["name"]: row for row in ports}
    return {"name": name, "gone": gone, "picture": {
        "ports": [own.get(each, port(each)) for each in cables],
        "lldp": [{"port": each, "mode": "both", "chassis_id": name, "port_id": each,
                  "system_name": name, "neighbours": neighbours_of(said) if said else []}
                 for each, said in cables.items()],
        "pfc": list(pfc), "dcbx": list(dcbx), "drops": []}}


def joined(browser: Browser, *switches: dict) -> dict:
    return call(browser, "links", "it.joined(switches)", switches=switches)


def trees(browser: Browser, *switches: dict) -> dict:
    return call(browser, "pause_trees", "it.pauseTrees(switches, net)", switches=switches,
                net=joined(browser, *switches))


def in_words(node: dict) -> str:
    """`leaf1 h:pauses(up spine d1:queue)`"""
    mark = "loop" if node.get("loop") else "again" if node.get("again") else node["kind"]
    inside = ", ".join(f"{each['output']} {in_words(each)}" for each in node["because"])
    return f"{node['switch']} {node['port']}:{mark}" + (f"({inside})" if inside else "")


def ends(tree: dict, kind: str) -> list[str]:
    return [f"{each['switch']} {each['port']}" for each in tree[kind]]


# --- links ---------------------------------------------------------------------------------------

def test_a_link_is_joined_from_both_ends(browser: Browser):
    net = joined(browser, switch("a", {"up": "b d", "h": "host nic"}), switch("b", {"d": "a up"}))
    assert net["links"] == [{"ends": [{"switch": "a", "port": "up"}, {"switch": "b", "port": "d"}],
                             "seen": [True, True], "faults": []}]
    assert net["outside"] == [{"near": {"switch": "a", "port": "h"},
                               "peer": {"outside": "host", "port": "nic"}}]


def test_two_links_between_the_same_switches_are_two(browser: Browser):
    net = joined(browser, switch("a", {"x": "b x", "y": "b y"}),
                 switch("b", {"x": "a x", "y": "a y"}))
    assert len(net["links"]) == 2


def test_what_one_end_alone_sees_is_marked(browser: Browser):
    [link] = joined(browser, switch("a", {"up": "b d"}), switch("b", {"d": ""}))["links"]
    assert link["seen"] == [True, False] and link["faults"] == ["b does not see it"]


def test_who_is_configured_to_receive_from_nobody_is_not_at_fault(browser: Browser):
    b = switch("b", {"d": ""})
    b["picture"]["lldp"][0]["mode"] = "tx"
    [link] = joined(browser, switch("a", {"up": "b d"}), b)["links"]
    assert link["seen"] == [True, False] and link["faults"] == []


def test_a_host_that_claims_to_be_a_switch_is_no_peer_of_another(browser: Browser):
    """One LLDP frame of h, which pauses, says that it is d of b."""
    switches = (switch("a", {"h": "b d", "up": "b d"}, paused("h"), paused("up")),
                switch("b", {"d": "a up", "out": "h9 nic"}, pauses("d", "out")))
    net = joined(browser, *switches)
    assert [(link["seen"], link["faults"]) for link in net["links"]] == [
        ([True, False], ["one end alone says so: b d is at another link"]), ([True, True], [])]
    peers = call(browser, "links", "Object.fromEntries(it.peersOf(net))", net=net)
    assert peers["b\n\nd"] == {"switch": "a", "port": "up"}
    assert peers["a\n\nup"] == {"switch": "b", "port": "d"}
    assert peers["a\n\nh"] == {"switch": "b", "port": "d", "claimed": True}
    found = trees(browser, *switches)["trees"]
    assert [in_words(tree) for tree in found] == ["a h:received", "b d:pauses(out b out:queue)"]
    assert found[0]["began"] == [] and ends(found[0], "beyond") == ["a h"]


def test_of_a_switch_that_is_gone_no_more_is_marked(browser: Browser):
    [link] = joined(browser, switch("a", {"up": ""}),
                    switch("b", {"d": "a up"}, ports=[port("d", link="down")], gone=True))["links"]
    assert link["seen"] == [False, True] and link["faults"] == ["b does not answer"]


def test_a_switch_that_never_answered_is_a_neighbour_of_no_name_here(browser: Browser):
    net = joined(browser, switch("a", {"up": "b d"}), {"name": "b", "gone": True, "picture": None})
    assert net["links"] == [] and net["outside"][0]["peer"] == {"outside": "b", "port": "d"}


def test_a_switch_that_is_there_by_two_urls_is_one(browser: Browser):
    a = switch("a", {"up": "b d", "h": ""})
    by_another = {**a, "name": "a (this)"}
    assert call(browser, "links", "Object.fromEntries(it.repeated(switches))", switches=[
        {**a, "gone": True}, by_another, switch("b", {"d": "a up"}),
        {"name": "c", "gone": True, "picture": None}]) == {"a": "a (this)"}
    assert call(browser, "links", "Object.fromEntries(it.repeated(switches))",
                switches=[a, by_another]) == {"a (this)": "a"}


def test_ends_that_differ_are_marked(browser: Browser):
    [link] = joined(
        browser,
        switch("a", {"up": "b d"}, paused("up"), ports=[port("up", rate_bps=25_000_000_000)],
               dcbx=[{"port": "up", "feature": "ets", "mismatch": True,
                      "mismatch_reason": "differs"},
                     {"port": "h", "feature": "pfc", "mismatch": True,
                      "mismatch_reason": "missing"},
                     {"port": "up", "feature": "pfc", "mismatch": False, "mismatch_reason": ""}]),
        switch("b", {"d": "a up"}, ports=[port("d", max_frame=9022, link="down")]))["links"]
    assert link["faults"] == [
        "link: up and down", "longest frame: 1522 and 9022",
        "lossless: 3 and none", "DCBX of a: ets differs"]


def test_a_cable_that_is_cut_is_a_fault_until_an_end_is_elsewhere(browser: Browser):
    linked = [switch("a", {"up": "b d"}), switch("b", {"d": "a up", "e": ""})]
    cut = [switch("a", {"up": ""}), switch("b", {"d": "", "e": ""})]
    moved = [switch("a", {"up": "b e"}), switch("b", {"d": "", "e": "a up"})]
    first, second, third = call(
        browser, "links", "(() => { let known = new Map(); return pictures.map((switches) => {"
        " const found = it.withLost(it.joined(switches), known, switches, 1000);"
        " known = found.known; return found.net.links; }); })()", pictures=[linked, cut, moved])
    assert [link["faults"] for link in first] == [[]]
    assert second[0]["ends"] == first[0]["ends"] and second[0]["seen"] == [False, False]
    assert len(second) == 1 and second[0]["faults"][0].startswith("gone since ")
    assert [link["faults"] for link in third] == [[]] and third[0]["ends"] != first[0]["ends"]


# --- drops ---------------------------------------------------------------------------------------

def test_drops_are_those_since_the_first_picture_by_port_and_reason(browser: Browser):
    def picture(**frames: int) -> dict:
        # Of one reason a port, r, may have rows of both sides, of which neither grows here.
        rows = [*((port, "ingress", "same_port", count) for port, count in frames.items()),
                ("r", "egress", "egress_down", 5), ("r", "ingress", "egress_down", 8),
                ("p", "ingress", "lldp", 10 * len(frames))]
        return {"drops": [{"port": port, "side": side, "reason": reason, "frames": count,
                           "consumed": reason == "lldp"} for port, side, reason, count in rows]}
    found = call(
        browser, "drops", "(() => { let [known, old] = [new Map(), null]; return pictures.map((picture, at) => {"
        " known = it.withDrops(known, old, picture, 30000 * at); old = picture;"
        " const rows = it.dropsOf([{name: 'a', drops: known}], new Map([['a\\n\\np', 'its peer']]));"
        " return [rows, [...it.ofLate(rows, 30000 * at)]]; }); })()",
        # 4 before it was opened, 3 more at p, 1 at q; cleared, and 2 more at p; nothing for long.
        pictures=[picture(p=4, q=0), picture(p=7, q=0), picture(p=7, q=1), *4 * [picture(p=2, q=0)]])
    def row(port: str, frames: int, at: int) -> dict:
        return {"switch": "a", "port": port, "peer": "its peer" if port == "p" else None,
                "side": "ingress", "reason": "same_port", "frames": frames, "at": at}
    first, second, then = row("p", 3, 30000), row("q", 1, 60000), row("p", 5, 90000)
    assert [rows for rows, _ in found] == [[], [first], [second, first], *4 * [[then, second]]]
    assert [[end.split("\n")[-1] for end, _ in late] for _, late in found] == [
        [], ["p"], ["q", "p"], ["p", "q"], ["p", "q"], ["p"], []]


# --- trees ---------------------------------------------------------------------------------------

def test_a_pause_is_followed_to_the_host_that_began_it(browser: Browser):
    found = trees(
        browser,
        switch("a", {"h": "h1 nic", "up": "b d1"}, pauses("h", "up"), paused("up")),
        switch("b", {"d1": "a up", "d2": "c up"}, pauses("d1", "d2"), paused("d2")),
        switch("c", {"up": "b d2", "h": "h9 nic"}, pauses("up", "h"), paused("h")))
    [tree] = found["trees"]
    assert in_words(tree) == "a h:pauses(up b d1:pauses(d2 c up:pauses(h c h:received)))"
    assert [began["peer"]["outside"] for began in tree["began"]] == ["h9"]
    assert tree["peer"]["outside"] == "h1" and tree["share"] == 0.5
    assert found["loops"] == []


def test_an_output_that_nobody_pauses_began_it_by_its_queue(browser: Browser):
    [tree] = trees(browser, switch("a", {"h": "h1 nic", "out": "h2 nic"},
                                   pauses("h", "out")))["trees"]
    assert in_words(tree) == "a h:pauses(out a out:queue)"


def test_an_incast_has_a_tree_for_each_who_is_paused_and_one_beginning(browser: Browser):
    found = trees(browser, switch("a", {"h1": "", "h2": "", "out": ""}, pauses("h1", "out"),
                                  pauses("h2", "out"), paused("out")))["trees"]
    assert [in_words(tree) for tree in found] == ["a h1:pauses(out a out:received)",
                                                  "a h2:pauses(out a out:received)"]


def test_priorities_are_distinguished(browser: Browser):
    found = trees(browser, switch("a", {"h": "", "out": ""}, pauses("h", "out"),
                                  paused("out", priority=4)))["trees"]
    assert sorted(in_words(tree) for tree in found) == ["a h:pauses(out a out:queue)",
                                                        "a out:received"]


def test_pauses_because_of_each_other_are_a_loop(browser: Browser):
    ring = [switch(name, {"in": f"{before} out", "out": f"{after} in"}, pauses("in", "out"),
                   paused("out"))
            for before, name, after in (("c", "a", "b"), ("a", "b", "c"), ("b", "c", "a"))]
    found = trees(browser, *ring)
    assert [[one["switch"] for one in loop] for loop in found["loops"]] == [["a", "b", "c"]]
    assert all(one["old"] for one in found["loops"][0])
    [tree] = found["trees"]
    assert in_words(tree) == \
        "a in:pauses(out b in:pauses(out c in:pauses(out a in:loop)))" and tree["began"] == []


def test_a_loop_behind_a_host_is_found_from_the_host(browser: Browser):
    found = trees(browser,
                  switch("a", {"h": "h1 nic", "x": "b x"}, pauses("h", "x"), both("x", "x")),
                  switch("b", {"x": "a x"}, both("x", "x")))
    [tree] = found["trees"]
    assert in_words(tree) == "a h:pauses(x b x:pauses(x a x:pauses(x b x:loop)))"
    assert len(found["loops"]) == 1


def test_what_two_reasons_lead_to_is_reported_once(browser: Browser):
    found = trees(browser, switch("a", {"h": "", "x": "b x", "y": "b y"}, pauses("h", "x", "y"),
                                  paused("x"), paused("y")),
                  switch("b", {"x": "a x", "y": "a y", "out": "h nic", "two": ""},
                         pauses("x", "out"), pauses("y", "out"), paused("out")))
    [tree] = found["trees"]
    assert in_words(tree) == "a h:pauses(x b x:pauses(out b out:received), " \
                             "y b y:pauses(out b out:again))"
    assert len(tree["began"]) == 1


def test_a_pause_without_a_reason_began_nowhere_that_is_known(browser: Browser):
    [tree] = trees(browser, switch("a", {"h": ""}, pauses("h")))["trees"]
    assert in_words(tree) == "a h:pauses" and tree["began"] == []


def test_a_relayed_pause_is_followed_through_the_tunnel(browser: Browser):
    """Nobody between obeys it, so no port there is paused."""
    def relayed(port: str, to: str, **about: Any) -> dict:
        return {**paused(port), "paused_last_second_ns": 0, "relayed_to": to, **about}
    found = trees(
        browser,
        switch("near", {"p0": "", "tunnel": "far tunnel"}, {**pauses("p0"), "relayed_to": "tunnel"},
               relayed("tunnel", "p0")),
        switch("far", {"p0": "gateway nic", "tunnel": "near tunnel"}, relayed("p0", "tunnel"),
               {**pauses("tunnel"), "relayed_to": "p0"}))["trees"]
    assert [in_words(tree) for tree in found] == \
        ["near p0:pauses(tunnel far tunnel:pauses(p0 far p0:received))"]


def test_a_switch_that_is_gone_says_nothing_more(browser: Browser):
    found = trees(browser, switch("a", {"h": "", "up": "b d"}, pauses("h", "up"), paused("up")),
                  switch("b", {"d": "a up", "out": ""}, pauses("d", "out"), gone=True))
    assert [in_words(tree) for tree in found["trees"]] == ["a h:pauses(up a up:received)"]
    assert found["trees"][0]["beyond"][0]["peer"] == {"switch": "b", "port": "d"}
    assert found["trees"][0]["began"] == []


def test_of_no_neighbour_and_of_one_that_shows_no_pause_it_is_not_known_who_began(browser: Browser):
    found = trees(browser, switch("a", {"h": "", "up": "b d"}, paused("h"), paused("up")),
                  switch("b", {"d": "a up"}))["trees"]
    assert [(ends(tree, "began"), ends(tree, "beyond")) for tree in found] == [
        ([], ["a h"]), ([], ["a up"])]


def test_reasons_of_long_ago_are_none(browser: Browser):
    """An output that caused a pause before, and another that does now."""
    row = pauses("h", "old", "new")
    first = {**row, "because_of": [{"output": "old", "pauses": 7}]}
    found = call(
        browser, "pause_trees",
        "(() => { const lastCaused = it.remembered(it.remembered(new Map(), {pfc: [first]}, 1000),"
        " {pfc: [row]}, 60000);"
        " return it.pauseTrees([{...one, lastCaused}], {links: [], outside: []}); })()",
        first=first, row={**row, "because_of": [{"output": "old", "pauses": 7},
                                                {"output": "new", "pauses": 1}]},
        one=switch("a", {"h": "", "old": "", "new": ""}, row))
    assert [in_words(tree) for tree in found["trees"]] == ["a h:pauses(new a new:queue)"]
    assert found["trees"][0]["because"][0]["old"] is False


def test_the_last_reason_counts_though_others_caused_more(browser: Browser):
    """A switch shows three, and that of the last pause, if it is another."""
    three = [{"output": each, "pauses": 9} for each in ("x", "y", "z")]
    row = {**pauses("h"), "because_of": [*three, {"output": "new", "pauses": 1}]}
    found = call(
        browser, "pause_trees",
        "(() => { const lastCaused = it.remembered(it.remembered(new Map(), {pfc: [first]}, 1000),"
        " {pfc: [row]}, 60000);"
        " return it.pauseTrees([{...one, lastCaused}], {links: [], outside: []}); })()",
        first={**row, "because_of": three}, row=row,
        one=switch("a", {"h": "", "x": "", "y": "", "z": "", "new": ""}, row))
    assert [in_words(tree) for tree in found["trees"]] == ["a h:pauses(new a new:queue)"]


def test_of_reasons_that_were_there_at_first_the_age_is_not_known(browser: Browser):
    one = switch("a", {"h": "", "x": "", "y": ""}, pauses("h", "x", "y"))
    found = call(browser, "pause_trees",
                 "it.pauseTrees([{...one, lastCaused: it.remembered(it.remembered(new Map(),"
                 " one.picture, 1000), one.picture, 60000)}], {links: [], outside: []})", one=one)
    assert [(each["output"], each["old"]) for each in found["trees"][0]["because"]] == [
        ("x", True), ("y", True)]


def test_no_more_pauses_are_followed_than_can_be_shown(browser: Browser):
    many = [switch(f"s{at}", {}, *(paused(f"p{port}", priority) for port in range(64)
                                   for priority in range(8))) for at in range(5)]
    found = trees(browser, *many)
    assert len(found["trees"]) == 2048 and found["left_off"] == 512


# --- the map ------------------------------------------------------------------------------------

def net(*links: str, hosts: str = "") -> dict:
    """Links "ab" of the switches a and b, and those with a host for a neighbour."""
    return {"links": [{"ends": [{"switch": end, "port": "p"} for end in link]} for link in links],
            "outside": [{"near": {"switch": name, "port": "h"}} for name in hosts]}


def test_a_layered_fabric_is_drawn_in_rows(browser: Browser):
    def rows(names: str, of: dict) -> list[str]:
        layers = call(browser, "map", "it.layersOf(switches, of)",
                      switches=[{"name": name} for name in names], of=of)
        return layers and ["".join(one["name"] for one in row) for row in layers]
    pods = ("sa", "sb", "sc", "ta", "tb", "tc")
    assert rows("abcst", net(*pods)) == ["st", "abc"]
    assert rows("abcst", net(*pods, "ab")) is None, "leaves have links to each other"
    assert rows("abcst", net("sa", "sb", "sc")) is None, "one is apart"
    assert rows("abcd", net("ab", "bc", "cd", "da")) is None, "a ring has no top"
    assert rows("ab", net("ab")) is None
    assert rows("", net()) is None
    three_tiers = [f"{spine}{leaf}" for spine in "st" for leaf in "abcd"] + ["xs", "xt"]
    assert rows("abcdstx", net(*three_tiers, hosts="abcd")) == ["x", "st", "abcd"]
    assert rows("abcdstx", net(*three_tiers)) == ["st", "abcdx"], "who has hosts is not known"


def test_no_box_of_the_map_is_on_another(browser: Browser):
    for count in (1, 2, 3, 13, 14, 33, -5, -16):
        names = [{"name": f"s{at}"} for at in range(abs(count))]
        # The last two have the first, or four, for spines.
        top = abs(count) // 4
        layered = [{"ends": [{"switch": f"s{spine}"}, {"switch": f"s{leaf}"}]}
                   for spine in range(top) for leaf in range(top, abs(count))]
        drawn = call(browser, "map", "(({places, width, height}) => ({places: [...places.values()],"
                     " width, height}))(it.placesOf(names, {links, outside: []}))", names=names,
                     links=layered if count < 0 else [])
        assert len(drawn["places"]) == len(names)
        places = [(one["x"], one["y"]) for one in drawn["places"]]
        for at, (x, y) in enumerate(places):
            assert 67 <= x <= drawn["width"] - 67 and 24 <= y <= drawn["height"] - 24
            assert all(abs(x - other) >= 134 or abs(y - under) >= 48
                       for other, under in places[:at]), count


# --- what comes from outside ----------------------------------------------------------------------

def test_what_is_no_picture_is_refused(browser: Browser):
    good = switch("a", {"h": "b d"}, pauses("h", "h"))["picture"]
    assert call(browser, "links", "it.checked(sent)", sent=good)["lldp"] == good["lldp"]
    for wrong in (None, 1, "x", [], {}, {**good, "pfc": None}, {**good, "ports": {}},
                  {**good, "lldp": "x"}, {**good, "ports": [port("p")] * 65}):
        assert call(browser, "links", "it.checked(sent)", sent=wrong) is None, wrong


def test_each_value_is_of_its_kind_and_bounded(browser: Browser):
    sent = {"ports": [{"name": {"x": 1}, "max_frame": "much", "link": "u" * 1000}, None],
            "pfc": [{"port": 7, "because_of": [1, None, {"output": [], "pauses": -1}] * 9}],
            "lldp": [{"neighbours": 5}, {"neighbours": [None]}], "dcbx": [{}], "drops": [[]]}
    kept = call(browser, "links", "it.checked(sent)", sent=sent)
    assert kept["ports"][0]["name"] == "" and kept["ports"][0]["max_frame"] == 0
    assert len(kept["ports"][0]["link"]) == 255
    assert len(kept["pfc"][0]["because_of"]) == 8
    assert kept["pfc"][0]["because_of"][2] == {"output": "", "pauses": 0}
    assert kept["lldp"][0]["neighbours"] == []
    one = {"name": "a", "gone": False, "picture": kept}
    assert joined(browser, one)["links"] == [] and trees(browser, one)["loops"] == []


def test_a_row_that_is_there_twice_counts_once(browser: Browser):
    picture = switch("a", {"h": "b d", "up": "b d"}, pauses("h", "x"), pauses("h", "y"),
                     pauses("h", "z", priority=4))["picture"]
    kept = call(browser, "links", "it.checked(sent)", sent={
        **picture, "ports": [port("h"), port("h", link="down")], "lldp": picture["lldp"] * 2})
    assert [(row["port"], row["priority"], row["because_of"][0]["output"])
            for row in kept["pfc"]] == [("h", 3, "x"), ("h", 4, "z")]
    assert [row["link"] for row in kept["ports"]] == ["up"] and len(kept["lldp"]) == 2


def test_a_picture_that_contradicts_itself_stops_nothing(browser: Browser):
    """A neighbour at a port that is not among the ports, and two rows for one priority."""
    lying = switch("a", {"up": "b d"}, pauses("up", "x"), pauses("up", "y"))
    lying["picture"]["ports"] = []
    honest = switch("b", {"d": "a up"}, paused("d"))
    [link] = joined(browser, lying, honest)["links"]
    assert link["faults"] == []
    found = call(browser, "pause_trees",
                 "it.pauseTrees([{...one, lastCaused: it.remembered(new Map(), one.picture, 1000)},"
                 " other], net)", one=lying, other=honest, net=joined(browser, lying, honest))
    assert found["trees"]
