"""Reads what `tools/bench --json` prints and writes the tables between the marks: all in figures.md,
ten of them in the top README, those of `--matrix` in matrix.md, how far a switch goes in reach.md, the
simulator's, the matchings' and the incast's in the READMEs of their folders."""

import json
import pathlib
import re
import sys
import textwrap
from collections.abc import Callable

TOP = pathlib.Path(__file__).resolve().parents[2]
# How it is built or set, beside what.
VARIANTS = {
    "pfc_cost": ({"left out": "PFC left out of the build", "off": "PFC built and off",
                  "on": "PFC on for every priority"}, "leaving it out"),
    "latency_cost": ({"off": "no frame timed", "on": "one frame in 256 timed"}, "timing none"),
    "recorder_cost": ({"off": "nothing recorded", "on": "every poll recorded"}, "recording nothing"),
    "ipfix_cost": ({"off": "nothing sampled", "on": "all queues sampled every fourth poll"},
                   "sampling nothing"),
    "wan_cost": ({"off": "without tunnels", "underlays": "every second one a tunnel to the dataplane",
                  "relays": "all of them ends of relays", "wred": "all with curves that drop"},
                 "having none of it"),
    "level_cost": ({"x86-64-v2": "for x86-64-v2", "x86-64-v3": "for x86-64-v3, with AVX2",
                    "this machine": "for this machine"}, "x86-64-v2"),
}
RINGS = {"drained": "the device's ring empty", "full": "the device's ring full"}
PEERS = {"sluice": "this switch", "testpmd_io": "dpdk-testpmd io", "testpmd_mac": "dpdk-testpmd mac",
         "ovs_normal": "OVS-DPDK, learning", "vpp_bridge": "VPP, bridge domain",
         "vpp_xconnect": "VPP, cross-connect", "ovs_flow": "OVS-DPDK, port to port",
         "linux_bridge": "the kernel's bridge"}
PARTS = {
    "parse_untagged": "parse: IPv4 without tag", "parse_tagged": "parse: IPv4 with tag",
    "parse_afh_gen2_16b": "parse: afh_gen2_16b", "classify_pcp": "classify: by PCP",
    "classify_dscp": "classify: by DSCP", "admit_lossy": "buffer: admit and release, lossy",
    "admit_lossless": "buffer: admit and release, lossless", "voq_push_pop": "VOQ: push and pop",
    "egress_strict": "egress queues: strict priority", "egress_wrr": "egress queues: WRR",
    "egress_dwrr": "egress queues: DWRR", "pfc_accounting": "PFC: account, XOFF and XON",
    "ecn_decision": "ECN: decide", "ecn_mark": "ECN: mark"}
SCENARIOS = {
    "in step": "{ports} ports of 100G, {frame_bytes} octets, full load, each host to the next, all in "
               "step",
    "poisson": "{ports} ports of 100G, {frame_bytes} octets, all to all by Poisson at "
               "{load_percent} %",
    "one flow": "one flow of {frame_bytes} octets through a switch of {ports} ports",
}
# What was measured, beside what, and digits of the ratio to that.
TURNS = {
    "format_cost": ("frames of {format}, {ports} ports, untagged frames of {frame_bytes} octets",
                    "standard", 3),
    "address_cost": ("whole switch, {ports} ports, tagged frames of {frame_bytes} octets among "
                     "{addresses:,} addresses", "16 addresses", 3),
    "frame_cost": ("whole switch, {ports} ports, tagged frames of {frame_bytes} octets",
                   "64 octets", 3),
    "buffer_cost": ("whole switch, {ports} ports, a buffer of {mebibytes:,} MiB, {waiting:,} frames "
                    "wait in it", "1 MiB", 3),
    "large_cost": ("whole switch, {ports} ports, priorities: {priorities}, addresses: "
                   "{addresses:,}, ports in memory", "4 ports", 2),
    "idle_cost": ("whole switch, {busy_ports} busy ports of {ports}, ports in memory",
                  "4 ports", 3),
}
# Rows of the top README: a bench, and what its result says.
FRONT = [
    ("islip_match", {"ports": 64, "requests_percent": 100}),
    ("fdb_lookup", {"addresses": 65536}),
    ("closed_loop", {}),
    ("large_cost", {"priorities": 8, "addresses": 65536}),
    ("workers_scaling", {"workers": 2}),
    ("ring_latency", {}),
    ("memif", {"dut": "sluice", "addresses": None}),
]
RFC2889_FRAME_BYTES = 64  # of the lengths that it measures the one that is shown
MARKS = re.compile(r"(<!-- bench -->\n).*?(<!-- /bench -->)", re.DOTALL)


