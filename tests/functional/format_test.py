"""Frames of other formats: AFH Lite and GEN2 are switched by their ids."""

import itertools

from frames import BROADCAST, frame
from lab import Lab

GROUP = 0x81
_number = itertools.count(1)


def by_id(source: int, destination: int, *, key_word: int = 0x80, traffic_class: int = 0,
          ether_type: bytes = b"", length: int = 60) -> bytes:
    """Octets between the two parts of an id are payload, no two frames alike."""
    payload = next(_number).to_bytes(3, "big")
    octets = (bytes([key_word]) + payload + destination.to_bytes(2, "big")
              + bytes([traffic_class]) + payload + source.to_bytes(2, "big") + ether_type)
    return octets + bytes(index % 251 for index in range(length - len(octets)))


def build(lab: Lab, kind: str, *formats: str, **defaults):
    hosts = lab.add_hosts(len(formats))
    ports = [{**port, "format": name} for port, name in zip(lab.ports(kind), formats)]
    switch = lab.make_switch(ports, defaults=defaults).start() if defaults else \
        lab.make_switch(ports).start()
    return switch, hosts, lab.wires()


def test_lite_is_switched_by_its_ids(lab: Lab, kind: str):
    switch, _, (first, second, third) = build(lab, kind, *["afh_lite"] * 3)
    unknown = by_id(1, 2)
    first.send(unknown)
    second.expect(unknown)
    third.expect(unknown)
    answer = by_id(2, 1)
    second.send(answer)
    first.expect(answer)
    known, everyone = by_id(1, 2, traffic_class=0x14), by_id(1, 2, key_word=GROUP)
    first.send(known, everyone)
    second.expect(known, everyone)
    third.expect(everyone)
    assert switch.fdb() == {"1": "p0", "2": "p1"}
    assert {row["family"] for row in switch.show("fdb")} == {"afh_lite"}
    assert switch.drops() == {}


def test_a_traffic_class_gives_a_priority(lab: Lab):
    switch, _, (first, second) = build(lab, "af_packet", *["afh_lite"] * 2, default_priority=1,
                                       tc_to_priority={0x14: 3})
    of_class, of_none = by_id(1, 2, traffic_class=0x14), by_id(1, 2, traffic_class=0x18)
    first.send(of_class, of_none)
    assert sorted(second.collect(lambda received: len(received) == 2, "two frames")) == \
        sorted([of_class, of_none])
    assert {row["priority"]: row["enqueued"] for row in switch.show("queues")} == {1: 1, 3: 1}


def test_what_gen2_does_not_take_has_a_name(lab: Lab):
    switch, _, (first, second) = build(lab, "af_packet", *["afh_gen2_16b"] * 2)
    first.send(by_id(1, 2, key_word=0, ether_type=b"\xca\xfe"),
               by_id(1, 2, ether_type=b"\xca\xfe", length=21))
    last = by_id(1, 2, ether_type=b"\xca\xfe")
    first.send(last)
    second.expect(last)
    assert switch.drops() == {"afh_gen2_32b": 1, "runt": 1}


def test_ufh_is_switched_and_a_header_of_its_family_described(lab: Lab):
    """The second has a TTL in octet 2, and its ECN in octet 6 is marked from the first frame on."""
    def by_ufh(source: int, destination: int, ttl: int, ecn: int = 0, flags: int = 2) -> bytes:
        return (bytes([flags, 0xFF, ttl << 4 | 5, 0xAA]) + destination.to_bytes(2, "big")
                + bytes([0x14 | ecn]) + b"\xbb\xbb\xbb" + source.to_bytes(2, "big")
                + b"\xca\xfe" + bytes(range(46)))
    lab.add_hosts(2)
    ports = [{**port, "format": "ofh", "ecn": {0: {"low": "1B", "high": "2B", "probability": 1}}}
             for port in lab.ports("af_packet")]
    switch = lab.make_switch(ports, formats=[{
        "name": "ofh", "like": "ufh_16b", "traffic_class": {"mask": "0xfc"},
        "ecn": {"offset": 54, "width": 2}, "ttl": {"offset": 16, "width": 4}}]).start()
    first, second = lab.wires()
    second.send(by_ufh(2, 1, 9))
    first.expect(by_ufh(2, 1, 8))
    first.send(by_ufh(1, 2, 1), by_ufh(1, 2, 2, ecn=2), by_ufh(1, 2, 3))
    second.expect(by_ufh(1, 2, 1, ecn=3), by_ufh(1, 2, 2))
    assert switch.drops() == {"ttl_expired": 1}
    assert switch.fdb() == {"1": "p0", "2": "p1"}


def test_gen2_is_switched_by_its_ids_of_32_bits(lab: Lab):
    def by_long_id(source: int, destination: int, key_word: int = 0) -> bytes:
        payload = next(_number).to_bytes(1, "big")
        return (bytes([key_word]) + payload + destination.to_bytes(4, "big") + b"\x14" + payload
                + source.to_bytes(4, "big") + b"\xca\xfe" + bytes(range(46)))
    switch, _, (first, second, third) = build(lab, "af_packet", *["afh_gen2_32b"] * 3)
    one, two = 0xAABB0001, 0xCCDD0001
    unknown, answer, known = by_long_id(one, two), by_long_id(two, one), by_long_id(one, two)
    everyone = by_long_id(one, two, key_word=1)
    first.send(unknown)
    second.expect(unknown)
    third.expect(unknown)
    second.send(answer)
    first.expect(answer)
    first.send(by_long_id(one, two, key_word=0x80), known, everyone)
    second.expect(known, everyone)
    third.expect(everyone)
    assert switch.fdb() == {str(one): "p0", str(two): "p1"}
    assert switch.drops() == {"afh_gen2_16b": 1}


def test_families_are_not_bridged_to_each_other(lab: Lab):
    switch, hosts, (lite, ethernet, other) = build(lab, "af_packet", "afh_lite", "standard",
                                                   "standard")
    lite.send(by_id(1, 2, key_word=GROUP))
    switch.until_dropped("no_output", 1, "p0")
    everyone = frame(hosts[1].address, BROADCAST)
    ethernet.send(everyone)
    other.expect(everyone)
    assert lite.pending() == []
