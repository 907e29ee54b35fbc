"""sFlow: what a collector gets, as tshark decodes it: samples of frames and why some went nowhere,
counters of ports, and that all of it is turned on, off and changed while frames flow."""

import pathlib
from typing import Iterator

import pytest
from scapy.layers.l2 import Ether
from scapy.packet import Raw

from frames import BROADCAST, frame, of_priority
from lab import Lab
from namespace import Namespace
from switch import Switch
from udp_collector import UdpCollector
from waiting import until, until_equal

PORT = 6343
AGENT = "192.0.2.1"
GROUP = "01:00:5e:00:00:01"  # as a source, wrong
FLOW = ("sequence_number", "sampling_rate", "sample_pool", "dropped_packets", "input_interface",
        "output_interface_format", "output_interface_value")
OF_HEADER = ("sflow_245.header.frame_length", "sflow_245.header.payload_stripped",
             "sflow_245.header.sampled_header_length", "sflow_245.vlan.in", "sflow_245.pri.in",
             "sflow_245.vlan.out", "sflow_245.pri.out")
COUNTERS = ("ifindex", "ifinoct", "ifinpkt", "ifindisc", "ifinerr", "ifoutoct", "ifoutpkt",
            "ifoutdisc", "ifspeed", "ifoper_status", "ifinmcast", "dot3StatsFrameTooLongs",
            "dot3StatsFCSErrors")
OF_DATAGRAM = ("sflow_245.agent", "sflow_245.sequence_number", "sflow_245.numsamples")
ONE, DISCARDED, SEVERAL = "0", "1", "2"
INSIDE = str(0x3FFFFFFF)
NOT_COUNTED = str(2**32 - 1)
NO_BUFFER_SPACE = "259"
PORT_LOOPBACK_FILTER = "268"


class Collector(UdpCollector):
    def __init__(self, namespace: Namespace, folder: pathlib.Path, port: int = PORT):
        super().__init__(namespace, folder, port, "sflow")

    def decoded(self) -> list[dict[str, list[str]]]:
        """The values of each field, a datagram each; none of them is strange to tshark."""
        return self.decode((*(f"sflow.flow_sample.{name}" for name in FLOW), *OF_HEADER,
                            *(f"sflow_245.{name}" for name in COUNTERS), *OF_DATAGRAM))

    def samples(self, names: tuple[str, ...]) -> list[dict[str, str]]:
        """A row a sample that has these fields; every such sample has all of them."""
        rows = []
        for layer in self.decoded():
            columns = {name.split(".")[-1]: layer.get(name, []) for name in names}
            lengths = {len(values) for values in columns.values()}
            assert len(lengths) == 1, columns
            rows += [dict(zip(columns, values)) for values in zip(*columns.values())]
        return rows

    def flows(self) -> list[dict[str, str]]:
        return self.samples((*(f"sflow.flow_sample.{name}" for name in FLOW),
                             *(field for field in OF_HEADER if ".in" not in field
                               and ".out" not in field)))

    def switched(self) -> list[tuple[str, ...]]:
        """VLAN and priority in, VLAN and priority out."""
        rows = []
        for layer in self.decoded():
            rows += list(zip(*(layer.get(field, []) for field in OF_HEADER[3:])))
        return rows

    def counters(self) -> list[dict[str, str]]:
        return self.samples(tuple(f"sflow_245.{name}" for name in COUNTERS))


@pytest.fixture
def collector(lab: Lab, tmp_path) -> Iterator[Collector]:
    collector = Collector(lab.namespace, tmp_path)
    yield collector
    collector.close()


def sflow_settings(collector: Collector, **more) -> dict:
    return {"collectors": [collector.endpoint], "agent": AGENT, "sampling": 1, "polling": 0, **more}


def shown(switch: Switch, port: str) -> dict:
    return next(row for row in switch.show("sflow")["ports"] if row["port"] == port)


def if_index(switch: Switch, port: str) -> str:
    return str(shown(switch, port)["if_index"])


