// Interface: a memif as its port uses it. It receives from and sends to shared rings while a peer
// is connected.
//
// A server listens on a socket, which several interfaces share by their `id`. A client connects to
// a socket, and reconnects whenever the connection has ended. `receive` and `transmit` of each ring
// belong to one thread each, and may be called while peers connect and disconnect: the memory is
// unmapped only when no thread uses it any more.
// The peer need not be trusted. It cannot make this end touch memory outside of the shared regions
// (ring_end.h), take that memory away (region.h, unless it is `trusted`), or make this end wait
// (waker.h). It can change frames that it sent until they are received.
// Bound: two stores and one load a burst, in addition to RingEnd's bound.
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
    std::string name;  // name of the interface, which a client sends
    // The rings that a client makes. A server sends by at most `to_client` rings.
    Shape shape;
    // Refuses the connection if either direction has fewer rings.
    uint16_t least_rings = 0;
    bool trusted = false;  // a client of this server may bring memory that it could take away again
};

class Interface {
  public:
    struct Counts {
        uint64_t bad = 0;  // descriptors without a valid frame
    };

    // Opens an interface. The client of a server may connect later; opening a client fails if no
    // server listens.
    static tl::expected<std::unique_ptr<Interface>, OpenFault> open(
        const InterfaceRequest& request);
    ~Interface();
    Interface(const Interface&) = delete;
    Interface& operator=(const Interface&) = delete;

    // --- called by the ring's worker ------------------------------------------------------------
    // `ring` is below most_rings; a ring that the other end does not have transfers nothing.
    std::size_t receive(std::size_t ring, std::span<rte_mbuf*> buffers, rte_mempool* pool);
    // Returns how many of the frames were sent and freed.
    std::size_t transmit(std::size_t ring, std::span<rte_mbuf*> frames);
    // Returns the number of rings to send by: at most `wanted`, at least 1.
    [[nodiscard]] uint16_t senders(uint16_t wanted) const;

    // --- called by control ----------------------------------------------------------------------
    [[nodiscard]] bool connected() const { return attached_.load() != nullptr; }
    [[nodiscard]] Counts counts() const;
    // Returns why the last connection failed or ended; nothing if that was returned before.
    std::optional<std::string> take_note();

    // --- called by Service ----------------------------------------------------------------------
    [[nodiscard]] const InterfaceRequest& request() const { return request_; }
    // Uses the shared memory from now on. `shape`: the shape of the memory that this client made;
    // ignored for a server. Returns the reason for a refusal.
    std::optional<std::string> attach(SharedMemory memory, const Shape& shape);
    // Frees the attached memory now or, if a worker uses it, in a later `sweep`.
    void detach();
    // Frees detached memory that no worker uses. Returns whether none is left.
    bool sweep();
    // Keeps the reason why a connection failed or ended, if it differs from the last one.
    void note_end(const std::string& why);
    [[nodiscard]] bool broken() const;

  private:
    struct Attached;
    // Whether a worker uses the memory of a ring.
    struct alignas(64) Busy {
        std::atomic<bool> now{false};
    };
    class Visit;

    explicit Interface(const InterfaceRequest& request);

    const InterfaceRequest request_;
    std::shared_ptr<Service> service_;
    std::atomic<Attached*> attached_{nullptr};
    std::vector<std::unique_ptr<Attached>> leaving_;
    std::string noted_;  // the service's lock guards `noted_` and `is_new_note_`
    bool is_new_note_ = false;
    std::atomic<uint16_t> senders_{1};
    std::array<Busy, SharedMemory::most_rings> receiving_;
    std::array<Busy, SharedMemory::most_rings> sending_;
    uint64_t bad_before_ = 0;  // bad descriptors of rings that were freed
};

}  // namespace sluice::pmd::memif
