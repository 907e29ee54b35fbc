// Session: one end of a memif's handshake (messages.h), from the first message to CONNECTED.
//
// It takes each message with its file descriptor, and returns the answer: a message, a refusal with
// a reason for the other end, or the end of the handshake. It never waits. The caller provides
// sockets, time and interfaces.
// Bound: most_regions and most_rings of SharedMemory.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "pmd_glue/memif/messages.h"
#include "pmd_glue/memif/shared_memory.h"

namespace sluice::pmd::memif {

struct Outgoing {
    Message message{};
    int file = -1;  // file descriptor sent with the message; the session closes it
};

struct Answer {
    std::optional<Outgoing> say;
    std::optional<std::string> end;  // reason why the handshake is over
    bool connected = false;          // the connection is complete once `say` is sent
};

class ServerSession {
  public:
    // Claims the interface with this `id` for the client. Returns nothing, or why it cannot.
    // `trusted`: whether any kind of memory is accepted (region.h).
    using Claim = std::function<std::optional<std::string>(uint32_t id, bool& trusted)>;

    static Message hello();

    Answer receive(const Message& message, FileDescriptor file, const Claim& claim);
    // Call it after the handshake is complete.
    [[nodiscard]] SharedMemory take_memory() { return std::move(memory_); }

  private:
    std::optional<std::string> take(const Init& init, const Claim& claim);
    std::optional<std::string> take(const AddRegion& region, FileDescriptor file);
    std::optional<std::string> take(const AddRing& ring, FileDescriptor file);

    bool trusted_ = false;
    bool claimed_ = false;
    bool connected_ = false;
    SharedMemory memory_;
};

class ClientSession {
  public:
    // `wanted`: what the client makes if the server's limits allow it.
    ClientSession(uint32_t id, std::string name, const Shape& wanted)
        : id_(id), name_(std::move(name)), shape_(wanted) {}

    Answer receive(const Message& message);
    [[nodiscard]] SharedMemory take_memory() { return std::move(memory_); }
    // Shape of the memory that was made.
    [[nodiscard]] const Shape& shape() const { return shape_; }

  private:
    std::optional<std::string> prepare(const Hello& hello);

    uint32_t id_;
    std::string name_;
    Shape shape_;
    SharedMemory memory_;
    std::deque<Outgoing> to_say_;
    bool greeted_ = false;
    bool awaits_connected_ = false;
    bool connected_ = false;
};

}  // namespace sluice::pmd::memif
