// RecorderSettings: the part of the queues that is recorded, how often, and the triggers of a
// recording. Control makes reels (reel.h) from these settings. They are not part of Settings, since
// a recording begins and ends at any time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "dataplane/recorder/entry.h"
#include "dataplane/recorder/trigger.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice {

struct RecorderSettings {
    static constexpr std::size_t parts = 8;  // parts of the memory; each holds a recording

    Nanos period{10'000};           // approximate time between two samples (Reel::is_due)
    Nanos before{200'000};          // recorded time before the trigger
    Nanos after{1'000'000};         // recorded time after the trigger, and after further triggers
    Bytes memory{4 * 1024 * 1024};  // memory of each worker
    PortSet ports = ~PortSet{0};    // recorded outputs of queues, and inputs of groups
    PrioritySet priorities = 0xFF;
    uint8_t causes = 0;      // bit n: RecordCause n
    Bytes depth{32 * 1024};  // trigger level of a queue's depth, with all its VOQs
    Nanos latency{1'000'000};

    [[nodiscard]] bool has(RecordCause cause) const {
        return (causes >> static_cast<unsigned>(cause) & 1U) != 0;
    }
    // Returns the number of entries of each part, a power of two.
    [[nodiscard]] std::size_t entries() const {
        return std::bit_floor(static_cast<std::size_t>(memory.count()) / parts /
                              sizeof(RecordEntry));
    }
    bool operator==(const RecorderSettings&) const = default;
};

}  // namespace sluice