def of_rfc2889(result: dict) -> tuple[str, str]:
    what = (f"RFC 2889 {result['section']}, {result['test'].replace('_', ' ')}, {result['ports']} ports"
            " on rings")
    if result["test"] == "address_caching_capacity":
        figure = f"{result['capacity']:,} addresses of {result['configured']:,} configured"
    elif result["test"] == "address_learning_rate":
        figure = (f"{result['addresses']:,} at {result['mpps']:.1f} million a second, "
                  f"{result['flooded']:,} flooded")
    elif result["test"] == "errored_frames":
        figure = f"{result['errored']:,} frames, {result['escaped']:,} forwarded"
    else:
        what += f", {result['frame_bytes']} octets, the generator beside it"
        figure = f"{result['mpps']:.1f} Mpps, {result['lost']:,} of {result['offered']:,} lost"
    if "p50_ns" in result:
        figure += (f"; at four fifths p50 {result['p50_ns'] / 1000:.0f} us, p99 "
                   f"{result['p99_ns'] / 1000:.0f} us")
    return what, figure if result["ok"] else f"{figure}; NOT AS IT MUST BE"


def is_shown(result: dict) -> bool:
    return (result["bench"] != "rfc2889"
            or result.get("frame_bytes", RFC2889_FRAME_BYTES) == RFC2889_FRAME_BYTES)


def is_in_front(result: dict) -> bool:
    return any(result["bench"] == bench and all(result.get(key) == value for key, value in says.items())
               for bench, says in FRONT)


def cost_of_peer(result: dict) -> str:
    """In cycles of its core, which do not depend on who sends; and whose limit the rate is."""
    cycles = result.get("cycles_per_frame")
    cost = f"{cycles:.0f} cycles a frame as it says, " if cycles else ""
    return cost + ("the generator was the limit, " if result.get("limit") == "generator" else "")


def lost_by_peer(result: dict) -> str:
    """Of what the rings took while they were kept full."""
    lost = result.get("lost_percent")
    return "" if lost is None else f", {lost:.2g} % lost" if lost else ", none lost"


def lateness_of_peer(result: dict, reference: str) -> str:
    """Results of old were each at half of what that device carried itself."""
    if "p50_ns" not in result:
        return ""
    load = f"{result['latency_mpps']:.2f} Mpps" if "latency_mpps" in result else "its load"
    ratio = f", {result['ratio_p99']:.2f} of {reference}'s" if "ratio_p99" in result else ""
    return (f"; at half of {load} p50 {result['p50_ns'] / 1000:.1f} us, p99 "
            f"{result['p99_ns'] / 1000:.1f} us{ratio}")


def bypassed(result: dict) -> str:
    return f"{100 * result['bypass_share']:.0f} % of the frames bypassed the VOQs"


