// Demo report: the results of the phases as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "dataplane/ledger.h"
#include "tools/gen/demo/phases.h"
#include "tools/gen/report.h"

namespace sluice::gen {

struct DemoResult {
    std::size_t ports = 0;
    std::vector<PhaseResult> phases;
    Ledger ledger;  // ledger of the whole demo

    // Returns the first requirement that was not met: of a phase, or that every frame is accounted
    // for. Empty if all were met.
    [[nodiscard]] std::string fault() const;
};

std::string to_text(const DemoResult& demo);

// Keys: ports, seconds, offered, delivered, lost, mpps, pfc_sent, pfc_received, ledger_balanced,
// latency_ns {p50, p99, p999}, phases [{name, offered, delivered, lost, mpps, drops {reason:
// frames}}]. Keys outside of `phases` are sums over the phases that must not lose frames. Drops are
// those of data; PFC frames that the switch received are in pfc_received.
Json to_json(const DemoResult& demo);

}  // namespace sluice::gen
