#include "pmd_glue/pool.h"

#include <rte_mbuf.h>
#include <rte_mbuf_pool_ops.h>
#include <rte_memzone.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <string>
#include <string_view>

#include "dataplane/types/tag.h"
#include "pmd_glue/driver_log.h"
#include "pmd_glue/huge_pages.h"
#include "pmd_glue/memory_limit.h"
#include "pmd_glue/raw_buffers.h"

namespace sluice::pmd {
namespace {

constexpr unsigned cache_size = 256;
constexpr std::size_t page = 4096;
constexpr std::size_t object_header = RTE_CACHE_LINE_SIZE;  // rte_mempool_objhdr, rounded up
constexpr std::size_t xdp_headroom = 256;                   // the kernel's XDP_PACKET_HEADROOM
constexpr auto page_frame = static_cast<int64_t>(page - object_header - sizeof(rte_mbuf) -
                                                 RTE_PKTMBUF_HEADROOM - xdp_headroom);
static_assert(page_frame == 3520);

// Returns the octets of an ordinary buffer: the size of a ring slot of `vdev:net_af_packet`, which
// that driver requires: 2 KiB for frames up to 1981 octets, then whole pages. The driver uses 67
// octets itself, one of which detects a frame that is too long.
std::size_t room_for(Bytes max_frame) {
    const auto octets = static_cast<std::size_t>(max_frame.count()) + 67;
    return octets <= 2048 ? 2048 : (octets + page - 1) / page * page;
}

int socket_of(const PoolRequest& request) {
    return request.node ? static_cast<int>(*request.node) : SOCKET_ID_ANY;
}

std::string next_name() {
    static std::atomic<unsigned> number{0};
    return "frames" + std::to_string(number++);
}

void free_zone(rte_mempool_memhdr*, void* zone) {
    rte_memzone_free(static_cast<const rte_memzone*>(zone));
}

bool populate_with_pages(rte_mempool* pool, const std::string& name) {
    // Uses a separate memory zone, so that the pool starts at a page: the af_xdp driver counts
    // pages from there.
    const rte_memzone* const zone = rte_memzone_reserve_aligned(
        name.c_str(), std::size_t{pool->size} * page, pool->socket_id, 0, page);
    size_t page_size = 0;
    if (zone == nullptr || rte_mempool_get_page_size(pool, &page_size) != 0) return false;
    const int populated =
        rte_mempool_populate_virt(pool, static_cast<char*>(zone->addr), zone->len, page_size,
                                  free_zone, const_cast<void*>(static_cast<const void*>(zone)));
    if (populated <= 0) rte_memzone_free(zone);
    return populated == static_cast<int>(pool->size);
}

// Chooses a stack, which allocates the buffer that was freed last: the processor's caches still
// have it. A ring would cycle through all memory of the pool as soon as a poll takes more buffers
// than the pool's cache for an lcore has. The stack's lock is taken when an lcore's cache is filled
// or emptied. Hardware that manages buffers keeps its own order, and DPDK's default stays if the
// stack driver is missing.
void choose_order(rte_mempool* pool) {
    const std::string_view best = rte_mbuf_best_mempool_ops();
    if (best == RTE_MBUF_DEFAULT_MEMPOOL_OPS &&
        rte_mempool_set_ops_byname(pool, "stack", nullptr) == 0) {
        return;
    }
    rte_mempool_set_ops_byname(pool, best.data(), nullptr);
}

rte_mempool* create_pool(const PoolRequest& request) {
    const std::string name = next_name();
    const bool pages = request.layout == BufferLayout::page;
    const std::size_t element =
        pages ? page - object_header
              : sizeof(rte_mbuf) + RTE_PKTMBUF_HEADROOM + room_for(request.max_frame);
    const unsigned flags = request.layout == BufferLayout::packed
                               ? RTE_MEMPOOL_F_NO_SPREAD | RTE_MEMPOOL_F_NO_IOVA_CONTIG
                               : RTE_MEMPOOL_F_NO_SPREAD;
    rte_mempool* const pool = rte_mempool_create_empty(
        name.c_str(), static_cast<unsigned>(request.buffers), static_cast<unsigned>(element),
        std::min(cache_size, static_cast<unsigned>(request.buffers) / 2),
        sizeof(rte_pktmbuf_pool_private), socket_of(request), flags);
    if (pool == nullptr) return nullptr;
    choose_order(pool);
    rte_pktmbuf_pool_init(pool, nullptr);
    if (!(pages ? populate_with_pages(pool, name) : rte_mempool_populate_default(pool) > 0)) {
        rte_mempool_free(pool);
        return nullptr;
    }
    rte_mempool_obj_iter(pool, rte_pktmbuf_init, nullptr);
    return pool;
}

struct Span {
    const char* first;
    std::size_t octets;
    bool whole;
};

void check_inside(rte_mempool* pool, void* argument, void* object, unsigned) {
    auto& span = *static_cast<Span*>(argument);
    const char* const start = static_cast<char*>(object) - pool->header_size;
    const auto offset = static_cast<std::size_t>(start - span.first);
    span.whole =
        span.whole && start >= span.first && offset % page == 0 && offset + page <= span.octets;
}

// Whether every buffer lies within the memory that the af_xdp driver registers with the kernel.
bool every_buffer_inside(rte_mempool* pool) {
    const rte_mempool_memhdr* const chunk = STAILQ_FIRST(&pool->mem_list);
    const std::size_t size = rte_mempool_calc_obj_size(pool->elt_size, pool->flags, nullptr);
    Span span{static_cast<const char*>(chunk->addr), std::size_t{pool->populated_size} * size,
              size == page && reinterpret_cast<uintptr_t>(chunk->addr) % page == 0};
    rte_mempool_obj_iter(pool, check_inside, &span);
    return span.whole;
}

// Whether the buffer has one reference. Other threads have then dropped their references; the
// acquire fence orders the caller's later accesses after theirs.
bool is_held_once(const rte_mbuf& buffer) {
    const bool alone = rte_mbuf_refcnt_read(&buffer) == 1;
    std::atomic_thread_fence(std::memory_order_acquire);
    return alone;
}

}  // namespace

tl::expected<std::unique_ptr<Pool>, Error> Pool::create(const PoolRequest& request) {
    const bool pages = request.layout == BufferLayout::page;
    if (pages && request.max_frame.count() > page_frame) {
        return tl::unexpected(Error{"mtu",
                                    std::to_string(request.max_frame.count()) +
                                        "-octet frames do not fit the buffers of an af_xdp port",
                                    "let frames be " + std::to_string(page_frame) +
                                        " octets or less (MTU 3498), or use no af_xdp port"});
    }
    if (room_for(request.max_frame) + RTE_PKTMBUF_HEADROOM > UINT16_MAX) {
        return tl::unexpected(
            Error{"mtu", "frames are too long for a buffer", "let frames be 60000 octets or less"});
    }
    rte_mempool* const pool = create_pool(request);
    if (pool == nullptr) {
        take_driver_log();
        const int64_t mebibytes = memory_for(request).count() / (1024 * 1024);
        const std::string where =
            request.node ? " on NUMA node " + std::to_string(*request.node) : "";
        const std::string limit = remedy_for_memory_limit();
        return tl::unexpected(
            Error{"buffer.size",
                  "no memory for " + std::to_string(request.buffers) + " frame buffers" + where,
                  !limit.empty() ? limit
                                 : "lower it, or give DPDK " + std::to_string(mebibytes) +
                                       " MiB: `echo " + std::to_string(mebibytes / 2 + 1) + " > " +
                                       huge_page_folder(request.node) + "nr_hugepages`"});
    }
    std::unique_ptr<Pool> result(new Pool(pool));
    if (pages && !every_buffer_inside(pool)) {
        return tl::unexpected(Error{"buffer", "the frame buffers are not in one piece of memory",
                                    "start with `-- --iova-mode=va`"});
    }
    return result;
}

Pool::~Pool() { rte_mempool_free(pool_); }

Pool& Pool::keep(std::unique_ptr<Pool> pool) { return *pool.release(); }

Bytes Pool::memory_for(const PoolRequest& request) {
    std::size_t octets =
        object_header + sizeof(rte_mbuf) + RTE_PKTMBUF_HEADROOM + room_for(request.max_frame);
    if (request.layout == BufferLayout::page) octets = page;
    if (request.layout == BufferLayout::hardware) octets = (octets + page - 1) / page * page;
    constexpr int64_t beside = 64 * 1024 * 1024;
    return Bytes(static_cast<int64_t>(octets * request.buffers) + beside);
}

std::size_t Pool::cached_by(std::size_t lcores) {
    return lcores * cache_size * 3 / 2;  // a mempool's cache is flushed above 3/2 of its size
}

bool Pool::allocate(std::span<Frame> frames, uint16_t length) {
    assert(frames.size() <= max_burst);
    std::array<rte_mbuf*, max_burst> buffers{};
    if (rte_pktmbuf_alloc_bulk(pool_, buffers.data(), static_cast<unsigned>(frames.size())) != 0) {
        return false;
    }
    for (std::size_t i = 0; i < frames.size(); ++i) {
        rte_mbuf& buffer = *buffers[i];
        buffer.data_len = length;
        buffer.pkt_len = length;
        frames[i] = Frame{};
        frames[i].handle = &buffer;
        frames[i].data = rte_pktmbuf_mtod(&buffer, uint8_t*);
        frames[i].length = length;
    }
    return true;
}

void Pool::free(std::span<void*> handles) {
    // Handles are pointers to buffers, so the array can be reinterpreted.
    raw_free_bulk({reinterpret_cast<rte_mbuf**>(handles.data()), handles.size()});
}

void Pool::share(void* handle, uint16_t extra) {
    assert(extra > 0 && rte_mbuf_refcnt_read(static_cast<rte_mbuf*>(handle)) > 0);
    rte_mbuf_refcnt_update(static_cast<rte_mbuf*>(handle), static_cast<int16_t>(extra));
}

std::size_t Pool::edit_tags(std::span<Frame> frames, const Pcps& pcps) {
    for (std::size_t n = 0; n < frames.size(); ++n) {
        Frame& frame = frames[n];
        if (edit_of(frame) == TagEdit::none) continue;
        if (!make_own(frame)) return n;
        auto& buffer = *static_cast<rte_mbuf*>(frame.handle);
        rewrite_tag(frame, buffer.data_len, pcps[frame.priority]);
        const auto begin = static_cast<const uint8_t*>(buffer.buf_addr);
        buffer.data_off = static_cast<uint16_t>(frame.data - begin);
        buffer.data_len = frame.length;
        buffer.pkt_len = frame.length;
    }
    return frames.size();
}

bool Pool::make_own(Frame& frame) {
    auto* const buffer = static_cast<rte_mbuf*>(frame.handle);
    const bool alone = is_held_once(*buffer);
    const int added = octets_added(edit_of(frame));
    const int padding = frame.length - (buffer->data_len + added);
    if (alone && rte_pktmbuf_headroom(buffer) >= tag_octets &&
        rte_pktmbuf_tailroom(buffer) >= padding) {
        return true;
    }
    if (!replace_by_copy(frame)) return false;
    frame.data -= added;
    return true;
}

bool Pool::put_in_front(Frame& frame, uint16_t octets) {
    auto* buffer = static_cast<rte_mbuf*>(frame.handle);
    if (!is_held_once(*buffer) || rte_pktmbuf_headroom(buffer) < octets) {
        buffer = rte_pktmbuf_copy(buffer, pool_, 0, UINT32_MAX);
        if (buffer == nullptr) return false;
    }
    frame.handle = buffer;
    buffer->ol_flags = 0;  // the flags described the checksum of the inner frame
    frame.data = static_cast<uint8_t*>(static_cast<void*>(rte_pktmbuf_prepend(buffer, octets)));
    frame.length = buffer->data_len;
    return true;
}

bool Pool::own(Frame& frame) {
    return is_held_once(*static_cast<rte_mbuf*>(frame.handle)) || replace_by_copy(frame);
}

bool Pool::replace_by_copy(Frame& frame) {
    auto* const buffer = static_cast<rte_mbuf*>(frame.handle);
    rte_mbuf* const copy = rte_pktmbuf_copy(buffer, pool_, 0, UINT32_MAX);
    if (copy == nullptr) return false;
    frame.handle = copy;
    frame.data = rte_pktmbuf_mtod(copy, uint8_t*);
    rte_pktmbuf_free(buffer);
    return true;
}

void Pool::take_from_front(const Frame& frame, uint16_t octets) {
    auto* const buffer = static_cast<rte_mbuf*>(frame.handle);
    assert(octets <= buffer->data_len);
    rte_pktmbuf_adj(buffer, octets);
    buffer->ol_flags = 0;  // the flags described the checksum of the outer frame
}

void Pool::keep_part(Frame& frame, uint16_t from, uint16_t count) {
    take_from_front(frame, from);
    auto* const buffer = static_cast<rte_mbuf*>(frame.handle);
    assert(count <= buffer->data_len);
    rte_pktmbuf_trim(buffer, static_cast<uint16_t>(buffer->data_len - count));
    frame.data = rte_pktmbuf_mtod(buffer, uint8_t*);
    frame.length = count;
}

void Pool::apply(Released& released) {
    for (std::size_t i = 0; i < released.shared_count; ++i) {
        share(released.shared[i].handle, released.shared[i].extra);
    }
    for (std::size_t i = 0; i < released.cut_count; ++i) {
        auto& buffer = *static_cast<rte_mbuf*>(released.shortened[i].handle);
        assert(released.shortened[i].length <= buffer.data_len);
        buffer.data_len = released.shortened[i].length;
        buffer.pkt_len = released.shortened[i].length;
        // The flags described the checksum of the uncut frame.
        buffer.ol_flags &= ~RTE_MBUF_F_RX_L4_CKSUM_MASK;
    }
    free({released.freed.data(), released.freed_count});
    released.clear();
}

std::size_t Pool::size() const { return pool_->size; }
std::optional<unsigned> Pool::node() const {
    if (pool_->socket_id == SOCKET_ID_ANY) return std::nullopt;
    return static_cast<unsigned>(pool_->socket_id);
}
Bytes Pool::room() const { return Bytes(rte_pktmbuf_data_room_size(pool_) - RTE_PKTMBUF_HEADROOM); }
std::size_t Pool::available() const { return rte_mempool_avail_count(pool_); }

}  // namespace sluice::pmd
