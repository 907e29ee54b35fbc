// CaptureRecord: the properties of a captured frame: time and port; for a drop also the reason, the
// VOQ that the frame was for and the depth of that VOQ.
// Bound: 24 octets.
#pragma once

#include <cstdint>
#include <type_traits>

#include "dataplane/types/drops.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice {

enum class CapturedAs : uint8_t {
    received,         // as received, before any decision
    sent,             // as the device accepted the frame, with the final tag and marks
    generated,        // made by the switch and sent: a pause frame, LLDP
    dropped_ingress,  // dropped at the port that received it
    dropped_egress,   // dropped at its output
    trimmed,          // as received, and trimmed afterwards; at the port that received the frame
};

// Members have no defaults, as in Frame.
struct CaptureRecord {
    static constexpr uint8_t unknown = 0xFF;  // unknown port, input, output or priority

    Nanos time;       // time of the poll
    uint32_t depth;   // for a drop: octets in the VOQ of the frame
    uint16_t length;  // length of the frame
    uint16_t copied;  // octets of the frame that follow the record
    CapturedAs as;
    Drop reason;
    PortIndex port;  // port that counts the frame
    Priority priority;
    PortIndex input;
    PortIndex output;

    // Whether the frame was dropped or trimmed. A trimmed frame has the reason for the trimming.
    [[nodiscard]] bool is_drop() const { return reason != Drop::none; }
};

static_assert(sizeof(CaptureRecord) == 24);
static_assert(std::is_trivially_copyable_v<CaptureRecord>);

}  // namespace sluice
