#include "tools/gen/run.h"

#include <chrono>
#include <thread>

namespace sluice::gen {
namespace {

// Empty polls before a yield, which costs as much as a burst.
constexpr int polls_before_yield = 32;
// Time without a frame before the thread sleeps; used only while the run drains. A frame that
// arrives after such a silence has waited in the device for at least as long, so the sleep adds
// little to its latency.
constexpr Nanos silence_before_naps(1'000'000);
constexpr std::chrono::microseconds nap(50);

}  // namespace

void Run::poll_until_over() {
    const auto now = [&] { return clock_.now(); };
    bool sending = true;
    int idle_polls = 0;
    Nanos last = start_;
    while (stage_.load(std::memory_order_relaxed) != Stage::over) {
        const std::size_t moved = generator_.poll(now, sending);
        if (sending) {
            const Nanos polled = now();
            longest_gap_ = std::max(longest_gap_, polled - last);
            last = polled;
            if (change_ && polled - start_ >= change_->after) change_rate(polled);
            sending = !time_to_stop(polled);
            if (!sending) stop(polled);
        } else if (moved > 0) {
            last = now();
        }
        idle_polls = moved == 0 ? idle_polls + 1 : 0;
        if (yields_always_ || idle_polls >= polls_before_yield) {
            if (!sending && now() - last >= silence_before_naps) {
                std::this_thread::sleep_for(nap);
            } else {
                ::sched_yield();
            }
            idle_polls = 0;
        }
    }
}

bool Run::time_to_stop(Nanos now) const {
    return now - start_ >= duration_ || stop_asked_.load(std::memory_order_relaxed) ||
           generator_.finished();
}

void Run::change_rate(Nanos now) {
    generator_.set_rate(change_->rate, now);
    changed_ = now;
    change_.reset();
}

Nanos Run::lossy_after() const {
    const auto last = generator_.last_gap();
    return changed_ && last && *last > *changed_ ? *last - *changed_ : Nanos();
}

void Run::stop(Nanos now) {
    stopped_ = now;
    for (PortIndex port = 0; port < generator_.ports(); ++port) {
        delivered_meanwhile_ += generator_.receiver(port).probes();
    }
    generator_.drain();
    Stage sending = Stage::sending;
    stage_.compare_exchange_strong(sending, Stage::draining);
}

void Run::stop_sending() { stop_asked_.store(true, std::memory_order_relaxed); }

}  // namespace sluice::gen
