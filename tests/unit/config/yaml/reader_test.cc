#include "config/yaml/reader.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

const std::string a_map = "; write a map of keys";

TEST(Reader, KnowsEveryKeyOrSaysWhatWasMeant) {
    EXPECT_EQ(
        faults_of("port: [{device: ring:a}]\n"
                  "ports:\n"
                  "  - devise: ring:a\n"
                  "    colour: red\n"
                  "    cell: 1\n"
                  "mtu: 1500\n"
                  "\"\\e[2J\\n\": 1\n"),
        (Lines{
            "x.yaml:1:1: port: is not a known key; did you mean ports",
            "x.yaml:3:5: ports[0].devise: is not a known key; did you mean device",
            "x.yaml:3:5: ports[0].device: is missing; write a device such as af_packet:veth0",
            "x.yaml:4:5: ports[0].colour: is not a known key; the keys here are name, device, "
            "description, "
            "address, underlay, next_hop, remotes, vnis, local_sid, reduced_srh, local_label, "
            "control_word, "
            "entropy_label, pause_relay, worker, lanes, admin_status, speed, rate, mtu, "
            "promiscuous, "
            "rx_descriptors, "
            "tx_descriptors, "
            "format, default_vlan, vlan, isolated, fdb, loop_guard, spanning_tree, storm_control, "
            "default_priority, profile, "
            "trust, application, "
            "pcp_to_priority, dscp_to_priority, tc_to_priority, remark, scheduler, "
            "flow_control, lossless, pfc, credit, retry, ecn, trim, csig, lldp, dcbx, sflow, host",
            "x.yaml:5:5: ports[0].cell: is not a known key; it belongs under buffer",
            "x.yaml:6:1: mtu: is not a known key; it belongs under ports[]",
            "x.yaml:7:1: \\x1B[2J\\x0A: is not a known key; the keys here are defaults, ports, "
            "formats, workers, buffer, fabric, fdb, multicast, vlans, aggregations, mirrors, "
            "spanning_tree, bpdus, lldp, hotplug, "
            "control, state, metrics, evpn, sflow, ipfix, csig, latency, recorder, telemetry"}));
}

TEST(Reader, TakesAKeyOnce) {
    EXPECT_EQ(
        faults_of("ports:\n"
                  "  - device: ring:a\n"
                  "    mtu: 1500\n"
                  "    mtu: 9000\n"
                  "    dscp_to_priority: {8: 1, \"8\": 2}\n"
                  "ports: []\n"),
        (Lines{"x.yaml:4:5: ports[0].mtu: is written twice; keep one, the first is in line 3",
               "x.yaml:5:30: ports[0].dscp_to_priority.8: is written twice; keep one, the first is "
               "in line 5",
               "x.yaml:6:1: ports: is written twice; keep one, the first is in line 1"}));
}

TEST(Reader, DistinguishesMapListAndWord) {
    EXPECT_EQ(
        faults_of("defaults: 5\n"
                  "ports: {a: 1}\n"
                  "buffer: [1]\n"
                  "workers: {count: [1], cores: 3, idle: {}}\n"
                  "fabric: fast\n"),
        (Lines{"x.yaml:1:11: defaults: is the text \"5\"" + a_map,
               "x.yaml:2:8: ports: is a map; write a list of 1 to 64 ports, each a map with device",
               "x.yaml:3:9: buffer: is a list" + a_map,
               "x.yaml:4:18: workers.count: is a list; write a whole number from 1 to 16",
               "x.yaml:4:30: workers.cores: is the text \"3\"; write a list of 1 to 16, each a "
               "whole number from 0 to 1023",
               "x.yaml:4:39: workers.idle: is a map; write yield or poll",
               "x.yaml:5:9: fabric: is the text \"fast\"" + a_map}));
    EXPECT_EQ(faults_of("hello"),
              Lines{"x.yaml:1:1: file: is the text \"hello\"; write a map with ports"});
    EXPECT_EQ(faults_of("- device: ring:a"),
              Lines{"x.yaml:1:1: file: is a list; write a map with ports"});
}

TEST(Reader, NeedsAValueButAMapMayBeEmpty) {
    EXPECT_EQ(faults_of("ports:\n  - device: ring:a\n    pfc:\nfdb:\n  # ageing: 10s\n"), Lines{});
    EXPECT_EQ(
        faults_of("ports:\n"
                  "  - device:\n"
                  "    mtu: ~\n"
                  "    lossless:\n"
                  "  -\n"),
        (Lines{"x.yaml:2:3: ports[1].device: is missing; write a device such as af_packet:veth0",
               "x.yaml:2:5: ports[0].device: has no value; write a device such as af_packet:veth0",
               "x.yaml:3:5: ports[0].mtu: has no value; write a size from 68B to 9702B in B, KiB, "
               "MiB or GiB",
               "x.yaml:4:5: ports[0].lossless: has no value; write a list of up to 8, each a whole "
               "number from 0 to 7"}));
}

TEST(Reader, NeedsPorts) {
    const std::string remedy = "; write a list of 1 to 64 ports, each a map with device";
    EXPECT_EQ(faults_of(""), Lines{"x.yaml:1:1: ports: is missing" + remedy});
    EXPECT_EQ(faults_of("fdb: {}"), Lines{"x.yaml:1:1: ports: is missing" + remedy});
    EXPECT_EQ(faults_of("ports: []"), Lines{"x.yaml:1:8: ports: has 0 items" + remedy});
    std::string many = "ports:\n";
    for (int port = 0; port < 64; ++port) many += "  - device: ring:" + std::to_string(port) + "\n";
    EXPECT_EQ(faults_of(many), Lines{});
    EXPECT_EQ(faults_of(many + "  - device: ring:64\n"),
              Lines{"x.yaml:2:3: ports: has 65 items" + remedy});
}

