"""Congestion signalling in band: tags that scapy writes come out with the signal of the port that was
worse, as scapy decodes them; ports towards hosts strip them; what is no right tag stays and is counted."""

from frames import BROADCAST, frame
from lab import Lab
from scapy.fields import BitField, XShortField
from scapy.layers.inet import IP, UDP
from scapy.layers.l2 import Dot1Q, Ether
from scapy.packet import Packet, Raw, bind_layers
from waiting import until_equal

COMPACT, WIDE = 0x9900, 0x9901
DEPTH = 3
SOURCE, FAR, HOST = "02:00:00:00:09:01", "02:00:00:00:09:02", "02:00:00:00:09:03"
LOCATOR = 5
MANY = 60


class Compact(Packet):
    fields_desc = [BitField("t", 0, 3), BitField("r", 0, 1), BitField("s", 0, 5), BitField("lm", 0, 6),
                   BitField("d", 0, 1), XShortField("type", 0x0800)]


class Wide(Packet):
    fields_desc = [BitField("lm", 0, 15), BitField("d", 0, 1), BitField("t", 0, 4), BitField("s", 0, 20),
                   BitField("r", 0, 8), XShortField("type", 0x0800)]


for below in (Ether, Dot1Q):
    bind_layers(below, Compact, type=COMPACT)
    bind_layers(below, Wide, type=WIDE)
for tag in (Compact, Wide):
    bind_layers(tag, IP, type=0x0800)
    bind_layers(tag, Dot1Q, type=0x8100)


def packet(destination: str, *tags: Packet, dscp: int = 0) -> bytes:
    octets = Ether(src=SOURCE, dst=destination)
    for each in tags:
        octets /= each
    octets /= IP(src="192.0.2.1", dst="192.0.2.2", id=7, tos=dscp << 2)
    return bytes(octets / UDP(sport=4000, dport=4000) / Raw(bytes(1000)))


def test_signals_get_worse_and_hosts_see_no_tag(lab: Lab):
    lab.add_hosts(3)
    ports = lab.ports("af_packet")
    ports[0]["dscp_to_priority"] = {10: 4}
    # A frame is some 1.7 ms there, so all of them are some 100 ms.
    ports[1].update(rate="5M", csig={"mode": "update", "locator": LOCATOR})
    ports[2]["csig"] = {"mode": "strip"}
    switch = lab.make_switch(ports, csig={"compact": {"tpid": COMPACT, "depth_step": "4ms"},
                                          "wide": {"tpid": WIDE, "depth_step": "10us"}}).start()
    source, far, host = lab.wires()
    for wire, address in ((far, FAR), (host, HOST)):
        hello = frame(address, BROADCAST)
        wire.send(hello)
        source.expect(hello)

    compact = packet(FAR, Dot1Q(vlan=1, prio=4), Compact(t=DEPTH, s=1, lm=1))
    wide = packet(FAR, Wide(t=DEPTH, s=1, lm=1, r=0x77), dscp=10)
    trimmed = packet(FAR, Compact(t=DEPTH, s=0, lm=2, d=1), dscp=10)
    source.send(*[compact, wide] * (MANY // 2), trimmed, wide)
    until_equal(lambda: switch.port("p1")["tx_frames"] >= MANY + 2, True, "they left")
    arrived = [Ether(octets) for octets in far.pending() if SOURCE.replace(":", "") in octets.hex()]
    assert len(arrived) == MANY + 2
    for kind, sent in ((Compact, compact), (Wide, wide)):
        tags = [each[kind] for each in arrived if kind in each and each[kind].lm != 2]
        assert len(tags) == MANY // 2 + (1 if kind is Wide else 0)
        for found in tags:
            assert (found.t, found.d) == (DEPTH, 0)
            assert found.lm == (1 if found.s == 1 else LOCATOR) and found.s >= 1
            assert bytes(found[IP]) == bytes(Ether(sent)[IP]), "what is behind the tag is as it was"
        signals = [found.s for found in tags]
        assert max(signals) > (4 if kind is Compact else 1600), "a sixth of them waited at least"
        assert signals[-1] < max(signals), "and less behind the last"
    assert bytes(arrived[-2]) == trimmed, "the D bit says that nobody updates it"

    whole = packet(HOST, dscp=10)
    tagged = [packet(HOST, each, dscp=10) for each in (Compact(t=2, s=3), Wide(t=1, s=9))]
    odd = [packet(HOST, Compact(t=2), Dot1Q(vlan=1)), tagged[0][:30]]
    host.pending()  # what was flooded
    source.send(*tagged, whole, *odd)
    host.expect(whole, whole, whole, *odd)

    rows = {row["port"]: row for row in switch.show("csig")}
    assert (rows["p1"]["seen"], rows["p1"]["mode"], rows["p1"]["locator"]) == (MANY + 2, "update", LOCATOR)
    assert MANY // 2 < rows["p1"]["replaced"] <= MANY + 1 and rows["p1"]["shared"] == 0
    until_equal(lambda: switch.show("csig")[1]["available_bps"], 5_000_000, "all is left again")
    assert rows["p2"]["stripped"] == 2 and rows["p2"]["available_bps"] is None
    assert {key: rows["p0"][key] for key in ("truncated", "order", "macsec", "not_ip")} == {
        "truncated": 1, "order": 1, "macsec": 0, "not_ip": 0}
    queues = {row["output"]: row for row in switch.show("queues") if row["priority"] == 4}
    assert queues["p1"]["enqueued"] == MANY + 2, "their DSCP was found behind the tag"
    assert switch.show("ledger")["balanced"]
    assert "REPLACED" in switch.command("show", "csig").stdout
