// Rfc2544Report: the results of the tests of RFC 2544 as tables, JSON, CSV, and the data of a page.
#pragma once

#include <string>
#include <vector>

#include "tools/gen/benchmarks/rfc2544.h"

namespace sluice::gen {

struct Rfc2544Report {
    std::size_t ports = 0;
    uint32_t addresses = 1;  // addresses of each station
    Rfc2544Settings settings;
    std::vector<Rfc2544> rows;  // one for each mix of lengths

    // Keys: ports, addresses, trial_seconds, accepted_loss_percent, resolution_percent, complete,
    // rfc2544 [{frame_bytes, complete, throughput (as in throughput.h), latency {offered_fps,
    // trials, lost, mean_ns, latency_ns}, frame_loss [{load_percent, offered_fps, delivered_fps,
    // offered, lost, loss_percent, latency_ns}], back_to_back {searches, bounded, frames {mean,
    // min, max}, implied_ns, buffer_ns}, recovery {overload_fps, trials, without_loss, mean_ns,
    // max_ns}}]. A value that was not measured is null.
    [[nodiscard]] Json json() const;
    [[nodiscard]] std::string text() const;
    // Returns a line for each figure: frame_bytes,test,load_percent,quantity,value.
    [[nodiscard]] std::string csv() const;
    // Whether every mix has a throughput and the run was not interrupted.
    [[nodiscard]] bool whole() const;
};

}  // namespace sluice::gen