def row_of(result: dict) -> str:
    bench = result["bench"]
    if bench == "machine":
        what = ("the machine: an addition; a read of one of 16 and of 256 frame buffers in the "
                "nearest cache; a word to the other CPU and back")
        figure = (f"{result['pace']:.2f} cycles (undisturbed at {100 * result['undisturbed']:.0f} % "
                  f"of looks); {result['cycles_a_read_of_16']:.1f} and "
                  f"{result['cycles_a_read_of_256']:.1f} cycles"
                  f"{'' if result['huge_pages'] else ' without huge pages'}")
        if "round_trip_ns" in result:
            figure += f"; {result['round_trip_ns']:.0f} ns"
    elif bench == "closed_loop":
        what = (f"whole switch, {result['ports']} ports, tagged frames of {result['frame_bytes']} "
                "octets, one core")
        figure = (f"{result['cycles_per_frame']:.0f} cycles a frame, {result['mpps']:.0f} Mpps "
                  f"(with both ends of the rings {result['cycles_per_frame_with_rings']:.0f}; "
                  f"{bypassed(result)})")
    elif bench == "saturation":
        length = result["frame_bytes"]
        what = (f"open loop: {result['ports']} ports whose inputs are always full, "
                f"{'IMIX' if length == 'imix' else f'{length:,} octets'}, {result['workers']} worker(s)")
        figure = (f"{result['lost']:,} of {result['frames']:,} lost, {result['cycles_per_frame']:.0f} "
                  f"cycles a frame ({bypassed(result)})")
    elif bench == "overload":
        what = (f"{result['ports']} ports, each output wanted by three inputs, "
                f"{'with' if result['bypass'] else 'without'} bypass")
        figure = (f"{result['cycles_per_frame']:.0f} cycles a frame that came, {result['ratio']:.3f} of "
                  f"without; {100 * result['bypass_share']:.0f} % of what left bypassed, "
                  f"{100 * result['dropped_share']:.0f} % dropped")
    elif bench == "workers_scaling":
        what = (f"closed loop of {result['workers']} worker(s), each on a core, {result['ports']} "
                f"ports, {result['frames_a_port']} frames of each go round, rings' ends counted")
        figure = f"{result['mpps']:.1f} Mpps, {result['ratio']:.2f} of one worker ({bypassed(result)}"
        if "ratio_apart" in result:
            figure += (f"; two switches that share nothing: {result['ratio_apart']:.2f}, that "
                       f"exchange as many frames: {result['ratio_exchanging']:.2f}; "
                       f"{100 * result['undisturbed']:.0f} % of rounds undisturbed")
        figure += ")"
    elif bench == "lanes":
        what = (f"one port of {result['lanes']} lane(s), {result['workers']} worker(s), each on a "
                "core with the far ends of its rings")
        figure = (f"{result['mpps']:.1f} Mpps, {result['ratio']:.2f} of one lane "
                  f"({bypassed(result)}; {100 * result['undisturbed']:.0f} % of rounds undisturbed)")
    elif bench == "tunnel":
        ways = {"in": "goes into", "out": "comes out of", "past": "comes by the port below"}
        what = (f"a frame of {result['frame_bytes']} octets that {ways[result['way']]} a tunnel by "
                f"{result.get('encapsulation', 'vxlan')}")
        figure = (f"{result['cycles_per_frame']:.0f} cycles more than the "
                  f"{result['as_it_is']:.0f} by the port below")
    elif bench in VARIANTS:
        variants, reference = VARIANTS[bench]
        what = f"whole switch, {variants[result['variant']]}, {result['ports']} ports"
        figure = (f"{result['cycles_per_frame']:.1f} cycles a frame, {result['ratio']:.3f} of "
                  f"{reference} (rounds spread by {result['spread']:.3f}; {bypassed(result)})")
    elif bench in TURNS:
        what, reference, digits = TURNS[bench]
        what = what.format(**result, mebibytes=result.get("buffer_bytes", 0) >> 20)
        figure = (f"{result['cycles_per_frame']:.0f} cycles a frame, {result['ratio']:.{digits}f} of "
                  f"{reference} ({bypassed(result)})")
    elif bench == "pfc_generation":
        what = (f"from the frame that crosses XOFF to the pause frame in the device's ring, "
                f"{result['busy_ports']} busy port(s)")
        figure = f"{result['p50_ns'] / 1000:.1f} us, p99 {result['p99_ns'] / 1000:.1f} us"
    elif bench == "ring_latency":
        what = (f"through the whole switch, {result['ports']} ring ports, frames of "
                f"{result['frame_bytes']} octets, half of the load it carries, "
                f"{result['load_mpps']:.1f} Mpps")
        figure = (f"p50 {result['p50_ns'] / 1000:.1f} us, p99 {result['p99_ns'] / 1000:.1f} us, "
                  f"p99.9 {result['p999_ns'] / 1000:.1f} us (the worker's longest gap "
                  f"{result['longest_gap_ns'] / 1000:.0f} us; {bypassed(result)})")
        if "taken_percent" in result:
            figure += (f", p99 of the worst round {result['worst_p99_ns'] / 1000:.1f} us; the "
                       f"machine takes {result['taken_percent']:.1f} % of an idle core")
    elif bench in PARTS:
        what = f"{PARTS[bench]}, on its own"
        figure = f"{result['cycles_per_frame']:.0f} cycles a frame, {result['ns']:.1f} ns"
    elif bench == "fdb_learning":
        what = (f"learning on one core, {result['addresses']:,} new addresses, each a frame of "
                f"{result['frame_bytes']} octets through the switch")
        figure = f"{result['mpps']:.1f} million a second, {result['lost']} lost"
    elif bench == "rfc2889":
        what, figure = of_rfc2889(result)
    elif bench == "pfc_reaction":
        what = (f"from a pause frame to the last data frame, {RINGS[result['device']]}, frames of "
                f"{result['frame_bytes']} octets")
        figure = (f"{result['p50_ns'] / 1000:.1f} us, p99 {result['p99_ns'] / 1000:.1f} us, at most "
                  f"{result['frames_after_at_most']} frames (the ring holds {result['ring_frames']})")
        if result.get("left_out"):
            figure += f", {result['left_out']} pauses left out"
    elif bench == "islip_match":
        ports = int(result["ports"])
        what = (f"iSLIP, {ports} x {ports}, 8 priorities, 2 iterations, "
                f"{int(result['requests_percent'])} % of requests")
        figure = f"{result['ns']:.0f} ns a match"
    elif bench == "fdb_lookup":
        what = f"FDB, random hits among {int(result['addresses']):,} addresses"
        figure = f"{1000 / result['ns']:.0f} million a second"
    elif bench in ("memif", "veth"):
        kind, reference = {"memif": ("memif ports", "testpmd io"),
                           "veth": ("veth pairs", "the kernel's bridge")}[bench]
        ports = "two" if result.get("ports", 2) == 2 else f"each of {result['ports']}"
        octets = result["frame_bytes"]
        lengths = "the simple IMIX" if octets == "imix" else f"frames of {octets} octets"
        what = (f"{PEERS[result['dut']]}, between {ports} {kind}, {lengths}, one core, "
                + ("both ways" if ports == "two" else "all ways"))
        if "addresses" in result:
            what += f", {result['addresses']:,} addresses behind each port"
        spread = (f" ({result['mpps_least']:.2f} to {result['mpps_most']:.2f})"
                  if "mpps_least" in result else "")
        ratios = f"{result['ratio']:.2f} of {reference}, " if "ratio" in result else ""
        if "ratio_ovs_normal" in result and (result["dut"] == "sluice" or not ratios):
            ratios += f"{result['ratio_ovs_normal']:.2f} of {PEERS['ovs_normal']}, "
        figure = (f"{result['mpps']:.2f} Mpps{spread}, {ratios}"
                  f"{cost_of_peer(result)}"
                  f"{100 * result['refused']:.0f} % of bursts refused"
                  f"{lost_by_peer(result)}{lateness_of_peer(result, reference)}")
    elif bench == "watched":
        what = (f"two ports, frames of 60 octets, while {result['clients']} clients and a scraper look "
                f"{result['looks_a_second']} times a second in all")
        figure = (f"{result['mpps']:.2f} Mpps, {result['ratio']:.4f} of {result['mpps_alone']:.2f} "
                  f"while nobody looks ({result['ratio_least']:.4f} to {result['ratio_most']:.4f})")
    elif bench == "simulator":
        what = f"{SCENARIOS[result['scenario']].format(**result)}"
        figure = f"{result['mpps']:.1f} million"
    else:
        raise SystemExit(f"table.py: {bench}: no row is defined for it")
    return f"| {what} | {figure} |\n"


