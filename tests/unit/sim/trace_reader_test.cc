// What is read of a trace, and how each mistake is reported.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <string>

#include "tools/sim/scenario/trace_reader.h"

namespace sluice::sim {
namespace {

const std::string header = "time,from,to,bytes,priority\n";

// No path leads from h2 to h0.
bool leads(std::size_t from, std::size_t to) { return from != 2 || to != 0; }

// Messages, or faults, one a line.
std::string read(const std::string& text) {
    std::vector<HostSpec> hosts(3);
    for (std::size_t n = 0; n < hosts.size(); ++n) hosts[n].name = fmt::format("h{}", n);
    std::string all;
    const auto lines = read_trace(text, "t.csv", HostNames(hosts, true), leads);
    if (!lines) {
        for (const config::Fault& fault : lines.error()) all += config::to_string(fault) + '\n';
        return all;
    }
    for (const TraceLine& line : *lines) {
        all += fmt::format("{}: {} to {}, {} of {}\n", line.time.count(), line.from, line.to,
                           line.bytes.count(), line.priority);
    }
    return all;
}

TEST(TraceReaderTest, ReadsMessagesInOrderOfTime) {
    EXPECT_EQ(read(header + "12.5us,h1,h0,1000,3\n0,h0,h2,65536,0\r\n\n12500ns,h2,h1,7,7"),
              "0: 0 to 2, 65536 of 0\n"
              "12500: 1 to 0, 1000 of 3\n"
              "12500: 2 to 1, 7 of 7\n");
}

TEST(TraceReaderTest, TellsEveryFaultWithItsPlace) {
    EXPECT_EQ(
        read(header + "5,h0,h1,10,3\n"
                      "1us,h9,h1,0,8\n"
                      "1us,h0,h1,10\n"
                      "1us,h1,h1,10,3\n"
                      "1us,h2,h0,10,3\n"),
        "t.csv:2:1: time: \"5\" is not a time; write a time from 0 to 3600s in ns, us, ms or "
        "s\n"
        "t.csv:3:5: from: no host is called \"h9\"; write names such as h0\n"
        "t.csv:3:11: bytes: \"0\" is out of range; write a whole number from 1 to 1099511627776\n"
        "t.csv:3:13: priority: \"8\" is out of range; write a whole number from 0 to 7\n"
        "t.csv:4:1: line: has 4 values; write 5: time,from,to,bytes,priority\n"
        "t.csv:5:8: to: is who sends; name another host\n"
        "t.csv:6:8: to: no way leads there from h2; write links between their switches\n");
}

TEST(TraceReaderTest, BeginsWithItsColumns) {
    EXPECT_EQ(read(""), "t.csv:1:1: file: is empty; begin with time,from,to,bytes,priority\n");
    EXPECT_EQ(read("0,h0,h1,10,3\n"),
              "t.csv:1:1: line: is not the header; begin with time,from,to,bytes,priority\n");
}

TEST(TraceReaderTest, EndsAfterAHundredFaults) {
    std::string text = header;
    for (int n = 0; n < 2000; ++n) text += "x\n";
    const std::string faults = read(text);
    EXPECT_EQ(std::ranges::count(faults, '\n'), 101);
    EXPECT_TRUE(faults.ends_with(
        "t.csv:101:1: file: has more faults than these; correct them, and the rest is read\n"));
}

}  // namespace
}  // namespace sluice::sim
