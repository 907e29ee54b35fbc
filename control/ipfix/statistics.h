// Statistic: the statistics of a queue or a lossless group that IPFIX exports, by their numbers in
// SAI (saiqueue.h, saibuffer.h, saitypes.h of Open Compute's Switch Abstraction Interface), as in
// SONiC's high-frequency telemetry.
//
// The enterprise number of such a field is (type << 16 | statistic), the element id the number of
// the object. SONiC's design document has this order in its drawings, and its collector,
// countersyncd, reads it so; the only example in the document's text has the reverse order. The
// rows are in the order of the words of a sample (dataplane/ipfix/queue_sampler.h).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "dataplane/ipfix/queue_sampler.h"
#include "dataplane/types/limits.h"

namespace sluice::control::ipfix {

// Semantics of a field (RFC 5610 and IANA's registries of IPFIX).
enum class Semantics : uint8_t { quantity = 1, total_counter = 2 };
enum class Units : uint16_t { octets = 2, frames = 13 };

enum class ObjectType : uint16_t { queue = 21, ingress_priority_group = 26 };

struct Statistic {
    std::string_view name;
    ObjectType type;
    uint16_t number;
    Semantics semantics;
    Units units;

    [[nodiscard]] constexpr uint32_t enterprise() const {
        return uint32_t{static_cast<uint16_t>(type)} << 16 | number;
    }
};

inline constexpr auto of_queue = std::to_array<Statistic>({
    {"SAI_QUEUE_STAT_PACKETS", ObjectType::queue, 0x00, Semantics::total_counter, Units::frames},
    {"SAI_QUEUE_STAT_DROPPED_PACKETS", ObjectType::queue, 0x02, Semantics::total_counter,
     Units::frames},
    {"SAI_QUEUE_STAT_WRED_ECN_MARKED_PACKETS", ObjectType::queue, 0x22, Semantics::total_counter,
     Units::frames},
    {"SAI_QUEUE_STAT_CURR_OCCUPANCY_BYTES", ObjectType::queue, 0x18, Semantics::quantity,
     Units::octets},
});
inline constexpr auto of_group = std::to_array<Statistic>({
    {"SAI_INGRESS_PRIORITY_GROUP_STAT_CURR_OCCUPANCY_BYTES", ObjectType::ingress_priority_group,
     0x02, Semantics::quantity, Units::octets},
    {"SAI_INGRESS_PRIORITY_GROUP_STAT_XOFF_ROOM_CURR_OCCUPANCY_BYTES",
     ObjectType::ingress_priority_group, 0x06, Semantics::quantity, Units::octets},
});
static_assert(of_queue.size() == QueueSampler::words_of_queue);
static_assert(of_group.size() == QueueSampler::words_of_group);

// Returns the number of a queue or a group, which a port keeps as long as it has its slot. It is
// not 0, and its highest bit is free for the flag that an enterprise number follows (RFC 7011,
// 3.2).
constexpr uint16_t object_id(PortIndex port, Priority priority) {
    return static_cast<uint16_t>(port * max_priorities + priority + 1);
}
static_assert(max_ports * max_priorities < 0x8000);

}  // namespace sluice::control::ipfix
