#include "config/changes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

Lines changes_between(const std::string& from, const std::string& to) {
    EXPECT_EQ(faults_of(from), Lines{});
    EXPECT_EQ(faults_of(to), Lines{});
    Lines lines;
    for (const Change& change : changes(from, to)) {
        lines.push_back(fmt::format("{}: {} > {}", change.path, change.from.value_or("none"),
                                    change.to.value_or("none")));
    }
    return lines;
}

TEST(Changes, are_none_where_the_same_holds) {
    EXPECT_EQ(changes_between(two_ports, two_ports), Lines{});
    EXPECT_EQ(
        changes_between("ports: [{device: ring:a, rate: 1G}, {device: ring:b, rate: 1G}]",
                        "# other words\ndefaults: {rate: 1000M}\n"
                        "ports: [{name: p0, device: ring:a}, {device: ring:b, lossless: []}]\n"
                        "fabric: {iterations: 2}\n"),
        Lines{});
}

TEST(Changes, are_named_by_port_vlan_and_number) {
    EXPECT_EQ(
        changes_between(
            "ports: [{name: left, device: ring:a, dscp_to_priority: {1: 2}}, {device: ring:b}]\n"
            "vlans: [{id: 7, ports: [left]}]\n"
            "buffer: {alpha: 1/2}\n",
            "ports: [{name: left, device: ring:a, rate: 1G, lossless: [3], dscp_to_priority: "
            "{9: 1, 1: 2}, ecn: {0: {low: 1KiB, high: 2KiB, probability: 0.5}}}, {device: "
            "ring:b, pfc: {xoff: 1MiB}, lossless: [3], promiscuous: false}]\n"
            "vlans: [{id: 7, ports: [left, p1]}]\n"
            "fdb: {ageing: 10s}\n"),
        (Lines{"buffer.alpha: 0.5 > 1", "fdb.ageing: 300s > 10s",
               "ports[left].dscp_to_priority: {1: 2} > {1: 2, 9: 1}",
               "ports[left].ecn.0.drop: none > false", "ports[left].ecn.0.high: none > 2KiB",
               "ports[left].ecn.0.low: none > 1KiB", "ports[left].ecn.0.probability: none > 0.5",
               "ports[left].lossless: [] > [3]", "ports[left].rate: 0 > 1G",
               "ports[p1].lossless: [] > [3]", "ports[p1].pfc.xoff: none > 1MiB",
               "ports[p1].promiscuous: true > false", "vlans[7].ports: [left] > [left, p1]"}));
}

TEST(Changes, name_other_switches_and_who_may_read) {
    const std::string listens = one_port + "metrics: {listen: 127.0.0.1:9475";
    const Lines lines = changes_between(listens + ", topology: [{name: a, url: http://a}]}\n",
                                        listens +
                                            ", topology: [{name: a, url: http://b}], allow: "
                                            "[http://b]}\n");
    EXPECT_EQ(lines, (Lines{"metrics.allow: [] > [http://b]",
                            "metrics.topology[a].url: http://a > http://b"}));
}

TEST(Changes, match_a_port_of_another_name_by_its_device) {
    EXPECT_EQ(
        changes_between("ports: [{name: a, device: ring:a, rate: 1G}, {name: b, device: ring:b}]",
                        "ports: [{name: c, device: ring:a, rate: 2G}, {name: b, device: ring:b}]"),
        (Lines{"ports[a].name: a > c", "ports[a].rate: 1G > 2G"}));
    EXPECT_EQ(changes_between("ports: [{name: a, device: ring:a}, {name: b, device: ring:b}]",
                              "ports: [{name: b, device: ring:a}, {name: a, device: ring:b}]"),
              (Lines{"ports[a].name: a > b", "ports[b].name: b > a"}));
    EXPECT_EQ(changes_between("ports: [{name: a, device: ring:a}]",
                              "ports: [{name: a, device: ring:b}, {name: b, device: ring:a}]")[0],
              "ports[a].name: a > b");
}

TEST(Changes, keep_the_name_of_a_port_whose_device_others_have_too) {
    EXPECT_EQ(changes_between("ports: [{name: b, device: 'null:'}, {name: c, device: 'null:'}]",
                              "ports: [{name: a, device: 'null:'}, {name: b, device: 'null:'}]"),
              (Lines{"ports[c].name: c > a"}));
}

TEST(Changes, name_a_port_that_came_or_went) {
    const Lines lines = changes_between(one_port, two_ports);
    EXPECT_NE(std::ranges::find(lines, "ports[p1].device: none > ring:b"), lines.end());
    EXPECT_TRUE(std::ranges::all_of(
        lines, [](const std::string& line) { return line.starts_with("ports[p1]."); }));
}

}  // namespace
}  // namespace sluice::config
