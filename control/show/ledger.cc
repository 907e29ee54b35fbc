#include "control/show/ledger.h"

#include <chrono>
#include <thread>

namespace sluice::control {

namespace {

constexpr int most_readings = 50;
constexpr auto between_them = std::chrono::microseconds(100);

// Two polls, because the first may have begun before the reading, and because a frame may wait for
// one poll between two workers.
constexpr uint64_t polls_until_valid = 2;

bool have_polled(const std::vector<uint64_t>& before, const std::vector<uint64_t>& now) {
    for (std::size_t worker = 0; worker < now.size(); ++worker) {
        if (now[worker] - before[worker] < polls_until_valid) return false;
    }
    return true;
}

}  // namespace

LedgerReading read_ledger(const std::function<Ledger()>& read,
                          const std::function<std::vector<uint64_t>()>& polls) {
    const Ledger first = read();
    const std::vector<uint64_t> begun = polls();
    for (int reading = 0; reading < most_readings; ++reading) {
        const bool all_polled = have_polled(begun, polls());
        const Ledger again = read();
        if (again != first) return {again, true};
        if (again.balanced() || all_polled) return {again, false};
        std::this_thread::sleep_for(between_them);
    }
    return {first, true};
}

Json ledger_snapshot(const View& view, bool) {
    const auto [sum, in_motion] = read_ledger([&] { return ledger_of(view.dataplane); },
                                              [&] {
                                                  std::vector<uint64_t> polls;
                                                  for (const Counter* of_worker : view.polls)
                                                      polls.push_back(of_worker->value());
                                                  return polls;
                                              });
    return {{"received", sum.received},   {"copied", sum.copied},
            {"generated", sum.generated}, {"sent", sum.sent},
            {"dropped", sum.dropped},     {"waiting", sum.waiting},
            {"trimmed", sum.trimmed},     {"balanced", in_motion ? Json() : Json(sum.balanced())},
            {"in_motion", in_motion}};
}

}  // namespace sluice::control
