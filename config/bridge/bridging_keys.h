// Bridging keys: the part of a port's keys (port_keys.h) about its VLANs and admission. Used only
// by port_keys.h.
//
// Choices are in the order of the enumeration that they are converted to (types/settings.h).
#pragma once

#include <array>
#include <string_view>

#include "config/choices.h"
#include "config/configuration.h"
#include "config/schema.h"
#include "dataplane/types/settings.h"

namespace sluice::config::keys {

inline constexpr std::array<std::string_view, 2> storm_units = {"bits", "frames"};
inline constexpr Key storm_rate(std::string_view name, std::string_view help) {
    return {.name = name,
            .kind = Kind::rate,
            .help = help,
            .fallback = "0",
            .lowest = 1,
            .highest = 400'000'000'000,
            .or_zero = true};
}
inline constexpr auto loop_guard_actions = words_of<LoopGuardAction>({
    {LoopGuardAction::off, "off"},
    {LoopGuardAction::warn, "warn"},
    {LoopGuardAction::shut, "shut"},
});
inline constexpr auto loop_guard_keys = std::to_array<Key>({
    {.name = "action",
     .kind = Kind::choice,
     .help =
         "action when probes of the port, one a second, come back by any port: an event (`warn`), "
         "or the port also receives and sends nothing (`shut`); `off`: it sends no probes",
     .fallback = "off",
     .choices = loop_guard_actions},
    {.name = "recovery",
     .kind = Kind::time,
     .help = "a port that was shut opens again after this long without such a probe",
     .fallback = "60s",
     .lowest = 3'000'000'000,
     .highest = 86'400'000'000'000},
});

inline constexpr auto storm_keys = std::to_array<Key>({
    {.name = "unit",
     .kind = Kind::choice,
     .help = "unit of the rates, a second: bits or frames",
     .fallback = "bits",
     .needs = Needs::rates,
     .choices = storm_units},
    storm_rate("broadcast", "limit for broadcasts; 0: no limit"),
    storm_rate("unknown_unicast", "limit for frames to unknown stations; 0: no limit"),
    storm_rate("multicast", "limit for frames to groups, known or not; 0: no limit"),
});

inline constexpr auto port_fdb_keys = std::to_array<Key>({
    {.name = "sticky",
     .kind = Kind::boolean,
     .help = "addresses learned here neither move to another port nor age, and outlast the link; "
             "`sluice flush fdb` forgets them",
     .fallback = "false"},
});

inline constexpr auto vlan_modes = words_of<VlanMode>({
    {VlanMode::transparent, "transparent"},
    {VlanMode::access, "access"},
    {VlanMode::trunk, "trunk"},
});
inline constexpr auto frame_types = words_of<FrameTypes>({
    {FrameTypes::all, "all"},
    {FrameTypes::tagged, "tagged"},
    {FrameTypes::untagged, "untagged"},
});
inline constexpr auto tag_types = words_of<TagType>({
    {TagType::customer, "0x8100"},
    {TagType::service, "0x88A8"},
});
inline constexpr std::array<Key, 1> vlan_range = {
    {{.name = "VLANs", .kind = Kind::vlans, .lowest = 1, .highest = 4094}}};

inline constexpr auto port_vlan_keys = std::to_array<Key>({
    {.name = "mode",
     .kind = Kind::choice,
     .help = "`access`: one VLAN, its frames without a tag; `trunk`: several, with a tag; "
             "`transparent`: frames leave with the tag that they came with",
     .fallback = "transparent",
     .choices = vlan_modes},
    {.name = "access",
     .kind = Kind::whole,
     .help = "the VLAN of an access port",
     .worked_out = "`default_vlan`",
     .lowest = 1,
     .highest = 4094},
    {.name = "native",
     .kind = Kind::whole,
     .help = "the VLAN of a trunk whose frames have no tag, beside those `allowed`",
     .worked_out = "none: a frame without a tag is refused",
     .lowest = 1,
     .highest = 4094},
    {.name = "allowed",
     .kind = Kind::list,
     .help = "the VLANs of a trunk",
     .fallback = "[1-4094]",
     .inside = vlan_range,
     .most = 4094},
    {.name = "accept",
     .kind = Kind::choice,
     .help = "frames that the port takes: `all`, or only those with a tag or without; a tag of "
             "VLAN 0 is none",
     .fallback = "all",
     .choices = frame_types},
    {.name = "tpid",
     .kind = Kind::choice,
     .help = "EtherType of the tags that the port sees and sends: a customer's, or a provider's "
             "(802.1ad); any other tag is payload",
     .fallback = "0x8100",
     .choices = tag_types},
});

}  // namespace sluice::config::keys
