#include "control/http/exposition.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "control/http/metric_family.h"
#include "control/show/nouns.h"

namespace sluice::control::http {
namespace {

Json nothing(std::string_view noun) {
    if (noun == "buffer") return {{"groups", Json::array()}};
    if (noun == "credits") return {{"ports", Json::array()}, {"priorities", Json::array()}};
    if (noun == "fabric") return {{"bypassed", Json::array()}};
    if (noun == "tunnels") {
        return {
            {"tunnels", Json::array()}, {"underlays", Json::array()}, {"refused", Json::array()}};
    }
    if (noun == "latency") return {{"priorities", Json::array()}};
    if (noun == "evpn") return {{"enabled", false}, {"networks", Json::array()}};
    if (noun == "spanning-tree") return {{"mode", "off"}, {"ports", Json::array()}};
    if (noun == "multicast") return {{"queriers", Json::array()}};
    if (noun == "totals") return Json::object();
    return Json::array();
}

std::string said(TextFormat format, std::string_view noun, const Json& result) {
    return exposition(
        format, [&](std::string_view asked) { return asked == noun ? result : nothing(asked); });
}

std::vector<std::string> samples(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream all(text);
    for (std::string line; std::getline(all, line);) {
        if (!line.starts_with('#')) lines.push_back(line);
    }
    return lines;
}

using Lines = std::vector<std::string>;

TEST(Exposition, says_what_each_family_is_even_without_a_value) {
    const std::string text = exposition(TextFormat::openmetrics, nothing);
    EXPECT_NE(text.find("# HELP sluice_port_receive_frames Frames that entered.\n"
                        "# TYPE sluice_port_receive_frames counter\n"
                        "# UNIT sluice_port_receive_frames frames\n"),
              std::string::npos);
    EXPECT_NE(text.find("# TYPE sluice_port info\n"), std::string::npos);
    EXPECT_TRUE(text.ends_with("# EOF\n"));
    EXPECT_EQ(samples(text), Lines{});
}

TEST(Exposition, says_the_same_to_who_reads_the_older_format) {
    const Json drops = {{{"port", "p0"}, {"reason", "runt"}, {"frames", 3}}};
    const std::string text = said(TextFormat::text, "drops", drops);
    EXPECT_NE(text.find("# TYPE sluice_dropped_frames_total counter\n"), std::string::npos);
    EXPECT_NE(text.find("# TYPE sluice_port_info gauge\n"), std::string::npos);
    const Lines expected = {R"(sluice_dropped_frames_total{port="p0",reason="runt"} 3)"};
    EXPECT_EQ(samples(text), expected);
    EXPECT_EQ(samples(said(TextFormat::openmetrics, "drops", drops)), expected);
}

TEST(Exposition, has_a_bucket_a_doubling_of_a_histogram_each_with_all_below) {
    const Json latency = {{"priorities",
                           {{{"priority", 3},
                             {"frames", 7},
                             {"sum_ns", 1'500'000'000},
                             {"buckets",
                              {{{"below_ns", 320}, {"frames", 1}},
                               {{"below_ns", 512}, {"frames", 2}},
                               {{"below_ns", 640}, {"frames", 3}},
                               {{"below_ns", nullptr}, {"frames", 1}}}}}}}};
    const std::string text = said(TextFormat::openmetrics, "latency", latency);
    EXPECT_NE(text.find("# TYPE sluice_latency_seconds histogram\n"), std::string::npos);
    const Lines lines = samples(text);
    ASSERT_EQ(lines.size(), 30U);
    EXPECT_EQ(lines[0], R"(sluice_latency_seconds_bucket{priority="3",le="2.56e-07"} 0)");
    EXPECT_EQ(lines[1], R"(sluice_latency_seconds_bucket{priority="3",le="5.12e-07"} 3)");
    EXPECT_EQ(lines[2], R"(sluice_latency_seconds_bucket{priority="3",le="1.024e-06"} 6)");
    EXPECT_EQ(lines[27], R"(sluice_latency_seconds_bucket{priority="3",le="+Inf"} 7)");
    EXPECT_EQ(lines[28], R"(sluice_latency_seconds_sum{priority="3"} 1.5)");
    EXPECT_EQ(lines[29], R"(sluice_latency_seconds_count{priority="3"} 7)");
}

TEST(Exposition, adds_rows_of_the_same_labels_and_takes_the_most_of_watermarks) {
    Json rows = Json::array();
    for (const int frames : {5, 7}) {
        rows.push_back({{"input", frames},
                        {"output", "p1"},
                        {"priority", 3},
                        {"frames", frames},
                        {"max_bytes", frames}});
    }
    const Lines expected = {R"(sluice_queue_frames{output="p1",priority="3"} 12)",
                            R"(sluice_queue_max_bytes{output="p1",priority="3"} 7)"};
    EXPECT_EQ(samples(said(TextFormat::text, "queues", rows)), expected);
}

TEST(Exposition, turns_units_and_words_into_prometheus_own) {
    const Json pfc = {{{"port", "p0"},
                       {"priority", 3},
                       {"lossless", true},
                       {"paused_ns", 1'500'000'000},
                       {"watchdog", "stormed"}}};
    const Lines expected = {
        R"(sluice_port_lossless{port="p0",priority="3"} 1)",
        R"(sluice_port_watchdog_stormed{port="p0",priority="3"} 1)",
        R"(sluice_port_pause_received_seconds_total{port="p0",priority="3"} 1.5)"};
    EXPECT_EQ(samples(said(TextFormat::text, "pfc", pfc)), expected);
    const Json lossy = {
        {"groups",
         {{{"port", "p0"}, {"priority", 0}, {"occupancy_bytes", 9}, {"xoff_bytes", {}}}}}};
    EXPECT_EQ(samples(said(TextFormat::text, "buffer", lossy)),
              Lines{R"(sluice_buffer_group_occupancy_bytes{port="p0",priority="0"} 9)"})
        << "a level that is null has no sample";
    const Json lldp = {{{"port", "p0"}, {"neighbours", {{{"ttl_s", 1}}, {{"ttl_s", 2}}}}}};
    EXPECT_EQ(samples(said(TextFormat::text, "lldp", lldp)),
              Lines{R"(sluice_lldp_neighbours{port="p0"} 2)"});
}

TEST(Exposition, keeps_counters_exact_and_labels_on_their_line) {
    const Json ports = {{{"name", "a\"\\\n"},
                         {"description", ""},
                         {"device", ""},
                         {"address", ""},
                         {"family", ""},
                         {"pfc_rx", ""},
                         {"rx_frames", 9'007'199'254'740'993U}}};
    const std::string text = said(TextFormat::text, "ports", ports);
    EXPECT_NE(text.find(R"(sluice_port_receive_frames_total{port="a\"\\\n"} 9007199254740993)"),
              std::string::npos)
        << text;
}

TEST(MetricFamily, is_named_as_prometheus_wants_it) {
    std::set<std::string_view> names;
    for (const MetricFamily& family : families()) {
        EXPECT_TRUE(names.insert(family.name).second) << family.name;
        EXPECT_TRUE(family.name.starts_with("sluice_")) << family.name;
        EXPECT_FALSE(family.name.ends_with("_total")) << family.name;
        EXPECT_TRUE(family.help.ends_with('.')) << family.name;
        if (!family.unit.empty()) {
            EXPECT_TRUE(family.name.ends_with("_" + std::string(family.unit))) << family.name;
        }
        EXPECT_TRUE(is_noun(family.noun) || family.noun == "totals") << family.name;
    }
    EXPECT_GT(names.size(), 60U);
}

// metrics.md has a row for each, and for nothing else.
TEST(MetricFamily, is_in_its_page_row_by_row) {
    std::ifstream file(CONTROL_FOLDER "/metrics.md");
    std::set<std::string> shown;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("| `sluice_")) shown.insert(line);
    }
    for (const MetricFamily& family : families()) {
        std::string labels;
        for (const Label& label : family.labels) {
            labels += fmt::format("{}`{}`", labels.empty() ? "" : ", ", label.name);
        }
        const auto* const name = family.type == Type::counter     ? "counter"
                                 : family.type == Type::info      ? "info"
                                 : family.type == Type::histogram ? "histogram"
                                                                  : "gauge";
        const auto* const suffix = family.type == Type::counter ? "_total"
                                   : family.type == Type::info  ? "_info"
                                                                : "";
        const std::string row = fmt::format("| `{}{}` | {} | {} | {} | {} |", family.name, suffix,
                                            name, family.unit, labels, family.help);
        EXPECT_EQ(shown.erase(row), 1U) << "metrics.md lacks this row:\n" << row;
    }
    for (const std::string& row : shown) ADD_FAILURE() << "no metric any more:\n" << row;
}

}  // namespace
}  // namespace sluice::control::http
