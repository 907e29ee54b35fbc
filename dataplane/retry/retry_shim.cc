#include "dataplane/retry/retry_shim.h"

#include <algorithm>
#include <array>

#include "dataplane/types/experimental_ether_type.h"

namespace sluice {
namespace {

// Where a frame has what.
struct RetryFrame {
    static constexpr std::array<uint8_t, 3> protocol = {'S', 'L', 'R'};
    static constexpr uint16_t ether_type = experimental_ether_type;
    static constexpr std::size_t source_at = 6;
    static constexpr std::size_t type_at = 12;
    static constexpr std::size_t protocol_at = 14;
    static constexpr std::size_t kind_at = protocol_at + protocol.size();
    static constexpr std::size_t session_at = kind_at + 1;
    static constexpr std::size_t number_at = session_at + 4;
    static constexpr std::size_t length_at = number_at + 4;
    static constexpr std::size_t end = length_at + 2;
    static constexpr uint8_t version = 1;
    static constexpr std::size_t shortest_inside = 14;
};
static_assert(RetryFrame::end == retry_shim_octets);

// What is said of another frame than one with a number has none behind it.
bool is_length_right(const RetryShim& shim, std::size_t octets) {
    if (shim.kind != RetryKind::data) return shim.length == 0;
    return shim.length >= RetryFrame::shortest_inside && shim.length <= octets - retry_shim_octets;
}

}  // namespace

void write_retry_shim(std::span<uint8_t, retry_shim_octets> octets, MacAddress source,
                      const RetryShim& shim) {
    write_address(octets.data(), lldp_address);
    write_address(&octets[RetryFrame::source_at], source);
    write_16(&octets[RetryFrame::type_at], RetryFrame::ether_type);
    std::ranges::copy(RetryFrame::protocol, &octets[RetryFrame::protocol_at]);
    octets[RetryFrame::kind_at] =
        static_cast<uint8_t>(RetryFrame::version << 4 | static_cast<uint8_t>(shim.kind));
    write_32(&octets[RetryFrame::session_at], shim.session);
    write_retry_round(octets, shim.number, shim.round);
    write_16(&octets[RetryFrame::length_at], shim.length);
}

void write_retry_round(std::span<uint8_t, retry_shim_octets> octets, RetrySequence number,
                       uint32_t round) {
    write_32(&octets[RetryFrame::number_at], round << RetrySequence::bits | number.number());
}

bool is_of_retry(std::span<const uint8_t> octets) {
    return octets.size() >= RetryFrame::end && read_address(octets.data()) == lldp_address &&
           read_16(&octets[RetryFrame::type_at]) == RetryFrame::ether_type &&
           std::ranges::equal(RetryFrame::protocol,
                              octets.subspan(RetryFrame::protocol_at, RetryFrame::protocol.size()));
}

std::optional<RetryShim> read_retry_shim(std::span<const uint8_t> octets) {
    if (!is_of_retry(octets)) return {};
    const unsigned kind = octets[RetryFrame::kind_at];
    const uint32_t number = read_32(&octets[RetryFrame::number_at]);
    const bool is_known = kind >> 4 == RetryFrame::version && (kind & 0xF) >= 1 &&
                          (kind & 0xF) <= static_cast<unsigned>(RetryKind::unknown);
    if (!is_known) return {};
    const RetryShim shim{.kind = static_cast<RetryKind>(kind & 0xF),
                         .session = read_32(&octets[RetryFrame::session_at]),
                         .number = RetrySequence(number),
                         .round = number >> RetrySequence::bits,
                         .length = read_16(&octets[RetryFrame::length_at])};
    if (shim.session == 0 || !is_length_right(shim, octets.size())) return {};
    return shim;
}

}  // namespace sluice
