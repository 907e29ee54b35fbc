// DCBX keys: the part of a port's keys (port_keys.h) that says what it and its peer advertise to
// each other about lossless priorities, bandwidth and applications. For port_keys.h alone.
//
// Choices stand in the order of the enumeration that they are read into (configuration.h).
#pragma once

#include <array>
#include <string_view>

#include "config/choices.h"
#include "config/configuration.h"
#include "config/schema.h"

namespace sluice::config::keys {

inline constexpr auto dcbx_modes = words_of<DcbxMode>({
    {DcbxMode::disabled, "disabled"},
    {DcbxMode::ieee, "ieee"},
    {DcbxMode::draft0409, "draft0409"},
    {DcbxMode::cee, "cee"},
    {DcbxMode::automatic, "auto"},
});
inline constexpr std::array<std::string_view, 3> dcbx_features = {"ets", "pfc", "application"};
inline constexpr std::array<Key, 1> a_dcbx_feature = {
    {{.name = "feature", .kind = Kind::choice, .choices = dcbx_features}}};

inline constexpr auto port_dcbx_keys = std::to_array<Key>({
    {.name = "mode",
     .kind = Kind::choice,
     .help = "802.1Q, the proposal 0409v3, or CEE 1.01; `auto`: the first, and CEE to a peer that "
             "speaks nothing else; at a tunnel of `evpn.vnis` disabled unless the port itself "
             "writes `dcbx`",
     .fallback = "auto",
     .choices = dcbx_modes},
    {.name = "willing",
     .kind = Kind::list,
     .help = "where the port does as its peer says: bandwidths (`ets`), lossless priorities "
             "(`pfc`), priorities of applications; elsewhere it advertises what is written, and "
             "reports a peer that differs",
     .fallback = "[]",
     .inside = a_dcbx_feature,
     .most = dcbx_features.size(),
     .distinct = true},
    {.name = "recommend",
     .kind = Kind::boolean,
     .help = "recommend to a willing peer the bandwidths of `scheduler` here",
     .fallback = "true"},
    {.name = "congestion",
     .kind = Kind::boolean,
     .help = "say by a TLV that no priority has congestion notification (802.1Qau) here: this "
             "switch has none, and a peer that has it then knows; not with `mode: cee`",
     .fallback = "false"},
    {.name = "defend",
     .kind = Kind::boolean,
     .help = "discard what comes in a lossless priority until the peer says that it has PFC there; "
             "with `mode: draft0409` alone",
     .fallback = "false"},
    {.name = "hold",
     .kind = Kind::boolean,
     .help = "send nothing in a lossless priority until the peer says that it discards nothing "
             "there, as its `defend` would; nothing else ends that; with `mode: draft0409` alone",
     .fallback = "false"},
});

}  // namespace sluice::config::keys
