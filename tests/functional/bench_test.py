"""What `tools/bench` has around its benches: a stored result to compare with, and peers to ask."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys

import pytest
import switch
from huge_pages import reserved_at_rest
from process import Process, children_of
from waiting import until, until_equal

TOP = pathlib.Path(__file__).resolve().parents[2]
BENCH = TOP / "tests" / "bench"
sys.path[:0] = [str(BENCH), str(BENCH / "peers")]
import devices  # noqa: E402
import generator  # noqa: E402
import latency  # noqa: E402
import peers  # noqa: E402
import table  # noqa: E402
import variant_cost  # noqa: E402
import vpp  # noqa: E402


def with_results(script: str, results: list[dict], *words) -> subprocess.CompletedProcess:
    return subprocess.run(["/usr/bin/python3", str(BENCH / script), *map(str, words)],
                          input="".join(json.dumps(result) + "\n" for result in results),
                          text=True, capture_output=True)


def compare(after: list[dict], *before: pathlib.Path) -> subprocess.CompletedProcess:
    return with_results("compare.py", after, *before)


def loop(ports: int, cycles: float) -> dict:
    return {"bench": "closed_loop", "ports": ports, "cycles_per_frame": cycles}


def test_the_worst_comes_first_and_fails(tmp_path):
    before = tmp_path / "before.json"
    before.write_text(json.dumps(loop(4, 80.0)) + "\n" + json.dumps(loop(8, 90.0)) + "\n")
    result = compare([loop(4, 60.0), loop(8, 99.0), loop(16, 100.0)], before)
    assert result.returncode == 1
    worst, best = result.stderr.strip().splitlines()[1:]
    assert worst.split()[0] == "+10.0%" and "SLOWER closed_loop ports 8" in worst
    assert best.split()[0] == "-25.0%" and "faster closed_loop ports 4" in best


def test_more_a_second_is_faster_and_noise_is_no_failure(tmp_path):
    before = tmp_path / "before.json"
    before.write_text('{"bench":"memif","dut":"sluice","mpps":10.0,"p50_ns":900}\n')
    result = compare([{"bench": "memif", "dut": "sluice", "mpps": 9.8, "p50_ns": 2000},
                      {"bench": "memif", "dut": "ovs_normal", "mpps": 1.0}], before)
    assert result.returncode == 0
    assert "+2.0%" in result.stderr and "SLOWER" not in result.stderr
    assert "ovs_normal" not in result.stderr


def test_tunnels_of_each_kind_and_way_are_compared_apart(tmp_path):
    def tunnel(cycles: float, **about) -> dict:
        return {"bench": "tunnel", "frame_bytes": 64, "cycles_per_frame": cycles} | about

    before = tmp_path / "before.json"  # one kind was all there was
    before.write_text(json.dumps(tunnel(31.0, way="in")) + "\n")
    result = compare([tunnel(62.0, way="in", encapsulation="mpls"),
                      tunnel(62.0, way="out", encapsulation="vxlan"),
                      tunnel(31.0, way="in", encapsulation="vxlan")], before)
    assert result.returncode == 0, result.stderr
    assert "encapsulation vxlan way in" in result.stderr and "mpls" not in result.stderr


def test_a_stored_result_that_is_none_is_named(tmp_path):
    before = tmp_path / "before.json"
    before.write_text("islip 16 ports\n")
    result = compare([], before)
    assert result.returncode == 2
    assert str(before) in result.stderr and "tools/bench --store" in result.stderr


MACHINE = {"bench": "machine", "pace": 0.7, "undisturbed": 0.9, "commit": "abc1234", "machine": "EPYC"}


def test_what_is_stored_says_when_where_and_of_what_and_can_be_compared(tmp_path):
    for cycles in (70.0, 100.0, 80.0):
        folder = tmp_path / str(cycles)
        result = with_results("store.py", [MACHINE, loop(4, cycles)], folder)
        assert result.returncode == 0, result.stderr
        file, = folder.iterdir()
        assert re.fullmatch(r"\d{4}-\d\d-\d\d-\d{4}-abc1234\.json", file.name)
        stored = json.loads(file.read_text())
        assert (stored["commit"], stored["machine"], stored["pace"]) == ("abc1234", "EPYC", 0.7)
        assert stored["results"] == [MACHINE, loop(4, cycles)]
    files = sorted(tmp_path.glob("*/*.json"))
    between = compare([loop(4, 95.0)], *files)
    assert between.returncode == 0 and "+18.8%" in between.stderr  # of 80, the median
    assert "SLOWER" not in between.stderr
    beyond = compare([loop(4, 101.0)], *files)
    assert beyond.returncode == 1 and "SLOWER closed_loop ports 4" in beyond.stderr


def test_another_machine_and_another_pace_are_reported(tmp_path):
    before = tmp_path / "before.json"
    before.write_text(json.dumps(MACHINE) + "\n" + json.dumps(loop(4, 80.0)) + "\n")
    same = compare([{**MACHINE, "pace": 0.72}, loop(4, 80.0)], before)
    assert "says little" not in same.stderr
    slower = compare([{**MACHINE, "pace": 0.8}, loop(4, 80.0)], before)
    assert f"{before}: had a pace of 0.7, and now it is 0.8: what moved says little" in slower.stderr
    other = compare([{**loop(4, 80.0), "machine": "Xeon"}], before)
    assert f"{before}: is of EPYC, and this is Xeon: what moved says little" in other.stderr
    assert other.returncode == 0


def test_results_without_their_machine_are_not_stored(tmp_path):
    result = with_results("store.py", [loop(4, 80.0)], tmp_path / "results")
    assert result.returncode == 1 and "`machine`" in result.stderr
    assert not (tmp_path / "results").exists()


@pytest.mark.full
def test_peers_are_asked_in_turns_and_reported_beside_testpmd():
    switch.program("sluice-gen")
    result = subprocess.run(
        ["/usr/bin/python3", str(BENCH / "peers" / "peers.py"), "--json", "--rounds", "1",
         "--seconds", "0.3", "sluice", "testpmd_io"], text=True, capture_output=True)
    assert result.returncode == 0, result.stderr
    ours, testpmd = map(json.loads, result.stdout.splitlines())
    assert (ours["dut"], testpmd["dut"]) == ("sluice", "testpmd_io")
    assert ours["mpps"] > 0 and ours["p50_ns"] > 0 and testpmd["ratio"] == 1
    slowest = min(ours["mpps"], testpmd["mpps"])
    assert ours["latency_mpps"] == testpmd["latency_mpps"] == slowest
    assert 0 < ours["latency_at_10"]["p50_ns"] <= ours["latency_at_90"]["p999_ns"]
    assert ours["cycles_per_frame"] > 10 and testpmd["cycles_per_frame"] > 10
    assert {ours["limit"], testpmd["limit"]} <= {"device", "generator"}


def test_latency_is_told_at_shares_of_what_the_slowest_carries():
    ours, other = peers.Case("sluice"), peers.Case("testpmd_io")
    longer, many = peers.Case("sluice", "1518"), peers.Case("sluice_many_addresses")
    carried = {ours: 9.0, other: 8.0, longer: 2.0, many: 7.0}
    assert [peers.slowest(case, carried) for case in carried] == [8.0, 8.0, 2.0, 7.0]
    assert latency.of_each_sender(8.0, 90, 2) == "3600000"

    def found(p99: int) -> latency.Found:
        return {load: {"p50": load, "p99": p99 + load, "p999": 2 * p99, "max": 3 * p99}
                for load in latency.LOADS}

    line = latency.fields(8.0, [found(100), found(300), found(110)], [found(1550)])
    assert (line["latency_mpps"], line["p50_ns"], line["p99_ns"]) == (8.0, 50, 160)
    assert line["ratio_p99"] == 0.1
    assert line["latency_at_90"] == {"p50_ns": 90, "p99_ns": 200, "p999_ns": 220, "max_ns": 330}
    assert "10 % 0.0/0.1/0.2, 50 % 0.1/0.2/0.2, 90 %" in latency.text_of(line)
    row = table.row_of(line | {"bench": "memif", "dut": "sluice", "frame_bytes": 64, "mpps": 9.0,
                               "refused": 0.8, "p50_ns": 1300, "p99_ns": 28000})
    assert row.count("at half of 8.00 Mpps p50 1.3 us, p99 28.0 us, 0.10 of testpmd io's") == 1


def test_what_cells_of_the_top_readme_have_in_brackets_stands_below():
    rows = "| a, 2 worker(s) | 5 Mpps (1 to 9), 1.5 (x; y) |\n| b | 6 (x; y) |\n"
    assert table.with_notes(rows) == (
        "| a, 2 worker(s) | 5 Mpps [1], 1.5 [2] |\n| b | 6 [2] |\n\n[1] 1 to 9. [2] x; y.\n")


def test_a_row_with_many_addresses_is_reported_beside_ovs_with_as_many():
    result = {"bench": "memif", "dut": "sluice", "frame_bytes": 64, "mpps": 19.6, "refused": 0.8,
              "p50_ns": 1300, "p99_ns": 28000, "ratio_ovs_normal": 1.24}
    one = table.row_of(result | {"ratio": 0.84})
    assert "0.84 of testpmd io, 1.24 of OVS-DPDK, learning, " in one and "addresses" not in one
    many = table.row_of(result | {"addresses": 1024})
    assert "1,024 addresses behind each port" in many
    assert "19.60 Mpps, 1.24 of OVS-DPDK, learning, 80 % of bursts" in many


def test_a_peer_that_serves_nobody_is_started_anew(monkeypatch, capsys):
    starts = []

    class Idle(peers.devices.Device):
        def start(self):
            starts.append(self.folder)

    monkeypatch.setitem(peers.devices.DEVICES, "idle", Idle)
    monkeypatch.setattr(generator, "ATTEMPTS", 1)
    idle = peers.Case("idle")
    with pytest.raises(SystemExit, match="idle serves nobody"):
        peers.started(idle, lambda device: peers.trials_of(device, idle, 0.1))
    assert len(set(starts)) == peers.STARTS
    assert "idle, start 1 of 3: " in capsys.readouterr().err


def test_who_is_told_to_end_leaves_no_huge_pages_and_no_program(tmp_path):
    before = reserved_at_rest()
    asked = Process(["/usr/bin/python3", str(BENCH / "peers" / "peers.py"), "sluice"], tmp_path, "peers")
    # The switch, and the generator that fills its ports.
    programs = until(lambda: found if len(found := children_of(asked.pid)) == 2 else [],
                     "a trial runs", seconds=30)
    asked.signal(signal.SIGTERM)
    assert asked.wait(30) == 128 + signal.SIGTERM
    assert not [pid for pid in programs if pathlib.Path(f"/proc/{pid}").exists()]
    until_equal(reserved_at_rest, before, "they are given back")


@pytest.mark.full
def test_eight_ports_talk_to_each_other_through_the_switch():
    result = subprocess.run(
        ["/usr/bin/python3", str(BENCH / "peers" / "peers.py"), "--json", "--rounds", "1",
         "--seconds", "0.2", "--ports", "8", "--addresses", "16", "--frame-bytes", "imix", "sluice",
         "testpmd_io"],
        text=True, capture_output=True)
    assert result.returncode == 0, result.stderr
    ours, = map(json.loads, result.stdout.splitlines())  # testpmd forwards by no address
    assert (ours["ports"], ours["addresses"], ours["frame_bytes"]) == (8, 16, "imix")
    assert ours["mpps"] > 0
    row = table.row_of(ours)
    assert "between each of 8 memif ports, the simple IMIX, one core, all ways, 16 addresses" in row


def test_the_matrix_is_two_tables_by_device_and_what_was_asked():
    def of(dut: str, mpps: float, **about) -> dict:
        return {"bench": "memif", "dut": dut, "frame_bytes": 64, "mpps": mpps, "rounds": 1,
                "limit": "device"} | about

    results = [of("sluice", 11.25, cycles_per_frame=250.4, cycles_least=193.2),
               of("testpmd_io", 12.5, limit="generator"),
               of("sluice", 3.0, frame_bytes="imix"), of("sluice", 9.0, addresses=65536),
               of("sluice", 4.0, ports=8)]
    assert table.is_matrix(results) and not table.is_matrix(results[:2])
    rates, costs = table.tables_of_matrix(results).split("\n\n")[:2]
    assert rates.splitlines()[0].endswith("| 64 octets | IMIX | 65,536 addresses | 8 ports |")
    assert "| this switch | 11.25 | 3.00 | 9.00 | 4.00 |" in rates
    assert "| dpdk-testpmd io | 12.50 (g) |  |  |  |" in rates
    assert "| this switch | 250 (193) | not told | not told | not told |" in costs


def test_the_matrix_asks_each_for_what_it_is_for():
    cases = peers.matrix(["sluice", "testpmd_io", "ovs_flow", "sluice_many_addresses",
                          "sluice_veth"])
    assert {case.frame_bytes for case in cases if case.device == "testpmd_io"} == set(peers.LENGTHS)
    assert {case.device for case in cases if case.addresses or case.ports == 8} == {"sluice"}
    assert {case.addresses for case in cases} == {None, 1024, 65536}
    assert len(cases) == len(set(cases)) == 3 * 8 + 3


def test_tcp_and_bursts_of_udp_share_one_output():
    build = pathlib.Path(switch.program("sluiced")).parent
    result = subprocess.run(
        ["/usr/bin/python3", str(BENCH / "incast.py"), "--json", "--seconds", "1", "--ports", "2",
         str(os.environ.get("SLUICE_BUILD", build))], text=True, capture_output=True)
    assert result.returncode == 0, result.stderr
    plain, marking = map(json.loads, result.stdout.splitlines())
    for line in (plain, marking):
        assert (line["tcp_ports"], line["udp_ports"]) == (1, 1)
        assert 0 < line["goodput_mbps"] < 200 and 0 < line["p50_ns"] <= line["p99_ns"]
        assert 0 <= line["lost_percent"] < 100
    assert (plain["marking"], marking["marking"]) == (False, True)
    assert table.rows_of_incast([plain, marking]).count("| 1, 1 | 200Mbps | ") == 2


@pytest.mark.parametrize("refused, limit", [(0.01, "generator"), (0.7, "device")])
def test_a_row_says_whose_limit_it_is_and_what_a_frame_costs(refused, limit):
    found = [{"cycles": [402.0, 201.0, 201.0], "trials": [4.0, 5.0, 6.0], "refused": refused,
              "lost_percent": 0.0}]
    case = peers.Case("sluice")
    line = peers.row_of(case, found, {case: 5.5, peers.Case("testpmd_io"): 11.0})
    assert (line["limit"], line["cycles_per_frame"], line["ratio"]) == (limit, 201.0, 0.5)
    row = table.row_of(line)
    assert "201 cycles a frame as it says" in row
    assert ("the generator was the limit" in row) == (limit == "generator")


# --- what peers say of their own cost -------------------------------------------------------------

# As dpdk-testpmd 22.11 and OVS 3.1 print it.
TESTPMD = """
  +++++++++++++++ Accumulated forward statistics for all ports+++++++++++++++
  RX-packets: 23886720       RX-dropped: 0             RX-total: 23886720

  CPU cycles/packet=61.42 (total cycles=1467197894 / total io packets=23886720) at 2400 MHz Clock
