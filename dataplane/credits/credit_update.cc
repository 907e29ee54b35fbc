#include "dataplane/credits/credit_update.h"

#include <algorithm>
#include <bit>

namespace sluice {
namespace {

// The offsets of the frame's fields, and their constants.
struct CreditFrame {
    static constexpr std::array<uint8_t, 7> protocol = {'S', 'L', 'C', 'R', 'E', 'D', 1};
    static constexpr std::size_t source_at = 6;
    static constexpr std::size_t type_at = 12;
    static constexpr std::size_t protocol_at = 14;
    static constexpr std::size_t lossless_at = protocol_at + protocol.size();
    static constexpr std::size_t present_at = lossless_at + 1;
    static constexpr std::size_t flags_at = present_at + 1;
    static constexpr std::size_t session_at = flags_at + 1;
    static constexpr std::size_t peer_session_at = session_at + 4;
    static constexpr std::size_t number_at = peer_session_at + 4;
    static constexpr std::size_t buffer_at = number_at + 4;
    static constexpr std::size_t cell_at = buffer_at + 4;
    static constexpr std::size_t counters_at = cell_at + 4;
    static constexpr std::size_t octets_a_priority = 8;
    static constexpr std::size_t shortest = 60;
    static constexpr int on_credit = 1;  // bits of the flags
    static constexpr int counts = 2;
    static constexpr int leaves = 4;
    static constexpr int answers = 8;

    static constexpr std::size_t end_of(PrioritySet present) {
        return counters_at + static_cast<std::size_t>(std::popcount(present)) * octets_a_priority;
    }
};
static_assert(CreditFrame::counters_at + max_priorities * CreditFrame::octets_a_priority ==
              longest_credit_update);

// Whether the headers are those of an update, valid or not.
bool is_update(std::span<const uint8_t> octets) {
    return octets.size() >= CreditFrame::counters_at &&
           read_address(octets.data()) == credit_update_address &&
           !read_address(&octets[CreditFrame::source_at]).is_group() &&
           read_16(&octets[CreditFrame::type_at]) == credit_update_ether_type &&
           std::ranges::equal(CreditFrame::protocol, octets.subspan(CreditFrame::protocol_at,
                                                                    CreditFrame::protocol.size()));
}

}  // namespace

std::size_t write_credit_update(std::span<uint8_t, longest_credit_update> octets, MacAddress source,
                                const CreditUpdate& update) {
    std::ranges::fill(octets, uint8_t{0});
    write_address(octets.data(), credit_update_address);
    write_address(&octets[CreditFrame::source_at], source);
    write_16(&octets[CreditFrame::type_at], credit_update_ether_type);
    std::ranges::copy(CreditFrame::protocol, &octets[CreditFrame::protocol_at]);
    octets[CreditFrame::lossless_at] = update.terms.lossless;
    octets[CreditFrame::present_at] = update.present;
    octets[CreditFrame::flags_at] = static_cast<uint8_t>(
        (update.on_credit ? CreditFrame::on_credit : 0) |
        (update.counts ? CreditFrame::counts : 0) | (update.leaves ? CreditFrame::leaves : 0) |
        (update.answers ? CreditFrame::answers : 0));
    write_32(&octets[CreditFrame::session_at], update.session);
    write_32(&octets[CreditFrame::peer_session_at], update.peer_session);
    write_32(&octets[CreditFrame::number_at], update.number);
    write_32(&octets[CreditFrame::buffer_at], static_cast<uint32_t>(update.terms.buffer.count()));
    write_32(&octets[CreditFrame::cell_at], static_cast<uint32_t>(update.terms.cell.count()));
    uint8_t* counters = octets.data() + CreditFrame::counters_at;
    for_each_priority(update.present, [&](Priority priority) {
        write_32(counters, update.limits[priority]);
        write_32(counters + 4, update.consumed[priority]);
        counters += CreditFrame::octets_a_priority;
    });
    return std::max(CreditFrame::shortest, CreditFrame::end_of(update.present));
}

std::optional<CreditUpdate> read_credit_update(std::span<const uint8_t> octets) {
    if (!is_update(octets)) return {};
    CreditUpdate update;
    update.terms = {.lossless = octets[CreditFrame::lossless_at],
                    .buffer = Bytes(read_32(&octets[CreditFrame::buffer_at])),
                    .cell = Bytes(read_32(&octets[CreditFrame::cell_at]))};
    update.present = octets[CreditFrame::present_at];
    update.on_credit = (octets[CreditFrame::flags_at] & CreditFrame::on_credit) != 0;
    update.counts = (octets[CreditFrame::flags_at] & CreditFrame::counts) != 0;
    update.leaves = (octets[CreditFrame::flags_at] & CreditFrame::leaves) != 0;
    update.answers = (octets[CreditFrame::flags_at] & CreditFrame::answers) != 0;
    update.session = read_32(&octets[CreditFrame::session_at]);
    update.peer_session = read_32(&octets[CreditFrame::peer_session_at]);
    update.number = read_32(&octets[CreditFrame::number_at]);
    const auto& [lossless, buffer, cell] = update.terms;
    const bool holds = update.session != 0 && (lossless & ~update.present) == 0 &&
                       cell >= Bytes(1) && cell <= buffer && buffer <= largest_credit_buffer &&
                       octets.size() >= CreditFrame::end_of(update.present);
    if (!holds) return {};
    const uint8_t* counters = octets.data() + CreditFrame::counters_at;
    for_each_priority(update.present, [&](Priority priority) {
        update.limits[priority] = read_32(counters);
        update.consumed[priority] = read_32(counters + 4);
        counters += CreditFrame::octets_a_priority;
    });
    return update;
}

}  // namespace sluice
