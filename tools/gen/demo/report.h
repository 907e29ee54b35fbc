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
    Ledger ledger;  // of the whole demo

    // The first requirement that was not met: one of a phase, or that every frame is accounted for.
    // Empty if all were met.
    [[nodiscard]] std::string fault() const;
};

std::string to_text(const DemoResult& demo);

// Keys: ports, seconds, offered, delivered, lost, mpps, pfc_sent, pfc_received, ledger_balanced,
// latency_ns {p50, p99, p999}, phases [{name, offered, delivered, lost, mpps, drops {reason:
// frames}}]. The upper ones sum the phases in which nothing may be lost. Drops are those of data:
// the PFC frames that the switch received, which end at the port that received them, are
// pfc_received.
Json to_json(const DemoResult& demo);

}  // namespace sluice::gen