"""
OVS = """pmd thread numa_id 0 core_id 1:
  packets received: 9087648
  packet recirculations: 0
  avg. datapath passes per packet: 1.00
  idle cycles: 162000 (0.01%)
  processing cycles: 2400000000 (99.99%)
  avg cycles per packet: 264.11 (2400162000/9087648)
  avg processing cycles per packet: 264.09 (2400000000/9087648)
main thread:
  packets received: 0
"""
# As VPP 26.10-rc0 prints it, of a bridge domain under load and while next to nothing comes, with
# fewer blanks; the row of its main thread is made up.
VPP = """Thread 0 vpp_main (lcore 0)
Time 1.0, 10.000000 sec internal node vector rate 0.00 loops/sec 1843.42
  vector rates in 0.0000e0, out 0.0000e0, drop 0.0000e0, punt 0.0000e0
    Name             State         Calls      Vectors   Suspends   Packet-Clocks   Vectors/Call
memif-input         polling           10           10          0          9.99e9           1.00
unix-cli-local:0  event wait           0            0          2          3.66e4           0.00
---------------
Thread 1 vpp_wk_0 (lcore 1)
Time 1.0, 10.000000 sec internal node vector rate 71.04 loops/sec 2466263.06
  vector rates in 1.1437e7, out 1.1437e7, drop 0.0000e0, punt 0.0000e0
    Name             State         Calls      Vectors   Suspends   Packet-Clocks   Vectors/Call