TEST(Reader, CountsAndComparesTheItemsOfAList) {
    EXPECT_EQ(
        faults_of("ports:\n"
                  "  - device: ring:a\n"
                  "    lossless: [3, 4, 3]\n"
                  "    trust: [pcp, pcp]\n"
                  "    pcp_to_priority: [0, 1, 2]\n"
                  "fabric:\n"
                  "  weights: [1, 1, 1, 1, 1, 1, 1, 1, 1]\n"),
        (Lines{"x.yaml:3:22: ports[0].lossless[2]: 3 is listed twice; keep one",
               "x.yaml:4:18: ports[0].trust[1]: pcp is listed twice; keep one",
               "x.yaml:5:22: ports[0].pcp_to_priority: has 3 items; write a list of 8, each a "
               "whole number from 0 to 7",
               "x.yaml:7:12: fabric.weights: has 9 items; write a list of 8, each a whole number "
               "from 1 to 15"}));
}

TEST(Reader, ChecksBothSidesOfATable) {
    EXPECT_EQ(
        faults_of("ports:\n"
                  "  - device: ring:a\n"
                  "    dscp_to_priority: {64: 1, 46: 8, ef: 5}\n"),
        (Lines{"x.yaml:3:24: ports[0].dscp_to_priority.64: \"64\" is out of range; write a whole "
               "number from 0 to 63",
               "x.yaml:3:35: ports[0].dscp_to_priority.46: \"8\" is out of range; write a whole "
               "number from 0 to 7",
               "x.yaml:3:38: ports[0].dscp_to_priority.ef: \"ef\" is not a whole number; write a "
               "whole number from 0 to 63"}));
}

TEST(Reader, ReadsMapsInATable) {
    EXPECT_EQ(
        faults_of("ports:\n"
                  "  - device: ring:a\n"
                  "    probability: 0.2\n"
                  "    ecn:\n"
                  "      3: {low: 1KiB, high: 2KB, probability: 0.2}\n"
                  "      4: {hihg: 2KiB, low: 1KiB}\n"
                  "      5: 100KiB\n"
                  "      8: {low: 1KiB, high: 2KiB, probability: 1}\n"
                  "      6:\n"),
        (Lines{"x.yaml:3:5: ports[0].probability: is not a known key; it belongs under "
               "ports[].ecn.N",
               "x.yaml:5:28: ports[0].ecn.3.high: \"2KB\" is not a size; write a size from 0 to "
               "1GiB in B, KiB, MiB or GiB",
               "x.yaml:6:10: ports[0].ecn.4.high: is missing; write a size from 0 to 1GiB in B, "
               "KiB, MiB or GiB",
               "x.yaml:6:10: ports[0].ecn.4.probability: is missing; write a probability from "
               "1/65536 to 1 such as 0.2 or 1/50",
               "x.yaml:6:11: ports[0].ecn.4.hihg: is not a known key; did you mean high",
               "x.yaml:7:10: ports[0].ecn.5: is the text \"100KiB\"; write a map with low, high "
               "and probability",
               "x.yaml:8:7: ports[0].ecn.8: \"8\" is out of range; write a whole number from 0 to "
               "7",
               "x.yaml:9:7: ports[0].ecn.6.low: is missing; write a size from 0 to 1GiB in B, KiB, "
               "MiB or GiB",
               "x.yaml:9:7: ports[0].ecn.6.high: is missing; write a size from 0 to 1GiB in B, "
               "KiB, MiB or GiB",
               "x.yaml:9:7: ports[0].ecn.6.probability: is missing; write a probability from "
               "1/65536 to 1 such as 0.2 or 1/50"}));
}

TEST(Reader, PutsAFaultOfDefaultsWhereItStandsAndOnce) {
    EXPECT_EQ(
        faults_of("defaults: {mtu: 9KB, name: x, pfc: {xoff: 128KiB, xon: 1GiB}}\n" + two_ports),
        (Lines{
            "x.yaml:1:17: defaults.mtu: \"9KB\" is not a size; write a size from 68B to 9702B in "
            "B, KiB, MiB or GiB",
            "x.yaml:1:22: defaults.name: is not a known key; it belongs under ports[]",
            "x.yaml:1:56: defaults.pfc.xon: xon of 1GiB is above xoff of 128KiB; write 128KiB "
            "or less, or a higher xoff"}));
}

TEST(Reader, GivesEveryKeyWrittenOrNot) {
    Report report("x.yaml");
    const auto document = read_document(
        "defaults: {mtu: 9000, pfc: {xoff: 1MiB}}\n"
        "ports: [{device: ring:a, pfc: {xon: 1KiB}}]\n",
        report);
    const Value file = read_values(*document, report);
    ASSERT_TRUE(report.clean());
    const Value& port = file["ports"].items[0];
    EXPECT_EQ(port["mtu"].number, 9000);
    EXPECT_EQ(port["mtu"].path, "defaults.mtu");
    EXPECT_EQ(port["mtu"].at, (Position{1, 17}));
    EXPECT_TRUE(port["mtu"].written);
    EXPECT_EQ(port["pfc"]["xoff"].path, "defaults.pfc.xoff");
    EXPECT_EQ(port["pfc"]["xon"].path, "ports[0].pfc.xon");
    EXPECT_FALSE(port["speed"].written);
    EXPECT_EQ(port["speed"].number, 10'000'000'000);
    EXPECT_FALSE(port["worker"].written);
}

}  // namespace
}  // namespace sluice::config
