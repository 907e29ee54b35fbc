#include "dataplane/credits/credit_update.h"

#include <algorithm>
#include <bit>

namespace sluice {
namespace {

// Where a frame has what, and what is in it.
struct CreditFrame {
    static constexpr std::array<uint8_t, 7> protocol = {'S', 'L', 'C', 'R', 'E', 'D', 1};
    static constexpr std::size_t source_at = 6;
    static constexpr std::size_t type_at = 12;
    static constexpr std::size_t protocol_at = 14;
    static constexpr std::size_t governed_at = protocol_at + protocol.size();
    static constexpr std::size_t told_at = governed_at + 1;
    static constexpr std::size_t flags_at = told_at + 1;
    static constexpr std::size_t session_at = flags_at + 1;
    static constexpr std::size_t heard_at = session_at + 4;
    static constexpr std::size_t buffer_at = heard_at + 4;
    static constexpr std::size_t cell_at = buffer_at + 4;
    static constexpr std::size_t counters_at = cell_at + 4;
    static constexpr std::size_t octets_a_priority = 8;
    static constexpr std::size_t shortest = 60;
    static constexpr int spends = 1;  // flags
    static constexpr int counts = 2;

    static constexpr std::size_t end_of(PrioritySet told) {
        return counters_at + static_cast<std::size_t>(std::popcount(told)) * octets_a_priority;
    }
};
static_assert(CreditFrame::counters_at + max_priorities * CreditFrame::octets_a_priority ==
              longest_credit_update);

}  // namespace

std::size_t write_credit_update(std::span<uint8_t, longest_credit_update> octets, MacAddress source,
                                const CreditUpdate& update) {
    std::ranges::fill(octets, uint8_t{0});
    write_address(octets.data(), credit_update_address);
    write_address(&octets[CreditFrame::source_at], source);
    write_16(&octets[CreditFrame::type_at], credit_update_ether_type);
    std::ranges::copy(CreditFrame::protocol, &octets[CreditFrame::protocol_at]);
    octets[CreditFrame::governed_at] = update.terms.governed;
    octets[CreditFrame::told_at] = update.told;
    octets[CreditFrame::flags_at] = static_cast<uint8_t>((update.spends ? CreditFrame::spends : 0) |
                                                         (update.counts ? CreditFrame::counts : 0));
    write_32(&octets[CreditFrame::session_at], update.session);
    write_32(&octets[CreditFrame::heard_at], update.heard);
    write_32(&octets[CreditFrame::buffer_at], static_cast<uint32_t>(update.terms.buffer.count()));
    write_32(&octets[CreditFrame::cell_at], static_cast<uint32_t>(update.terms.cell.count()));
    uint8_t* counters = octets.data() + CreditFrame::counters_at;
    for_each_priority(update.told, [&](Priority priority) {
        write_32(counters, update.limits[priority]);
        write_32(counters + 4, update.spent[priority]);
        counters += CreditFrame::octets_a_priority;
    });
    return std::max(CreditFrame::shortest, CreditFrame::end_of(update.told));
}

std::optional<CreditUpdate> read_credit_update(std::span<const uint8_t> octets) {
    if (octets.size() < CreditFrame::counters_at) return {};
    const bool is_one =
        read_address(octets.data()) == credit_update_address &&
        !read_address(&octets[CreditFrame::source_at]).is_group() &&
        read_16(&octets[CreditFrame::type_at]) == credit_update_ether_type &&
        std::ranges::equal(CreditFrame::protocol,
                           octets.subspan(CreditFrame::protocol_at, CreditFrame::protocol.size()));
    if (!is_one) return {};
    CreditUpdate update;
    update.terms = {.governed = octets[CreditFrame::governed_at],
                    .buffer = Bytes(read_32(&octets[CreditFrame::buffer_at])),
                    .cell = Bytes(read_32(&octets[CreditFrame::cell_at]))};
    update.told = octets[CreditFrame::told_at];
    update.spends = (octets[CreditFrame::flags_at] & CreditFrame::spends) != 0;
    update.counts = (octets[CreditFrame::flags_at] & CreditFrame::counts) != 0;
    update.session = read_32(&octets[CreditFrame::session_at]);
    update.heard = read_32(&octets[CreditFrame::heard_at]);
    const auto& [governed, buffer, cell] = update.terms;
    const bool holds = update.session != 0 && (governed & ~update.told) == 0 && cell >= Bytes(1) &&
                       cell <= buffer && buffer <= largest_credit_buffer &&
                       octets.size() >= CreditFrame::end_of(update.told);
    if (!holds) return {};
    const uint8_t* counters = octets.data() + CreditFrame::counters_at;
    for_each_priority(update.told, [&](Priority priority) {
        update.limits[priority] = read_32(counters);
        update.spent[priority] = read_32(counters + 4);
        counters += CreditFrame::octets_a_priority;
    });
    return update;
}

}  // namespace sluice
