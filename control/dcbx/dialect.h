// Dialect: recognises the TLVs of each dialect, and chooses the dialect that a port uses.
//
// OUI, subtype and length of a TLV determine its dialect, except for a PFC TLV of 6 octets and an
// application table: those have the dialect of the ETS Configuration in the same frame, or else the
// port's configured dialect. An automatic port uses IEEE. It uses CEE only if the peer's frame has
// CEE and no TLV of the final standard. It never uses 0409v3, which is not used in practice.
// Bound: one pass over a frame, and no memory of earlier ones: the choice is made anew each time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "control/dcbx/fault.h"
#include "control/dcbx/model.h"
#include "control/lldp/organisational.h"
#include "dataplane/types/enum_count.h"

namespace sluice::dcbx {

enum class Dialect : uint8_t { ieee, draft0409, cee, last = cee };
enum class Mode : uint8_t { disabled, ieee, draft0409, cee, automatic, last = automatic };

constexpr std::string_view name(Dialect dialect) {
    constexpr std::array<std::string_view, 3> names = {"ieee", "draft0409", "cee"};
    static_assert(names.size() == count_of<Dialect>);
    return names[static_cast<std::size_t>(dialect)];
}

constexpr std::string_view name(Mode mode) {
    constexpr std::array<std::string_view, 5> names = {"disabled", "ieee", "draft0409", "cee",
                                                       "auto"};
    static_assert(names.size() == count_of<Mode>);
    return names[static_cast<std::size_t>(mode)];
}

using Tlvs = std::span<const lldp::OrganisationalTlv>;

// Returns the dialect in which a port of this mode reads `frame` and sends its own frames
// afterwards.
Dialect choose(Mode mode, Tlvs frame);
// Returns the dialect of a TLV; empty if the TLV is not of DCBX. `ambiguous`: the dialect to return
// if the TLV could be of 0409v3 or of the final standard.
std::optional<Dialect> dialect_of(const lldp::OrganisationalTlv& tlv, Dialect ambiguous);
// Whether a frame has a TLV of DCBX, of any dialect.
bool speaks_dcbx(Tlvs frame);
// Returns the dialect of an ambiguous TLV of this frame, at a port that uses `spoken`.
Dialect resolve(Tlvs frame, Dialect spoken);

// Reads the TLVs of a dialect from a frame; counts the TLVs of other dialects as faults.
Advertisement read(Dialect dialect, Tlvs frame, FaultCounters& faults);
std::vector<lldp::OrganisationalTlv> write(Dialect dialect, const Advertisement& said);

}  // namespace sluice::dcbx
