// Key parts: the units of the schema, the choices of a port's keys, and the items of its lists and
// tables. Used by the headers of keys, by schema.cc, and by code that prints a choice.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "config/choices.h"
#include "config/configuration.h"
#include "config/schema.h"
#include "dataplane/types/limits.h"
#include "dataplane/types/settings.h"

namespace sluice::config::keys {

inline constexpr int64_t kilo = 1'000;
inline constexpr int64_t mega = 1'000 * kilo;
inline constexpr int64_t giga = 1'000 * mega;
inline constexpr int64_t KiB = 1024;
inline constexpr int64_t MiB = 1024 * KiB;
inline constexpr int64_t GiB = 1024 * MiB;
inline constexpr int64_t millisecond = 1'000'000;
inline constexpr int64_t second = 1000 * millisecond;
inline constexpr int64_t kilometre = 1'000'000;  // in millimetres

inline constexpr std::array<std::string_view, 5> sources = {"pcp", "dscp", "tc", "roce",
                                                            "application"};
inline constexpr std::array<std::string_view, 2> admin_statuses = {"up", "down"};
inline constexpr auto flow_controls = words_of<FlowControl>({
    {FlowControl::none, "none"},
    {FlowControl::pfc, "pfc"},
    {FlowControl::credit, "credit"},
});
inline constexpr auto pausers = words_of<PfcBy>({
    {PfcBy::frames, name_of(PfcBy::frames)},
    {PfcBy::queues, name_of(PfcBy::queues)},
    {PfcBy::ring, name_of(PfcBy::ring)},
});
inline constexpr auto triggers = words_of<PauseTrigger>({
    {PauseTrigger::ingress, "ingress"},
    {PauseTrigger::egress, "egress"},
});
inline constexpr auto watchdog_actions = words_of<WatchdogAction>({
    {WatchdogAction::off, "off"},
    {WatchdogAction::alert, "alert"},
    {WatchdogAction::drop, "drop"},
    {WatchdogAction::forward, "forward"},
});

inline constexpr auto retry_actions = words_of<RetryAction>({
    {RetryAction::best_effort, "best_effort"},
    {RetryAction::block, "block"},
    {RetryAction::discard, "discard"},
});

inline constexpr auto unproved = words_of<Unproved>({
    {Unproved::warn, "warn"},
    {Unproved::refuse, "refuse"},
    {Unproved::allow, "allow"},
});

inline constexpr Key whole(std::string_view name, int64_t lowest, int64_t highest) {
    return {.name = name, .kind = Kind::whole, .lowest = lowest, .highest = highest};
}

inline constexpr Key priority = whole("priority", 0, 7);
inline constexpr std::array<Key, 1> a_priority = {priority};
inline constexpr std::array<Key, 1> a_port_name = {{{.name = "port", .kind = Kind::name}}};
inline constexpr std::array<Key, 1> a_worker = {whole("worker", 0, max_workers - 1)};
inline constexpr std::array<Key, 1> a_source = {
    {{.name = "source", .kind = Kind::choice, .choices = sources}}};
inline constexpr std::array<Key, 2> dscp_to_priority = {whole("DSCP", 0, 63), priority};
inline constexpr std::array<Key, 2> tc_to_priority = {whole("traffic class", 0, 255), priority};
inline constexpr std::array<Key, 2> priority_to_pcp = {priority, whole("PCP", 0, 7)};
inline constexpr std::array<Key, 2> priority_to_bit = {priority, whole("bit", 0, 7)};
inline constexpr std::array<Key, 2> priority_to_dscp = {priority, whole("DSCP", 0, 63)};
inline constexpr std::array<Key, 2> priority_to_tc = {priority, whole("traffic class", 0, 7)};
inline constexpr std::array<Key, 2> class_to_weight = {whole("traffic class", 0, 7),
                                                       whole("weight", 1, 1000)};

inline constexpr std::array<Key, 1> a_station = {{{.name = "station", .kind = Kind::address}}};
inline constexpr std::array<Key, 1> a_class = {whole("traffic class", 0, 7)};

}  // namespace sluice::config::keys
