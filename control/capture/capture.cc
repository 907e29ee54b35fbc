#include "control/capture/capture.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sluice::control {

namespace {

int64_t nanos_since_1970() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace

Capture::Capture(Captures& captures, Captures::Slot& slot, CaptureOptions options,
                 Captures::OnEnd ended)
    : captures_(captures), slot_(slot), options_(std::move(options)), on_end_(std::move(ended)) {}

Capture::~Capture() {
    count_lost();
    captures_.end(slot_);
    if (on_end_) on_end_(counts_);
}

std::string Capture::next(Clock::time_point now) {
    if (is_over_) return {};
    if (!has_begun_ && !finished_) {
        if (!captures_.is_adopted(slot_)) return {};
        has_begun_ = true;  // the first message of counts shows this to the client
    }
    compare_clocks();
    for (const Captures::Attachment& at : slot_.attachments) take(*at.ring);
    std::string piece = in_order();
    count_lost();
    is_over_ =
        finished_ || slot_.stopped || (options_.count != 0 && counts_.captured == options_.count);
    if (is_over_ || now - counts_sent_at_ >= counts_period) {
        append_counts(piece, counts_, is_over_);
        counts_sent_at_ = now;
    }
    return piece;
}

void Capture::take(CaptureRing& ring) {
    ring.take([&](const CaptureRecord& record, std::span<const uint8_t> octets) {
        if (!options_.filter.passes(octets, record.length)) {
            ++counts_.filtered_out;
            return;
        }
        const int64_t time = since_1970_ + record.time.count();
        const std::size_t at = messages_.size();
        append_frame(messages_, record, time,
                     octets.first(std::min<std::size_t>(octets.size(), options_.wanted.longest)));
        parts_.push_back({.time = time, .at = at, .size = messages_.size() - at});
    });
}

// Compares the workers' clock with the system's. Discards the comparison if the workers' clock
// moved far between its two readings, which shows that the thread lost its core.
void Capture::compare_clocks() {
    constexpr Nanos close{10'000};
    const Nanos before = captures_.now_();
    const int64_t now = nanos_since_1970();
    const Nanos after = captures_.now_();
    if (since_1970_ == 0 || after - before < close) since_1970_ = now - after.count();
}

std::string Capture::in_order() {
    if (!std::ranges::is_sorted(parts_, {}, &Part::time)) {
        std::ranges::stable_sort(parts_, {}, &Part::time);
    }
    std::size_t frames = parts_.size();
    if (options_.count != 0) {
        frames =
            static_cast<std::size_t>(std::min<uint64_t>(frames, options_.count - counts_.captured));
    }
    std::string piece;
    piece.reserve(messages_.size());
    for (const Part& part : std::span(parts_).first(frames)) {
        piece.append(messages_, part.at, part.size);
    }
    counts_.captured += frames;
    messages_.clear();
    parts_.clear();
    return piece;
}

void Capture::count_lost() {
    counts_.lost = 0;
    for (const Captures::Attachment& at : slot_.attachments) counts_.lost += at.ring->lost();
}

}  // namespace sluice::control
