// Rfc2544Report: what the tests of RFC 2544 found, as tables, JSON, CSV, and the data of a page.
#pragma once

#include <string>
#include <vector>

#include "tools/gen/benchmarks/rfc2544.h"

namespace sluice::gen {

struct Rfc2544Report {
    std::size_t ports = 0;
    uint32_t addresses = 1;  // of each
    Rfc2544Settings settings;
    std::vector<Rfc2544> rows;  // a mix of lengths each

    // Keys: ports, addresses, trial_seconds, accepted_loss_percent, resolution_percent, complete,
    // rfc2544 [{frame_bytes, complete, throughput (as throughput.h has it), latency {offered_fps,
    // trials, lost, mean_ns, latency_ns}, frame_loss [{load_percent, offered_fps, delivered_fps,
    // offered, lost, loss_percent, latency_ns}], back_to_back {searches, bounded, frames {mean,
    // min, max}, implied_ns, buffer_ns}, recovery {overload_fps, trials, without_loss, mean_ns,
    // max_ns}}]: null where it was not measured.
    [[nodiscard]] Json json() const;
    [[nodiscard]] std::string text() const;
    // frame_bytes,test,load_percent,quantity,value: a line a figure.
    [[nodiscard]] std::string csv() const;
    // Whether every mix has a throughput and the run was not interrupted.
    [[nodiscard]] bool whole() const;
};

}  // namespace sluice::gen
