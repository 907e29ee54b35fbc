// FrameFormat: describes, as data, where a port's frames have the fields that the switch needs: for
// each field its first bit, counted from the first bit of octet 0, its number of bits, and the mask
// of the relevant bits.
//
//   standard      Ethernet II and 802.3, IPv4 and IPv6 behind up to two tags
//   afh_gen1      48-bit destination; a traffic class in place of the source's first octet
//   afh_gen2_16b  16-bit addresses; the rest of both address fields carries payload
//   afh_lite      as afh_gen2_16b without an EtherType, so without tags
//   afh_gen2_32b  32-bit addresses, in the last octets of both fields
//   ufh_16b       UEC's Unified Forwarding Header: 16-bit addresses where afh_gen2_16b has them
//   ufh_32b       UFH with 32-bit addresses, where afh_gen2_32b has them
//
// In AFH (AI Fabric Header) octet 0 is the key word, whose last bits are Ethernet's group and local
// bit, and octet 6 the traffic class, a TOS octet, as in SONiC's scale-up document (rev. 1.0, July
// 2026). Until 0.2.0 the presets had these two exchanged. The key word is {W,V,0,0,Z,Y,X,M}: W
// means that ids have 16 bits instead of 32, M that the frame is for a group. UFH's octet 0 has the
// same last four bits (the quadrants of 802c) and reserves the others. The contents of its traffic
// class are not specified; its 32-bit form is named (SAI) but not specified.
// A frame does not identify its format, so each port is configured for one.
//
// A format may also have the optional fields of SAI's Optimized Forwarding Header: ECN, which the
// switch marks; a flow label, which spreads flows; a TTL, which each switch decrements.
//
// A family is a set of formats between which frames may be bridged, as each port can read what the
// others send. 48-bit Ethernet and 48-bit AFH are different families, because a traffic class is
// not part of a station's address. AFH with 16-bit ids and AFH Lite are different, because a
// receiver would take the EtherType of one for payload of the other. 16-bit and 32-bit ids are
// distinguished only by the key word. Ids of AFH and UFH are not specified to have the same
// meaning.
// Not done here: reading a frame (ingress/format.h).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "dataplane/types/enum_count.h"
#include "dataplane/types/units.h"

namespace sluice {

enum class FormatFamily : uint8_t {
    ethernet,
    afh_48,
    afh_16,
    afh_lite,
    afh_32,
    ufh_16,
    ufh_32,
    last = ufh_32
};

inline constexpr std::array<std::string_view, 7> format_family_names = {
    "ethernet", "afh_48", "afh_16", "afh_lite", "afh_32", "ufh_16", "ufh_32"};
static_assert(format_family_names.size() == count_of<FormatFamily>);
inline constexpr std::size_t format_families = format_family_names.size();

constexpr std::string_view name_of(FormatFamily family) {
    return format_family_names[static_cast<std::size_t>(family)];
}
// Returns the length of a station's id in bits; 0: stations have addresses of 48 bits.
constexpr unsigned id_bits(FormatFamily family) {
    constexpr std::array<uint8_t, 7> bits = {0, 0, 16, 16, 32, 16, 32};
    static_assert(bits.size() == format_families);
    return bits[static_cast<std::size_t>(family)];
}
constexpr bool has_ids(FormatFamily family) { return id_bits(family) != 0; }
constexpr bool has_short_ids(FormatFamily family) { return id_bits(family) == 16; }
constexpr uint64_t highest_id(FormatFamily family) { return (uint64_t{1} << id_bits(family)) - 1; }

// Bits of the key word. A bit counts only if the field's mask has it: without W ids have the length
// of the family, and without M no frame is for a group.
inline constexpr uint64_t key_word_short_ids = 0x80;  // W
inline constexpr uint64_t key_word_group = 0x01;      // M
inline constexpr uint64_t key_word_bits = key_word_short_ids | key_word_group;

struct Field {
    static constexpr uint64_t all_bits = ~uint64_t{0};

    uint16_t offset = 0;
    uint16_t width = 0;        // 0: the format has no such field
    uint64_t mask = all_bits;  // the relevant bits; bits above `width` have no effect

