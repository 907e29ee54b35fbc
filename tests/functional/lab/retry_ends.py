"""Two switches with link-level retry between them, by whatever link, and a host at each: what is carried
arrives once and in order."""

import json
import time

from faults import at_random
from frames import frame, of_priority
from host import Host
from lab import Lab
from switch import Switch, program
from waiting import until, until_equal

HOLDS_ALL = {"lossless": [3], "pfc": {"xoff": "2MiB", "xon": "1MiB"},
             "lldp": {"mode": "disabled"}}
RETRY = {"retry": {"enabled": True, "replay_timer": "20ms"}}
BY_PFC = {"lossless": [3], "speed": "1G", "pfc": {"response": "20ms"}}
UNDER_WAY = 100  # frames, at the most
TEN_MILLION = 10_000_000
A_SECOND = 20_000  # frames that DelayedLink carries, beside those that go again


def losing(share: float):
    loses = at_random(share, 7)
    return lambda octets: loses()


def overtaking(share: float):
    return at_random(share, 8)


def memif(lab: Lab, host: Host) -> str:
    """A port of a switch in place of the one to that host."""
    return f"memif:{lab.folder / host.port}.sock"


def port_to(lab: Lab, host: Host, by_memif: bool) -> dict:
    """The generator shares a machine with the switches: a pause lasts long, and may be late."""
    if not by_memif:
        return {"name": host.port, "device": f"af_packet:{host.port}", **HOLDS_ALL}
    return {"name": host.port, "device": memif(lab, host), **HOLDS_ALL, "speed": "100M",
            "pfc": {**HOLDS_ALL["pfc"], "headroom": "4MiB"}}


class Ends:
    a: Switch
    b: Switch
    one: Host  # at a
    two: Host  # at b

    def rows(self) -> list[dict]:
        return [row for switch in (self.a, self.b) for row in switch.show("retry")]

    def until_open(self) -> None:
        until(lambda: self.a.links() and self.b.links(), "both answer")
        until(lambda: {(row["state"], row["receiver"]) for row in self.rows()}
              == {("advance", "send_acks")}, "retry both ways", 30)

    def carry(self, source, sink, rounds: int) -> None:
        """Sends 150 frames `rounds` times, and checks that all arrive, in order."""
        wire = sink.wire()
        for _ in range(rounds):
            frames = of_priority(source.address, 3, 150, 1000, sink.address)
            source.wire().send(*frames)
            assert wire.collect(lambda received: len(received) >= len(frames), "all of them",
                                30) == frames

    def carry_many(self, frames: int, vlans: tuple[int, ...] = (1,)) -> float:
        """Checks that each frame arrives once, in order within its VLAN. Returns frames a second."""
        templates = {vlan: frame(self.one.address, self.two.address, vlan=vlan, priority=3, length=1000)
                     for vlan in vlans}
        at = templates[vlans[0]].index(b"frame ") + len(b"frame ")
        source, sink = self.one.wire(), self.two.wire()
        arrived = dict.fromkeys(vlans, 0)
        came = sent = 0
        begun = last = time.monotonic()
        while came < frames:
            while sent < min(frames, came + UNDER_WAY):
                octets = templates[vlans[sent % len(vlans)]]
                source.send(octets[:at] + b"%8d" % (sent // len(vlans)) + octets[at + 8:])
                sent += 1
            octets = sink.receive(0.5)
            if octets is not None and octets[at - 6:at] == b"frame ":
                vlan = int.from_bytes(octets[14:16], "big") & 0xFFF
                assert int(octets[at:at + 8]) == arrived[vlan], f"in VLAN {vlan}, after {arrived}"
                arrived[vlan] += 1
                came += 1
                last = time.monotonic()
            assert time.monotonic() - last < 30, f"{arrived} of {sent} frames"
        return frames / (time.monotonic() - begun)

    def carry_of_generator(self, lab: Lab, frames: int, a_second: int) -> None:
        """So many in all, half of them each way, from and to a generator in place of both hosts (`memif`), as
        it sees them."""
        ports = [word for host in (self.one, self.two) for word in ("--port", f"{memif(lab, host)},client")]
        done = lab.namespace.run(
            program("sluice-gen"), *ports, "--pattern", "pairs", "--priority", "3", "--vlan", "1", "--pfc",
            "--count", str(frames // 2), "--rate", str(a_second // 2), "--frame-bytes", "1000", "--speed",
            "100M", "--seconds", str(3 * frames // a_second), "--json", "--quiet",
            seconds=60 + 4 * frames / a_second)
        found = json.loads(done.stdout)
        assert found["delivered"] == found["offered"] == frames, found
        assert found["lost"] == found["duplicates"] == found["reordered"] == 0, found

    def nothing_was_given_up(self) -> None:
        until_equal(lambda: {row["used_bytes"] for row in self.rows()}, {0}, "all is acknowledged")
        assert {(row["given_up"], row["flushes"]) for row in self.rows()} == {(0, 0)}, self.rows()

    def stop(self) -> None:
        for switch in (self.a, self.b):
            until(lambda: switch.show("ledger")["balanced"] is True, "its ledger balances")
            switch.stop()
