#include "dataplane/retry/retry_shim.h"

#include <algorithm>
#include <array>

#include "dataplane/retry/replay_queue.h"
#include "dataplane/types/experimental_ether_type.h"

namespace sluice {
namespace {

// The offsets of the header's fields, and their constants.
struct RetryFrame {
    static constexpr std::array<uint8_t, 3> protocol = {'S', 'L', 'R'};
    static constexpr uint16_t ether_type = experimental_ether_type;
    static constexpr std::size_t source_at = 6;
    static constexpr std::size_t type_at = 12;
    static constexpr std::size_t protocol_at = 14;
    static constexpr std::size_t kind_at = protocol_at + protocol.size();
    static constexpr std::size_t session_at = kind_at + 1;
    static constexpr std::size_t number_at = session_at + 4;
    static constexpr std::size_t order_at = number_at + 4;
    static constexpr std::size_t length_at = order_at + 4;
    static constexpr std::size_t end = length_at + 2;
    static constexpr uint8_t version = 2;
    static constexpr std::size_t shortest_inside = 14;
};
static_assert(RetryFrame::end == retry_shim_octets);

// Whether the length fits the kind: a frame after `data`, whole runs after an answer, or nothing.
bool is_length_right(const RetryShim& shim, std::size_t octets) {
    if (shim.length > octets - retry_shim_octets) return false;
    switch (shim.kind) {
        case RetryKind::data:
            return shim.length >= RetryFrame::shortest_inside;
        case RetryKind::ack:
        case RetryKind::nack:
            return shim.length % retry_run_octets == 0 &&
                   shim.length <= RetryRuns::most * retry_run_octets;
        default:
            return shim.length == 0;
    }
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
    write_32(&octets[RetryFrame::number_at],
             uint32_t{shim.traffic_class} << RetrySequence::bits | shim.number.number());
    write_retry_order(octets, shim.order);
    write_16(&octets[RetryFrame::length_at], shim.length);
}

void write_retry_order(std::span<uint8_t, retry_shim_octets> octets, uint32_t order) {
    write_32(&octets[RetryFrame::order_at], order);
}

std::span<const uint8_t> write_retry_answer(std::span<uint8_t, longest_retry_signal> octets,
                                            MacAddress source, const RetryAnswer& answer) {
    const auto runs = answer.runs.all();
    const std::size_t length = runs.size() * retry_run_octets;
    write_retry_shim(octets.first<retry_shim_octets>(), source,
                     {.kind = answer.again ? RetryKind::nack : RetryKind::ack,
                      .session = answer.session,
                      .number = answer.sequence,
                      .order = answer.order,
                      .length = static_cast<uint16_t>(length)});
    std::size_t at = retry_shim_octets;
    for (const RetryRun& run : runs) {
        write_32(&octets[at], run.first);
        write_16(&octets[at + 4], run.count);
        at += retry_run_octets;
    }
    const std::size_t end = std::max(at, retry_signal_octets);
    std::ranges::fill(octets.subspan(at, end - at), 0);
    return octets.first(end);
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
                         .traffic_class = static_cast<uint8_t>(number >> RetrySequence::bits & 0xF),
                         .number = RetrySequence(number),
                         .order = read_32(&octets[RetryFrame::order_at]),
                         .length = read_16(&octets[RetryFrame::length_at])};
    const bool has_zeros = number >> (RetrySequence::bits + 4) == 0;
    const uint8_t classes = shim.kind == RetryKind::data ? ReplayQueue::classes : 1;
    if (!has_zeros || shim.traffic_class >= classes || shim.session == 0 ||
        !is_length_right(shim, octets.size())) {
        return {};
    }
    return shim;
}

RetryAnswer read_retry_answer(std::span<const uint8_t> octets, const RetryShim& shim) {
    RetryAnswer answer{.session = shim.session,
                       .again = shim.kind == RetryKind::nack,
                       .sequence = shim.number,
                       .order = shim.order,
                       .runs = {}};
    auto runs = octets.subspan(retry_shim_octets, shim.length);
    for (; !runs.empty(); runs = runs.subspan(retry_run_octets)) {
        answer.runs.add({read_32(runs.data()), read_16(&runs[4])});
    }
    return answer;
}

}  // namespace sluice
