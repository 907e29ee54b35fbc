#include "dataplane/csig/csig_tag.h"

#include <algorithm>
#include <cstring>

#include "dataplane/types/address.h"
#include "dataplane/types/tag.h"

namespace sluice {
namespace {

constexpr std::size_t type_octets = 2;
constexpr uint16_t ipv4_type = 0x0800;
constexpr uint16_t ipv6_type = 0x86DD;
constexpr uint16_t macsec_type = 0x88E5;

// The compact form, after the tag's TPID.
constexpr unsigned compact_type_shift = 13;
constexpr unsigned compact_value_shift = 7;
constexpr uint16_t compact_value = 0x1F << compact_value_shift;
constexpr uint16_t compact_locator = 0x7F;  // includes the D bit of tags that have one
// The wide form: locator and D, then a word of 32 bits.
constexpr unsigned wide_type_shift = 28;
constexpr unsigned wide_value_shift = 8;
constexpr uint32_t wide_value = uint32_t{0xFFFFF} << wide_value_shift;
constexpr uint16_t d_bit = 1;

}  // namespace

CsigForm CsigTags::form_of(uint16_t tpid) const {
    if (tpid == 0) return CsigForm::none;
    if (tpid == settings_.compact.tpid) return CsigForm::compact;
    return tpid == settings_.wide.tpid ? CsigForm::wide : CsigForm::none;
}

CsigPlace CsigTags::find(std::span<const uint8_t> octets) const {
    std::size_t at = tag_offset;
    for (int tag = 0;; ++tag) {
        if (octets.size() < at + type_octets) return {};
        if (tag == 2 || !is_tag(read_16(&octets[at]))) break;
        at += tag_octets;
    }
    const uint16_t type = read_16(&octets[at]);
    if (type == macsec_type) return {.fault = behind_macsec(octets, at)};
    CsigPlace place{.form = form_of(type), .offset = static_cast<uint8_t>(at)};
    if (place.form == CsigForm::none) return {};
    place.fault = fault_behind(octets, place);
    if (place.fault != CsigFault::none) place.form = CsigForm::none;
    return place;
}

CsigFault CsigTags::fault_behind(std::span<const uint8_t> octets, CsigPlace& place) const {
    constexpr std::size_t shortest_ipv4 = 20;
    constexpr std::size_t ipv6_header = 40;
    const std::size_t at = place.offset + octets_of(place.form);
    if (octets.size() < at + type_octets) return CsigFault::truncated;
    place.ether_type = read_16(&octets[at]);
    place.network = static_cast<uint8_t>(at + type_octets);
    const uint16_t type = place.ether_type;
    if (is_tag(type) || form_of(type) != CsigForm::none) return CsigFault::order;
    if (type == macsec_type) return CsigFault::macsec;
    if (type != ipv4_type && type != ipv6_type) return CsigFault::not_ip;
    const std::size_t header = type == ipv4_type ? shortest_ipv4 : ipv6_header;
    return octets.size() < place.network + header ? CsigFault::truncated : CsigFault::none;
}

// Unencrypted octets after the SecTAG (802.1AE 9.3) can be read, but not written, because the
// integrity check value covers them.
CsigFault CsigTags::behind_macsec(std::span<const uint8_t> octets, std::size_t at) const {
    constexpr uint8_t has_channel = 0x20;
    constexpr uint8_t encrypted = 0x08;
    constexpr std::size_t without_channel = 8;
    constexpr std::size_t channel_octets = 8;
    if (octets.size() < at + type_octets + 1) return CsigFault::none;
    const uint8_t control = octets[at + type_octets];
    if ((control & encrypted) != 0) return CsigFault::none;
    at += without_channel + ((control & has_channel) != 0 ? channel_octets : 0);
    if (octets.size() < at + type_octets) return CsigFault::none;
    return form_of(read_16(&octets[at])) == CsigForm::none ? CsigFault::none : CsigFault::macsec;
}

CsigSignal CsigTags::read(const uint8_t* tag, CsigForm form) const {
    const uint16_t first = read_16(tag + type_octets);
    if (form == CsigForm::compact) {
        const bool has_d = settings_.compact.d_bit;
        const auto locator = static_cast<uint16_t>(first & compact_locator);
        return {.type = static_cast<uint8_t>(first >> compact_type_shift),
                .value = (uint32_t{first} & compact_value) >> compact_value_shift,
                .locator = static_cast<uint16_t>(has_d ? locator >> 1 : locator),
                .trimmed = has_d && (first & d_bit) != 0};
    }
    const uint32_t second = read_32(tag + 2 * type_octets);
    return {.type = static_cast<uint8_t>(second >> wide_type_shift),
            .value = (second & wide_value) >> wide_value_shift,
            .locator = static_cast<uint16_t>(first >> 1),
            .trimmed = (first & d_bit) != 0};
}

void CsigTags::write(uint8_t* tag, CsigForm form, uint32_t value, uint16_t locator) const {
    uint8_t* const at = tag + type_octets;
    const uint16_t before = read_16(at);
    if (form == CsigForm::compact) {
        const bool has_d = settings_.compact.d_bit;
        const unsigned low = has_d ? unsigned{locator} << 1 | (before & d_bit) : locator;
        const unsigned kept = before & ~unsigned{compact_value | compact_locator};
        const unsigned now =
            kept | (value << compact_value_shift & compact_value) | (low & compact_locator);
        return write_16(at, static_cast<uint16_t>(now));
    }
    write_16(at, static_cast<uint16_t>(unsigned{locator} << 1 | (before & d_bit)));
    const uint32_t word = read_32(at + type_octets) & ~wide_value;
    write_32(at + type_octets, word | (value << wide_value_shift & wide_value));
}

void CsigTags::mark_trimmed(std::span<uint8_t> octets) const {
    const CsigPlace place = find(octets);
    if (place.form == CsigForm::none) return;
    if (place.form == CsigForm::compact && !settings_.compact.d_bit) return;
    octets[place.offset + type_octets + 1] |= d_bit;
}

uint16_t strip_csig(std::span<uint8_t> octets, const CsigPlace& place) {
    const std::size_t gone = octets_of(place.form);
    const std::size_t behind = place.offset + gone;
    std::memmove(&octets[place.offset], &octets[behind], octets.size() - behind);
    std::memset(&octets[octets.size() - gone], 0, gone);
    const std::size_t least = octets.size() < shortest_on_wire ? 0 : shortest_on_wire;
    return static_cast<uint16_t>(std::max(octets.size() - gone, least));
}

}  // namespace sluice
