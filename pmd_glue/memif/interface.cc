#include "pmd_glue/memif/interface.h"

#include <rte_mbuf.h>
#include <algorithm>
#include <deque>
#include <thread>
#include <utility>

#include "dataplane/types/limits.h"
#include "pmd_glue/memif/asymmetric_fence.h"
#include "pmd_glue/memif/service.h"
#include "pmd_glue/raw_buffers.h"

namespace sluice::pmd::memif {
namespace {

Octets octets_of(const rte_mbuf* buffer) {
    return {rte_pktmbuf_mtod(buffer, const uint8_t*), buffer->data_len};
}

void set_length(rte_mbuf& buffer, std::size_t octets) {
    buffer.data_len = static_cast<uint16_t>(octets);
    buffer.pkt_len = buffer.data_len;
}

// Receives a frame that fills several buffers of the ring. Returns 0 if the pool is empty, or if
// the frame is incomplete or bad.
std::size_t fill_with_parts(rte_mbuf*& buffer, ReceiveRing& ring, rte_mempool* pool) {
    buffer = rte_pktmbuf_alloc(pool);
    if (buffer == nullptr) return 0;
    std::size_t length = 0;
    const auto seen =
        ring.linearize({rte_pktmbuf_mtod(buffer, uint8_t*), rte_pktmbuf_tailroom(buffer)}, length);
    set_length(*buffer, length);
    if (seen.frames == 0) rte_pktmbuf_free(buffer);
    ring.give_back(seen);
    return seen.frames;
}

// Returns the number of buffers that were filled; frames without a buffer stay in the ring.
std::size_t fill(std::span<rte_mbuf*> buffers, ReceiveRing& ring, rte_mempool* pool) {
    const std::size_t longest = rte_pktmbuf_data_room_size(pool) - RTE_PKTMBUF_HEADROOM;
    std::size_t filled = 0;
    for (bool more = true; more && filled < buffers.size();) {
        const std::span<rte_mbuf*> rest = buffers.subspan(filled);
        auto seen = ring.look(rest.size(), longest);
        more = seen.has_parts;
        if (seen.places == 0) {
            if (!seen.has_parts) return filled;
            const std::size_t joined = fill_with_parts(rest.front(), ring, pool);
            if (joined == 0) return filled;
            filled += joined;
            continue;
        }
        std::size_t count = seen.frames;
        if (count > 0 && !raw_alloc_bulk(pool, rest.first(count))) {
            seen = ring.look(1, longest);  // the pool may have one buffer left
            count = seen.frames;
            if (count > 0 && !raw_alloc_bulk(pool, rest.first(count))) return filled;
            more = false;
        }
        for (std::size_t n = 0; n < count; ++n) {
            copy_octets(rte_pktmbuf_mtod(rest[n], uint8_t*), ring.frame(n));
            set_length(*rest[n], ring.frame(n).size());
        }
        ring.give_back(seen);
        filled += count;
    }
    return filled;
}

}  // namespace

struct Interface::Attached {
    SharedMemory memory;
    std::deque<ReceiveRing> receive;  // a deque, since ring ends must not move
    std::deque<TransmitRing> transmit;
};

// While a Visit exists, the attached memory stays mapped. Either `detach` sees the visit, or the
// visit sees that nothing is attached any more.
class Interface::Visit {
  public:
    Visit(Busy& busy, const std::atomic<Attached*>& attached) : busy_(busy) {
        busy_.now.store(true, std::memory_order_relaxed);
        AsymmetricFence::light();
        attached_ = attached.load(std::memory_order_acquire);
    }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;
    ~Visit() { busy_.now.store(false, std::memory_order_release); }

    [[nodiscard]] Attached* attached() const { return attached_; }

