// CSIG keys: the part of the schema (schema.h) about in-band congestion signalling: the tags, the
// conversion of values to signals, and what a port does with the tags. Used only by schema.cc and
// port_keys.h.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "config/choices.h"
#include "config/port/key_parts.h"
#include "config/schema.h"
#include "dataplane/types/csig_settings.h"

namespace sluice::config::keys {

inline constexpr auto csig_modes = words_of<CsigMode>({
    {CsigMode::off, "off"},
    {CsigMode::update, "update"},
    {CsigMode::strip, "strip"},
});

inline constexpr auto port_csig_keys = std::to_array<Key>({
    {.name = "mode",
     .kind = Kind::choice,
     .help = "for frames that the port sends: `update` replaces a signal if that of this port is "
             "worse, `strip` removes the tag, for hosts that do not know it",
     .fallback = "off",
     .needs = Needs::csig,
     .choices = csig_modes},
    {.name = "locator",
     .kind = Kind::whole,
     .help = "number of this hop, written with a signal that is replaced: up to 63 with compact "
             "tags, 127 if these have no D bit",
     .fallback = "0",
     .needs = Needs::csig_updates,
     .lowest = 0,
     .highest = 32767},
});

struct CsigSteps {
    std::string_view bandwidth;
    std::string_view relative;
    std::string_view time;
};
constexpr std::array<Key, 7> csig_band_keys(const CsigSteps& steps, Needs tpid) {
    constexpr int64_t most_bandwidth = 1000 * giga;
    return {{
        {.name = "bandwidth_base",
         .kind = Kind::rate,
         .help = "type 0, available bandwidth: the signal is 0 up to this",
         .fallback = "0",
         .needs = tpid,
         .highest = most_bandwidth},
        {.name = "bandwidth_step",
         .kind = Kind::rate,
         .help = "the signal rises by 1 for each of these",
         .fallback = steps.bandwidth,
         .needs = tpid,
         .lowest = 1,
         .highest = most_bandwidth},
        {.name = "relative_step",
         .kind = Kind::probability,
         .help = "type 1, available bandwidth relative to the link: the signal rises by 1 for each "
                 "of these",
         .fallback = steps.relative,
         .needs = tpid,
         .lowest = 1,
         .highest = 65536},
        {.name = "delay_base",
         .kind = Kind::time,
         .help = "type 2, delay of a hop: the signal is 0 up to this",
         .fallback = "0",
         .needs = tpid,
         .highest = second},
        {.name = "delay_step",
         .kind = Kind::time,
         .help = "the signal rises by 1 for each of these",
         .fallback = steps.time,
         .needs = tpid,
         .lowest = 1,
         .highest = second},
        {.name = "depth_base",
         .kind = Kind::time,
         .help = "type 3, time that the queued frames take to send: the signal is 0 up to this",
         .fallback = "0",
         .needs = tpid,
         .highest = second},
        {.name = "depth_step",
         .kind = Kind::time,
         .help = "the signal rises by 1 for each of these",
         .fallback = steps.time,
         .needs = tpid,
         .lowest = 1,
         .highest = second},
    }};
}
constexpr Key csig_tpid(std::string_view help) {
    return {.name = "tpid",
            .kind = Kind::whole,
            .help = help,
            .worked_out = "none is known",
            .lowest = 1536,
            .highest = 65535};
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
        {.name = "d_bit",
         .kind = Kind::boolean,
         .help =
             "the last bit of the locator says that the frame was trimmed, as SAI draws it; else "
             "it is the locator's, as in FBOSS",
         .fallback = "true",
         .needs = Needs::csig_compact},
    }),
    {"1G", "1/32", "10us"}, Needs::csig_compact);
inline constexpr auto csig_wide_keys =
    joined_csig_keys(std::array<Key, 1>{csig_tpid("EtherType of the tags of 8 octets, likewise")},
                     {"1M", "1/65536", "100ns"}, Needs::csig_wide);

inline constexpr auto csig_keys = std::to_array<Key>({
    {.name = "compact",
     .kind = Kind::map,
     .help = "tags of 4 octets, whose signals are 0 to 31",
     .inside = csig_compact_keys},
    {.name = "wide",
     .kind = Kind::map,
     .help = "tags of 8 octets, whose signals are 0 to 1048575",
     .inside = csig_wide_keys},
    {.name = "interval",
     .kind = Kind::time,
     .help = "interval over which bandwidth is averaged; the same in all switches",
     .fallback = "128us",
     .lowest = 1'000,
     .highest = second},
});

}  // namespace sluice::config::keys