def rows_of_matching(results: list[dict]) -> str:
    """One row an algorithm: what a matching costs by ports, what is carried by traffic."""
    by_algorithm: dict[str, dict[str, str]] = {}
    for result in results:
        figures = by_algorithm.setdefault(result["algorithm"], {})
        if result["bench"] == "matching":
            figures[f"{result['ports']} ports"] = f"{result['ns']:,.0f} ns"
        else:
            figures[result["traffic"]] = f"{100 * result['throughput']:.1f} %"
    heads = ["algorithm", *next(iter(by_algorithm.values()))]
    lines = [heads, ["---"] * len(heads)]
    lines += [[name, *figures.values()] for name, figures in by_algorithm.items()]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def rows_of_incast(results: list[dict]) -> str:
    lines = ["| ports of TCP, of UDP | output | marks | goodput of TCP | UDP: p50, p99, at most | lost |\n",
             "| --- | --- | --- | --- | --- | --- |\n"]
    for result in results:
        times = ", ".join(f"{result[key] / 1e6:.2f}" for key in ("p50_ns", "p99_ns", "max_ns"))
        lines.append(f"| {result['tcp_ports']}, {result['udp_ports']} | {result['rate']}bps | "
                     f"{'by ECN' if result['marking'] else 'nothing'} | "
                     f"{result['goodput_mbps']:.0f} Mbps | {times} ms | "
                     f"{result['lost_percent']:.2f} % |\n")
    return "".join(lines)


