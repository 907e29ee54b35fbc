// Two ends of a memif in one process: what a session and a ring are tested with.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "pmd_glue/memif/ring_end.h"
#include "pmd_glue/memif/session.h"

namespace sluice::pmd::memif {

inline std::optional<std::string> any_claim(uint32_t, bool&) { return std::nullopt; }

// The memory of both ends once they agreed on rings, or why the handshake failed.
struct Agreed {
    SharedMemory of_server;
    SharedMemory of_client;
    Shape shape;
    std::string ended;
};

// `spoil` may change the client's messages; the server calls `claim` for the client's interface.
inline Agreed agree(const Shape& wanted, const std::function<void(Message&)>& spoil = {},
                    const ServerSession::Claim& claim = any_claim) {
    ServerSession server;
    ClientSession client(7, "test", wanted);
    Answer from_client = client.receive(ServerSession::hello());
    for (;;) {
        if (from_client.end) return {.ended = "client: " + *from_client.end};
        Message said = from_client.say->message;
        if (spoil) spoil(said);
        FileDescriptor beside(from_client.say->file < 0 ? -1 : ::dup(from_client.say->file));
        const Answer from_server = server.receive(said, std::move(beside), claim);
        if (from_server.end) return {.ended = "server: " + *from_server.end};
        from_client = client.receive(from_server.say->message);
        if (!from_client.connected) continue;
        EXPECT_TRUE(from_server.connected);
        return {.of_server = server.take_memory(),
                .of_client = client.take_memory(),
                .shape = client.shape(),
                .ended = {}};
    }
}

}  // namespace sluice::pmd::memif
