// CaptureRecord: what is known of a captured frame beside its octets: time and place; for a drop
// also the reason, the VOQ that the frame was for and the depth of that VOQ.
// Bound: 24 octets.
#pragma once

#include <cstdint>
#include <type_traits>

#include "dataplane/types/drops.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/units.h"

namespace sluice {

enum class CapturedAs : uint8_t {
    received,         // as it came, before anything was decided
    sent,             // as the device took it, with the tag and the marks that it leaves with
    generated,        // sent, and made by the switch: a pause frame, LLDP
    dropped_ingress,  // at the port that it came by
    dropped_egress,   // at the port that it was to leave by
    trimmed,          // as it came, and cut after that; at the port that it came by
};

// No member has a default, as in Frame.
struct CaptureRecord {
    static constexpr uint8_t unknown = 0xFF;  // of a port, an input, an output, a priority

    Nanos time;       // of the poll
    uint32_t depth;   // of a drop: octets that waited in its VOQ
    uint16_t length;  // of the frame
    uint16_t copied;  // of it, from the first octet on
    CapturedAs as;
    Drop reason;
    PortIndex port;  // that counts it
    Priority priority;
    PortIndex input;
    PortIndex output;

    // True for a trimmed frame as well: then the reason says why it was trimmed.
    [[nodiscard]] bool is_drop() const { return reason != Drop::none; }
};

static_assert(sizeof(CaptureRecord) == 24);
static_assert(std::is_trivially_copyable_v<CaptureRecord>);

}  // namespace sluice