REACH = {"ports": "ports of DPDK", "tunnels": "tunnels over one of two ports",
         "addresses": "places in the FDB, two ports", "vlans": "VLANs, two ports",
         "lldp": "neighbours by LLDP at 32 ports",
         "networks": "networks of EVPN, a tunnel each", "local": "addresses here, of a network",
         "remote": "addresses behind a VTEP", "neighbours": "neighbours behind a VTEP"}
VIEW = {"view": "switches, all of which pause", "view at rest": "switches, none of which pauses"}


def table_of(rows: list[dict], head: str, words: dict[str, str], columns: dict[str, tuple]) -> str:
    """A row a size; what is not asked of it is left empty. A column: its head, and how a figure of
    it is written."""
    lines = [[head, *(name for name, _ in columns.values())], ["---"] * (len(columns) + 1)]
    lines += [[f"{row['count']:,} {words[row['what']]}",
               *(form.format(row[key]) if key in row else "" for key, (_, form) in columns.items())]
              for row in rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def tables_of_reach(results: list[dict]) -> str:
    def of(words: dict[str, str]) -> list[dict]:
        return [row for row in results if row["what"] in words]
    memory = {"resident_mib": ("memory", "{} MiB")}
    known = {"known_seconds": ("known", "{} s")}
    networks, others = {"simulated": "switches"}, {
        "transfers": "transfers of a frame each, in one run", "sweep": "runs of a sweep, in one process",
        "sweep by folder": "runs of a sweep, by way of a folder"}
    return "\n".join((
        table_of(of(REACH), "a switch", REACH, memory | {
            "ready_seconds": ("from start to ready", "{} s"), "apply_seconds": ("`apply`", "{} s"),
            "sent_seconds": ("sent", "{} s")} | known | {
            "again_seconds": ("known after a start", "{} s")}),
        table_of(of(VIEW), "the page of several switches", VIEW, known | {
            "page_ms": ("works in a second", "{} ms"), "heap_mib": ("its memory", "{} MiB")}),
        table_of(of(networks), "a simulated network", networks, {
            "leaf_ports": ("ports of a leaf", "{}"), "spine_ports": ("of a spine", "{}"),
            "hosts": ("hosts", "{:,}"), "mpps": ("frames a second", "{} million"),
            "first_seconds": ("before the first", "{} s")} | memory),
        table_of(of(others), "simulated", others, {"a_second": ("in a second", "{:,}")})))


def is_matrix(results: list[dict]) -> bool:
    """`--peers` without it asks for one length alone."""
    return any(result["bench"] == "memif" and result["frame_bytes"] != 64 for result in results)


def asked_of_peer(result: dict) -> str:
    if "ports" in result:
        return f"{result['ports']} ports"
    if "addresses" in result:
        return f"{result['addresses']:,} addresses"
    return "IMIX" if result["frame_bytes"] == "imix" else f"{result['frame_bytes']} octets"


def tables_of_matrix(results: list[dict]) -> str:
    """A row a device, a column for what was asked of it; what nobody asked of it is left empty."""
    heads = list(dict.fromkeys(map(asked_of_peer, results)))
    cells = {(result["dut"], asked_of_peer(result)): result for result in results}

    def rate(result: dict) -> str:
        return f"{result['mpps']:.2f}" + (" (g)" if result["limit"] == "generator" else "")

    def cost(result: dict) -> str:
        cycles = result.get("cycles_per_frame")
        return f"{cycles:.0f} ({result['cycles_least']:.0f})" if cycles else "not told"

    def table(head: str, figure: Callable[[dict], str]) -> str:
        lines = [[head, *heads], ["---"] * (len(heads) + 1)]
        for dut in dict.fromkeys(result["dut"] for result in results):
            found = (cells.get((dut, asked)) for asked in heads)
            lines.append([PEERS[dut], *(figure(one) if one else "" for one in found)])
        return "".join("| " + " | ".join(line) + " |\n" for line in lines)

    return (table("millions of frames a second", rate) + "\n"
            + table("cycles a frame, as it says (least)", cost)
            + f"\nOf {results[0]['rounds']} round(s) of three trials.\n")


def rows_of_two(heads: tuple[str, str], results: list[dict]) -> str:
    return f"| {heads[0]} | {heads[1]} |\n| --- | --- |\n" + "".join(map(row_of, results))


def with_notes(table: str) -> str:
    """What cells have in brackets goes below the table, so that it can be read."""
    notes: list[str] = []

    def number_of(bracket: re.Match) -> str:
        if bracket[1] not in notes:
            notes.append(bracket[1])
        return f" [{notes.index(bracket[1]) + 1}]"

    table = re.sub(r" \(([^()]*)\)(?=[ ,]| \|)", number_of, table)
    return table + "\n" + ". ".join(f"[{n}] {note}" for n, note in enumerate(notes, 1)) + ".\n"


def origin_of(results: list[dict]) -> str:
    """Where they are from. Those of benches that were not run again may be of an older commit."""
    benches: dict[str, list[str]] = {}
    for result in results:
        of_commit = benches.setdefault(result["commit"], [])
        if result["bench"] not in of_commit:
            of_commit.append(result["bench"])
    newest, *older = benches
    of_older = [f"; {', '.join(benches[commit])} at {commit}" for commit in older]
    return textwrap.fill(f"On {results[0]['machine']}, commit {newest}{''.join(of_older)}.", 118)


def write(readme: str, table: str, results: list[dict]) -> None:
    table += f"\n{origin_of(results)}\n"
    path = TOP / readme
    path.write_text(MARKS.sub(lambda mark: mark[1] + table + mark[2], path.read_text()))


def main() -> None:
    results = [json.loads(line) for line in sys.stdin]
    apart = {"simulator": [], "matching": [], "saturation": [], "incast": [], "reach": []}
    rest = [result for result in results if result["bench"] not in apart and is_shown(result)]
    for result in results:
        apart.get(result["bench"], []).append(result)
    of_matching = apart["matching"] + apart["saturation"]
    if is_matrix(rest):
        of_matrix = [result for result in rest if result["bench"] == "memif"]
        write("tests/bench/matrix.md", tables_of_matrix(of_matrix), of_matrix)
        rest = [result for result in rest if result["bench"] not in ("memif", "machine")]
    if rest:
        write("tests/bench/figures.md", rows_of_two(("what", "figure"), rest), rest)
    if front := [result for result in rest if is_in_front(result)]:
        write("README.md", with_notes(rows_of_two(("what", "figure"), front)), front)
    if apart["simulator"]:
        write("tools/sim/README.md",
              rows_of_two(("scenario", "frames a second"), apart["simulator"]), apart["simulator"])
    if apart["incast"]:
        write("tools/gen/README.md", rows_of_incast(apart["incast"]), apart["incast"])
    if apart["reach"]:
        write("tests/bench/reach.md", tables_of_reach(apart["reach"]), apart["reach"])
    if of_matching:
        write("dataplane/fabric/README.md", rows_of_matching(of_matching), of_matching)


if __name__ == "__main__":
    main()