def test_tshark_reads_what_became_of_every_frame(lab: Lab, kind: str, collector: Collector):
    switch, (one, two, three) = lab.build(kind, 3, sflow=sflow_settings(collector))
    first, second, third = lab.wires()
    second.send(frame(two.address, BROADCAST))  # so that the switch knows where it is
    until_equal(lambda: switch.fdb().get(two.address), "p1", "the address is learned")
    first.send(frame(one.address, two.address, vlan=1, priority=5, length=1000),
               frame(one.address, BROADCAST, length=300),
               frame(one.address, one.address, length=400),
               frame(one.address, two.address, length=60))

    def by_length() -> dict[str, dict[str, str]]:
        return {row["frame_length"]: row for row in collector.flows()
                if row["input_interface"] == if_index(switch, "p0")}
    second_port = if_index(switch, "p1")
    wanted = {"1004": (ONE, second_port), "304": (SEVERAL, "2"),
              "404": (DISCARDED, PORT_LOOPBACK_FILTER), "64": (ONE, second_port)}
    until(lambda: wanted.keys() <= by_length().keys(), "the collector has them")
    rows = by_length()
    assert {length: (rows[length]["output_interface_format"],
                     rows[length]["output_interface_value"])
            for length in wanted} == wanted
    assert rows["1004"]["sampled_header_length"] == "128"
    assert rows["64"]["sampled_header_length"] == "60"
    flows = [row for row in collector.flows() if row["input_interface"] == if_index(switch, "p0")]
    assert {row["payload_stripped"] for row in flows} == {"4"}
    assert {row["dropped_packets"] for row in flows} == {"0"}
    assert [row["sequence_number"] for row in flows] == [str(n + 1) for n in range(len(flows))]
    assert [row["sample_pool"] for row in flows] == [str(n + 1) for n in range(len(flows))]
    assert ("1", "5", "1", "5") in collector.switched()
    datagrams = collector.decoded()
    assert {layer["sflow_245.agent"][0] for layer in datagrams} == {AGENT}
    numbers = [int(layer["sflow_245.sequence_number"][0]) for layer in datagrams]
    assert numbers == list(range(1, len(numbers) + 1))


def test_drops_by_full_queues_say_that_there_was_no_room(lab: Lab, collector: Collector):
    one, two = lab.add_hosts(2)
    ports = lab.ports("af_packet")
    ports[1]["rate"] = "10M"
    switch = lab.make_switch(ports, buffer={"size": "64KiB", "alpha": 1},
                             sflow=sflow_settings(collector)).start()
    first, second = lab.wires()
    first.send(*of_priority(one.address, 4, 150, length=1000))
    switch.settled(received=150)
    lost = switch.drops("p0")["over_threshold"]
    received = switch.port("p0")["rx_frames"]
    drops = shown(switch, "p0")["drops"]

    def discarded_and_all() -> tuple[int, int]:
        flows = [row for row in collector.flows() if row["input_interface"] == if_index(switch, "p0")]
        return (sum(row["output_interface_value"] == NO_BUFFER_SPACE and
                    row["output_interface_format"] == DISCARDED for row in flows), len(flows))
    until(lambda: discarded_and_all()[1] >= received - drops, "the collector has every sample")
    discarded, all_flows = discarded_and_all()
    assert all_flows == received - drops
    assert lost - drops <= discarded <= lost
    assert lost > 0


def test_what_ends_in_the_switch_goes_inside(lab: Lab, collector: Collector):
    switch, (one, two) = lab.build("af_packet", 2, sflow=sflow_settings(collector))
    first, _ = lab.wires()
    first.send(bytes(Ether(src=one.address, dst="01:80:c2:00:00:01", type=0x8808) /
                     Raw(b"\x01\x01" + bytes(44))))

    def consumed() -> list[dict[str, str]]:
        return [row for row in collector.flows() if row["output_interface_value"] == INSIDE]
    until(consumed, "a pause frame is sampled")
    assert consumed()[0]["output_interface_format"] == ONE


def test_one_in_ten_is_a_tenth(lab: Lab, collector: Collector):
    frames = 20_000
    switch, (one, two) = lab.build("af_packet", 2, sflow=sflow_settings(collector, sampling=10))
    first, _ = lab.wires()
    first.send(*[frame(one.address, BROADCAST, length=64)] * frames, rate=20_000)
    switch.settled()
    received = switch.port("p0")["rx_frames"]
    assert received > frames / 2

    def flows_of_first() -> list[dict[str, str]]:
        return [row for row in collector.flows() if row["input_interface"] == if_index(switch, "p0")]
    until(lambda: len(flows_of_first()) >= shown(switch, "p0")["flow_samples"],
          "the collector has all samples", interval=0.5)
    flows = flows_of_first()
    assert {row["sampling_rate"] for row in flows} == {"10"}
    # Gaps drawn evenly from 1 to 19: of 2000 the sum strays by some 250 frames, 25 samples.
    expected = received / 10
    assert expected - 150 < len(flows) + shown(switch, "p0")["drops"] < expected + 150
    pool = int(flows[-1]["sample_pool"])
    assert received - 200 < pool <= received, "all that came could have been sampled"


