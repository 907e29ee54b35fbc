#include "pmd_glue/memif/shared_memory.h"

#include <sys/eventfd.h>
#include <cerrno>
#include <cstring>
#include <new>

namespace sluice::pmd::memif {
namespace {

using Fault = tl::unexpected<std::string>;

std::optional<std::string> fault_of(const SharedMemory& memory, const Ring& ring) {
    if (ring.region >= memory.regions.size()) return "a ring lies in no region";
    if (ring.log2_size == 0 || ring.log2_size > most_log2_ring_size) {
        return "a ring has 2 to 16384 descriptors";
    }
    if (ring.offset % sizeof(Descriptor) != 0) return "a ring is not aligned to 16 octets";
    const std::size_t octets = memory.regions[ring.region].octets().size();
    if (ring.offset > octets || octets_of_ring(ring.log2_size) > octets - ring.offset) {
        return "a ring ends outside its region";
    }
    RingHeader header;
    std::memcpy(&header, memory.start_of(ring), sizeof header);
    if (header.cookie != ring_cookie) return "a ring lacks the memif cookie";
    return std::nullopt;
}

}  // namespace

std::optional<std::string> fault_of(const SharedMemory& memory) {
    if (memory.to_server.empty() && memory.to_client.empty()) return "it has no rings";
    for (const std::vector<Ring>* rings : {&memory.to_server, &memory.to_client}) {
        for (const Ring& ring : *rings) {
            if (auto fault = fault_of(memory, ring)) return fault;
        }
    }
    return std::nullopt;
}

tl::expected<SharedMemory, std::string> make_memory(const Shape& shape) {
    const std::size_t rings = std::size_t{shape.to_server} + shape.to_client;
    const uint64_t octets = offset_of_buffer(shape, rings, 0);
    if (octets > Region::most_octets) return Fault("its rings and buffers exceed 4 GiB");
    auto region = Region::make(octets);
    if (!region) return Fault(region.error());
    uint8_t* const start = region->octets().data();
    SharedMemory memory;
    memory.regions.push_back(std::move(*region));
    memory.buffer_octets = shape.buffer_octets;
    const std::size_t size = std::size_t{1} << shape.log2_ring_size;
    for (std::size_t number = 0; number < rings; ++number) {
        const bool to_server = number < shape.to_server;
        FileDescriptor interrupt(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
        if (!interrupt.is_open()) return Fault(std::strerror(errno));
        Ring ring{.offset = static_cast<uint32_t>(number * octets_of_ring(shape.log2_ring_size)),
                  .log2_size = shape.log2_ring_size,
                  .interrupt = std::move(interrupt)};
        auto* const header = new (start + ring.offset) RingHeader{};
        header->cookie = ring_cookie;
        auto* const places = reinterpret_cast<Descriptor*>(header + 1);
        for (std::size_t place = 0; place < size; ++place) {
            new (places + place)
                Descriptor{.length = shape.buffer_octets,
                           .offset = static_cast<uint32_t>(offset_of_buffer(shape, number, place))};
        }
        (to_server ? memory.to_server : memory.to_client).push_back(std::move(ring));
    }
    return memory;
}

}  // namespace sluice::pmd::memif
