"""A switch that has something to say under every noun, without a host: ports cabled to each other by
rings, with all that they agree on, by credit and retry as well; a tunnel, and what goes nowhere."""

import contextlib
import signal
from typing import Iterator

from lab import Lab
from switch import STARTS, Switch
from waiting import until

# The nouns of control/show/nouns.h, except those that are no tables: a file and sentences.
TABLES = ("ports history counters queues buffer pfc credits csig retry drops fdb multicast vlan fabric "
          "latency workers lldp lacp spanning-tree dcbx tunnels vteps evpn sflow ipfix bursts "
          "recorder events").split()
NOUNS = ["version", *TABLES, "ledger", "config"]
PAIRS = (("left", "right"), ("member1", "member2"), ("credit1", "credit2"), ("wan1", "wan2"))


def _port(name: str, device: str, vlan: int) -> dict:
    port: dict = {"name": name, "device": device, "vlan": {"mode": "access", "access": vlan}}
    if name.startswith("credit"):
        port["flow_control"] = "credit"
        port["retry"] = {"enabled": True}
    if name.startswith("wan"):
        port.update(lossless=[], underlay={"address": f"192.0.2.{name[-1]}/24"})
    return port


@contextlib.contextmanager
def everything(lab: Lab) -> Iterator[Switch]:
    ports = [_port(name, f"ring:{pair[0]}/{end}", 100 + 2 * number + (end == "b"))
             for number, pair in enumerate(PAIRS) for name, end in zip(pair, "ab")]
    for number in (1, 2):
        ports.append({"name": f"far{number}", "lossless": [],
                      "device": f"vxlan:wan{number}/192.0.2.{3 - number}/100",
                      "vlan": {"mode": "access", "access": 200 + number}})
    ports.append({"name": "fabric", "device": "vxlan:wan1/200", "remotes": ["192.0.2.2"],
                  "lossless": [], "vlan": {"mode": "access", "access": 203}})
    switch = lab.make_switch(
        ports, lldp={"enabled": True}, spanning_tree={"mode": "rstp"},
        # Over rings each port would become a backup of another one.
        defaults={"lossless": [3], "spanning_tree": {"edge": "on", "bpdu_filter": True}},
        aggregations=[{"name": f"group{number}", "ports": [f"member{number}"],
                       "lacp": {"mode": "active"}} for number in (1, 2)],
        multicast={"snooping": ["igmp", "mld"], "querier": {"vlans": [100]},
                   "groups": [{"vlan": 100, "address": "01:00:5e:01:02:03", "ports": ["left"]}]},
        fdb={"static": [{"address": "02:00:00:00:00:09", "vlan": 100, "port": "left"}]},
        sflow={"collectors": ["127.0.0.1:6343"], "agent": "192.0.2.1", "sampling": 1000},
        ipfix={"collectors": ["127.0.0.1:4739"], "period": "10ms"},
        recorder={"enabled": True, "period": "1ms"}, csig={"wide": {"tpid": 0x9901}})
    switch.launch()
    until(lambda: "up" in switch.links().values(), "it runs", STARTS)
    until(lambda: len(switch.show("credits")["priorities"]) > 0 and
          all(port["neighbours"] for port in switch.show("lldp") if port["port"] == "left") and
          switch.port("left")["rx_bps"] is not None, "neighbours see each other", STARTS)
    yield switch
    # Credit and LLDP go on: it never is still, and a busy machine takes its time to end it.
    switch.process.signal(signal.SIGTERM)
    status = switch.process.wait(STARTS)
    assert status == 0, f"sluiced exits {status}: {switch.process.said()}"
