"""`sluice trace` follows single frames through a running switch, and `--what-if` foretells their
way."""

import json
import subprocess
import time

from frames import BROADCAST, frame, of_priority, pause
from lab import Lab
from switch import Switch, program
from waiting import PATIENCE, until, until_equal

LONGEST = 65535  # quanta; 34 s at 1 Mb/s
SLOW = {"speed": "1M", "lossless": [3]}


class Tracing:
    """`sluice trace` at work, from when it follows frames on."""

    def __init__(self, switch: Switch, *words: str):
        self.process = subprocess.Popen(
            [program("sluice"), "trace", "--json", "--socket", switch.socket, *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def frames(self) -> list[dict]:
        out, err = self.process.communicate(timeout=2 * PATIENCE + 10)
        assert err == "", err
        return json.loads(out)["frames"]

    def until_seen(self, send) -> list[dict]:
        """The frames; sent again and again, since nothing shows when the workers follow them."""
        def over() -> bool:
            send()
            time.sleep(0.05)
            return self.process.poll() is not None
        until(over, "the trace ends")
        return self.frames()


def test_a_ping_is_followed_both_ways(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2)
    one.ping(two.ipv4)  # both are known by now
    tracing = Tracing(switch, "--src", one.address, "--dst", two.address, "-n", "2")
    [first, _] = tracing.until_seen(lambda: one.ping(two.ipv4))
    assert first["port"] == "p0" and first["dropped"] is None and first["complete"]
    assert first["parsed"]["src"] == one.address and first["parsed"]["dst"] == two.address
    assert first["looked_up"]["result"] == "hit"
    assert first["looked_up"]["destination"] == {"port": "p1", "kind": "learned"}
    assert first["looked_up"]["outputs"] == ["p1"]
    [copy] = first["copies"]
    assert copy["output"] == "p1" and copy["state"] == "sent" and copy["reason"] is None
    assert copy["length"] == first["length"]
    assert copy["after_ns"] >= copy["egress_ns"] >= 0 and copy["paused_ns"] == 0
    assert bytes.fromhex(first["octets"])[6:12].hex(":") == one.address


def test_a_tree_for_people(lab: Lab, kind: str):
    switch, (one, two) = lab.build(kind, 2)
    process = subprocess.Popen(
        [program("sluice"), "trace", "--port", "p0", "--socket", switch.socket],
        stdout=subprocess.PIPE, text=True)
    [first, _] = lab.wires()

    def over() -> bool:
        first.send(frame(one.address, BROADCAST, vlan=1, priority=5))
        time.sleep(0.05)
        return process.poll() is not None
    until(over, "the trace ends")
    text = process.communicate(timeout=PATIENCE)[0]
    for words in ("by p0", "tag of VLAN 1 with PCP 5", "priority 5 by pcp", "broadcast; to p1",
                  "after its arrival"):
        assert words in text, text


def test_a_frame_that_waits_for_a_pause_says_so(lab: Lab, kind: str):
    """The slow receiver's: what holds the frame is named while it waits, and behind it."""
    switch, (one, two) = lab.build(kind, 2, defaults=SLOW)
    first, second = lab.wires()
    second.send(pause(two.address, p3=LONGEST))
    until_equal(lambda: switch.pfc("p1", 3)["rx_pause"], 1, "the pause is received")
    tracing = Tracing(switch, "--port", "p0", "--priority", "3", "--for", "2s")
    sent: list[bytes] = []

    def another() -> None:
        sent.extend(of_priority(one.address, 3, 1))
        first.send(sent[-1])
    [waiting] = tracing.until_seen(another)
    [copy] = waiting["copies"]
    assert copy["admitted"]["output_paused"] and copy["admitted"]["lossless"]
    assert copy["state"] in ("in_voq", "in_egress") and not waiting["complete"]
    assert copy["paused_ns"] > 0

    tracing = Tracing(switch, "--port", "p0", "--priority", "3", "--for", "30s")
    for _ in range(20):  # nothing shows when the workers follow frames
        another()
        time.sleep(0.1)
    second.send(pause(two.address, p3=0))
    [held] = tracing.frames()
    [copy] = held["copies"]
    assert copy["state"] == "sent" and 0 < copy["paused_ns"] <= copy["after_ns"]


def test_what_if_foretells_the_way(lab: Lab, kind: str):
    one, two, _ = lab.add_hosts(3)
    ports = lab.ports(kind, vlan={"mode": "access", "access": 10})
    ports[0]["vlan"] = {"mode": "trunk", "native": 20, "allowed": [10, 20]}
    switch = lab.make_switch(ports).start()
    words = f"eth src {one.address} dst {two.address} vlan 10 pcp 3"

    def what_if(more: str = "", port: str = "p0") -> dict:
        said = switch.command("trace", "--what-if", words + more, "--port", port, "--json")
        return json.loads(said.stdout)
    unknown = what_if()
    assert unknown["looked_up"]["result"] == "unknown"
    assert [copy["output"] for copy in unknown["copies"]] == ["p1", "p2"]
    assert unknown["classified"] == {"vlan": 10, "priority": 3, "rule": "pcp"}
    assert unknown["copies"][0]["tag"] == "pop" and unknown["dropped"] is None
    assert switch.fdb(10) == {}, "nothing was learned"

    first, second, _ = lab.wires()
    second.send(frame(two.address, BROADCAST))
    first.collect(len, "what it floods")
    until(lambda: two.address in switch.fdb(10), "p1 has it")
    known = what_if(" type 0x0800 dscp 26 length 200")
    assert known["looked_up"]["destination"] == {"port": "p1", "kind": "learned"}
    assert [(copy["output"], copy["length"]) for copy in known["copies"]] == [("p1", 196)]
    assert known["parsed"]["dscp"] == 26
    assert what_if(port="p1")["dropped"] == "same_port"
    refused = switch.command("trace", "--what-if", "eth src 1", "--port", "p0", check=False)
    assert refused.returncode == 2 and "such as 02:00:00:00:00:01" in refused.stderr
    refused = switch.command("trace", "--port", "nobody", check=False)
    assert refused.returncode == 2 and "no port is called" in refused.stderr
