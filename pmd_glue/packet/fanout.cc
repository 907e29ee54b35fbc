#include "pmd_glue/packet/fanout.h"

#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>

#include <array>

namespace sluice::pmd::packet {
namespace {

constexpr uint32_t front = static_cast<uint32_t>(SKF_LL_OFF);  // offset of the MAC header
constexpr uint32_t packet_type = static_cast<uint32_t>(SKF_AD_OFF + SKF_AD_PKTTYPE);
constexpr uint32_t reserved_group = 0x0180C200;  // first octets of 01-80-C2-00-00-0x

constexpr sock_filter load(uint16_t size, uint32_t at) {
    return {.code = static_cast<uint16_t>(BPF_LD | BPF_ABS | size), .jt = 0, .jf = 0, .k = at};
}
constexpr sock_filter step(int code, uint32_t value = 0) {
    return {.code = static_cast<uint16_t>(code), .jt = 0, .jf = 0, .k = value};
}
constexpr sock_filter skip_unless(uint32_t equal, uint8_t steps) {
    return {.code = BPF_JMP | BPF_JEQ | BPF_K, .jt = 0, .jf = steps, .k = equal};
}
constexpr sock_filter skip(uint32_t steps) { return step(BPF_JMP | BPF_JA, steps); }

// Returns a hash of the addresses. The kernel chooses the ring by the hash modulo the number of
// rings.
constexpr std::array by_addresses = {
    load(BPF_W, front + 0),
    skip_unless(reserved_group, 1),
    step(BPF_RET | BPF_K, 0),
    load(BPF_H, front + 12),
    skip_unless(ETH_P_IP, 4),
    load(BPF_W, front + 14 + 12),
    step(BPF_MISC | BPF_TAX),
    load(BPF_W, front + 14 + 16),
    skip(8),
    skip_unless(ETH_P_IPV6, 4),
    load(BPF_W, front + 14 + 8 + 12),
    step(BPF_MISC | BPF_TAX),
    load(BPF_W, front + 14 + 24 + 12),
    skip(3),
    load(BPF_W, front + 8),
    step(BPF_MISC | BPF_TAX),
    load(BPF_W, front + 2),
    step(BPF_ALU | BPF_XOR | BPF_X),
    step(BPF_ALU | BPF_MUL | BPF_K, 0x9E3779B1),
    step(BPF_ALU | BPF_RSH | BPF_K, 16),
    step(BPF_RET | BPF_A),
};
constexpr std::array nothing = {step(BPF_RET | BPF_K, 0)};
// Drops frames that the host itself sends on the interface, which a fanout group receives too.
constexpr std::array but_outgoing = {
    load(BPF_W, packet_type),
    skip_unless(PACKET_OUTGOING, 1),
    step(BPF_RET | BPF_K, 0),
    step(BPF_RET | BPF_K, UINT32_MAX),
};

template <class Program>
sock_fprog words_of(const Program& program) {
    return {.len = static_cast<unsigned short>(program.size()),
            .filter = const_cast<sock_filter*>(program.data())};
}

constexpr int kind = PACKET_FANOUT_CBPF;

}  // namespace

bool close_until_joined(const nic::PacketSocket& socket) {
    return socket.set(SOL_SOCKET, SO_ATTACH_FILTER, words_of(nothing));
}

bool join_fanout(const nic::PacketSocket& socket, uint16_t group) {
    return socket.set(SOL_PACKET, PACKET_FANOUT, kind << 16 | group) &&
           socket.set(SOL_SOCKET, SO_ATTACH_FILTER, words_of(but_outgoing));
}

std::optional<uint16_t> begin_fanout(const nic::PacketSocket& socket) {
    constexpr int unique = (kind | PACKET_FANOUT_FLAG_UNIQUEID) << 16;
    int made = 0;
    socklen_t size = sizeof made;
    if (!socket.set(SOL_PACKET, PACKET_FANOUT, unique) ||
        ::getsockopt(socket.number(), SOL_PACKET, PACKET_FANOUT, &made, &size) != 0 ||
        !socket.set(SOL_PACKET, PACKET_FANOUT_DATA, words_of(by_addresses)) ||
        !socket.set(SOL_SOCKET, SO_ATTACH_FILTER, words_of(but_outgoing))) {
        return std::nullopt;
    }
    return static_cast<uint16_t>(made & 0xFFFF);
}

}  // namespace sluice::pmd::packet
