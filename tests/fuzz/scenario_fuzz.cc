// Fuzzes the scenario reader: any octets give a scenario that can be simulated, or at least one
// fault, each of one line. A short one is simulated: its ledgers must balance, and of no flow may
// more come or be left than was sent.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tests/fuzz/promises.h"
#include "tools/sim/scenario/run.h"
#include "tools/sim/scenario/scenario.h"

namespace {

using sluice::test::must;

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
    for (const sluice::sim::FlowResult& flow : result.flows) {
        must(flow.received <= flow.sent, "what comes was sent");
        must(flow.waiting <= flow.sent, "what is left was sent");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    auto read = sluice::sim::read_scenario(text, "fuzz.yaml");
    if (read) {
        check(*read);
        return 0;
    }
    sluice::test::check_faults(read.error());
    return 0;
}
