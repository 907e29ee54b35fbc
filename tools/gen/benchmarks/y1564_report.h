// Y1564Report: the results of a service activation test as tables, JSON, CSV, and the data of a
// page.
#pragma once

#include <string>

#include "tools/gen/benchmarks/y1564.h"
#include "tools/gen/report.h"

namespace sluice::gen {

struct Y1564Report {
    std::size_t ports = 0;
    Y1564Settings settings;
    Y1564 found;

    // Keys: ports, step_seconds, performance_seconds, complete, passed, y1564 [{service, from, to,
    // frame_bytes, vlan, pcp, cir_bps, eir_bps, max_loss_percent, max_latency_ns, max_variation_ns,
    // policing_percent, passed, configuration [STEP], performance STEP}], where a STEP is {test,
    // load_percent, asked_bps, offered_bps, received_bps, offered, lost, loss_percent, latency_ns
    // {min, mean, p50, p99, p999, max}, variation_ns, passed, faults [reasons]}. Rates count frames
    // with FCS. A value that is not limited, does not exist or was not measured is null.
    [[nodiscard]] Json json() const;
    [[nodiscard]] std::string text() const;
    // Returns a line for each figure: service,test,load_percent,quantity,value.
    [[nodiscard]] std::string csv() const;
    // Whether every service passed all steps and the run was not interrupted.
    [[nodiscard]] bool whole() const { return found.passed(); }
};

}  // namespace sluice::gen
