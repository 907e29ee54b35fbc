// DCBX keys: the part of a port's keys (port_keys.h) about DCBX: what the port and its peer
// advertise to each other about lossless priorities, bandwidth and applications. Used only by
// port_keys.h.
//
// Choices are in the order of the enumeration that they are converted to (configuration.h).
#pragma once

#include <array>
#include <string_view>

#include "config/choices.h"
#include "config/configuration.h"
#include "config/key_row.h"

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
    key(Kind::choice, "mode",
        "802.1Q, the proposal 0409v3, or CEE 1.01; `auto`: the first, and CEE to a peer that "
        "speaks nothing else; at a tunnel of `evpn.vnis` disabled unless the port itself writes "
        "`dcbx`",
        "auto", dcbx_modes),
    key(Kind::list, "willing",
        "features in which the port follows its peer: bandwidths (`ets`), lossless priorities "
        "(`pfc`), priorities of applications; for the others it advertises what is configured, and "
        "reports a peer that differs",
        "[]", a_dcbx_feature, 0, dcbx_features.size()) |
        Is::distinct,
    key(Kind::boolean, "recommend", "recommend the bandwidths of `scheduler` to a willing peer",
        "true"),
    key(Kind::boolean, "congestion",
        "send a TLV that advertises no priority with congestion notification (802.1Qau): this "
        "switch has none; not with `mode: cee`",
        "false"),
    key(Kind::boolean, "defend",
        "discard frames received in a lossless priority until the peer advertises PFC for it; only "
        "with `mode: draft0409`",
        "false"),
    key(Kind::boolean, "hold",
        "send nothing in a lossless priority until the peer advertises that it does not discard "
        "there, as its `defend` would; nothing else ends that; only with `mode: draft0409`",
        "false"),
});

}  // namespace sluice::config::keys
