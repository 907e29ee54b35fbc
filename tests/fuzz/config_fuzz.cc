// Fuzzes the configuration reader: any octets give a Configuration or at least one fault, each of
// one line; what it gives keeps the promises that the dataplane relies on (settings.h), and printed
// it is the same.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "config/changes.h"
#include "config/difference.h"
#include "config/loader.h"
#include "config/printed.h"
#include "tests/fuzz/promises.h"

namespace {

using sluice::config::Configuration;
using sluice::test::must;

void check_ecn(const sluice::PortSettings& port) {
    for (sluice::Priority priority = 0; priority < sluice::max_priorities; ++priority) {
        const sluice::EcnSettings& ecn = port.ecn[priority];
        if (ecn.high.count() == 0) continue;
        const bool lossless = (port.pfc.lossless & sluice::only_priority(priority)) != 0;
        must(ecn.low < ecn.high, "low is below high");
        must(ecn.probability_65536 >= 1 && ecn.probability_65536 <= 65536, "a probability");
        must(!lossless || ecn.high <= port.pfc.xoff, "ECN acts before PFC");
        must(!lossless || !ecn.drop, "nothing lossless is dropped by a curve");
    }
}

void check(const Configuration& read) {
    const sluice::Settings& settings = read.settings;
    must(!settings.ports.empty() && settings.ports.size() <= sluice::max_ports, "1 to 64 ports");
    must(read.ports.size() == settings.ports.size(), "one PortConfig a port");
    must(settings.workers >= 1 && settings.workers <= sluice::max_workers, "1 to 16 workers");
    must(read.workers.cores.empty() || read.workers.cores.size() == settings.workers,
         "a core a worker");
    must(settings.buffer.size.count() / std::max(settings.buffer.cell.count(), int64_t{14}) <=
             int64_t{64} * 1024 * 1024,
         "every frame can be kept account of");
    sluice::Bytes shared = settings.buffer.size;
    for (std::size_t index = 0; index < settings.ports.size(); ++index) {
        const sluice::PortSettings& port = settings.ports[index];
        must(port.worker < settings.workers, "the worker exists");
        must(port.pfc.xon <= port.pfc.xoff, "xon is not above xoff");
        must(port.max_frame <= settings.fabric.quantum, "a frame fits the quantum");
        must(port.pfc.lossless == 0 ||
                 port.pfc.headroom >= sluice::headroom_for(read.ports[index].needs),
             "the headroom is what the link needs");
        must(port.pfc.watchdog.poll <= port.pfc.watchdog.detection,
             "a storm is looked for in time");
        check_ecn(port);
        shared -= (port.pfc.headroom + port.pfc.reserved + port.max_frame) *
                  __builtin_popcount(port.pfc.lossless);
    }
    const auto ports = static_cast<int64_t>(settings.ports.size());
    must(shared.count() > settings.buffer.reserved.count() * ports * ports * 8,
         "there is something to share");
    for (const sluice::StaticEntry& entry : settings.fdb.static_entries) {
        must(entry.port < settings.ports.size() && !entry.address.is_group(),
             "a static entry leads a station's frames to a port");
    }
    must(difference_needing_restart(read, read).empty(), "it does not differ from itself");
    const std::string printed = sluice::config::printed(read.source.text);
    const auto again = sluice::config::load_text(printed, "printed.yaml");
    must(again.has_value(), "what is printed can be loaded");
    must(difference_needing_restart(read, *again).empty() &&
             sluice::config::changes(read.source.text, printed).empty(),
         "and is the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto read = sluice::config::load_text(text, "fuzz.yaml");
    if (read) {
        check(*read);
        return 0;
    }
    sluice::test::check_faults(read.error());
    return 0;
}
