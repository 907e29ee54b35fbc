// Pool: frame buffers, for every port of the switch, or for those of one NUMA node, and for frames
// made there. A buffer may be sent by any port without a copy, except by an af_xdp port of another
// pool, whose driver copies it. Freeing returns it to its own pool, whoever frees it. A Frame's
// handle is one of its buffers.
//
// Three layouts; layout_for (device.h) picks one. A frame is in one piece in each.
// - `packed`: buffers lie end to end. For rings, sockets and files, which see addresses of ours
// only.
// - `hardware`: no buffer crosses a page's end and each has an address for DMA. For NICs; without
//   huge pages that wastes two fifths.
// - `page`: each buffer is one page of 4096 octets, header and all. Needed as soon as one port is
//   af_xdp: the driver registers `buffers x size of a buffer` from the first one on as UMEM, and a
//   buffer that was moved over a page's end would lie outside, and be lost without an error. Of
//   such a page 576 octets are the driver's and the kernel's, so a frame has 3520 at the most.
//   Buffers of 2048 octets will not do: they leave 1472, less than an Ethernet frame.
// Bound: allocation and freeing go through a cache of each lcore and take no lock from elsewhere.
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
    std::size_t buffers = 16384;  // what queues, rings and caches may hold together
    Bytes max_frame{1522};
    BufferLayout layout = BufferLayout::packed;
    std::optional<unsigned> node;  // none: wherever there is memory
};

class Pool {
  public:
    using Pcps = std::array<uint8_t, max_priorities>;

    static tl::expected<std::unique_ptr<Pool>, Error> create(const PoolRequest& request);
    ~Pool();
    // Keeps the pool as long as the process lives. A program that keeps pools to its end does not
    // free them: DPDK fills freed memory with zeros, twice, which takes longer than the rest of a
    // stop.
    static Pool& keep(std::unique_ptr<Pool> pool);
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    // Returns the memory that EAL needs for such a pool, and for the ports and tables beside it.
    static Bytes memory_for(const PoolRequest& request);
    // Buffers that the lcores' caches may keep to themselves.
    static std::size_t cached_by(std::size_t lcores);

    // Allocates buffers for frames that are made here, `length` octets each, content undefined: all
    // of them (at most max_burst), or none.
    bool allocate(std::span<Frame> frames, uint16_t length);
    // Drops a reference to each, of any pool; none is null. The span itself is overwritten.
    void free(std::span<void*> handles);
    // Adds references. The buffer returns to the pool when all are freed or sent.
    static void share(void* handle, uint16_t extra);
    // Carries out the edits that are due (types/tag.h), in a copy if the buffer is shared. `pcps`:
    // the PCPs of pushed tags, by priority. Returns how many frames are ready before the first that
    // got no buffer for a copy.
    std::size_t edit_tags(std::span<Frame> frames, const Pcps& pcps);
    // Makes room for so many octets in front of a frame: in its own buffer if that is not shared,
    // else in a copy; then the caller holds both buffers and has to free one of them. False: there
    // is no buffer for a copy, and nothing has changed.
    bool put_in_front(Frame& frame, uint16_t octets);
    // Makes the buffer of a frame writable: a shared buffer is copied, and the other holders keep
    // theirs. False: there is no buffer for a copy, and nothing has changed.
    bool own(Frame& frame);
    static void take_from_front(const Frame& frame, uint16_t octets);
    // For a frame that is not shared: keeps `count` octets, from `from` on.
    static void keep_part(Frame& frame, uint16_t from, uint16_t count);
    // Does what the switch asks for, and clears it. References first: a share may be freed as well.
    void apply(Released& released);

    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] std::size_t available() const;  // exact while nobody allocates
    [[nodiscard]] std::optional<unsigned> node() const;
    // Octets that one buffer has for a frame, whichever way it comes.
    [[nodiscard]] Bytes room() const;
    [[nodiscard]] rte_mempool* native() const { return pool_; }

  private:
    explicit Pool(rte_mempool* pool) : pool_(pool) {}
    bool make_own(Frame& frame);
    bool replace_by_copy(Frame& frame);

    rte_mempool* pool_;
};

}  // namespace sluice::pmd
