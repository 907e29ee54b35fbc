// RecorderSettings: what is recorded, how often, and what triggers a recording. Used by control,
// which makes reels (reel.h) from it. Not part of Settings, since a recording begins and ends at
// any time.
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
    static constexpr std::size_t parts = 8;  // of the memory, a recording each

    Nanos period{10'000};           // from one sample to the next, about (Reel::is_due)
    Nanos before{200'000};          // the trigger
    Nanos after{1'000'000};         // it, and whatever else is a reason meanwhile
    Bytes memory{4 * 1024 * 1024};  // of each worker
    PortSet ports = ~PortSet{0};    // queues of these outputs and groups of these inputs
    PrioritySet priorities = 0xFF;
    uint8_t causes = 0;      // a bit each RecordCause
    Bytes depth{32 * 1024};  // of a queue, with what waits in all VOQs for it
    Nanos latency{1'000'000};

    [[nodiscard]] bool has(RecordCause cause) const {
        return (causes >> static_cast<unsigned>(cause) & 1U) != 0;
    }
    // The entries of each part, a power of two.
    [[nodiscard]] std::size_t entries() const {
        return std::bit_floor(static_cast<std::size_t>(memory.count()) / parts /
                              sizeof(RecordEntry));
    }
    bool operator==(const RecorderSettings&) const = default;
};

}  // namespace sluice