  private:
    Busy& busy_;
    Attached* attached_;
};

tl::expected<std::unique_ptr<Interface>, OpenFault> Interface::open(
    const InterfaceRequest& request) {
    std::unique_ptr<Interface> interface(new Interface(request));
    auto service = Service::running();
    if (auto fault = service->add(*interface)) return tl::unexpected(std::move(*fault));
    interface->service_ = std::move(service);
    return interface;
}

Interface::Interface(const InterfaceRequest& request) : request_(request) {}

Interface::~Interface() {
    if (!service_) return;
    service_->remove(*this);
    while (!sweep()) std::this_thread::yield();
}

std::size_t Interface::receive(std::size_t ring, std::span<rte_mbuf*> buffers, rte_mempool* pool) {
    if (attached_.load(std::memory_order_relaxed) == nullptr) return 0;
    const Visit visit(receiving_[ring], attached_);
    Attached* const attached = visit.attached();
    if (attached == nullptr || ring >= attached->receive.size()) return 0;
    ReceiveRing& from = attached->receive[ring];
    return fill(buffers, from, pool);
}

std::size_t Interface::transmit(std::size_t ring, std::span<rte_mbuf*> frames) {
    if (attached_.load(std::memory_order_relaxed) == nullptr) return 0;
    const Visit visit(sending_[ring], attached_);
    Attached* const attached = visit.attached();
    if (attached == nullptr || ring >= attached->transmit.size()) return 0;
    std::array<Octets, max_burst> octets;
    const auto burst = std::span(octets).first(std::min(frames.size(), max_burst));
    std::ranges::transform(frames.first(burst.size()), burst.begin(), octets_of);
    const std::size_t sent = attached->transmit[ring].send(burst);
    raw_free_bulk(frames.first(sent));
    return sent;
}

uint16_t Interface::senders(uint16_t wanted) const {
    return std::min(wanted, senders_.load(std::memory_order_relaxed));
}

std::optional<std::string> Interface::attach(SharedMemory memory, const Shape& shape) {
    const bool is_server = request_.role == Role::server;
    const std::size_t least = request_.least_rings;
    if (memory.to_server.size() < least || memory.to_client.size() < least) {
        return "this end requires " + std::to_string(least) + " rings in each direction";
    }
    if (is_server && memory.to_server.size() > request_.shape.to_server) {
        return "this end receives from at most " + std::to_string(request_.shape.to_server) +
               " rings";
    }
    auto attached = std::make_unique<Attached>();
    attached->memory = std::move(memory);
    const SharedMemory& shared = attached->memory;
    const std::size_t first_to_client = is_server ? 0 : shape.to_server;
    const auto first_offset = [&](std::size_t ring) {
        return is_server ? 0 : offset_of_buffer(shape, ring, 0);
    };
    const auto& receive = is_server ? shared.to_server : shared.to_client;
    for (std::size_t n = 0; n < receive.size(); ++n) {
        attached->receive.emplace_back(shared, receive[n], request_.role,
                                       first_offset(first_to_client + n));
    }
    const auto& transmit = is_server ? shared.to_client : shared.to_server;
    for (std::size_t n = 0; n < transmit.size(); ++n) {
        attached->transmit.emplace_back(shared, transmit[n], request_.role, first_offset(n));
    }
    senders_.store(static_cast<uint16_t>(std::max<std::size_t>(transmit.size(), 1)),
                   std::memory_order_relaxed);
    attached_.store(attached.release());
    return std::nullopt;
}

void Interface::detach() {
    std::unique_ptr<Attached> attached(attached_.exchange(nullptr));
    if (attached != nullptr) {
        AsymmetricFence::heavy();
        leaving_.push_back(std::move(attached));
    }
    sweep();
}

// A thread that becomes busy after `detach` does not use the memory that is to be freed.
bool Interface::sweep() {
    if (leaving_.empty()) return true;
    for (const auto* all : {&receiving_, &sending_}) {
        if (std::ranges::any_of(*all, [](const Busy& busy) { return busy.now.load(); })) {
            return false;
        }
    }
    for (const auto& attached : leaving_) {
        for (const ReceiveRing& ring : attached->receive) bad_before_ += ring.bad();
    }
    leaving_.clear();
    return true;
}

void Interface::note_end(const std::string& why) {
    if (why.empty() || why == noted_) return;
    noted_ = why;
    is_new_note_ = true;
}

std::optional<std::string> Interface::take_note() {
    std::optional<std::string> note;
    service_->while_none_comes_or_goes([&] {
        if (std::exchange(is_new_note_, false)) note = noted_;
    });
    return note;
}

bool Interface::broken() const {
    const Attached* const attached = attached_.load();
    if (attached == nullptr) return false;
    return std::ranges::any_of(attached->receive, &RingEnd::broken) ||
           std::ranges::any_of(attached->transmit, &RingEnd::broken);
}

Interface::Counts Interface::counts() const {
    Counts counts;
    service_->while_none_comes_or_goes([&] {
        counts.bad = bad_before_;
        const auto add = [&](const Attached& attached) {
            for (const ReceiveRing& ring : attached.receive) counts.bad += ring.bad();
        };
        for (const auto& attached : leaving_) add(*attached);
        if (const Attached* const attached = attached_.load()) add(*attached);
    });
    return counts;
}

}  // namespace sluice::pmd::memif
