// Application: common parts of the application tables of all dialects: checking a number against
// its selector, and entries of three octets.
#pragma once

#include <optional>
#include <span>

#include "control/dcbx/fault.h"
#include "control/dcbx/tables.h"

namespace sluice::dcbx {

// The selectors of a dialect, each at the index that is its number on the wire.
using SelectorNumbers = std::span<const std::optional<Selector>>;

// Whether the selector can have the number: an EtherType is 1536 or more, a DSCP is below 64, and a
// port is not 0 (802.1Q-2014 D.2.11.3).
bool is_protocol(Selector selector, uint16_t protocol);

// Reads entries of {priority 3 bits, reserved 2, selector 3, protocol 16}, as 0409v3 and the final
// standard have them. Returns empty, and counts the fault, if the entries do not fill the octets
// exactly.
std::optional<ApplicationTable> read_entries(std::span<const uint8_t> octets,
                                             SelectorNumbers numbers, FaultCounters& faults);
// Appends the entries, except those whose selector the dialect does not have, and those for which
// the TLV has no room.
void append_entries(Octets& octets, const ApplicationTable& table, SelectorNumbers numbers);

std::optional<uint8_t> number_of(Selector selector, SelectorNumbers numbers);
std::optional<Selector> selector_of(std::size_t number, SelectorNumbers numbers);

}  // namespace sluice::dcbx
