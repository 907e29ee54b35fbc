"""An operator's drill (control/http/drill.md): hosts behind p0 and p1 say that what they send does
not arrive. Within three looks the cause is named: the host behind p2 does not take what it gets. With
SLUICE_PICTURES=FOLDER what is looked at is kept."""

import os
import pathlib
import re

from browser import Browser
from frames import lldp, of_priority
from lab import Lab
from slow_receiver import EACH, slow_receiver
from switch import Switch
from waiting import until, until_equal
from web import LISTEN

CULPRIT = "storage-7"


def keep(name: str, octets: bytes) -> None:
    if folder := os.environ.get("SLUICE_PICTURES"):
        pathlib.Path(folder, name).write_bytes(octets)


def command(switch: Switch, noun: str) -> str:
    text = switch.command("show", noun).stdout
    keep(f"drill-{noun}.txt", text.encode())
    return text


def look_at_the_page(lab: Lab) -> None:
    browser = Browser(lab.namespace)
    try:
        browser.resize(1000, 620)
        browser.open(f"http://{LISTEN['listen']}/")
        until(lambda: browser.value("document.querySelectorAll('svg .because').length") == 2 and
              CULPRIT in browser.text("#picture"), "the page shows it", 60, interval=0.3)
        keep("drill.png", browser.window().octets)
        causes = browser.value("[...document.querySelectorAll('svg .because')].map((each) => "
                               "each.dataset.input + ' ' + each.dataset.output).sort()")
        assert causes == ["p0 p2", "p1 p2"]
        assert browser.value("[...document.querySelectorAll('.pause.rx-pause')].map((each) => "
                             "each.dataset.port)") == ["p2"]
        assert browser.complaints == []
    finally:
        browser.close()


def test_three_looks_name_who_does_not_take_his_frames(lab: Lab):
    with slow_receiver(lab) as (switch, stuck):
        one, two, three, four = lab.hosts
        three.wire().send(lldp(three.address, "storage", name=CULPRIT.encode()))
        until(lambda: switch.show("lldp")[2]["neighbours"], "it is known by name")

        # First: arrows lead from both to p2, whose peer pauses it.
        look_at_the_page(lab)
        # Second: for how long, and that nobody else is behind it.
        until(lambda: switch.pfc("p2", 3)["paused_last_second_ns"] > 0.9e9, "for a whole second")
        received, sent = command(switch, "pfc").split("Sent to peers")
        [row] = [line for line in received.splitlines() if re.match(r" *p2 +3 ", line)]
        assert "p0" in row and "p1" in row, received
        for port in ("p0", "p1"):
            [row] = [line for line in sent.splitlines() if re.match(rf" *{port} +3 ", line)]
            assert "p2" in row and "p3" not in row, sent
        # Third: all that waits is for p2, in priority 3.
        command(switch, "queues")
        # Hosts' kernels speak as well, in priority 0, which nobody pauses.
        until_equal(lambda: [(row["input"], row["output"], row["priority"])
                             for row in switch.show("queues") if row["frames"] > 0],
                    [("p0", "p2", 3), ("p1", "p2", 3)], "all that waits is for p2")

        # Who is not behind it goes on; and once it takes its frames they are all there.
        other = of_priority(one.address, 0, 4, 100, four.address)
        listening = four.wire()
        one.wire().send(*other)
        listening.collect(lambda received: set(other) <= set(received), "its other frames arrive")
        stuck.end()
        until(lambda: switch.port("p2")["tx_frames"] >= 2 * EACH, "it gets what waited")
        assert not set(switch.drops()) - {"mac_control", "lldp"}
        until(lambda: not switch.pfc("p0", 3)["pausing"], "the senders go on")
