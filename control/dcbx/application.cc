#include "control/dcbx/application.h"

#include "control/lldp/organisational.h"
#include "dataplane/types/address.h"

namespace sluice::dcbx {
namespace {

constexpr std::size_t entry_octets = 3;
constexpr uint16_t lowest_ether_type = 1536;  // lower numbers are lengths (802.3 3.2.6)
constexpr uint16_t highest_dscp = 63;

}  // namespace

bool is_protocol(Selector selector, uint16_t protocol) {
    switch (selector) {
        case Selector::ether_type:
            return protocol == 0 || protocol >= lowest_ether_type;  // 0: all other applications
        case Selector::dscp:
            return protocol <= highest_dscp;
        default:
            return protocol != 0;
    }
}

std::optional<uint8_t> number_of(Selector selector, SelectorNumbers numbers) {
    for (std::size_t number = 0; number < numbers.size(); ++number) {
        if (numbers[number] == selector) return static_cast<uint8_t>(number);
    }
    return std::nullopt;
}

std::optional<Selector> selector_of(std::size_t number, SelectorNumbers numbers) {
    return number < numbers.size() ? numbers[number] : std::nullopt;
}

std::optional<ApplicationTable> read_entries(std::span<const uint8_t> octets,
                                             SelectorNumbers numbers, FaultCounters& faults) {
    if (octets.size() % entry_octets != 0) {
        faults.count(Fault::table_length);
        return std::nullopt;
    }
    ApplicationTable table;
    for (; !octets.empty(); octets = octets.subspan(entry_octets)) {
        const auto selector = selector_of(octets[0] & 0x7U, numbers);
        const uint16_t protocol = read_16(&octets[1]);
        if (!selector) {
            faults.count(Fault::selector);
        } else if (!is_protocol(*selector, protocol)) {
            faults.count(Fault::protocol);
        } else {
            table.push_back({*selector, protocol, static_cast<Priority>(octets[0] >> 5)});
        }
    }
    return table;
}

void append_entries(Octets& octets, const ApplicationTable& table, SelectorNumbers numbers) {
    for (const Application& entry : table) {
        const auto number = number_of(entry.selector, numbers);
        if (!number) continue;
        if (octets.size() + entry_octets > lldp::longest_organisational) return;
        octets.push_back(static_cast<uint8_t>(entry.priority << 5 | *number));
        append_16(octets, entry.protocol);
    }
}

}  // namespace sluice::dcbx
