#include "tools/gen/run.h"

namespace sluice::gen {

void Run::poll_until_over() {
    const auto now = [&] { return clock_.now(); };
    bool sending = true;
    while (stage_.load(std::memory_order_relaxed) != Stage::over) {
        const std::size_t moved = generator_.poll(now, sending);
        if (sending && time_to_stop(now())) {
            stop(now());
            sending = false;
        }
        if (moved == 0 || shares_cpu_) ::sched_yield();
    }
}

bool Run::time_to_stop(Nanos now) const {
    return now - start_ >= duration_ || stop_asked_.load(std::memory_order_relaxed) ||
           generator_.finished();
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
