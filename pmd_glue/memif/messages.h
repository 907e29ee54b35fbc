// Messages: the protocol that the two ends of a memif speak over their socket, and the layout of
// the rings in their shared memory. Pure: uses no socket and no shared memory.
//
// A server listens, a client connects. The server sends HELLO with its limits. The client sends
// INIT with the interface, then ADD_REGION for each piece of its memory and ADD_RING for each ring
// in it, each with a file descriptor and answered by ACK, then CONNECT; the server's CONNECTED
// completes the handshake. Either side sends DISCONNECT with a reason. All memory is the client's.
// A message is a packet of 128 octets (SOCK_SEQPACKET), in the machine's byte order.
// Source: memif 2.0, as implemented by libmemif and DPDK's drivers/net/memif/memif.h; there is no
// other specification.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace sluice::pmd::memif {

inline constexpr uint16_t version = 2 << 8;
inline constexpr std::size_t message_octets = 128;
inline constexpr std::size_t name_octets = 32;

enum class MessageType : uint16_t {
    none,
    ack,
    hello,
    init,
    add_region,
    add_ring,
    connect,
    connected,
    disconnect
};

struct [[gnu::packed]] Hello {
    std::array<char, name_octets> name;
    uint16_t min_version;
    uint16_t max_version;
    uint16_t max_region;  // highest index: one less than the number of regions
    uint16_t max_to_client_ring;
    uint16_t max_to_server_ring;
    uint8_t max_log2_ring_size;
};
struct [[gnu::packed]] Init {
    uint16_t version;
    uint32_t id;
    uint8_t mode;  // 0: Ethernet
    std::array<char, 24> secret;
    std::array<char, name_octets> name;
};
struct [[gnu::packed]] AddRegion {
    uint16_t index;
    uint64_t size;
};
struct [[gnu::packed]] AddRing {
    uint16_t flags;
    uint16_t index;
    uint16_t region;
    uint32_t offset;
    uint8_t log2_ring_size;
    uint16_t private_header_size;
};
struct [[gnu::packed]] Connect {  // body of CONNECTED as well
    std::array<char, name_octets> interface_name;
};
struct [[gnu::packed]] Disconnect {
    uint32_t code;
    std::array<char, 96> why;
};

inline constexpr uint16_t ring_to_server = 1;  // bit of AddRing's flags

using Message = std::array<uint8_t, message_octets>;

inline Message message(MessageType type) {
    Message octets{};
    std::memcpy(octets.data(), &type, sizeof type);
    return octets;
}
template <class Body>
Message message(MessageType type, const Body& body) {
    static_assert(sizeof type + sizeof body <= message_octets);
    static_assert(std::is_trivially_copyable_v<Body>);
    Message octets = message(type);
    std::memcpy(&octets[sizeof type], &body, sizeof body);
    return octets;
}

// Returns the type, which need not be one of MessageType.
inline MessageType type_of(const Message& message) {
    MessageType type{};
    std::memcpy(&type, message.data(), sizeof type);
    return type;
}
template <class Body>
Body body_of(const Message& message) {
    Body body;
    std::memcpy(&body, &message[sizeof(MessageType)], sizeof body);
    return body;
}

// Copies as much as fits and leaves a zero at the end.
template <std::size_t octets>
std::array<char, octets> as_text(std::string_view text) {
    std::array<char, octets> field{};
    std::ranges::copy(text.substr(0, octets - 1), field.begin());
    return field;
}
// Returns text that is safe to print: up to the first zero, with `?` for characters that are not
// printable ASCII.
template <std::size_t octets>
std::string as_string(const std::array<char, octets>& field) {
    std::string text(field.begin(), std::ranges::find(field, '\0'));
    std::ranges::replace_if(
        text, [](char letter) { return letter < ' ' || letter > '~'; }, '?');
    return text;
}

// --- layout of the shared memory ----------------------------------------------------------------

// Descriptor of a buffer, which the producer passes to the consumer.
struct Descriptor {
    uint16_t flags;
    uint16_t region;
    uint32_t length;  // octets
    uint32_t offset;  // octets from the start of the region
    uint32_t metadata;
};
static_assert(sizeof(Descriptor) == 16);

// Bit of a descriptor's flags: the frame continues in the next one.
inline constexpr uint16_t continues = 1;

// Precedes the descriptors, whose number is a power of two. `head` and `tail` only increase, and
// wrap. In a ring to the server, the client has stored frames up to `head`, and the server has
// taken frames up to `tail`. In a ring to the client, the client has stored empty buffers up to
// `head`, and the server has filled buffers up to `tail`. `head` and `tail` are on cache lines of
// their own if the ring begins at a cache line.
struct RingHeader {
    uint32_t cookie;
    uint16_t flags;
    uint16_t head;
    std::array<uint8_t, 56> unused_by_client;
    uint16_t tail;
    std::array<uint8_t, 62> unused_by_server;
};
static_assert(sizeof(RingHeader) == 128 && offsetof(RingHeader, tail) == 64);

inline constexpr uint32_t ring_cookie = 0x3E31F20;
inline constexpr uint16_t no_interrupts = 1;  // bit of a ring's flags: the consumer polls
inline constexpr uint8_t most_log2_ring_size = 14;

constexpr std::size_t octets_of_ring(uint8_t log2_size) {
    return sizeof(RingHeader) + (sizeof(Descriptor) << log2_size);
}

}  // namespace sluice::pmd::memif