    friend constexpr bool operator==(const Field& one, const Field& other) {
        return one.offset == other.offset && one.width == other.width &&
               one.significant() == other.significant();
    }
    [[nodiscard]] constexpr bool exists() const { return width != 0; }
    [[nodiscard]] constexpr unsigned end() const { return offset + unsigned{width}; }
    [[nodiscard]] constexpr uint64_t significant() const {
        return width >= 64 ? mask : mask & ((uint64_t{1} << width) - 1);
    }
    [[nodiscard]] constexpr bool covers(unsigned bit) const { return bit >= offset && bit < end(); }
    [[nodiscard]] constexpr bool overlaps(const Field& other) const {
        return exists() && other.exists() && offset < other.end() && other.offset < end();
    }
};

struct FrameFormat {
    FormatFamily family = FormatFamily::ethernet;
    Field destination{0, 48};
    Field source{48, 48};
    Field traffic_class;
    Field key_word;
    Field ecn;               // ECN as in IP (RFC 3168)
    Field flow_label;        // equal for all frames of a flow
    Field ttl;               // number of switches that may still forward the frame
    Bytes header{14};        // length of the header without tags, which contains all fields
    bool ether_type = true;  // octets 12 and 13, or after tags, are an EtherType
    bool ip = true;          // IP follows an EtherType of IP
    bool learns = true;      // the source address is learned

