#include "control/trace/session.h"

#include <algorithm>
#include <utility>

namespace sluice::control {

namespace {

using namespace std::chrono_literals;

constexpr auto period = 10ms;
constexpr auto patience = 5s;  // until every worker has polled

}  // namespace

void TraceSession::begin(const TraceFilter& filter, std::chrono::milliseconds within, Done done) {
    if (!board_) {
        board_ = std::make_unique<TraceBoard>(workers_);
        dataplane_.trace_on(*board_);
    }
    if (const auto before = std::exchange(next_, Order{filter, within, std::move(done)})) {
        before->done(End::superseded, {});
    }
    if (phase_ == Phase::tracing) end(End::superseded);
    if (!timer_) {
        until_ = Clock::now() + patience;
        timer_ = loop_.every(period, [this] { look(); });
    }
}

void TraceSession::look() {
    const auto now = Clock::now();
    switch (phase_) {
        case Phase::waiting:
            if (!order_ && !next_) {
                const auto over = std::move(timer_);  // lives until this has returned
                return;
            }
            if (order_ && next_) return report(End::superseded, {});
            if (!order_) order_ = std::exchange(next_, std::nullopt);
            if (board_->is_released()) {
                board_->begin(order_->filter);
                until_ = now + order_->within;
                phase_ = Phase::tracing;
            } else if (now >= until_) {
                report(End::unanswered, {});
            }
            return;
        case Phase::tracing:
            if (is_complete()) return end(End::complete);
            if (now >= until_) end(End::time);
            return;
        case Phase::ending:
            if (board_->is_released()) {
                report(why_, noted());
            } else if (now >= until_) {
                report(End::unanswered, {});
            }
            return;
    }
}

void TraceSession::end(End why) {
    board_->end();
    why_ = why;
    until_ = Clock::now() + patience;
    phase_ = Phase::ending;
}

void TraceSession::report(End why, const std::vector<One>& frames) {
    phase_ = Phase::waiting;
    until_ = Clock::now() + patience;
    const auto order = std::exchange(order_, std::nullopt);
    order->done(why, frames);
}

std::vector<TraceSession::One> TraceSession::noted() const {
    std::vector<One> frames;
    for (const TraceArea& area : std::as_const(*board_).areas()) {
        for (uint32_t number = 0; number < area.frames_count(); ++number) {
            const TracedFrame& frame = area.frame(number);
            frames.push_back({&frame, area.copies_of(frame)});
        }
    }
    std::ranges::stable_sort(frames, {}, [](const One& one) { return one.frame->received_at; });
    if (frames.size() > order_->filter.frames) frames.resize(order_->filter.frames);
    return frames;
}

// The first ones, whichever worker received them, and all their copies.
bool TraceSession::is_complete() const {
    const std::vector<One> frames = noted();
    return frames.size() == order_->filter.frames &&
           std::ranges::all_of(frames, [](const One& one) { return are_closed(one.copies); });
}

}  // namespace sluice::control
