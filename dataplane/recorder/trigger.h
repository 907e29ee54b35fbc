// RecordTrigger: the reason for a recording. TriggerBoard: the word by which all workers of a
// switch agree on one recording.
//
// The first thread that finds a reason begins a recording, and every worker contributes its part:
// the time before the trigger from its ring, and the time after it. While a recording is in
// progress no other begins. The next may begin after each worker has handed over its part (`done`).
// Bound: one word read for each sample; one read-modify-write for each recording and worker.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "dataplane/types/enum_count.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice {

enum class RecordCause : uint8_t { hand, xoff, drop, depth, latency, watchdog, last = watchdog };
inline constexpr auto record_causes =
    std::to_array<std::string_view>({"hand", "xoff", "drop", "depth", "latency", "watchdog"});
static_assert(record_causes.size() == count_of<RecordCause>);

struct RecordTrigger {
    static constexpr uint8_t unknown = 0xFF;  // unknown port or priority

    Nanos at;
    RecordCause cause = RecordCause::hand;
    PortIndex port = unknown;  // output for depth, latency and watchdog; input for the other causes
    Priority priority = unknown;
    uint64_t value = 0;  // octets for depth, ns for latency, dropped frames for drop
};

class TriggerBoard {
  public:
    explicit TriggerBoard(unsigned workers) : workers_(workers) {}

    // Returns the number of the present round. Odd: a recording is in progress.
    [[nodiscard]] uint32_t round() const { return round_.load(std::memory_order_acquire); }
    static constexpr bool is_recording(uint32_t round) { return round % 2 != 0; }
    // Returns false if another thread began a recording first, or one is in progress.
    bool begin(uint32_t seen) {
        return !is_recording(seen) && round_.compare_exchange_strong(seen, seen + 1);
    }
    // Called by each worker after it has handed over its part of the recording.
    void done() {
        if (done_.fetch_add(1) + 1 < workers_) return;
        done_.store(0);
        round_.fetch_add(1);
    }

  private:
    const unsigned workers_;
    std::atomic<uint32_t> round_{0};
    std::atomic<unsigned> done_{0};
};

}  // namespace sluice
