// Throughput: a search (search.h) by trials with real traffic, and its results, as text and as JSON
// (RFC 2544 sections 26.1 and 26.2).
//
// The first trial has the requested rate; the others have parts of the rate that its fastest sender
// reached. A trial passes if frames arrived and at most the accepted share was lost. Frames that a
// sender's own device refused were never offered, so they are not lost. A trial that offered less
// than requested reports it, and counts only for what it delivered. Latency is that of all frames
// of the fastest trial that passed; the RFC measures one frame in each of 20 trials.
// Not done here: traffic, and waiting until all is still between trials; both are `Measure`.
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
    double accepted_loss = 0;  // shares of 1
    double resolution = 0.01;  // of the first trial's rate
};

// The limit of the throughput: loss above it, senders that could send no more, or the requested
// rate.
enum class Limit : uint8_t { loss, senders, rate };
inline constexpr std::array<std::string_view, 3> limit_names = {"loss", "senders", "rate"};

struct Throughput {
    NamedMix mix;
    std::vector<Trial> trials;
    std::optional<std::size_t> best;  // the trial that passed and delivered fastest
    Limit limit = Limit::loss;        // of the trial that passed
    bool complete = false;            // nobody broke it off

    [[nodiscard]] double frames_per_second() const;  // delivered
    // Bits a second of those frames on the wire: with preamble, FCS and gap, as `--rate` counts
    // them.
    [[nodiscard]] double bits_per_second() const;
};

// A trial with that rate of each sender; nothing: broken off.
using Measure = std::function<std::optional<Trial>(const Rate&)>;
// Called with each trial, as soon as it is over.
using OnProgress = std::function<void(const Throughput&)>;

// `frames_at_once`: that are to arrive when each sender has sent one.
Throughput find_throughput(const NamedMix& mix, const Rate& first, std::size_t frames_at_once,
                           const SearchSettings& settings, const Measure& measure,
                           const OnProgress& report_progress);

// JSON of one trial, and of one of the rows below.
Json trial_json(const Trial& trial);
Json row_of(const Throughput& found);
// Text of the last trial: `64 octets, trial 3 at 1.2 M/s: ...`.
std::string progress_text(const Throughput& found);
// Keys: ports, addresses, accepted_loss_percent, resolution_percent, throughput [{frame_bytes,
// rate_fps, mpps, rate_bps, limit, latency_ns, trials [{asked_fps, offered_fps, offered, delivered,
// lost, seconds, passed, latency_ns}]}]. `rate_fps` is 0 and `limit` and `latency_ns` are null if
// none passed; `asked_fps` is null for as fast as they can.
Json to_json(std::size_t ports, uint32_t addresses, const SearchSettings& settings,
             const std::vector<Throughput>& found);
std::string to_text(const SearchSettings& settings, const std::vector<Throughput>& found);

}  // namespace sluice::gen
