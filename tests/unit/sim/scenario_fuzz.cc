// Fuzzes the scenario reader: any octets give a scenario that can be simulated, or at least one
// fault, each of one line. A short one is simulated, and its ledgers must balance.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tools/sim/scenario/run.h"
#include "tools/sim/scenario/scenario.h"

namespace {

// Not assert: this must hold in a release build as well.
void must(bool holds, const char* promise) {
    if (holds) return;
    std::fprintf(stderr, "broken: %s\n", promise);
    std::abort();
}

void check(sluice::sim::NetworkScenario& read) {
    must(read.run.warmup < read.run.time, "something is measured");
    must(!read.switches.empty() && read.switches.size() <= sluice::sim::most_switches,
         "1 to 64 switches");
    for (const sluice::sim::HostSpec& host : read.hosts) {
        must(host.at.node < read.switches.size(), "a host hangs on a switch");
        const sluice::Settings& there = read.switches[host.at.node].settings;
        must(host.at.port < there.ports.size(), "at a port of it");
        must(there.ports[host.at.port].speed == host.cable.speed, "at the speed of its cable");
    }
    for (const sluice::sim::FlowSpec& flow : read.flows) {
        for (const std::size_t host : flow.from) must(host < read.hosts.size(), "who sends is");
        for (const std::size_t host : flow.to) must(host < read.hosts.size(), "who receives is");
    }
    if (read.switches.size() > 4 || read.hosts.size() > 8) return;
    read.run = {.time = sluice::Nanos(3000), .drain = sluice::Nanos(3000)};
    const sluice::sim::NetworkResult result = sluice::sim::simulate(read);
    must(result.balanced(), "every ledger balances");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    auto read = sluice::sim::read_scenario(text, "fuzz.yaml");
    if (read) {
        check(*read);
        return 0;
    }
    must(!read.error().empty(), "what is refused has a fault");
    for (const sluice::config::Fault& fault : read.error()) {
        const std::string line = to_string(fault);
        must(line.find_first_of(std::string("\0\n\r\x1B", 4)) == std::string::npos,
             "a fault is a line");
        must(fault.at.line >= 1 && fault.at.column >= 1, "it has a place");
        must(!fault.path.empty() && !fault.what.empty() && !fault.remedy.empty(), "it says all");
    }
    return 0;
}
