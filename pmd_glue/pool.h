// Pool: frame buffers for every port of the switch, or for the ports of one NUMA node, and for
// frames generated there. Any port may send a buffer without a copy, except an af_xdp port of
// another pool, whose driver copies it. A freed buffer returns to its own pool, whichever port
// frees it. A Frame's handle is one of its buffers.
//
// Three layouts; layout_for (device.h) chooses one. In each, a frame is in one piece.
// - `packed`: buffers lie end to end. For rings, sockets and files, which use only virtual
//   addresses.
// - `hardware`: no buffer crosses a page boundary, and each has an address for DMA. For NICs;
//   without huge pages it wastes two fifths of the memory.
// - `page`: each buffer is one page of 4096 octets, header and all. Needed as soon as one port is
//   af_xdp: the driver registers `buffers x size of a buffer` from the first one on as UMEM, and a
//   buffer that was moved over a page's end would lie outside, and be lost without an error. Of
//   such a page 576 octets are the driver's and the kernel's, so a frame has at most 3520.
//   Buffers of 2048 octets will not do: they leave 1472, less than an Ethernet frame.
// Bound: allocation and freeing use a cache of each lcore, and take a lock only to fill or empty
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <tl/expected.hpp>

#include "dataplane/types/frame.h"
#include "dataplane/types/released.h"
#include "dataplane/types/units.h"
#include "pmd_glue/error.h"

struct rte_mempool;

namespace sluice::pmd {

enum class BufferLayout : uint8_t { packed, hardware, page };

struct PoolRequest {
    std::size_t buffers = 16384;  // buffers that queues, rings and caches may hold together
    Bytes max_frame{1522};
    BufferLayout layout = BufferLayout::packed;
    std::optional<unsigned> node;  // NUMA node; none if any will do
};

class Pool {
  public:
    using Pcps = std::array<uint8_t, max_priorities>;

    static tl::expected<std::unique_ptr<Pool>, Error> create(const PoolRequest& request);
    ~Pool();
    // Keeps the pool until the process ends. A program that keeps pools until then does not free
    // them: DPDK fills freed memory with zeros, twice, which takes longer than the rest of a stop.
    static Pool& keep(std::unique_ptr<Pool> pool);
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    // Returns the memory that EAL needs for a pool of `request`, and for the ports and tables that
    // use it.
    static Bytes memory_for(const PoolRequest& request);
    // Returns the buffers that the lcores' caches may hold.
    static std::size_t cached_by(std::size_t lcores);

    // Allocates buffers for generated frames, `length` octets each, with undefined content: all of
    // them (at most max_burst), or none.
    bool allocate(std::span<Frame> frames, uint16_t length);
    // Drops one reference to each buffer, of any pool; no handle may be null. The span itself is
    // overwritten.
    void free(std::span<void*> handles);
    // Adds references. The buffer returns to the pool when all references are freed or sent.
    static void share(void* handle, uint16_t extra);
    // Makes pending edits of tags (types/tag.h), in a copy if the buffer is shared. `pcps`: the
    // PCPs of pushed tags, by priority. Returns how many frames are ready before the first that got
    // no buffer for a copy.
    std::size_t edit_tags(std::span<Frame> frames, const Pcps& pcps);
    // Makes room for `octets` before a frame: in its own buffer if that is not shared, else in a
    // copy. After a copy the caller holds both buffers and has to free one of them. Returns false,
    // and changes nothing, if there is no buffer for a copy.
    bool put_in_front(Frame& frame, uint16_t octets);
    // Makes the buffer of a frame writable: a shared buffer is copied, and the other holders keep
    // theirs. Returns false, and changes nothing, if there is no buffer for a copy.
    bool own(Frame& frame);
    static void take_from_front(const Frame& frame, uint16_t octets);
    // Keeps `count` octets from `from` on. The frame must not be shared.
    static void keep_part(Frame& frame, uint16_t from, uint16_t count);
    // Carries out the requests of the switch and clears them. References are added first: a shared
    // buffer may also be freed.
    void apply(Released& released);

    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] std::size_t available() const;  // exact while no thread allocates
    [[nodiscard]] std::optional<unsigned> node() const;
    // Returns the octets that one buffer has for a frame, from any port.
    [[nodiscard]] Bytes room() const;
    [[nodiscard]] rte_mempool* native() const { return pool_; }

  private:
    explicit Pool(rte_mempool* pool) : pool_(pool) {}
    bool make_own(Frame& frame);
    bool replace_by_copy(Frame& frame);

    rte_mempool* pool_;
};

}  // namespace sluice::pmd
