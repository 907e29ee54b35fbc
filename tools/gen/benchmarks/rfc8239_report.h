// Rfc8239Report: the results of the tests of RFC 8239 as tables, JSON, CSV, and the data of a page.
#pragma once

#include <string>
#include <vector>

#include "tools/gen/benchmarks/rfc8239.h"

namespace sluice::gen {

struct Rfc8239Report {
    Rfc8239Settings settings;
    std::vector<Rfc8239> rows;  // one for each mix of lengths

    // Keys: ports, trial_seconds, excess_percent, complete, rfc8239 [{frame_bytes,
    // complete, buffering [{senders, bounded, frames, bytes}], microburst {senders,
    // searches, bounded, frames {mean, min, max}, bytes}, blocking [{shift, victim_offered,
    // victim_lost, congested_offered, congested_lost, victim_latency_ns}]}]. Bytes are those of all
    // senders. A value that was not measured is null.
    [[nodiscard]] Json json() const;
    [[nodiscard]] std::string text() const;
    // Returns a line for each figure: frame_bytes,test,senders,shift,quantity,value.
    [[nodiscard]] std::string csv() const;
    // Whether the run was not interrupted.
    [[nodiscard]] bool whole() const;
};

}  // namespace sluice::gen
