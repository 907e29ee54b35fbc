"""PFC and DCBX of hosts between which EVPN has its tunnels: they end at the host's port; by a relay
pauses go on over the tunnel that has it."""

from evpn_fabric import Fabric, tunnelled
from frames import LLDP_TYPE, is_pause, lldp, of_priority, pause
from lab import Lab
from pause_relay_test import ASKED, LONGEST, relayed_pause
from slow_receiver import Stuck
from tshark import decoded, dissected
from waiting import until, until_equal

SPEED = "10M"  # a pause lasts
SUBTYPES = "lldp.ieee.802_1.subtype"
DCBX = {"0x09", "0x0a", "0x0b", "0x0c"}  # ETS, its recommendation, PFC, applications


def host(number: int) -> str:
    return f"02:00:00:00:00:{number:02x}"


def tunnel(number: int, other: int) -> str:
    return f"02:00:00:00:0e:{number}{other}"


def started(fabric: Fabric) -> Fabric:
    """All know all hosts."""
    fabric.start()
    fabric.all_ping()
    for leaf in fabric.leaves:
        fabric.until_behind(leaf.host.address, leaf)
    return fabric


def test_pfc_and_dcbx_end_at_the_hosts_port(lab: Lab, tmp_path):
    fabric = Fabric(lab, 2, 1, lldp=True, about=lambda number, port: {
        "p0": {"speed": SPEED, "lossless": [3], "pfc": {"peer": host(number)}}}.get(port, {}))
    one, two, _ = fabric.leaves
    between = [leaf.underlay() for leaf in fabric.leaves]
    near, far = one.host.wire(), two.host.wire()
    started(fabric)
    far.send(lldp(two.host.address, "somebody"))
    for leaf, ports in ((two, {"p0", "to1"}), (one, {"to2"})):
        until_equal(lambda: {row["port"] for row in leaf.switch.show("lldp") if row["neighbours"]},
                    ports, "so is LLDP")
    # What comes by the tunnel is held, and nobody else hears of it.
    stuck = Stuck(two.host)
    until(lambda: two.switch.pfc("p0", 3)["rx_pause"] > 0, "the pause is received")
    [held], [other] = (of_priority(one.host.address, priority, 1, destination=two.host.address)
                       for priority in (3, 4))
    near.send(held, other)
    try:
        assert held not in far.collect(lambda received: other in received, "what is not paused")
    finally:
        stuck.end()
    far.collect(lambda received: held in received, "it leaves at XON")

    def subtypes(frames: list[bytes]) -> set[str]:
        """Of 802.1 in the LLDP among these."""
        of_lldp = [each for each in frames if each[12:14] == LLDP_TYPE.to_bytes(2, "big")]
        assert of_lldp
        return {value for row in dissected(tmp_path, of_lldp, SUBTYPES)
                for value in row.get(SUBTYPES, [])}

    received = near.pending()
    assert not [octets for octets in received if is_pause(octets)]
    assert subtypes(received) & DCBX
    carried = [tunnelled(wire.pending()) for wire in between]
    assert not [octets for frames in carried for octets in frames if is_pause(octets)]
    assert any(held in frames for frames in carried), "so that it would have been seen"
    for frames in carried[:2]:  # by ours, which tell each other who they are
        assert not subtypes(frames) & DCBX
    for wire in between:
        wire.close()


def test_a_pause_is_relayed_over_the_tunnel_that_has_a_relay(lab: Lab, tmp_path):
    def about(number: int, port: str) -> dict:
        lossless = {"speed": SPEED, "lossless": [3]}
        if port == "p0":
            return {**lossless, "pfc": {"pause": ASKED, "peer": host(number)}}
        if (number, port) in ((1, "to2"), (2, "to1")):
            other = 3 - number
            return {**lossless, "pfc": {"pause": ASKED, "peer": tunnel(other, number)},
                    "address": tunnel(number, other), "pause_relay": {"port": "p0"}}
        return {}
    fabric = started(Fabric(lab, 3, about=about))
    one, two, three = fabric.leaves
    between = two.underlay()
    near, far, third = (leaf.host.wire() for leaf in fabric.leaves)
    own = one.switch.port("p0")["address"]
    far.send(pause(two.host.address, p3=LONGEST))
    assert relayed_pause(near) == (own, ASKED)
    # Neither end obeys it; what goes on arrives.
    sent = of_priority(one.host.address, 3, 5, destination=two.host.address)
    near.send(*sent)
    far.expect(*sent)
    for switch, port, other in ((two.switch, "p0", "to1"), (one.switch, "to2", "p0")):
        row = switch.pfc(port, 3)
        assert (row["relayed_to"], row["rx_pause"]) == (other, 0)
    far.send(pause(two.host.address, p3=0))
    while (received := relayed_pause(near)) == (own, ASKED):
        pass  # refreshed
    assert received == (own, 0)
    # To one end alone, as a decoder that is not ours has it.
    octets = [each for each in between.pending() if each[62:64] == b"\x88\x08"]
    rows = decoded(tmp_path, octets, "ip.dst", "ip.dsfield.dscp", "macc.cbfc.enbv",
                   "macc.cbfc.pause_time.c3", "_ws.malformed")
    assert not any("_ws.malformed" in row for row in rows)
    assert {(row["ip.dst"], row["ip.dsfield.dscp"]) for row in rows} == {(one.vtep, "56")}
    pauses = [row for row in rows if row["macc.cbfc.enbv"] == "0x0008"]
    assert {row["macc.cbfc.pause_time.c3"] for row in pauses} == {str(ASKED), "0"}
    assert not [each for each in third.pending() if is_pause(each)]
    between.close()
