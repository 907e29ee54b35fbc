// CSIG keys: the part of the schema (schema.h) about in-band congestion signalling: the tags, the
// conversion of values to signals, and what a port does with the tags. Used only by schema.cc and
// port_keys.h.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "config/choices.h"
#include "config/key_row.h"
#include "config/port/key_parts.h"
#include "dataplane/types/csig_settings.h"

namespace sluice::config::keys {

inline constexpr auto csig_modes = words_of<CsigMode>({
    {CsigMode::off, "off"},
    {CsigMode::update, "update"},
    {CsigMode::strip, "strip"},
});

inline constexpr auto port_csig_keys = std::to_array<Key>({
    key(Kind::choice, "mode",
        "for frames that the port sends: `update` replaces a signal if that of this port is worse, "
        "`strip` removes the tag, for hosts that do not know it",
        "off", csig_modes) |
        Needs::csig,
    key(Kind::whole, "locator",
        "number of this hop, written with a signal that is replaced: up to 63 with compact tags, "
        "127 if these have no D bit",
        "0", 0, 32767) |
        Needs::csig_updates,
});

struct CsigSteps {
    std::string_view bandwidth;
    std::string_view relative;
    std::string_view time;
};
constexpr std::array<Key, 7> csig_band_keys(const CsigSteps& steps, Needs tpid) {
    constexpr int64_t most_bandwidth = 1000 * giga;
    return {{
        key(Kind::rate, "bandwidth_base", "type 0, available bandwidth: the signal is 0 up to this",
            "0", 0, most_bandwidth) |
            tpid,
        key(Kind::rate, "bandwidth_step", "the signal rises by 1 for each of these",
            steps.bandwidth, 1, most_bandwidth) |
            tpid,
        key(Kind::probability, "relative_step",
            "type 1, available bandwidth relative to the link: the signal rises by 1 for each of "
            "these",
            steps.relative, 1, 65536) |
            tpid,
        key(Kind::time, "delay_base", "type 2, delay of a hop: the signal is 0 up to this", "0", 0,
            second) |
            tpid,
        key(Kind::time, "delay_step", "the signal rises by 1 for each of these", steps.time, 1,
            second) |
            tpid,
        key(Kind::time, "depth_base",
            "type 3, time that the queued frames take to send: the signal is 0 up to this", "0", 0,
            second) |
            tpid,
        key(Kind::time, "depth_step", "the signal rises by 1 for each of these", steps.time, 1,
            second) |
            tpid,
    }};
}
constexpr Key csig_tpid(std::string_view help) {
    return key(Kind::whole, "tpid", help, worked_out("none is known"), 1536, 65535);
}
template <std::size_t more>
constexpr auto joined_csig_keys(const std::array<Key, more>& first, const CsigSteps& steps,
                                Needs tpid) {
    std::array<Key, more + 7> all{};
    std::ranges::copy(csig_band_keys(steps, tpid), std::ranges::copy(first, all.begin()).out);
    return all;
}

inline constexpr auto csig_compact_keys = joined_csig_keys(
    std::to_array<Key>({
        csig_tpid(
            "EtherType of the tags of 4 octets; none is assigned, so write that of the hosts"),
        key(Kind::boolean, "d_bit",
            "the last bit of the locator tells whether the frame was trimmed, as in SAI; false: it "
            "is part of the locator, as in FBOSS",
            "true") |
            Needs::csig_compact,
    }),
    {"1G", "1/32", "10us"}, Needs::csig_compact);
inline constexpr auto csig_wide_keys =
    joined_csig_keys(std::array<Key, 1>{csig_tpid("EtherType of the tags of 8 octets, likewise")},
                     {"1M", "1/65536", "100ns"}, Needs::csig_wide);

inline constexpr auto csig_keys = std::to_array<Key>({
    key(Kind::map, "compact", "tags of 4 octets, whose signals are 0 to 31", {}, csig_compact_keys),
    key(Kind::map, "wide", "tags of 8 octets, whose signals are 0 to 1048575", {}, csig_wide_keys),
    key(Kind::time, "interval",
        "interval over which bandwidth is averaged; the same in all switches", "128us", 1'000,
        second),
});

}  // namespace sluice::config::keys
