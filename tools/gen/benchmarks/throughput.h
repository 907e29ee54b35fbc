// Throughput: a search (search.h) by trials with real traffic, and its results, as text and as JSON
// (RFC 2544 sections 26.1 and 26.2).
//
// The first trial has the requested rate; the others have parts of the rate that its fastest sender
// reached. A trial passes if frames arrived and at most the accepted share was lost. Frames that a
// sender's own device refused do not count as offered, so they are not lost. A trial that offered
// less than requested reports that, and counts by the rate that it delivered. Latency is that of
// all frames of the fastest trial that passed; the RFC measures one frame in each of 20 trials.
// Not here: traffic, and waiting for frames in flight between trials; both are `Measure`.
#pragma once

#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/gen/benchmarks/search.h"
#include "tools/gen/benchmarks/trial.h"
#include "tools/gen/report.h"

namespace sluice::gen {

struct SearchSettings {
    double accepted_loss = 0;  // share of 1
    double resolution = 0.01;  // share of the first trial's rate
};

// The limit of the throughput: loss at higher rates, the senders, or the requested rate.
enum class Limit : uint8_t { loss, senders, rate };
inline constexpr std::array<std::string_view, 3> limit_names = {"loss", "senders", "rate"};

struct Throughput {
    NamedMix mix;
    std::vector<Trial> trials;
    std::optional<std::size_t> best;  // the trial that passed with the highest delivered rate
    Limit limit = Limit::loss;        // limit of the last trial that passed
    bool complete = false;            // whether the search was not interrupted

    [[nodiscard]] double frames_per_second() const;  // delivered frames
    // Returns the bits a second of the delivered frames on the wire: with preamble, FCS and gap, as
    // in `--rate`.
    [[nodiscard]] double bits_per_second() const;
};

// Runs a trial in which each sender has this rate; returns none if interrupted.
using Measure = std::function<std::optional<Trial>(const Rate&)>;
// Called with each trial, as soon as it is over.
using OnProgress = std::function<void(const Throughput&)>;

// Searches the throughput. `frames_at_once`: frames that arrive when each sender sends one.
Throughput find_throughput(const NamedMix& mix, const Rate& first, std::size_t frames_at_once,
                           const SearchSettings& settings, const Measure& measure,
                           const OnProgress& report_progress);

// Return the JSON of one trial, and of one row of `throughput` in `to_json`.
Json trial_json(const Trial& trial);
Json row_of(const Throughput& found);
// Text of the last trial: `64 octets, trial 3 at 1.2 M/s: ...`.
std::string progress_text(const Throughput& found);
// Keys: ports, addresses, accepted_loss_percent, resolution_percent, throughput [{frame_bytes,
// rate_fps, mpps, rate_bps, limit, latency_ns, trials [{asked_fps, offered_fps, offered, delivered,
// lost, seconds, passed, latency_ns}]}]. `rate_fps` is 0 and `limit` and `latency_ns` are null if
// no trial passed; `asked_fps` is null for an unlimited rate.
Json to_json(std::size_t ports, uint32_t addresses, const SearchSettings& settings,
             const std::vector<Throughput>& found);
std::string to_text(const SearchSettings& settings, const std::vector<Throughput>& found);

}  // namespace sluice::gen
