// What is read of a scenario, and how each mistake is reported.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "tools/sim/scenario/scenario.h"

namespace sluice::sim {
namespace {

std::vector<std::string> faults_of(const std::string& text) {
    std::vector<std::string> lines;
    if (const auto read = read_scenario(text, "f"); !read) {
        for (const config::Fault& fault : read.error()) lines.push_back(config::to_string(fault));
    }
    return lines;
}

struct Mistake {
    std::string name;
    std::string text;
    std::string fault;
};
void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

const std::string star = "topology: {star: {hosts: 2}}\n";
const std::string flow = "flows: [{from: h0, to: h1}]\n";
// One switch with two ports and a host at each; its last line is line 3.
const std::string hosts = "hosts: [{name: h0, switch: s}, {name: h1, switch: s}]\n";
const std::string pair = "switches: [{name: s, ports: 2}]\n" + hosts;

class MistakeTest : public testing::TestWithParam<Mistake> {};

TEST_P(MistakeTest, IsReportedInALineWithItsPlaceAndRemedy) {
    const std::vector<std::string> lines = faults_of(GetParam().text);
    ASSERT_EQ(lines.size(), 1U) << testing::PrintToString(lines);
    EXPECT_EQ(lines[0], GetParam().fault);
}

INSTANTIATE_TEST_SUITE_P(
    Each, MistakeTest,
    testing::ValuesIn(std::vector<Mistake>{
        {"empty", "", "f:1:1: file: has no value; write a map of keys"},
        {"a_list", "[1]", "f:1:1: file: is a list; write a map of keys"},
        {"unknown_key", star + flow + "flow: 1\n",
         "f:3:1: flow: is not a known key; did you mean flows"},
        {"written_twice", star + flow + flow, "f:3:1: flows: is written twice; keep one"},
        {"no_switches", "flows: []\n",
         "f:1:1: switches: is missing; write a list of switches, or a topology"},
        {"no_flows", star, "f:1:1: flows: is missing; write a list of flows"},
        {"time", star + flow + "run: {time: 5}\n",
         "f:3:13: run.time: \"5\" is not a time; write a time from 1ns to 3600s in ns, us, ms or "
         "s"},
        {"flows_of_one_name",
         star + "flows: [{name: f, from: h0, to: h1}, {name: f, from: h1, to: h0}]\n",
         "f:2:45: flows[1].name: f is taken; choose another"},
        {"host_called_all",
         "switches: [{name: s, ports: 2}]\nhosts: [{name: all, switch: s}, {name: h1, switch: s}]\n"
         "flows: [{from: h1, to: all}]\n",
         "f:2:16: hosts[0].name: all means every host in from and to; choose another"},
        {"starts_with_the_end", star + "flows: [{from: h0, to: h1, start: 1ms}]\n",
         "f:2:35: flows[0].start: sends nothing: it starts after the run; write less than "
         "run.time"},
        {"warmup", star + flow + "run: {time: 5us, warmup: 5us}\n",
         "f:3:26: run.warmup: leaves nothing to measure; write less than run.time"},
        {"speed", star + flow + "cable: {speed: 3G}\n",
         "f:3:16: cable.speed: the time of an octet is no whole number of picoseconds; write one "
         "such as 1G, 10G, 25G, 40G, 50G, 100G, 200G, 400G or 800G"},
        {"two_topologies", "topology: {star: {hosts: 2}, ring: {switches: 3, hosts: 1}}\n" + flow,
         "f:1:11: topology: is not one of them; write star, chain, ring, leaf_spine or fat_tree"},
        {"cores",
         "topology: {fat_tree: {pods: 2, tors: 2, aggregations: 2, cores: 3, hosts: 1}}\n" + flow,
         "f:1:65: topology.fat_tree.cores: are no multiple of 2 aggregations; write as many for "
         "each of them"},
        {"beside_topology", star + flow + "switches: [{name: s}]\n",
         "f:3:11: switches: stands beside a topology; keep one of the two"},
        {"too_large", "topology: {leaf_spine: {leaves: 4, spines: 8, hosts: 60}}\n" + flow,
         "f:1:24: topology.leaf_spine: makes 12 switches of 68 ports; write at most 64 switches of "
         "64 ports"},
        {"no_such_setting", star + flow + "switch: {defaults: {pfc: {xof: 1KiB}}}\n",
         "f:3:27: switch.defaults.pfc.xof: is not a known key; did you mean xoff"},
        {"memory",
         "topology: {chain: {switches: 3, hosts: 1}}\n" + flow +
             "switch: {buffer: {size: 4GiB, cell: 64B}}\n",
         "f:3:9: switch: buffers of all switches hold 192 Mi of the shortest frames; make "
         "buffer.size smaller or buffer.cell larger, for at most 128 Mi"},
        {"too_little_memory",
         "topology: {chain: {switches: 3, hosts: 1}}\n" + flow +
             "switch: {buffer: {size: 1GiB, cell: 64B}}\nrun: {memory: 1GiB}\n",
         "f:4:15: run.memory: of 1GiB is less than the 1172MiB that the scenario takes before its "
         "first frame; write more, if the machine has it, or smaller buffers, or fewer switches, "
         "hosts or flows"},
        {"setting", star + flow + "switch: {defaults: {pfc: {xoff: 1KiB, xon: 2KiB}}}\n",
         "f:3:44: switch.defaults.pfc.xon: xon of 2KiB is above xoff of 1KiB; write 1KiB or less, "
         "or a higher xoff"},
        {"own_setting", "switches: [{name: s, ports: 2, buffer: {cell: 3B}}]\n" + hosts + flow,
         "f:1:47: switches[0].buffer.cell: \"3B\" is not a power of two; write a power "
         "of two from 1B to 16KiB in B, KiB, MiB or GiB"},
        {"forwarding", star + flow + "switch: {forwarding: fast}\n",
         "f:3:22: switch.forwarding: \"fast\" is not one of store_and_forward, cut_through; write "
         "store_and_forward or cut_through"},
        {"latency", "switches: [{name: s, ports: 2, latency: 2ms}]\n" + hosts + flow,
         "f:1:41: switches[0].latency: \"2ms\" is out of range; write a time from 0 to 1ms in ns, "
         "us, ms or s"},
        {"speed_of_a_port", star + flow + "switch: {defaults: {speed: 10G}}\n",
         "f:3:21: switch.defaults.speed: cannot be set in a scenario; write the speed of the "
         "cable"},
        {"timeout_of_a_datagram", star + "flows: [{from: h0, to: h1, timeout: 1ms}]\n",
         "f:2:37: flows[0].timeout: is only valid with transports that resend; write transport: "
         "go_back_n or selective, or remove it"},
        {"octets_of_a_timer",
         star + flow +
             "peers: [{hosts: all, rate_control: dcqcn, "
             "dcqcn: {increase: timer, byte_counter: 1MiB}}]\n",
         "f:3:82: peers[0].dcqcn.byte_counter: is only valid with increase: paper; remove it"},
        {"transport", star + "flows: [{from: h0, to: h1, transport: tcp}]\n",
         "f:2:39: flows[0].transport: \"tcp\" is not one of datagram, go_back_n, selective; write "
         "datagram or go_back_n or selective"},
        {"credit_without_bytes",
         star + flow + "peers: [{hosts: all, rate_control: end_to_end_credit}]\n",
         "f:3:9: peers[0].end_to_end_credit: is missing; write {bytes: ...}"},
        {"credit_below_a_frame",
         star + flow +
             "peers: [{hosts: all, rate_control: end_to_end_credit, "
             "end_to_end_credit: {bytes: 1000B}}]\n",
         "f:2:9: flows[0].size: 1522 octets fit no end_to_end_credit of h0, which is of 1000; "
         "write shorter frames, or a larger end_to_end_credit.bytes of peers"},
        {"csig_unknown_to_the_switch", star + flow + "peers: [{hosts: all, rate_control: csig}]\n",
         "f:3:8: peers: h0 adds compact CSIG tags, which its switch does not know; write "
         "switch.csig.compact.tpid, and csig: {mode: update} in switch.defaults"},
        {"csig_that_no_port_writes",
         star + flow + "switch: {csig: {wide: {tpid: 0x9900}}}\n" +
             "peers: [{hosts: all, rate_control: csig, csig: {form: wide}}]\n",
         "f:4:8: peers: h0 uses CSIG signals, but no port of its switch updates them; write csig: "
         "{mode: update} in switch.defaults"},
        {"csig_stripped",
         star + flow + "switch: {csig: {wide: {tpid: 0x9900}}, defaults: {csig: {mode: strip}}}\n",
         "f:3:58: switch.defaults.csig.mode: cannot be set in a scenario; write update: hosts here "
         "read the tags"},
        {"pulls_below_a_frame",
         star + flow + "peers: [{hosts: all, rate_control: pulls, pulls: {initial: 1541B}}]\n",
         "f:2:9: flows[0].size: 1522 octets fit no pulls of h0, which is of 1521; "
         "write shorter frames, or a larger pulls.initial of peers"},
        {"credit_of_a_port",
         star + flow + "switch: {defaults: {lossless: [3], flow_control: credit}}\n",
         "f:3:36: switch.defaults.flow_control: cannot be set in a scenario; write flow_control: "
         "credit for the cable"},
        {"bits_of_a_port",
         star + flow + "switch: {defaults: {lossless: [3], pfc: {bits: {received: {3: 5}}}}}\n",
         "f:3:42: switch.defaults.pfc.bits: cannot be set in a scenario; remove it"},
        {"vlan_of_a_port",
         "switches: [{name: s, ports: [{vlan: {mode: access}}, {}]}]\n" + hosts + flow,
         "f:1:31: switches[0].ports[0].vlan: cannot be set in a scenario; remove it"},
        {"draws", star + "flows: [{from: h0, to: h1, pattern: bernoulli, rate: 9M}]\n",
         "f:2:54: flows[0].rate: leaves more than 1000 frame times of h0 idle for each frame; "
         "write "
         "pattern: poisson, which draws once a frame, or a higher rate"},
        {"ports", "switches: [{name: s, ports: 65}]\n" + hosts + flow,
         "f:1:29: switches[0].ports: is no number of ports, and no list of them; write 1 to 64, "
         "or a list of ports"},
        {"name_taken", "switches: [{name: s}, {name: s}]\n" + hosts + flow,
         "f:1:30: switches[1].name: s is taken; choose another"},
        {"no_such_switch", pair + flow + "links: [{between: [s, t]}]\n",
         "f:4:23: links[0].between: no switch is called \"t\"; name one of switches"},
        {"one_end", pair + flow + "links: [{between: [s]}]\n",
         "f:4:19: links[0].between: is not two switches; write [one, another]"},
        {"to_itself", pair + flow + "links: [{between: [s, s]}]\n",
         "f:4:19: links[0].between: is one switch twice; write [one, another]"},
        {"no_free_port", "switches: [{name: s, ports: 1}]\n" + hosts + flow,
         "f:2:51: hosts[1].switch: s has no free port; give it more, at most 64"},
        {"port_taken",
         "switches: [{name: s}]\n"
         "hosts: [{name: h0, switch: s, port: 1}, {name: h1, switch: s, port: 1}]\n" +
             flow,
         "f:2:69: hosts[1].port: port 1 of s is in use, or does not exist; choose another"},
        {"no_host", star + "flows: [{from: h0, to: h7}]\n",
         "f:2:24: flows[0].to: no host is called \"h7\"; write all, or names such as h0"},
        {"nobody_else", star + "flows: [{from: h0, to: h0}]\n",
         "f:2:24: flows[0].to: is who sends; name another host"},
        {"from_is_missing", star + "flows: [{to: h0}]\n",
         "f:2:9: flows[0].from: is missing; write a name, or a list of names"},
        {"no_way",
         "switches: [{name: s}, {name: t}]\n"
         "hosts: [{name: h0, switch: s}, {name: h1, switch: t}]\n" +
             flow,
         "f:3:24: flows[0].to: no path leads from h0 to h1; write links between their switches"},
        {"pattern", star + "flows: [{from: h0, to: h1, pattern: poison}]\n",
         "f:2:37: flows[0].pattern: \"poison\" is not one of steady, poisson, bursts, pulses, "
         "bernoulli, incast, all_reduce, trace, transfers; write steady or poisson or bursts or "
         "pulses or bernoulli or incast or all_reduce or trace or transfers"},
        {"on", star + "flows: [{from: h0, to: h1, on: 5us}]\n",
         "f:2:32: flows[0].on: is only valid with pattern bursts or pulses; write one of these as "
         "pattern"},
        {"bytes", star + "flows: [{from: h0, to: h1, bytes: 5KiB}]\n",
         "f:2:35: flows[0].bytes: is only valid with pattern incast, all_reduce or transfers; "
         "write one of these as pattern"},
        {"offered", star + "flows: [{from: h0, to: h1, pattern: transfers}]\n",
         "f:2:9: flows[0].rate: is missing; write the offered rate of each sender"},
        {"two_sizes",
         star + "flows: [{from: h0, to: h1, pattern: transfers, rate: 1G, sizes: hadoop, bytes: "
                "1KiB}]\n",
         "f:2:80: flows[0].bytes: cannot be combined with a distribution in sizes; keep one of the "
         "two"},
        {"period", star + "flows: [{from: all, pattern: all_reduce, period: 5us}]\n",
         "f:2:50: flows[0].period: is only valid with pattern incast; write it as pattern"},
        {"rounds", star + "flows: [{from: h0, to: h1, rounds: 5}]\n",
         "f:2:36: flows[0].rounds: is only valid with pattern all_reduce; write it as pattern"},
        {"to_of_a_ring", star + "flows: [{from: all, to: h1, pattern: all_reduce}]\n",
         "f:2:25: flows[0].to: is given by the ring of an all_reduce and by the file of a trace; "
         "remove it"},
        {"ring_of_one", star + "flows: [{from: h1, pattern: all_reduce}]\n",
         "f:2:16: flows[0].from: names a single host; name two or more"},
        {"stop_of_a_ring", star + "flows: [{from: all, pattern: all_reduce, stop: 5us}]\n",
         "f:2:48: flows[0].stop: is not valid with pattern all_reduce or trace, which end by "
         "themselves; remove it"},
        {"sizes_of_messages",
         star + "flows: [{from: h0, to: h1, pattern: incast, size_to: 5KiB}]\n",
         "f:2:54: flows[0].size_to: is not valid for messages; write size alone"},
        {"trace", star + "flows: [{pattern: trace}]\n",
         "f:2:9: flows[0].file: is missing; write the name of a file in its folder"},
        {"file", star + "flows: [{from: h0, to: h1, file: x.csv}]\n",
         "f:2:34: flows[0].file: is only valid with pattern trace; write it as pattern"},
        {"file_elsewhere", star + "flows: [{pattern: trace, file: ../x.csv}]\n",
         "f:2:32: flows[0].file: is not in the folder of the scenario; write the name of a file in "
         "its folder"},
        {"no_such_file", star + "flows: [{pattern: trace, file: no-such.csv}]\n",
         "f:2:32: flows[0].file: cannot be read: No such file or directory; name a file that can "
         "be read"},
        {"payload_of_ethernet", star + "flows: [{from: h0, to: h1, payload: 5B}]\n",
         "f:2:37: flows[0].payload: is not valid with format ethernet; write size"},
        {"size_of_a_format", star + "flows: [{from: h0, to: h1, format: afh_gen1, size: 64B}]\n",
         "f:2:52: flows[0].size: is only valid with format ethernet; write payload"},
        {"payload", star + "flows: [{from: h0, to: h1, format: standard, payload: 1345B}]\n",
         "f:2:55: flows[0].payload: \"1345B\" is out of range; write a size from 0 to 1344B in B, "
         "KiB, MiB or GiB"},
        {"ecn_without_ip", star + "flows: [{from: h0, to: h1, format: afh_gen1, ecn: true}]\n",
         "f:2:51: flows[0].ecn: needs IPv4, which this format lacks; remove it, or write format: "
         "standard"},
        {"lite_tagged", star + "flows: [{from: h0, to: h1, format: afh_lite, tagged: true}]\n",
         "f:2:54: flows[0].tagged: is not supported by afh_lite, which has no VLAN tag; remove it"},
        {"priority_without_tag", star + "flows: [{from: h0, to: h1, priority: 1, tagged: false}]\n",
         "f:2:38: flows[0].priority: needs a tag, which these frames lack; remove it, and write "
         "default_priority of the switch's port"},
        {"nothing_carried",
         star + "flows: [{from: h0, to: h1, pattern: incast, format: standard, payload: 0B}]\n",
         "f:2:72: flows[0].payload: carries nothing of a message; write more than 0B"},
        {"sizes", star + "flows: [{from: h0, to: h1, size: 100B, size_to: 64B}]\n",
         "f:2:49: flows[0].size_to: is less than size; write sizes from the least to the most"},
        {"stop", star + "flows: [{from: h0, to: h1, start: 5us, stop: 5us}]\n",
         "f:2:46: flows[0].stop: is not after start; write a later one, or none"},
        {"peers", star + flow + "peers: [{hosts: h9}]\n",
         "f:3:17: peers[0].hosts: no host is called \"h9\"; write all, or names such as h0"},
        {"dcqcn", star + flow + "peers: [{hosts: h0, dcqcn: {}}]\n",
         "f:3:28: peers[0].dcqcn: is only valid with that rate_control; write rate_control: dcqcn"},
        {"hpcc", star + flow + "peers: [{hosts: h0, rate_control: dctcp, hpcc: {}}]\n",
         "f:3:48: peers[0].hpcc: is only valid with that rate_control; write rate_control: hpcc"},
        {"timely", star + flow + "peers: [{hosts: h0, rate_control: timely, timely: {low: 1ms}}]\n",
         "f:3:57: peers[0].timely.low: low is above high; write a low that is no more than high"},
        {"gain", star + flow + "peers: [{hosts: h0, rate_control: dcqcn, dcqcn: {gain: 2}}]\n",
         "f:3:56: peers[0].dcqcn.gain: \"2\" is out of range; write a probability from "
         "1/65536 to 1 such as 0.2 or 1/50"},
        {"no_window", star + flow + "peers: [{hosts: h0, rate_control: window}]\n",
         "f:3:9: peers[0].window: is missing; write {bytes: ..., span: ...}"},
        {"window", star + flow + "peers: [{hosts: h0, window: {bytes: 5KiB}}]\n",
         "f:3:29: peers[0].window: is only valid with that rate_control; write rate_control: "
         "window"},
        {"span",
         star + flow +
             "peers: [{hosts: h0, rate_control: window, window: {bytes: 5KiB, span: 1us}}]\n",
         "f:3:71: peers[0].window.span: \"1us\" is out of range; write a time from 4096ns to "
         "65536ns in ns, us, ms or s"},
        {"small_window",
         star + flow + "peers: [{hosts: h0, rate_control: window, window: {bytes: 1KiB}}]\n",
         "f:2:9: flows[0].size: 1522 octets fit no window of h0, which is of 1024; write shorter "
         "frames, or a larger window.bytes of peers"},
    }),
    [](const auto& mistake) { return mistake.param.name; });

TEST(ScenarioReaderTest, TellsEveryMistakeAtOnce) {
    EXPECT_EQ(faults_of("topology: {star: {hosts: 65}}\n"
                        "run: {sed: 1}\n"
                        "peers: [{obeys: maybe, hosts: all}]\n"
                        "flows: [{from: all, to: all, priority: 8}]\n")
                  .size(),
              4U);
}

TEST(ScenarioReaderTest, GivesAPortToEachCableInOrderButThoseThatChoose) {
    const auto read = read_scenario(
        "switches: [{name: s, ports: 4}, {name: t}]\n"
        "hosts: [{name: a, switch: s}, {name: b, switch: s, port: 0}, {name: c, switch: t}]\n"
        "links: [{between: [s, t], speed: 100G, length: 1km}]\n"
        "flows: [{from: a, to: c}]\n",
        "f");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->hosts[0].at.port, 1);
    EXPECT_EQ(read->hosts[1].at.port, 0);
    EXPECT_EQ(read->links[0].from.port, 2);
    EXPECT_EQ(read->links[0].to.port, 1);
    EXPECT_EQ(read->switches[0].settings.ports.size(), 4U);
    EXPECT_EQ(read->switches[0].settings.ports[2].speed, BitsPerSecond(100'000'000'000));
    EXPECT_EQ(read->switches[0].settings.ports[3].speed, BitsPerSecond(10'000'000'000));
    EXPECT_EQ(read->switches[1].settings.ports.size(), 2U);
    // Each switch knows every host.
    ASSERT_EQ(read->switches[1].settings.fdb.static_entries.size(), 3U);
    EXPECT_EQ(read->switches[1].settings.fdb.static_entries[0].port, 1);
    EXPECT_EQ(read->switches[1].settings.fdb.static_entries[2].port, 0);
}

TEST(ScenarioReaderTest, TakesTheHeadroomThatTheCableNeeds) {
    const auto headroom = [](const std::string& cable, const std::string& pfc) {
        const auto read =
            read_scenario(star + flow + "cable: {speed: 100G, length: " + cable +
                              "}\nswitch: {defaults: {lossless: [3], pfc: {" + pfc + "}}}\n",
                          "f");
        return read ? read->switches[0].settings.ports[0].pfc.headroom.count() : 0;
    };
    EXPECT_GT(headroom("1km", ""), headroom("5m", ""));
    EXPECT_EQ(headroom("1km", "cable: 5m"), headroom("5m", "")) << "as if it were shorter";
}

}  // namespace
}  // namespace sluice::sim
