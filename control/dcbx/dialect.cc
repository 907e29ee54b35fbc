#include "control/dcbx/dialect.h"

#include <algorithm>

#include "control/dcbx/codec_cee.h"
#include "control/dcbx/codec_draft0409.h"
#include "control/dcbx/codec_ieee.h"
#include "control/dcbx/subtypes.h"

namespace sluice::dcbx {
namespace {

// Lengths of a TLV, after its subtype.
struct Lengths {
    std::size_t ieee = 0;
    std::size_t draft0409 = 0;
};

Dialect by_length(std::size_t length, Lengths lengths, Dialect ambiguous) {
    if (length == lengths.ieee) return Dialect::ieee;
    if (length == lengths.draft0409) return Dialect::draft0409;
    return ambiguous;  // malformed; the dialect's codec counts the fault
}

constexpr Lengths ets_lengths{.ieee = 21, .draft0409 = 13};
constexpr Lengths recommendation_lengths{.ieee = 21, .draft0409 = 9};
constexpr Lengths subtype_8_lengths{.ieee = 2, .draft0409 = 1};
constexpr std::size_t defended_pfc_length = 3;
constexpr std::size_t draft_congestion_length = 3;

}  // namespace

std::optional<Dialect> dialect_of(const lldp::OrganisationalTlv& tlv, Dialect ambiguous) {
    if (tlv.oui == cee_oui && tlv.subtype == cee_subtype) return Dialect::cee;
    if (tlv.oui != ieee_oui) return std::nullopt;
    const std::size_t length = tlv.payload.size();
    switch (tlv.subtype) {
        case congestion_subtype:
            return by_length(length, subtype_8_lengths, ambiguous);
        case ets_subtype:
            return by_length(length, ets_lengths, ambiguous);
        case recommendation_subtype:
            return by_length(length, recommendation_lengths, ambiguous);
        case pfc_subtype:
            return length == defended_pfc_length ? Dialect::draft0409 : ambiguous;
        case application_subtype:
            return ambiguous;
        case draft_congestion_subtype:
            // A TLV with another length belongs to another standard.
            if (length == draft_congestion_length) return Dialect::draft0409;
            return std::nullopt;
        case application_vlan_subtype:
            return Dialect::ieee;
        default:
            return std::nullopt;
    }
}

bool speaks_dcbx(Tlvs frame) {
    return std::ranges::any_of(
        frame, [](const auto& tlv) { return dialect_of(tlv, Dialect::ieee).has_value(); });
}

Dialect resolve(Tlvs frame, Dialect spoken) {
    std::optional<Dialect> found;
    for (const auto& tlv : frame) {
        if (tlv.oui != ieee_oui || tlv.subtype != ets_subtype) continue;
        if (tlv.payload.size() == ets_lengths.ieee) return Dialect::ieee;
        if (tlv.payload.size() == ets_lengths.draft0409) found = Dialect::draft0409;
    }
    if (found) return *found;
    return spoken == Dialect::draft0409 ? Dialect::draft0409 : Dialect::ieee;
}

Dialect choose(Mode mode, Tlvs frame) {
    switch (mode) {
        case Mode::draft0409:
            return Dialect::draft0409;
        case Mode::cee:
            return Dialect::cee;
        case Mode::disabled:
        case Mode::ieee:
            return Dialect::ieee;
        case Mode::automatic:
            break;
    }
    const Dialect ambiguous = resolve(frame, Dialect::ieee);
    const auto has = [&](Dialect dialect) {
        return std::ranges::any_of(
            frame, [&](const auto& tlv) { return dialect_of(tlv, ambiguous) == dialect; });
    };
    return has(Dialect::cee) && !has(Dialect::ieee) ? Dialect::cee : Dialect::ieee;
}

Advertisement read(Dialect dialect, Tlvs frame, FaultCounters& faults) {
    const Dialect ambiguous = resolve(frame, dialect);
    std::vector<lldp::OrganisationalTlv> mine;
    for (const auto& tlv : frame) {
        const auto spoken = dialect_of(tlv, ambiguous);
        if (spoken == dialect) mine.push_back(tlv);
        if (spoken && spoken != dialect) faults.count(Fault::other_dialect);
    }
    switch (dialect) {
        case Dialect::ieee:
            return read_ieee(mine, faults);
        case Dialect::draft0409:
            return read_draft0409(mine, faults);
        case Dialect::cee:
            break;
    }
    return read_cee(mine, faults);
}

std::vector<lldp::OrganisationalTlv> write(Dialect dialect, const Advertisement& said) {
    switch (dialect) {
        case Dialect::ieee:
            return write_ieee(said);
        case Dialect::draft0409:
            return write_draft0409(said);
        case Dialect::cee:
            break;
    }
    return write_cee(said);
}

}  // namespace sluice::dcbx
