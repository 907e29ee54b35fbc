"""RoCEv2 between guests, by the Soft-RoCE of their kernel (rdma_rxe): its frames have the priority that
their PCP or DSCP says, an incast of two writers loses nothing where that priority is lossless, although
guests obey no pauses; and its frames are marked."""

import pytest

from switch import Switch
from traffic import begin_writes, ended_writes, tries
from vms import SLOW, Bed, Vm

PRIORITY = 3
PCP_VLAN = 10  # whose frames all have that PCP, by the device's map of 8021q
DSCP = 26
ECT0 = 2
BY = {  # the network it goes by, what is said to perftest, what the switch trusts
    "pcp": (PCP_VLAN, "", ["pcp"]),
    "dscp": (0, f"--tclass={DSCP << 2 | ECT0}", ["dscp"])}
CLASSES = {"dscp_to_priority": {DSCP: PRIORITY}}


def with_rxe(bed: Bed) -> list[Vm]:
    for vm in bed.vms:
        vm.with_addresses()
        vm.add_vlan(PCP_VLAN, f"egress-qos-map 0:{PRIORITY}")
        vm.run("/usr/bin/rdma link add rxe0 type rxe netdev eth0")
    return bed.vms


def sent(switch: Switch, here: Vm, there: Vm, priority: int) -> int:
    """Frames from one guest to the other."""
    return sum(row["enqueued"] for row in switch.show("queues")
               if (row["input"], row["output"], row["priority"]) ==
               (here.ports[0], there.ports[0], priority))


@pytest.mark.parametrize("way", BY)
def test_a_write_and_a_send_have_their_priority(bed: Bed, way: str):
    network, words, trusted = BY[way]
    switch = bed.switch_of(defaults={"lossless": [PRIORITY], "trust": trusted, **CLASSES})
    one, two, _ = with_rxe(bed)
    size, messages = 16384, 50
    for tool in ("ib_write_bw", "ib_send_bw"):
        before = sent(switch, one, two, PRIORITY)
        begin_writes(tool, one, two, network, f"-s {size} -n {messages} {words}")
        assert ended_writes(one, two) > 0
        # A frame of it has 1024 octets of a message at the most.
        assert sent(switch, one, two, PRIORITY) - before >= messages * size // 1024
    assert sent(switch, two, one, PRIORITY) > 0, "it is acknowledged alike"
    assert switch.settled() and switch.drops() == {}


def test_rping(bed: Bed):
    """Connections and their ends are rdma_ucm's."""
    switch = bed.switch_of(defaults={"lossless": [PRIORITY]})
    one, two, _ = with_rxe(bed)
    for network in (0, PCP_VLAN):
        address = f"10.{network}.0.2"
        two.start("rping", f"rping -s -a {address} -C 5 -v")
        one.run(tries(f"rping -c -a {address} -C 5 -V >/rping.log 2>&1") + "; cat /rping.log")
        assert two.ended("rping").count("server ping data: rdma-ping") == 5
    assert sent(switch, one, two, PRIORITY) > 0
    assert switch.settled() and switch.drops() == {}


def incast(bed: Bed, lossless: list[int], **more) -> tuple[Switch, float]:
    """Two guests write to a third, whose port is slow; with MB/s of both."""
    about = {"lossless": lossless, "trust": ["dscp"], **CLASSES,
             **({"pfc": {"xoff": "32KiB", "xon": "16KiB"}} if lossless else {})}
    ports = [{**port, **({"rate": "8M", **more} if port["name"].startswith("vm3") else {})}
             for port in bed.devices()]
    switch = bed.switch_of(ports=ports, defaults=about, buffer={"size": "4MiB", "alpha": "1/64"})
    *writers, target = with_rxe(bed)
    _, words, _ = BY["dscp"]
    for writer in writers:
        begin_writes("ib_write_bw", writer, target, 0,
                     f"-n 60 -s 16384 -t 32 -u 16 -p {18515 + writer.number} {words}")
    return switch, sum(ended_writes(writer, target, 5 * SLOW) for writer in writers)


def test_an_incast_loses_nothing_and_is_marked(bed: Bed):
    switch, _ = incast(bed, [PRIORITY], ecn={PRIORITY: {"low": "8KiB", "high": "24KiB", "probability": 1}})
    marked = sum(row["marked"] for row in switch.show("queues") if row["priority"] == PRIORITY)
    assert marked > 0
    assert bed.vms[2].counted("IpExtInCEPkts") > 0, "and the guest's kernel counts them"
    assert switch.drops() == {}
    for port in ("vm1.0", "vm2.0"):
        assert switch.pfc(port, PRIORITY)["by"] == "ring"
        assert switch.pfc(port, PRIORITY)["tx_pause"] == 0


def test_an_incast_is_faster_where_it_loses_nothing(bed: Bed):
    """What is lost waits for a timer of the writer, so this holds by a factor, however slow guests are."""
    _, lossless = incast(bed, [PRIORITY])
    switch, lossy = incast(bed, [])
    assert switch.drops()["over_threshold"] > 0
    assert lossless > lossy


def test_a_writer_with_a_bad_way(bed: Bed):
    """It sends again what was lost behind its card, and all of it arrives."""
    switch = bed.switch_of(defaults={"lossless": [PRIORITY], "trust": ["dscp"], **CLASSES})
    one, two, _ = with_rxe(bed)
    one.run("/usr/bin/tc qdisc add dev eth0 root netem loss 1%")
    _, words, _ = BY["dscp"]
    begin_writes("ib_write_bw", one, two, 0, f"-n 20 -s 16384 -u 16 {words}")
    assert ended_writes(one, two, 5 * SLOW) > 0
    assert switch.settled() and switch.drops() == {}
