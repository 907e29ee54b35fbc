// Fuzzes the reader of traces: any octets give messages between hosts that there are, in order of
// time, or at least one fault, each of one line.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tests/fuzz/promises.h"
#include "tools/sim/scenario/trace_reader.h"

using sluice::test::must;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    std::vector<sluice::sim::HostSpec> hosts(3);
    hosts[0].name = "h0";
    hosts[1].name = "h1";
    hosts[2].name = "h2";
    const auto lines = sluice::sim::read_trace(
        {reinterpret_cast<const char*>(data), size}, "fuzz.csv",
        sluice::sim::HostNames(hosts, true),
        [](std::size_t from, std::size_t to) { return from != 2 || to != 0; });
    if (!lines) {
        sluice::test::check_faults(lines.error());
        return 0;
    }
    must(std::ranges::is_sorted(*lines, {}, &sluice::sim::TraceLine::time), "in order of time");
    for (const sluice::sim::TraceLine& line : *lines) {
        must(line.from < hosts.size() && line.to < hosts.size(), "both hosts are");
        must(line.from != line.to && (line.from != 2 || line.to != 0), "a way leads there");
        must(line.bytes.count() > 0 && line.time.count() >= 0, "it has something to send");
        must(line.priority < sluice::max_priorities, "a priority");
    }
    return 0;
}
