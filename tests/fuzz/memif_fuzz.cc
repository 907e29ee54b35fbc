// Whatever the other end of a memif says, or writes into the memory that both share: a server
// answers or ends, what it has in the end lies where it can; and a ring gives out nothing that lies
// outside of its region, and writes nothing there.
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pmd_glue/memif/ring_end.h"
#include "pmd_glue/memif/session.h"
#include "tests/fuzz/promises.h"

namespace {

using namespace sluice::pmd::memif;
using sluice::pmd::FileDescriptor;
using sluice::test::must;

constexpr Shape shape{.to_server = 1, .to_client = 1, .log2_ring_size = 3, .buffer_octets = 128};

// Messages end to end; each comes with a file that holds a client's memory.
void converse(std::span<const uint8_t> octets) {
    const auto lent = make_memory(shape);
    must(lent.has_value(), "there is memory");
    ServerSession server;
    while (!octets.empty()) {
        Message message{};
        const auto said = octets.first(std::min(octets.size(), message.size()));
        std::memcpy(message.data(), said.data(), said.size());
        octets = octets.subspan(said.size());
        const Answer answer =
            server.receive(message, FileDescriptor(::dup(lent->regions[0].file())),
                           [](uint32_t id, bool& trusted) {
                               trusted = id == 3;
                               return id < 4 ? std::nullopt : std::optional<std::string>("nobody");
                           });
        must(answer.say.has_value() != answer.end.has_value(), "it answers, or ends");
        if (answer.end) return;
        if (!answer.connected) continue;
        const SharedMemory memory = server.take_memory();
        must(!fault_of(memory), "its rings lie in its regions");
    }
}

// What is not for the ring itself is written over its head, and over that of the buffers.
void spoil(SharedMemory& memory, std::span<const uint8_t> octets) {
    const std::span<uint8_t> region = memory.regions[0].octets();
    const auto part = octets.first(std::min(octets.size(), region.size()));
    std::memcpy(region.data(), part.data(), part.size());
}

void receive(ReceiveRing& ring, std::span<const uint8_t> region) {
    std::array<uint8_t, 300> room;
    for (int turn = 0; turn < 20; ++turn) {
        auto seen = ring.look(8, room.size());
        must(seen.frames + seen.bad == seen.places && seen.places <= 8, "it adds up");
        for (std::size_t n = 0; n < seen.frames; ++n) {
            const Octets frame = ring.frame(n);
            must(frame.data() >= region.data() &&
                     frame.data() + frame.size() <= region.data() + region.size(),
                 "a frame lies in the region");
            must(!frame.empty() && frame.size() <= room.size(), "and has a length");
        }
        if (seen.places == 0 && seen.has_parts) {
            std::size_t length = 0;
            seen = ring.linearize(room, length);
            must(length <= room.size(), "what is joined has room");
        }
        if (ring.broken()) return;
        ring.give_back(seen);
    }
}

void exchange(std::span<const uint8_t> octets, Role role) {
    auto memory = make_memory(shape);
    must(memory.has_value(), "there is memory");
    memory->to_server[0].interrupt = {};
    memory->to_client[0].interrupt = {};
    const bool is_server = role == Role::server;
    const Ring& in = is_server ? memory->to_server[0] : memory->to_client[0];
    const Ring& out = is_server ? memory->to_client[0] : memory->to_server[0];
    ReceiveRing from(*memory, in, role, offset_of_buffer(shape, is_server ? 0 : 1, 0));
    TransmitRing to(*memory, out, role, offset_of_buffer(shape, is_server ? 1 : 0, 0));
    const std::vector<uint8_t> frame(200, 0x5A);
    // Those before the first that does not fit a buffer, and those from it on, go different ways.
    const std::array<Octets, 3> frames{Octets(frame).first(60), frame, Octets(frame).first(60)};
    spoil(*memory, octets);
    receive(from, memory->regions[0].octets());
    for (int turn = 0; turn < 10; ++turn) must(to.send(frames) <= frames.size(), "no more went");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::span octets(data + 1, size - 1);
    if (data[0] % 3 == 0) {
        converse(octets);
    } else {
        exchange(octets, data[0] % 3 == 1 ? Role::server : Role::client);
    }
    return 0;
}
