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

Capture::Capture(Captures& captures, Captures::Place& place, CaptureOrder order,
                 Captures::Ended ended)
    : captures_(captures), place_(place), order_(std::move(order)), ended_(std::move(ended)) {}

Capture::~Capture() {
    count_lost();
    captures_.end(place_);
    if (ended_) ended_(counts_);
}

std::string Capture::next(Clock::time_point now) {
    if (over_) return {};
    if (!began_ && !finished_) {
        if (!captures_.is_adopted(place_)) return {};
        began_ = true;  // which the first counts tell
    }
    look_at_clocks();
    for (const Captures::Attachment& at : place_.attachments) take(*at.ring);
    std::string piece = in_order();
    count_lost();
    over_ = finished_ || place_.cut || (order_.count != 0 && counts_.captured == order_.count);
    if (over_ || now - spoke_at_ >= news_period) {
        append_counts(piece, counts_, over_);
        spoke_at_ = now;
    }
    return piece;
}

void Capture::take(CaptureRing& ring) {
    ring.take([&](const CaptureRecord& record, std::span<const uint8_t> octets) {
        if (!order_.filter.passes(octets, record.length)) {
            ++counts_.filtered_out;
            return;
        }
        const int64_t time = since_1970_ + record.time.count();
        const std::size_t at = messages_.size();
        append_frame(messages_, record, time,
                     octets.first(std::min<std::size_t>(octets.size(), order_.wanted.longest)));
        parts_.push_back({.time = time, .at = at, .size = messages_.size() - at});
    });
}

// Not where the thread lost its core between two of the looks.
void Capture::look_at_clocks() {
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
    if (order_.count != 0) {
        frames =
            static_cast<std::size_t>(std::min<uint64_t>(frames, order_.count - counts_.captured));
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
    for (const Captures::Attachment& at : place_.attachments) counts_.lost += at.ring->lost();
}

}  // namespace sluice::control
