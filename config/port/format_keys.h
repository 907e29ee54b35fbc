// Format keys: the part of the schema (schema.h) under `formats[]`. Used only by schema.cc.
#pragma once

#include <array>
#include <string_view>

#include "config/schema.h"
#include "dataplane/types/frame_format.h"

namespace sluice::config::keys {

inline constexpr std::string_view as_like = "as in `like`";

inline constexpr auto field_keys = std::to_array<Key>({
    {.name = "offset",
     .kind = Kind::whole,
     .help = "bits before it, from the first bit of octet 0",
     .worked_out = as_like,
     .lowest = 0,
     .highest = longest_header.count() * 8 - 1},
    {.name = "width",
     .kind = Kind::whole,
     .help = "its bits; 0: there is no such field",
     .worked_out = as_like,
     .lowest = 0,
     .highest = 48},
    {.name = "mask",
     .kind = Kind::mask,
     .help = "which of its bits count",
     .worked_out = as_like,
     .lowest = 1,
     .highest = 0xFFFF'FFFF'FFFF},
});

inline constexpr Key field(std::string_view name, std::string_view help) {
    return {.name = name, .kind = Kind::map, .help = help, .inside = field_keys};
}

inline constexpr auto format_keys = std::to_array<Key>({
    {.name = "name", .kind = Kind::name, .help = "what ports call it", .required = true},
    {.name = "like",
     .kind = Kind::choice,
     .help = "the preset from which unset keys are taken",
     .required = true,
     .choices = preset_names},
    {.name = "family",
     .kind = Kind::choice,
     .help = "family of formats that it can be bridged to; `afh_16`, `afh_lite` and `ufh_16` have "
             "ids of 16 bits, `afh_32` and `ufh_32` of 32",
     .worked_out = as_like,
     .choices = format_family_names},
    field("destination", "the address a frame is for"),
    field("source", "the address it is from"),
    field("traffic_class", "up to 8 bits that `tc_to_priority` knows"),
    field("key_word",
          "8 bits beside ids: the first says that they have 16 bits, the last that they are a "
          "group's; what the mask leaves out is not asked"),
    field("ecn", "two bits as in IP, marked by the curves of `ecn`"),
    field("flow_label",
          "the same in all frames of a flow: aggregations with `hash: l4` spread by it"),
    field("ttl", "2 to 8 bits that each switch lowers by one; a frame with 1 or 0 is dropped"),
    {.name = "header",
     .kind = Kind::size,
     .help = "octets that a frame without tags has at least",
     .worked_out = as_like,
     .lowest = address_octets.count(),
     .highest = longest_header.count()},
    {.name = "ether_type",
     .kind = Kind::boolean,
     .help = "octets 12 and 13 are a type, behind tags where there are any",
     .worked_out = as_like},
    {.name = "ip",
     .kind = Kind::boolean,
     .help = "what the type calls IPv4 and IPv6 is that: DSCP and ECN are there",
     .worked_out = as_like},
    {.name = "learns",
     .kind = Kind::boolean,
     .help = "stations are learned by their source; false: static entries alone say where they are",
     .worked_out = as_like},
});

inline constexpr std::array<Key, 1> a_format = {
    {{.name = "formats", .kind = Kind::map, .inside = format_keys}}};

}  // namespace sluice::config::keys
