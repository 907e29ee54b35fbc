// Format keys: the part of the schema (schema.h) under `formats[]`. Used only by schema.cc.
#pragma once

#include <array>
#include <string_view>

#include "config/key_row.h"
#include "dataplane/types/frame_format.h"

namespace sluice::config::keys {

inline constexpr std::string_view as_like = "as in `like`";

inline constexpr auto field_keys = std::to_array<Key>({
    key(Kind::whole, "offset", "bits before it, from the first bit of octet 0", worked_out(as_like),
        0, longest_header.count() * 8 - 1),
    key(Kind::whole, "width", "its bits; 0: there is no such field", worked_out(as_like), 0, 48),
    key(Kind::mask, "mask", "which of its bits count", worked_out(as_like), 1, 0xFFFF'FFFF'FFFF),
});

inline constexpr Key field(std::string_view name, std::string_view help) {
    return {.name = name, .kind = Kind::map, .help = help, .inside = field_keys};
}

inline constexpr auto format_keys = std::to_array<Key>({
    {.name = "name", .kind = Kind::name, .help = "what ports call it", .required = true},
    key(Kind::choice, "like", "the preset from which unset keys are taken", {}, preset_names) |
        Is::required,
    key(Kind::choice, "family",
        "family of formats that it can be bridged to; `afh_16`, `afh_lite` and `ufh_16` have ids "
        "of 16 bits, `afh_32` and `ufh_32` of 32",
        worked_out(as_like), format_family_names),
    field("destination", "the address a frame is for"),
    field("source", "the address it is from"),
    field("traffic_class", "up to 8 bits that `tc_to_priority` knows"),
    field("key_word",
          "8 bits beside ids: the first bit is set for ids of 16 bits, the last for a group; bits "
          "outside the mask are ignored"),
    field("ecn", "two bits as in IP, marked by the curves of `ecn`"),
    field("flow_label",
          "the same in all frames of a flow: aggregations with `hash: l4` spread by it"),
    field("ttl", "2 to 8 bits that each switch lowers by one; a frame with 1 or 0 is dropped"),
    key(Kind::size, "header", "octets that a frame without tags has at least", worked_out(as_like),
        address_octets.count(), longest_header.count()),
    key(Kind::boolean, "ether_type", "octets 12 and 13 are a type, after tags if there are any",
        worked_out(as_like)),
    key(Kind::boolean, "ip", "what the type calls IPv4 and IPv6 is that: DSCP and ECN are there",
        worked_out(as_like)),
    key(Kind::boolean, "learns",
        "stations are learned by their source; false: only static entries map stations to ports",
        worked_out(as_like)),
});

inline constexpr std::array<Key, 1> a_format = {
    {{.name = "formats", .kind = Kind::map, .inside = format_keys}}};

}  // namespace sluice::config::keys
