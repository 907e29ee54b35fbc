// Bridging keys: the part of a port's keys (port_keys.h) about its VLANs and admission. Used only
// by port_keys.h.
//
// Choices are in the order of the enumeration that they are converted to (types/settings.h).
#pragma once

#include <array>
#include <string_view>

#include "config/choices.h"
#include "config/configuration.h"
#include "config/key_row.h"
#include "dataplane/types/settings.h"

namespace sluice::config::keys {

inline constexpr std::array<std::string_view, 2> storm_units = {"bits", "frames"};
inline constexpr Key storm_rate(std::string_view name, std::string_view help) {
    return key(Kind::rate, name, help, "0", 1, 400'000'000'000) | Is::or_zero;
}
inline constexpr auto loop_guard_actions = words_of<LoopGuardAction>({
    {LoopGuardAction::off, "off"},
    {LoopGuardAction::warn, "warn"},
    {LoopGuardAction::shut, "shut"},
});
inline constexpr auto loop_guard_keys = std::to_array<Key>({
    key(Kind::choice, "action",
        "action when probes of the port, one a second, come back by any port: an event (`warn`), "
        "or the port also receives and sends nothing (`shut`); `off`: it sends no probes",
        "off", loop_guard_actions),
    key(Kind::time, "recovery",
        "a port that was shut opens again after this long without such a probe", "60s",
        3'000'000'000, 86'400'000'000'000),
});

inline constexpr auto storm_keys = std::to_array<Key>({
    key(Kind::choice, "unit", "unit of the rates, a second: bits or frames", "bits", storm_units) |
        Needs::rates,
    storm_rate("broadcast", "limit for broadcasts; 0: no limit"),
    storm_rate("unknown_unicast", "limit for frames to unknown stations; 0: no limit"),
    storm_rate("multicast", "limit for frames to groups, known or not; 0: no limit"),
});

inline constexpr auto port_fdb_keys = std::to_array<Key>({
    key(Kind::boolean, "sticky",
        "addresses learned here neither move to another port nor age, and outlast the link; "
        "`sluice flush fdb` forgets them",
        "false"),
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
    key(Kind::choice, "mode",
        "`access`: one VLAN, its frames without a tag; `trunk`: several, with a tag; "
        "`transparent`: frames are sent with the tag that they were received with",
        "transparent", vlan_modes),
    key(Kind::whole, "access", "the VLAN of an access port", worked_out("`default_vlan`"), 1, 4094),
    key(Kind::whole, "native",
        "the VLAN of a trunk whose frames have no tag, beside those `allowed`",
        worked_out("none: a frame without a tag is refused"), 1, 4094),
    key(Kind::list, "allowed", "the VLANs of a trunk", "[1-4094]", vlan_range, 0, 4094),
    key(Kind::choice, "accept",
        "frames that the port takes: `all`, or only those with a tag or without; a tag of VLAN 0 "
        "is none",
        "all", frame_types),
    key(Kind::choice, "tpid",
        "EtherType of the tags that the port sees and sends: a customer's, or a provider's "
        "(802.1ad); any other tag is payload",
        "0x8100", tag_types),
});

}  // namespace sluice::config::keys
