// Fuzzes what goes before a scenario's file: the first lines, each KEY=VALUE, are set in a scenario
// that is right. It is read, or there is at least one fault, each of one line with all its parts.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fuzz/promises.h"
#include "tools/sim/scenario/override.h"
#include "tools/sim/scenario/scenario.h"

namespace {

using sluice::test::must;

constexpr std::string_view scenario =
    "topology: {star: {hosts: 3}}\n"
    "switch: {defaults: {lossless: [3]}}\n"
    "flows: [{name: one, from: h1, to: h0}, {name: other, from: h2, to: h0, rate: 1G}]\n";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    std::string_view text(reinterpret_cast<const char*>(data), size);
    std::vector<sluice::sim::Override> changes;
    while (!text.empty() && changes.size() < 8) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        auto change = sluice::sim::parse_override(text.substr(0, end));
        if (change) {
            changes.push_back(std::move(*change));
        } else {
            must(!change.error().empty(), "what is refused has an error");
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    auto read = sluice::sim::read_scenario(scenario, "fuzz.yaml", changes);
    if (read) {
        must(!read->switches.empty() && read->run.warmup < read->run.time, "it can be simulated");
        return 0;
    }
    for (sluice::config::Fault& fault : read.error()) fault.at.line += 1;  // an override has none
    sluice::test::check_faults(read.error());
    return 0;
}
