"""What `tools/bench` has around its benches: a stored result to compare with, and peers to ask."""

import argparse
import json
import pathlib
import re
import subprocess
import sys

import pytest
import switch

TOP = pathlib.Path(__file__).resolve().parents[2]
BENCH = TOP / "tests" / "bench"
sys.path[:0] = [str(BENCH), str(BENCH / "peers")]
import peers  # noqa: E402
import table  # noqa: E402


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


def test_results_without_their_machine_are_not_stored(tmp_path):
    result = with_results("store.py", [loop(4, 80.0)], tmp_path / "results")
    assert result.returncode == 1 and "`machine`" in result.stderr
    assert not (tmp_path / "results").exists()


def test_peers_are_asked_in_turns_and_told_beside_testpmd():
    switch.program("sluice-gen")
    result = subprocess.run(
        ["/usr/bin/python3", str(BENCH / "peers" / "peers.py"), "--json", "--rounds", "1",
         "--seconds", "0.3", "sluice", "testpmd_io"], text=True, capture_output=True)
    assert result.returncode == 0, result.stderr
    ours, testpmd = map(json.loads, result.stdout.splitlines())
    assert (ours["dut"], testpmd["dut"]) == ("sluice", "testpmd_io")
    assert ours["mpps"] > 0 and ours["p50_ns"] > 0 and testpmd["ratio"] == 1


def test_a_row_with_many_addresses_is_told_beside_ovs_with_as_many():
    result = {"bench": "memif", "dut": "sluice", "frame_bytes": 64, "mpps": 19.6, "refused": 0.8,
              "p50_ns": 1300, "p99_ns": 28000, "ratio_ovs_normal": 1.24}
    one = table.row_of(result | {"ratio": 0.84})
    assert "0.84 of testpmd io, 1.24 of OVS-DPDK, learning, " in one and "addresses" not in one
    many = table.row_of(result | {"addresses": 1024})
    assert "1,024 addresses behind each port" in many
    assert "19.60 Mpps, 1.24 of OVS-DPDK, learning, 80 % of bursts" in many


def test_a_peer_that_serves_nobody_is_started_anew(monkeypatch, capsys):
    starts = []

    class Deaf(peers.devices.Device):
        def start(self):
            starts.append(self.folder)

    monkeypatch.setitem(peers.devices.DEVICES, "deaf", Deaf)
    monkeypatch.setattr(peers, "ATTEMPTS", 1)
    with pytest.raises(SystemExit, match="deaf serves nobody"):
        peers.round_of("deaf", argparse.Namespace(seconds=0.1, frame_bytes=64))
    assert len(set(starts)) == peers.STARTS
    assert "deaf, start 1 of 3: " in capsys.readouterr().err


def test_a_peer_that_is_none_is_named():
    result = subprocess.run(
        ["/usr/bin/python3", str(BENCH / "peers" / "peers.py"), "vpp"], text=True,
        capture_output=True)
    assert result.returncode == 2
    assert "vpp: unknown" in result.stderr and "ovs_normal" in result.stderr


def test_help_names_every_bench():
    unknown = subprocess.run([TOP / "tools" / "bench", "none"], text=True, capture_output=True)
    assert unknown.returncode == 2
    known = set(unknown.stderr.split("some of")[1].split()) - {"memif"}
    told = subprocess.run([TOP / "tools" / "bench", "--help"], text=True, capture_output=True)
    assert known and known <= set(re.findall(r"[a-z0-9_]+", told.stdout))


def test_every_part_has_its_row():
    measured = re.findall(r"BENCHMARK\((\w+)\)", (BENCH / "parts_bench.cc").read_text())
    assert set(measured) == set(table.PARTS)
    row = table.row_of({"bench": measured[0], "cycles_per_frame": 11.3, "ns": 4.34})
    assert "11 cycles a frame, 4.3 ns" in row
