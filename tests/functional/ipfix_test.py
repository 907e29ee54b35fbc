"""IPFIX: what collectors get of queues, as tshark, pmacct and libfixbuf read it: all records with their
times and names, and counters that are those of `show queues`."""

import collections
import datetime
import json
import pathlib
import re
import shutil
import signal
import time
from typing import Iterator

import pytest

from frames import of_priority
from lab import Lab
from namespace import run
from switch import Switch, sluice
from udp_collector import UdpCollector
from waiting import until, until_equal

PORT = 4739
PACKETS, DROPPED, MARKED, DEPTH = 0x150000, 0x150002, 0x150022, 0x150018
GROUP, HEADROOM = 0x1A0002, 0x1A0006
NAMES = 256
FIELDS = ("template_id", "template_field_count", "template_ipfix_field_pen",
          "template_ipfix_field_type_enterprise", "flowset_id", "flowset_length",
          "observation_time_nanoseconds", "enterprise_private_entry", "private_enterprise_number",
          "information_element_id", "information_element_name", "od_id")

Element = tuple[int, int]  # enterprise and id


class Collector(UdpCollector):
    """`samples`: of each element every time and value; `names`: what each is called."""

    def __init__(self, lab: Lab, folder: pathlib.Path):
        super().__init__(lab.namespace, folder, PORT, "cflow")
        self.samples: dict[Element, list[tuple[float, int]]] = collections.defaultdict(list)
        self.names: dict[Element, str] = {}
        self.domains: set[str] = set()
        self._templates: dict[int, list[Element]] = {}

    def read(self) -> None:
        self.samples.clear()
        for layer in self.decode(f"cflow.{name}" for name in FIELDS):
            of = {name: iter(layer.get(f"cflow.{name}", [])) for name in FIELDS}
            self.domains.update(of["od_id"])
            self._read_templates(of)
            for element, name in zip(zip(map(int, of["private_enterprise_number"]),
                                         map(int, of["information_element_id"])),
                                     of["information_element_name"]):
                self.names[element] = name
            for flowset, length in zip(of["flowset_id"], of["flowset_length"]):
                self._read_records(self._templates.get(int(flowset), []), int(length) - 4, of)

    def _read_templates(self, of: dict[str, Iterator[str]]) -> None:
        counts = of["template_field_count"]
        for template in map(int, of["template_id"]):
            if template != NAMES:
                self._templates[template] = [
                    (int(next(of["template_ipfix_field_pen"])),
                     int(next(of["template_ipfix_field_type_enterprise"])))
                    for _ in range(int(next(counts)) - 1)]

    def _read_records(self, elements: list[Element], octets: int, of: dict[str, Iterator[str]]) -> None:
        if not elements:
            return
        each = 8 + 8 * len(elements)
        assert octets % each == 0
        for _ in range(octets // each):
            moment = next(of["observation_time_nanoseconds"])
            for element in elements:
                self.samples[element].append(
                    (_seconds(moment), int(next(of["enterprise_private_entry"]), 16)))

    def last(self, named: str) -> int:
        element = next(each for each, name in self.names.items() if name == named)
        return self.samples[element][-1][1]

    def most(self, named: str) -> int:
        element = next(each for each, name in self.names.items() if name == named)
        return max(value for _, value in self.samples[element])


def _seconds(moment: str) -> float:
    """Of `Nov 29, 2026 23:36:27.282474517 UTC`."""
    whole, fraction = moment.removesuffix(" UTC").split(".")
    read = datetime.datetime.strptime(whole, "%b %d, %Y %H:%M:%S").replace(tzinfo=datetime.timezone.utc)
    return read.timestamp() + float(f"0.{fraction}")


@pytest.fixture
def collector(lab: Lab, tmp_path) -> Iterator[Collector]:
    collector = Collector(lab, tmp_path)
    yield collector
    collector.close()


class Pmacct:
    """nfacctd, with a primitive of its own for each element, by the name of that."""

    def __init__(self, lab: Lab, folder: pathlib.Path, elements: dict[str, Element]):
        self._file = folder / "pmacct.json"
        primitives = folder / "primitives"
        primitives.write_text("".join(
            f"name={name} field_type={enterprise}:{number} len=8 semantics=u_int\n"
            for name, (enterprise, number) in elements.items()), encoding="ascii")
        configuration = folder / "nfacctd.conf"
        configuration.write_text(
            f"nfacctd_ip: 127.0.0.1\nnfacctd_port: {PORT + 1}\nplugins: print\n"
            f"aggregate: {','.join(elements)}\naggregate_primitives: {primitives}\n"
            f"print_output: json\nprint_output_file: {self._file}\nprint_output_file_append: true\n"
            "print_refresh_time: 1\n", encoding="ascii")
        self.process = lab.namespace.start("nfacctd", "-f", str(configuration))
        self.endpoint = f"127.0.0.1:{PORT + 1}"
        until(lambda: f":{PORT + 1} " in lab.namespace.run("ss", "-lun").stdout, "it listens")

    def most(self, name: str) -> int:
        if not self._file.exists():
            return -1
        lines = self._file.read_text(encoding="ascii").splitlines()
        return max((int(json.loads(line)[name]) for line in lines if line.endswith("}")), default=-1)


def read_by_libfixbuf(collector: Collector, folder: pathlib.Path) -> dict[str, int]:
    """The last value of each name."""
    file = folder / "messages.ipfix"
    file.write_bytes(b"".join(collector.datagrams))
    said = run("ipfixDump", "--in", str(file), "--rfc5610", "--data").stdout
    return {name: int(value) for name, value in re.findall(r"\(\d+/\d+\)\s*(\S+) : (\d+)", said)}


def sums_of(switch: Switch, key: str) -> dict[int, int]:
    """Of the queues to p2, by priority."""
    sums: dict[int, int] = collections.Counter()
    for row in switch.show("queues"):
        if row["output"] == "p2":
            sums[row["priority"]] += row[key]
    return sums


def test_collectors_read_what_show_queues_says(lab: Lab, tmp_path, collector: Collector):
    """The number of a queue: eight a port, and one more: of p2's priority 4, 21."""
    left, dropped = (PACKETS, 21), (DROPPED, 21)
    pmacct = None  # Debian 13 has neither this nor ipfixDump
    if shutil.which("nfacctd"):
        pmacct = Pmacct(lab, tmp_path, {"left": left, "dropped": dropped})
    lab.add_hosts(3)
    ports = lab.ports("af_packet")
    ports[2]["rate"] = "10M"
    switch = lab.make_switch(
        ports, buffer={"size": "320KiB", "alpha": 1}, defaults={"lossless": [3]},
        ipfix={"collectors": [collector.endpoint, *([pmacct.endpoint] if pmacct else [])],
               "period": "1ms", "domain": 77,
               "ports": ["p2"], "priorities": [3, 4]}).start()
    one, two, _ = lab.hosts
    first, second, _ = lab.wires()
    began = time.time()
    first.send(*of_priority(one.address, 4, 150, length=1000))
    second.send(*of_priority(two.address, 4, 50, length=1000),
                *of_priority(two.address, 3, 5, length=1000))
    switch.settled(received=205)
    sampled = switch.show("ipfix")["workers"][0]["samples"]
    until(lambda: switch.show("ipfix")["workers"][0]["samples"] >= sampled + 20, "samples since")
    collector.read()
    wanted = {key: sums_of(switch, key) for key in ("dequeued", "dropped", "marked")}
    assert wanted["dropped"][4] > 0 and wanted["dequeued"][3] == 5
    for priority in (3, 4):
        for name, key in (("PACKETS", "dequeued"), ("DROPPED_PACKETS", "dropped"),
                          ("WRED_ECN_MARKED_PACKETS", "marked")):
            assert collector.last(f"SAI_QUEUE_STAT_{name}|p2|{priority}") == wanted[key][priority]
    depth = "SAI_QUEUE_STAT_CURR_OCCUPANCY_BYTES|p2|4"
    assert collector.most(depth) > 10_000 and collector.last(depth) == 0
    assert collector.domains == {"77"}
    assert set(collector.names) == set(collector.samples) == \
        {(each, 20 + n) for each in (PACKETS, DROPPED, MARKED, DEPTH) for n in (0, 1)} | \
        {(GROUP, 20), (HEADROOM, 20)}
    assert collector.names[HEADROOM, 20] == \
        "SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_CURR_OCCUPANCY_BYTES|p2|3"
    # No counter goes back, nor does time; and the times are those of now.
    for element in (left, dropped):
        values = [value for _, value in collector.samples[element]]
        assert values == sorted(values)
        times = [at for at, _ in collector.samples[element]]
        assert times == sorted(times) and began - 60 < times[0] and times[-1] < time.time() + 1
    shown = switch.show("ipfix")
    assert {row["object"]: row["id"] for row in shown["objects"] if row["type"] == "queue"} == \
        {"p2|3": 20, "p2|4": 21}
    assert {row["lost"] for row in shown["collectors"]} == {0} and shown["samples_lost"] == 0
    if pmacct is None:
        return
    by_name = read_by_libfixbuf(collector, tmp_path)
    assert by_name == {name: collector.last(name) for name in collector.names.values()}
    until_equal(lambda: pmacct.most("left"), wanted["dequeued"][4], "pmacct has what left")
    until_equal(lambda: pmacct.most("dropped"), wanted["dropped"][4], "and what was dropped")
    pmacct.process.signal(signal.SIGKILL)  # it would take five seconds to end


def test_apply_turns_it_on_and_off_and_a_collector_may_be_missing(lab: Lab, collector: Collector):
    switch, _ = lab.build("af_packet", 2)
    assert switch.show("ipfix")["enabled"] is False
    assert "off" in switch.command("show", "ipfix").stdout
    switch.apply(ipfix={"collectors": [collector.endpoint], "period": "10ms"})
    until(lambda: collector.receive_all() > 3, "it is on")
    assert "p1|7" in switch.command("show", "ipfix").stdout
    collector.close()
    until(lambda: switch.show("ipfix")["collectors"][0]["lost"] >= 3, "messages are lost, and counted")
    events = [row for row in switch.show("events") if row["kind"].startswith("ipfix")]
    assert [row["kind"] for row in events] == ["ipfix_unreachable"]
    assert "Connection refused" in events[0]["text"]
    switch.apply(ipfix={})
    assert switch.show("ipfix")["enabled"] is False


@pytest.mark.parametrize("wrong,why", [
    ({"period": "5us"}, "ipfix.period"),
    ({"ports": ["nobody"]}, "ipfix.ports"),
    ({"priorities": [8]}, "ipfix.priorities"),
    ({"collectors": ["somewhere"]}, "ipfix.collectors"),
    ({"mtu": "100B"}, "ipfix.mtu"),
    ({"period": "10us"}, "ipfix.period: 24 queues"),
    ({"collectors": [], "domain": 3}, "ipfix.domain")])
def test_what_cannot_be_is_refused_with_its_key(tmp_path, wrong: dict, why: str):
    file = tmp_path / "wrong.yaml"
    about = {"collectors": ["192.0.2.9:4739"]} | wrong
    file.write_text(json.dumps({"ports": [{"name": name, "device": f"ring:{name}"} for name in "abc"],
                                "ipfix": about}), encoding="ascii")
    checked = sluice("check", str(file), check=False)
    assert checked.returncode == 2
    assert why in checked.stderr and ";" in checked.stderr, checked.stderr
