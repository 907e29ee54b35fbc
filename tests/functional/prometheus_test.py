"""Metrics as Prometheus' own tools see them: promtool reads them, Prometheus scrapes them, and what
the dashboard asks it has answers."""

import json
import pathlib
import re
import subprocess
import urllib.parse

import pytest

from frames import of_priority
from lab import Lab
from namespace import run
from switch import Switch
from waiting import until, until_equal
from web import LISTEN, get

TOOLS = pathlib.Path(__file__).parents[2] / "tools"
OPENMETRICS = {"Accept": "application/openmetrics-text;version=1.0.0,*/*;q=0.1"}
PROMETHEUS_PORT = 9090


@pytest.fixture
def switch(lab: Lab) -> Switch:
    """Eight frames of a lossless priority went from p0 to p1."""
    switch, (one, two) = lab.build("af_packet", 2, defaults={"lossless": [3]}, metrics=LISTEN,
                                   latency={"sample": 1})
    first, second = lab.wires()
    sent = of_priority(one.address, 3, 8, 100)
    first.send(*sent)
    second.expect(*sent)
    until(lambda: sum(row["frames"] for row in switch.show("latency")["priorities"]) == 8,
          "each frame is timed")
    return switch


def test_promtool_finds_no_fault(switch: Switch):
    answer = get(switch.namespace, "/metrics")
    assert (answer.status, answer.type) == (200, "text/plain; version=0.0.4; charset=utf-8")
    done = subprocess.run(["promtool", "check", "metrics"], input=answer.text,
                          capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_both_formats_say_the_same(switch: Switch):
    answers = [get(switch.namespace, "/metrics", headers) for headers in ({}, OPENMETRICS)]
    assert answers[1].type == "application/openmetrics-text; version=1.0.0; charset=utf-8"
    samples = [{line.split()[0] for line in answer.text.splitlines() if not line.startswith("#")}
               for answer in answers]
    assert samples[0] == samples[1] and len(samples[0]) > 100
    assert answers[1].text.endswith("\n# EOF\n")
    assert "# TYPE sluice_port_receive_frames counter\n" in answers[1].text


@pytest.mark.parametrize("accept, type_", [
    # Prometheus 3, which prefers text that it may escape to OpenMetrics; and one that knows text alone.
    ("application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.5,"
     "text/plain;version=0.0.4;q=0.6,*/*;q=0.2", "text/plain; version=0.0.4; charset=utf-8"),
    ("text/plain", "text/plain; version=0.0.4; charset=utf-8"),
    ("Application/OpenMetrics-Text; version=1.0.0",
     "application/openmetrics-text; version=1.0.0; charset=utf-8"),
])
def test_a_client_gets_the_format_that_it_prefers(switch: Switch, accept: str, type_: str):
    assert get(switch.namespace, "/metrics", {"Accept": accept}).type == type_


class Prometheus:
    """Scrapes the switch each 500 ms."""

    def __init__(self, switch: Switch, folder: pathlib.Path):
        self._namespace = switch.namespace
        file = folder / "prometheus.yaml"
        file.write_text(json.dumps({
            "global": {"scrape_interval": "500ms", "scrape_timeout": "500ms"},
            "rule_files": [str(TOOLS / "prometheus/sluice.rules.yaml")],
            "scrape_configs": [{"job_name": "sluice",
                                "static_configs": [{"targets": [LISTEN["listen"]]}]}]}))
        self._process = switch.namespace.start(
            "prometheus", f"--config.file={file}", f"--storage.tsdb.path={folder / 'tsdb'}",
            f"--web.listen-address=127.0.0.1:{PROMETHEUS_PORT}")

    def api(self, path: str, **words: str):
        address = f"http://127.0.0.1:{PROMETHEUS_PORT}/api/v1/{path}"
        # While it starts it answers 503, in words.
        done = self._namespace.run("curl", "-sSf", "-G", address, *[
            word for name, value in words.items()
            for word in ("--data-urlencode", f"{name}={value}")], check=False)
        return json.loads(done.stdout) if done.returncode == 0 else {}

    def values(self, query: str) -> dict[tuple[str, ...], float]:
        """By the labels that are not of the scrape."""
        answer = self.api("query", query=query)
        assert answer.get("status") == "success", f"{query}: {answer}"
        return {tuple(value for name, value in sorted(row["metric"].items())
                      if name not in ("__name__", "instance", "job")): float(row["value"][1])
                for row in answer["data"]["result"]}


@pytest.fixture
def prometheus(switch: Switch, tmp_path) -> Prometheus:
    prometheus = Prometheus(switch, tmp_path)
    until(lambda: prometheus.api("query", query="up").get("data", {}).get("result"),
          "Prometheus has scraped", 60)
    return prometheus


def test_prometheus_has_what_show_says(switch: Switch, prometheus: Prometheus):
    until_equal(lambda: prometheus.values("up"), {(): 1}, "a scrape came to its end in time", 30)
    rows = {row["name"]: row for row in switch.show("ports")}
    assert rows["p0"]["rx_frames"] >= 8
    until(lambda: prometheus.values("sluice_port_receive_frames_total") ==
          {(name,): row["rx_frames"] for name, row in rows.items()}, "it has what was received", 30)
    assert prometheus.values("sluice_port_transmit_bytes_total")[("p1",)] == rows["p1"]["tx_bytes"]
    assert prometheus.values('sluice_port_lossless{priority="3"}') == {("p0", "3"): 1, ("p1", "3"): 1}
    assert prometheus.values("sluice_port_pause_received_seconds_total")[("p1", "3")] == 0
    [busy] = prometheus.values("sluice_worker_busy_ratio").values()
    assert 0 <= busy <= 1
    metadata = prometheus.api("metadata")["data"]
    [about] = metadata["sluice_port_receive_bytes"]
    assert (about["type"], about["unit"]) == ("counter", "bytes")


def samples_of(switch: Switch, name: str) -> dict[str, float]:
    lines = [line.split() for line in get(switch.namespace, "/metrics").text.splitlines()]
    return {line[0]: float(line[1]) for line in lines if line[0].startswith(name)}


def test_clear_counters_takes_nothing_from_them(switch: Switch):
    counters = ("sluice_port_receive_frames_total", "sluice_port_transmit_bytes_total",
                "sluice_latency_seconds_count")
    before = [samples_of(switch, name) for name in counters]
    assert all(sum(samples.values()) >= 8 for samples in before)
    switch.command("clear", "counters")
    assert sum(row["rx_frames"] for row in switch.show("ports")) < 8
    for name, samples in zip(counters, before):
        now = samples_of(switch, name)
        assert all(now[key] >= value for key, value in samples.items()), name


def test_each_query_of_the_dashboard_has_an_answer(switch: Switch, prometheus: Prometheus):
    dashboard = json.loads((TOOLS / "grafana/sluice.json").read_text())
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", [])]
    assert len(queries) > 12
    known = set(re.findall(r"^# HELP (\w+)", get(switch.namespace, "/metrics").text, re.M))
    histograms = re.findall(r"^# TYPE (\w+) histogram", get(switch.namespace, "/metrics").text, re.M)
    known |= {name + part for name in histograms for part in ("_bucket", "_sum", "_count")}
    for query in queries:
        assert set(re.findall(r"sluice_\w+", query)) <= known, query
        query = query.replace('"$instance"', '".*"').replace('"$port"', '".*"')
        query = query.replace("$__rate_interval", "1m")
        assert "$" not in query
        if "dropped" not in query:  # drops that happened alone
            assert until(lambda: prometheus.values(query), query, 30)


def test_the_alerts_are_loaded_and_silent(prometheus: Prometheus):
    [group] = prometheus.api("rules")["data"]["groups"]
    names = [rule["name"] for rule in group["rules"]]
    assert {"SluicePauseStorm", "SluiceHeadroomNearlyUsed", "SluiceDcbxMismatch",
            "SluicePollGap", "SluiceTargetDown", "SluiceLinkDown", "SluiceWorkerStalled", "SluiceDrops",
            "SluiceMissed"} <= set(names)
    documented = (TOOLS / "prometheus/README.md").read_text()
    assert [name for name in names if f"| `{name}` |" not in documented] == []


def test_the_alerts_ask_for_what_there_is(switch: Switch):
    rules = (TOOLS / "prometheus/sluice.rules.yaml").read_text()
    metrics = get(switch.namespace, "/metrics").text
    known = set(re.findall(r"^# HELP (\w+)", metrics, re.M))
    assert set(re.findall(r"(?<![\w.])sluice_\w+", rules)) <= known
    [reasons] = re.findall(r'reason=~"([^"]*)"', rules)
    assert set(reasons.split("|")) <= set(re.findall(r'reason="(\w+)"', metrics))


def test_the_alerts_do_as_their_tests_say():
    run("promtool", "check", "rules", str(TOOLS / "prometheus/sluice.rules.yaml"))
    run("promtool", "test", "rules", str(TOOLS / "prometheus/sluice.rules.test.yaml"))


@pytest.mark.parametrize("change", [("== 1", "== 2"), ("> 0.8", "> 0.7"), ("> 0.001", "> 0.01"),
                                    ("> 0.5", "> 0.1"), ("for: 1m", "for: 0m"),
                                    ('up{job="sluice"} == 0', "up == 0"), ("_up == 1", "_up >= 0"),
                                    ("total[1m]) == 0", "total[1m]) < 0"), ("[5m]) > 1", "[5m]) > 0.1"),
                                    ("increase(sluice_port_device", "1 + increase(sluice_port_device"),
                                    ("[15m]) > 0", "[15m]) >= 0"), ("over_threshold|", "vlan_filtered|"),
                                    ("relayed == 0", "relayed == 1"),
                                    ("needed_bytes > ", "needed_bytes < ")])
def test_the_tests_of_the_alerts_can_fail(tmp_path, change):
    rules = (TOOLS / "prometheus/sluice.rules.yaml").read_text()
    assert change[0] in rules
    (tmp_path / "sluice.rules.yaml").write_text(rules.replace(*change))
    tests = tmp_path / "sluice.rules.test.yaml"
    tests.write_text((TOOLS / "prometheus/sluice.rules.test.yaml").read_text())
    assert run("promtool", "test", "rules", str(tests), check=False).returncode != 0
