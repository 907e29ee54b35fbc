// Ring pair: the rings of `ring:` ports. `ring:NAME` is one ring: the port receives what it sends.
// `ring:NAME/a` and `ring:NAME/b` are the ends of a crossed pair of rings. DPDK's own ring device
// supports only the first.
//
// With several queues, each queue has such a ring or pair of rings.
//
// A ring is for one sender and one receiver: each queue of an end belongs to one thread in each
// direction. It holds one frame fewer than its size, and refuses frames when it is full. When both
// ends are closed, the frames in it are freed.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>

#include "pmd_glue/error.h"

namespace sluice::pmd {

enum class RingEnd : uint8_t { loop, a, b };

// Returns the ethdev of the end. The rings are made when the first end is opened; the second end
// uses their size, and must have the same number of queues.
tl::expected<uint16_t, Error> open_ring(const std::string& name, RingEnd end, unsigned size,
                                        uint16_t queues);
// Call it after the ethdev was closed.
void close_ring(const std::string& name, RingEnd end);

}  // namespace sluice::pmd
