// Interface: a memif as its port uses it: shared rings to receive from and send to while a peer is
// connected.
//
// A server listens on a socket, which several interfaces share by their `id`; a client connects to
// a socket, and connects again whenever the connection ended. `receive` and `transmit` of each ring
// belong to one thread each, and may be called while peers connect and disconnect: the memory is
// unmapped only when no thread uses it any more.
// The peer need not be trusted. It cannot make this end touch memory outside of the shared regions
// (ring_end.h), take that memory away (region.h, unless it is `trusted`), or make this end wait
// (waker.h). It can change frames that it sent until they are received.
// Bound: two stores and one load a burst, besides RingEnd's bound.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "pmd_glue/memif/ring_end.h"
#include "pmd_glue/memif/shared_memory.h"

struct rte_mbuf;
struct rte_mempool;

namespace sluice::pmd::memif {

class Service;

struct OpenFault {
    std::string what;
    std::string remedy;
};

struct InterfaceRequest {
    std::string socket;
    uint32_t id = 0;
    Role role = Role::server;
    std::string name;  // of the interface, which a client sends
    // The rings that a client makes. A server sends by at most `to_client` rings.
    Shape shape;
    // With fewer in either direction nothing comes of it.
    uint16_t least_rings = 0;
    bool trusted = false;  // a server's client may bring memory that it could take back
};

class Interface {
  public:
    struct Counts {
        uint64_t bad = 0;  // descriptors of no frame, and frames that no buffer holds
    };

    // A server's client may come later; a client is refused if no server listens.
    static tl::expected<std::unique_ptr<Interface>, OpenFault> open(
        const InterfaceRequest& request);
    ~Interface();
    Interface(const Interface&) = delete;
    Interface& operator=(const Interface&) = delete;

    // --- by the ring's worker -------------------------------------------------------------------
    // `ring` is below most_rings; a ring that the other end does not have transfers nothing.
    std::size_t receive(std::size_t ring, std::span<rte_mbuf*> buffers, rte_mempool* pool);
    // Returns how many of the frames were sent and freed.
    std::size_t transmit(std::size_t ring, std::span<rte_mbuf*> frames);
    // Rings that there are to send by, of `wanted`; 1 or more.
    [[nodiscard]] uint16_t senders(uint16_t wanted) const;

    // --- by control -----------------------------------------------------------------------------
    [[nodiscard]] bool connected() const { return attached_.load() != nullptr; }
    [[nodiscard]] Counts counts() const;
    // The last reason that a connection came to nothing or ended, until it is asked for.
    std::optional<std::string> take_note();

    // --- by Service -----------------------------------------------------------------------------
    [[nodiscard]] const InterfaceRequest& request() const { return request_; }
    // `shape`: a client's, as it was made.
    std::optional<std::string> attach(SharedMemory memory, const Shape& shape);
    // Frees what was attached, at once or, where a worker is still in there, by `sweep`.
    void detach();
    // Whether nothing is left to be freed.
    bool sweep();
    // Why a connection came to nothing or ended, where it is another reason than before.
    void note_end(const std::string& why);
    [[nodiscard]] bool broken() const;

  private:
    struct Attached;
    // Whether a worker is in the memory of a ring.
    struct alignas(64) Busy {
        std::atomic<bool> now{false};
    };
    class Visit;

    explicit Interface(const InterfaceRequest& request);

    const InterfaceRequest request_;
    std::shared_ptr<Service> service_;
    std::atomic<Attached*> attached_{nullptr};
    std::vector<std::unique_ptr<Attached>> leaving_;
    std::string noted_;  // this and the next are guarded by the service's lock
    bool is_new_note_ = false;
    std::atomic<uint16_t> senders_{1};
    std::array<Busy, SharedMemory::most_rings> receiving_;
    std::array<Busy, SharedMemory::most_rings> sending_;
    uint64_t bad_before_ = 0;  // of those who have gone
};

}  // namespace sluice::pmd::memif
