// SharedMemory: the memory that the two ends of a connected memif share: regions, and rings within
// them.
//
// A client makes it and describes it to the server. Both call `fault_of` before the first frame is
// transferred; it returns nothing, or what is wrong with the memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "pmd_glue/file_descriptor.h"
#include "pmd_glue/memif/messages.h"
#include "pmd_glue/memif/region.h"

namespace sluice::pmd::memif {

struct Ring {
    uint16_t region = 0;
    uint32_t offset = 0;
    uint8_t log2_size = 0;
    FileDescriptor interrupt;  // an eventfd, for a consumer that does not poll
};

struct SharedMemory {
    static constexpr std::size_t most_regions = 16;
    static constexpr std::size_t most_rings = 16;  // in each direction

    std::vector<Region> regions;
    std::vector<Ring> to_server;
    std::vector<Ring> to_client;
    uint32_t buffer_octets =
        0;  // length of each buffer of a client; a server reads lengths from descriptors

    [[nodiscard]] uint8_t* start_of(const Ring& ring) const {
        return regions[ring.region].octets().data() + ring.offset;
    }
};

// Returns which ring has an invalid position, as text for the other end; nothing if all are valid.
std::optional<std::string> fault_of(const SharedMemory& memory);

struct Shape {
    uint16_t to_server = 1;
    uint16_t to_client = 1;
    uint8_t log2_ring_size = 10;
    uint32_t buffer_octets = 2048;  // whole cache lines
};
// Called by a client: makes one region, with the rings first, then a buffer for each place in them.
// A fault is an error of the kernel.
tl::expected<SharedMemory, std::string> make_memory(const Shape& shape);

// Returns the offset of the buffer of a place in a client's ring; `ring` numbers the rings of both
// directions, those to the server first.
constexpr uint64_t offset_of_buffer(const Shape& shape, std::size_t ring, std::size_t place) {
    const std::size_t rings = std::size_t{shape.to_server} + shape.to_client;
    return rings * octets_of_ring(shape.log2_ring_size) +
           ((ring << shape.log2_ring_size) + place) * shape.buffer_octets;
}

}  // namespace sluice::pmd::memif
