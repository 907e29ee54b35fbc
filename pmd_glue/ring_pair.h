// Ring pair: the rings behind `ring:` ports. `ring:NAME` is one ring, so that what is sent comes
// back; `ring:NAME/a` and `ring:NAME/b` are the two ends of two rings that cross. DPDK's own ring
// device can only do the first.
//
// With several queues each is such a ring or pair of rings.
//
// A ring is for one sender and one receiver: each queue of an end belongs to one thread, either
// way. It holds one frame fewer than its size, and refuses what it has no room for. What is in it
// when both ends are closed is freed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "pmd_glue/error.h"

namespace sluice::pmd {

enum class RingEnd : uint8_t { loop, a, b };

// Returns the ethdev of the end. The rings are made when the first end is opened; the second end
// takes their size as it is, and has to have as many queues.
tl::expected<uint16_t, Error> open_ring(const std::string& name, RingEnd end, unsigned size,
                                        uint16_t queues);
// After the ethdev was closed.
void close_ring(const std::string& name, RingEnd end);

}  // namespace sluice::pmd