ethernet-input      active        218748     11624224          0          1.97e1          53.14
l2-fwd              active        134992     11624224          0          7.01e0          86.11
l2-input            active        134992     11624224          0          6.88e0          86.11
l2-learn            active        134992     11624224          0          9.26e0          86.11
l2-output           active        134992     11624224          0          3.93e0          86.11
memif-input         polling      1072221     11624224          0          3.81e1          10.84
memif1/0-output     active        109582      5812160          0          2.83e0          53.04
memif1/0-tx         active        109582      5811904          0          8.72e1          53.04
memif2/0-output     active        109166      5812064          0          3.31e0          53.24
memif2/0-tx         active        109166      5811776          0          8.86e1          53.24
"""
VPP_AT_REST = """Thread 1 vpp_wk_0 (lcore 1)
l2-input            active          1575         2034          0          1.60e2           1.29
memif-input         polling     20265947         2034          0          2.57e5           0.00
"""


def test_cycles_are_those_that_each_peer_reports():
    assert devices.testpmd_cycles(TESTPMD) == 61.42
    assert devices.ovs_cycles(OVS) == 264.09
    nodes = 19.7 + 7.01 + 6.88 + 9.26 + 3.93 + 38.1
    ways_out = (2.83 + 3.31 + 87.2 + 88.6) / 2  # half of the frames took each
    assert vpp.cycles_of(VPP) == pytest.approx(nodes + ways_out, abs=0.01)
    idle = vpp.clocks_of_an_idle_poll(VPP_AT_REST)
    assert idle == pytest.approx(2.57e5 * 2034 / 20265947)
    assert vpp.cycles_of(VPP) - vpp.cycles_of(VPP, idle) == pytest.approx(
        (1072221 - 134992) * idle / 11624224)
    assert vpp.clocks_of_an_idle_poll("nothing of that kind\n") is None
    for parse in (devices.testpmd_cycles, devices.ovs_cycles, vpp.cycles_of):
        assert parse("nothing of that kind\n") is None


@pytest.mark.parametrize("bridges", [True, False])
def test_vpp_is_given_ports_and_how_to_forward(tmp_path, bridges):
    sockets = [tmp_path / "p0.sock", tmp_path / "p1.sock"]
    lines = vpp.commands(sockets, bridges)
    for number, socket in enumerate(sockets, 1):
        assert f"create memif socket id {number} filename {socket}" in lines
        assert (f"create interface memif id 0 socket-id {number} ring-size 1024 master" in lines)
        assert f"set interface state memif{number}/0 up" in lines
        assert ("set interface l2 bridge memif%d/0 1" % number in lines) == bridges
    for one, other in ((1, 2), (2, 1)):
        assert (f"set interface l2 xconnect memif{one}/0 memif{other}/0" in lines) != bridges
    assert not any("rx-mode" in line for line in lines), "it would reach no ring"
    file = vpp.startup(tmp_path)
    assert file.count("{") == file.count("}")
    assert "main-core 0 corelist-workers 1" in file and f"exec {tmp_path}/vpp.cli" in file


def test_a_vpp_that_is_not_there_is_reported(tmp_path):
    result = subprocess.run(
        ["/usr/bin/python3", str(BENCH / "peers" / "peers.py"), "--vpp", str(tmp_path / "vpp")],
        text=True, capture_output=True)
    assert result.returncode == 2 and "vppctl beside it is not there" in result.stderr


def test_a_peer_that_is_none_is_named():
    result = subprocess.run(
        ["/usr/bin/python3", str(BENCH / "peers" / "peers.py"), "vpp"], text=True,
        capture_output=True)
    assert result.returncode == 2
    assert "vpp: unknown" in result.stderr and "ovs_normal" in result.stderr


@pytest.mark.parametrize("words, what", [
    (["--matrix"], "is for --peers"),
    (["--peers", "--rounds", "none"], "none: a number, 1 or more"),
    (["--peers", "--vpp", "/nowhere"], "/nowhere: no such program")])
def test_words_about_peers_that_are_wrong_are_reported(words, what):
    result = subprocess.run([TOP / "tools" / "bench", *words], text=True, capture_output=True)
    assert result.returncode == 2 and what in result.stderr


def test_help_names_every_bench():
    unknown = subprocess.run([TOP / "tools" / "bench", "none"], text=True, capture_output=True)
    assert unknown.returncode == 2
    known = set(unknown.stderr.split("some of")[1].split()) - {"memif"}
    help_text = subprocess.run([TOP / "tools" / "bench", "--help"], text=True, capture_output=True)
    assert known and known <= set(re.findall(r"[a-z0-9_]+", help_text.stdout))


def test_every_part_has_its_row():
    measured = re.findall(r"BENCHMARK\((\w+)\)", (BENCH / "parts_bench.cc").read_text())
    assert set(measured) == set(table.PARTS)
    row = table.row_of({"bench": measured[0], "cycles_per_frame": 11.3, "ns": 4.34})
    assert "11 cycles a frame, 4.3 ns" in row


TAKEN = {"ports": 64, "frame_bytes": 64, "cycles_per_frame": 90.2, "ratio": 1.5}


@pytest.mark.parametrize("result", [
    TAKEN | {"bench": "closed_loop", "mpps": 40.1, "cycles_per_frame_with_rings": 120.0},
    TAKEN | {"bench": "large_cost", "priorities": 8, "addresses": 65536},
    TAKEN | {"bench": "idle_cost", "busy_ports": 4},
    TAKEN | {"bench": "pfc_cost", "variant": "off", "spread": 0.01},
    TAKEN | {"bench": "latency_cost", "variant": "on", "spread": 0.01},
    TAKEN | {"bench": "workers_scaling", "workers": 1, "frames_a_port": 64, "mpps": 30.0},
    TAKEN | {"bench": "workers_scaling", "workers": 2, "frames_a_port": 64, "mpps": 50.0,
             "ratio_apart": 1.9, "ratio_exchanging": 1.6, "undisturbed": 0.8},
    TAKEN | {"bench": "lanes", "lanes": 2, "workers": 2, "mpps": 30.0, "undisturbed": 0.8},
    TAKEN | {"bench": "ring_latency", "load_mpps": 5.0, "p50_ns": 9000, "p99_ns": 15000,
             "p999_ns": 30000, "longest_gap_ns": 50000},
], ids=lambda result: result["bench"])
def test_a_row_of_the_frame_path_says_how_much_bypassed(result):
    assert "97 % of the frames bypassed the VOQs" in table.row_of(result | {"bypass_share": 0.972})
    with pytest.raises(KeyError):
        table.row_of(result)


def test_a_table_says_which_rows_are_of_an_older_commit():
    rows = [TAKEN | {"bench": bench, "machine": "m", "commit": commit}
            for bench, commit in [("closed_loop", "b"), ("parts", "b"), ("lanes", "a"), ("tunnel", "a"),
                                  ("tunnel", "a")]]
    assert table.origin_of(rows[:2]) == "On m, commit b."
    assert table.origin_of(rows) == "On m, commit b; lanes, tunnel at a."


def test_a_variant_is_reported_with_the_middle_of_what_bypassed():
    def round_with(share: float) -> dict[int, dict]:
        return {4: {"cycles_per_frame": 60.0, "bypass_share": share, "commit": "c", "machine": "m"}}

    line, = variant_cost.lines_of("pfc_cost", {"off": [round_with(1), round_with(0.5), round_with(0.9)]})
    assert (line["bypass_share"], line["ratio"]) == (0.9, 1)