    friend constexpr bool operator==(const FrameFormat&, const FrameFormat&) = default;
};

inline constexpr std::array<std::string_view, 7> preset_names = {
    "standard", "afh_gen1", "afh_gen2_16b", "afh_lite", "afh_gen2_32b", "ufh_16b", "ufh_32b"};
inline constexpr Field afh_ecn{54, 2};  // the last bits of a TOS octet
inline constexpr std::array<FrameFormat, 7> presets = {
    FrameFormat{},
    // Header and routing header are 22 octets. Addresses are not learned from this format, because
    // a station that changes its traffic class would seem to move.
    FrameFormat{.family = FormatFamily::afh_48,
                .destination = {0, 48},
                .source = {56, 40},
                .traffic_class = {48, 8},
                .key_word = {},
                .ecn = {},
                .flow_label = {},
                .ttl = {},
                .header = Bytes(22),
                .ip = false,
                .learns = false},
    FrameFormat{.family = FormatFamily::afh_16,
                .destination = {32, 16},
                .source = {80, 16},
                .traffic_class = {48, 8},
                .key_word = {0, 8},
                .ecn = afh_ecn,
                .flow_label = {},
                .ttl = {},
                .header = Bytes(22),
                .ip = false},
    FrameFormat{.family = FormatFamily::afh_lite,
                .destination = {32, 16},
                .source = {80, 16},
                .traffic_class = {48, 8},
                .key_word = {0, 8},
                .ecn = afh_ecn,
                .flow_label = {},
                .ttl = {},
                .header = Bytes(12),
                .ether_type = false,
                .ip = false},
    FrameFormat{.family = FormatFamily::afh_32,
                .destination = {16, 32},
                .source = {64, 32},
                .traffic_class = {48, 8},
                .key_word = {0, 8},
                .ecn = afh_ecn,
                .flow_label = {},
                .ttl = {},
                .header = Bytes(22),
                .ip = false},
    FrameFormat{.family = FormatFamily::ufh_16,
                .destination = {32, 16},
                .source = {80, 16},
                .traffic_class = {48, 8},
                .key_word = {0, 8, key_word_group},
                .ecn = {},
                .flow_label = {},
                .ttl = {},
                .ip = false},
    FrameFormat{.family = FormatFamily::ufh_32,
                .destination = {16, 32},
                .source = {64, 32},
                .traffic_class = {48, 8},
                .key_word = {0, 8, key_word_group},
                .ecn = {},
                .flow_label = {},
                .ttl = {},
                .ip = false},
};

// The reasons why frames of a format could not be read, or would be read wrongly.
enum class Contradiction : uint8_t {
    no_destination,           // the format has no destination
    destination_too_wide,     // more than 48 bits, or more than the ids of its family have
    source_too_wide,          // more than 48 bits, or more than the ids of its family have
    class_too_wide,           // more than 8 bits
    key_word_incomplete,      // not eight bits that include W or M
    key_word_unused,          // the family has no ids
    header_too_short,         // too short for both addresses, or for the EtherType
    destination_outside,      // not within the header
    source_outside,           // not within the header
    class_outside,            // not within the header
    key_word_outside,         // not within the header
    ecn_outside,              // not within the header
    flow_label_outside,       // not within the header
    ttl_outside,              // not within the header
    addresses_overlap,        // destination and source overlap
    class_in_address,         // the traffic class would change an address
    key_word_in_field,        // the key word overlaps another field
    ecn_incomplete,           // not two bits of one octet
    ecn_in_field,             // marking would change another field than the traffic class
    ttl_incomplete,           // not 2 to 8 bits, or not all of them count
    ttl_in_field,             // decrementing would change another field
    learns_what_nobody_asks,  // lookups would not find learned addresses: their bits differ
    ip_without_ether_type,    // no field identifies an IP packet
    taken_for_control,        // without EtherType, payload in octet 0 may look like MAC control
};

// The octets before the EtherType, or before the first tag.
inline constexpr Bytes address_octets{12};
inline constexpr Bytes longest_header{64};

// Calls `visit` with each contradiction in `format`.
template <class Visit>
constexpr void for_each_contradiction(const FrameFormat& format, Visit visit) {
    using enum Contradiction;
    const auto is = [&](bool wrong, Contradiction what) {
        if (wrong) visit(what);
    };
    const bool ids = has_ids(format.family);
    const unsigned widest = ids ? id_bits(format.family) : 48;
    const Bytes due = format.ether_type ? bare_frame : address_octets;
    const auto bits =
        static_cast<unsigned>((format.ether_type ? address_octets : format.header).count() * 8);
    const auto outside = [&](const Field& field) { return field.exists() && field.end() > bits; };
    is(!format.destination.exists(), no_destination);
    is(format.destination.width > widest, destination_too_wide);
    is(format.source.width > widest, source_too_wide);
    is(format.traffic_class.width > 8, class_too_wide);
    const bool says_something =
        format.key_word.width == 8 && (format.key_word.significant() & key_word_bits) != 0;
    is(format.key_word.exists() && !says_something, key_word_incomplete);
    is(!ids && format.key_word.exists(), key_word_unused);
    is(format.header < due || format.header > longest_header, header_too_short);
    is(outside(format.destination), destination_outside);
    is(outside(format.source), source_outside);
    is(outside(format.traffic_class), class_outside);
    is(outside(format.key_word), key_word_outside);
    is(outside(format.ecn), ecn_outside);
    is(outside(format.flow_label), flow_label_outside);
    is(outside(format.ttl), ttl_outside);
    is(format.destination.overlaps(format.source), addresses_overlap);
    is(format.traffic_class.overlaps(format.destination) ||
           format.traffic_class.overlaps(format.source),
       class_in_address);
    is(format.key_word.overlaps(format.destination) || format.key_word.overlaps(format.source) ||
           format.key_word.overlaps(format.traffic_class),
       key_word_in_field);
    const auto in_any = [](const Field& field, const auto& others) {
        return std::ranges::any_of(others, [&](const Field& o) { return field.overlaps(o); });
    };
    const bool whole_ecn =
        format.ecn.width == 2 && format.ecn.significant() == 3 && format.ecn.offset % 8 != 7;
    is(format.ecn.exists() && !whole_ecn, ecn_incomplete);
    is(in_any(format.ecn,
              std::array{format.destination, format.source, format.key_word, format.flow_label}),
       ecn_in_field);
    const bool whole_ttl = format.ttl.width >= 2 && format.ttl.width <= 8 &&
                           format.ttl.significant() == (1U << format.ttl.width) - 1;
    is(format.ttl.exists() && !whole_ttl, ttl_incomplete);
    is(in_any(format.ttl, std::array{format.destination, format.source, format.traffic_class,
                                     format.key_word, format.ecn, format.flow_label}),
       ttl_in_field);
    is(format.learns && (!format.source.exists() ||
                         format.source.significant() != format.destination.significant()),
       learns_what_nobody_asks);
    is(format.ip && !format.ether_type, ip_without_ether_type);
    is(!format.ether_type && !format.traffic_class.covers(0) && !format.key_word.covers(0) &&
           !format.destination.covers(0),
       taken_for_control);
}

constexpr bool is_sound(const FrameFormat& format) {
    bool sound = true;
    for_each_contradiction(format, [&](Contradiction) { sound = false; });
    return sound;
}

static_assert(presets.size() == preset_names.size());
static_assert(std::ranges::all_of(presets, is_sound));

}  // namespace sluice
