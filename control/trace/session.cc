#include "control/trace/session.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace sluice::control {

namespace {

using namespace std::chrono_literals;

constexpr auto period = 10ms;
constexpr auto release_timeout = 5s;  // time in which every worker must have polled

}  // namespace

void TraceSession::begin(const TraceFilter& filter, std::chrono::milliseconds within, Done done) {
    if (!board_) {
        board_ = std::make_unique<TraceBoard>(workers_);
        dataplane_.trace_on(*board_);
    }
    if (const auto before = std::exchange(next_, Request{filter, within, std::move(done)})) {
        before->done(End::superseded, {});
    }
    if (phase_ == Phase::tracing) end(End::superseded);
    if (!timer_) {
        until_ = Clock::now() + release_timeout;
        timer_ = loop_.every(period, [this] { check(); });
    }
}

void TraceSession::check() {
    const auto now = Clock::now();
    switch (phase_) {
        case Phase::waiting:
            if (!request_ && !next_) {
                const auto over = std::move(timer_);  // destroyed when this function returns
                return;
            }
            if (request_ && next_) return report(End::superseded, {});
            if (!request_) request_ = std::exchange(next_, std::nullopt);
            if (board_->is_released()) {
                board_->begin(request_->filter);
                until_ = now + request_->within;
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
                report(why_, recorded());
            } else if (now >= until_) {
                report(End::unanswered, {});
            }
            return;
    }
}

void TraceSession::end(End why) {
    assert(phase_ == Phase::tracing);
    board_->end();
    why_ = why;
    until_ = Clock::now() + release_timeout;
    phase_ = Phase::ending;
}

void TraceSession::report(End why, const std::vector<Traced>& frames) {
    phase_ = Phase::waiting;
    until_ = Clock::now() + release_timeout;
    assert(request_);
    const auto request = std::exchange(request_, std::nullopt);
    request->done(why, frames);
}

std::vector<TraceSession::Traced> TraceSession::recorded() const {
    assert(request_ && board_);
    std::vector<Traced> frames;
    for (const TraceArea& area : std::as_const(*board_).areas()) {
        for (uint32_t number = 0; number < area.frames_count(); ++number) {
            const TracedFrame& frame = area.frame(number);
            frames.push_back({&frame, area.copies_of(frame)});
        }
    }
    std::ranges::stable_sort(frames, {}, [](const Traced& one) { return one.frame->received_at; });
    if (frames.size() > request_->filter.frames) frames.resize(request_->filter.frames);
    return frames;
}

// Whether the wanted number of frames was recorded and all their copies were sent or dropped. If
// the workers recorded more frames, only those received first count.
bool TraceSession::is_complete() const {
    const std::vector<Traced> frames = recorded();
    return frames.size() == request_->filter.frames &&
           std::ranges::all_of(frames, [](const Traced& one) { return are_closed(one.copies); });
}

}  // namespace sluice::control