def test_counters_are_those_of_show_ports(lab: Lab, collector: Collector):
    switch, (one, two) = lab.build(
        "af_packet", 2, sflow=sflow_settings(collector, sampling=0, polling="1s"))
    first, _ = lab.wires()
    first.send(*(frame(one.address, BROADCAST, length=100) for _ in range(30)),
               frame(one.address, one.address), frame(GROUP, BROADCAST))
    switch.settled()

    def same() -> bool:
        """Of the last sample of each port, once nothing comes any more."""
        ports = switch.show("ports")
        rows = {row["ifindex"]: row for row in collector.counters()}
        if set(rows) != {if_index(switch, name) for name in ("p0", "p1")}:
            return False
        return all((int(rows[str(port["if_index"])]["ifinpkt"]),
                    int(rows[str(port["if_index"])]["ifinoct"]),
                    int(rows[str(port["if_index"])]["ifoutpkt"]),
                    int(rows[str(port["if_index"])]["ifoutoct"])) ==
                   (port["rx_frames"], port["rx_bytes"], port["tx_frames"], port["tx_bytes"])
                   for port in ports)
    until(same, "the counters of both ports are those that are shown", interval=0.3)
    last = next(row for row in reversed(collector.counters())
                if row["ifindex"] == if_index(switch, "p0"))
    drops = switch.drops("p0")
    assert int(last["ifindisc"]) == sum(drops.values()) - 1
    assert drops["group_source"] == int(last["ifinerr"]) == 1
    assert last["ifoper_status"] in ("1", "True")
    assert int(last["ifspeed"]) == switch.port("p0")["rate_bps"]
    assert last["ifinmcast"] == last["dot3StatsFCSErrors"] == NOT_COUNTED
    assert last["dot3StatsFrameTooLongs"] == "0"
    assert collector.flows() == []


def test_apply_turns_it_on_and_off_and_changes_it(lab: Lab, tmp_path, collector: Collector):
    switch, (one, two) = lab.build("af_packet", 2)
    first, second = lab.wires()
    assert not switch.show("sflow")["enabled"]
    assert "off" in switch.command("show", "sflow").stdout
    first.send(*(frame(one.address, BROADCAST) for _ in range(5)))
    switch.settled()
    assert collector.receive_all() == 0

    switch.apply(sflow=sflow_settings(collector))
    assert AGENT in switch.command("show", "sflow").stdout
    first.send(*(frame(one.address, BROADCAST) for _ in range(5)))
    until(lambda: len(collector.flows()) >= 5, "it is on")

    other = Collector(lab.namespace, tmp_path, PORT + 1)
    quiet = lab.ports("af_packet")
    quiet[0]["sflow"] = {"sampling": 0}
    switch.apply(ports=quiet, sflow=sflow_settings(other, header=64))
    switch.settled()
    before = len(collector.flows())
    first.send(frame(one.address, BROADCAST, length=200))
    second.send(frame(two.address, BROADCAST, length=200))
    until(lambda: any(row["input_interface"] == if_index(switch, "p1") for row in other.flows()), "of the other port")
    assert {row["input_interface"] for row in other.flows()} == {if_index(switch, "p1")}
    assert "64" in {row["sampled_header_length"] for row in other.flows()}
    assert len(collector.flows()) == before, "nothing goes there any more"

    switch.apply(ports=lab.ports("af_packet"), sflow={})
    assert not switch.show("sflow")["enabled"]
    switch.settled()
    received = other.receive_all()
    second.send(*(frame(two.address, BROADCAST) for _ in range(5)))
    switch.settled()
    assert other.receive_all() == received
    other.close()


def test_a_collector_that_is_not_there_is_reported_once(lab: Lab, collector: Collector):
    collector.close()
    switch, (one, two) = lab.build("af_packet", 2, sflow=sflow_settings(collector))
    first, _ = lab.wires()

    def lost() -> int:
        first.send(frame(one.address, BROADCAST))
        return switch.show("sflow")["collectors"][0]["lost"]
    until(lambda: lost() >= 3, "datagrams are lost, and counted", interval=0.1)
    events = [row for row in switch.show("events") if row["kind"].startswith("sflow")]
    assert [row["kind"] for row in events] == ["sflow_unreachable"]
    assert "Connection refused" in events[0]["text"]
    assert not switch.show("sflow")["collectors"][0]["reachable"]
    switch.settled()
