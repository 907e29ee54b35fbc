// Device buffers: computes the largest number of frame buffers that the rings of a port hold. The
// switch sizes its pool by this number. `sluice check` computes the memory of a configuration from
// the same number.
//
// Not done here: buffers in the queues of the switch (config/memory.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "config/device_kind.h"
#include "dataplane/types/limits.h"

namespace sluice {

// The length of a ring that the file does not set.
inline constexpr unsigned usual_ring = 1024;
// The size of the fill ring of DPDK's af_xdp driver, whatever size is requested. A receive ring
// shorter than the number of buffers offered to the kernel would lose frames.
inline constexpr unsigned xdp_fill_ring = 2048;
// Descriptors of a queue that only sends pauses: the shortest ring that a file may set.
inline constexpr uint16_t pause_ring = 128;
// Descriptors of the queues that a NIC must have in addition to those of its priorities
// (pmd_glue/nic/lossless_queues.h).
inline constexpr uint16_t idle_ring = 64;
inline constexpr uint16_t most_idle_queues = 128 - max_priorities;

struct DeviceRings {
    unsigned queues = 1;
    unsigned receive = usual_ring;  // frames that each ring holds
    unsigned transmit = usual_ring;
    bool is_underlay = false;    // tunnels run over the port
    bool leads_to_many = false;  // the port is a tunnel with many other ends
    bool by_nic = false;         // the NIC has a queue for each priority
};

constexpr unsigned receive_ring(const DeviceTraits& traits, unsigned asked) {
    return traits.by_xdp() ? std::max(asked, xdp_fill_ring) : asked;
}

constexpr std::size_t buffers_in(const DeviceTraits& traits, const DeviceRings& rings) {
    // A tunnel keeps a burst of frames and a burst of copies that it sends; a tunnel with many
    // other ends also a burst of flooded frames.
    if (traits.is_tunnel()) return std::size_t{rings.leads_to_many ? 3U : 2U} * max_burst;
    const std::size_t kept = rings.is_underlay ? max_burst : 0;
    if (traits.is_ring()) {
        return kept + std::size_t{2} * std::max(rings.receive, rings.transmit) * rings.queues;
    }
    if (traits.copies()) return kept;
    const std::size_t pair = receive_ring(traits, rings.receive) + rings.transmit;
    if (rings.by_nic) {
        return kept + max_priorities * pair + std::size_t{most_idle_queues} * idle_ring;
    }
    const std::size_t filled = traits.by_xdp() ? xdp_fill_ring : 0;
    return kept + rings.queues * (pair + filled) + (traits.may_be_nic() ? pause_ring : 0U);
}

}  // namespace sluice
