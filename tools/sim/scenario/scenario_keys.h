// Scenario keys: every key of a scenario except those of a switch, which are config's. Only for the
// readers in this folder. README.md describes the keys in the same order.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "config/schema.h"
#include "dataplane/types/frame_format.h"
#include "tools/sim/scenario/scenario.h"

namespace sluice::sim::keys {

using config::Key;
using config::Kind;

inline constexpr int64_t microsecond = 1'000;
inline constexpr int64_t second = 1'000'000'000;
inline constexpr int64_t longest_run = 3600 * second;
inline constexpr int64_t giga = 1'000'000'000;

inline constexpr Key a_time(std::string_view name, std::string_view fallback, int64_t lowest = 0) {
    return {.name = name,
            .kind = Kind::time,
            .fallback = fallback,
            .lowest = lowest,
            .highest = longest_run};
}
inline constexpr Key a_count(std::string_view name, int64_t most) {
    return {.name = name, .kind = Kind::whole, .required = true, .lowest = 1, .highest = most};
}
inline constexpr Key a_name(std::string_view name) {
    return {.name = name, .kind = Kind::name, .required = true};
}
inline constexpr Key a_size(std::string_view name, std::string_view fallback, int64_t lowest,
                            int64_t highest) {
    return {.name = name,
            .kind = Kind::size,
            .fallback = fallback,
            .lowest = lowest,
            .highest = highest};
}
inline constexpr Key a_part(std::string_view name, Kind kind, std::size_t most = 0) {
    return {.name = name, .kind = kind, .most = most};
}
inline constexpr Key a_speed{
    .name = "speed", .kind = Kind::rate, .fallback = "10G", .lowest = giga, .highest = 1600 * giga};
inline constexpr int64_t kilometre = 1'000'000;  // in millimetres
inline constexpr Key a_length{.name = "length",
                              .kind = Kind::length,
                              .fallback = "5m",
                              .lowest = 0,
                              .highest = 40'000 * kilometre};
inline constexpr std::array<std::string_view, 3> flow_controls = {"pfc", "credit", "none"};
inline constexpr Key a_flow_control{
    .name = "flow_control", .kind = Kind::choice, .fallback = "pfc", .choices = flow_controls};
inline constexpr Key a_credit{.name = "credit", .kind = Kind::map};
inline constexpr auto credit = std::to_array<Key>({
    {.name = "buffer", .kind = Kind::size, .lowest = 64, .highest = 1024 * 1024 * 1024},
    {.name = "quantum", .kind = Kind::size, .lowest = 64, .highest = 64 * 1024 * 1024},
    {.name = "refresh", .kind = Kind::time, .lowest = 100, .highest = second},
    {.name = "lost", .kind = Kind::probability, .highest = 65535},
});
inline constexpr Key a_priority{
    .name = "priority", .kind = Kind::whole, .fallback = "0", .lowest = 0, .highest = 7};
inline constexpr Key a_port{
    .name = "port", .kind = Kind::whole, .lowest = 0, .highest = max_ports - 1};

inline constexpr auto file = std::to_array<Key>({
    a_part("run", Kind::map),
    a_part("cable", Kind::map),
    a_part("switch", Kind::map),
    a_part("topology", Kind::map),
    a_part("switches", Kind::list, most_switches),
    a_part("hosts", Kind::list, most_hosts),
    a_part("links", Kind::list, most_hosts),
    a_part("peers", Kind::list, most_hosts),
    a_part("flows", Kind::list, most_flows),
    {.name = "variant", .kind = Kind::name},
    a_part("variants", Kind::map),
});
inline constexpr auto run = std::to_array<Key>({
    a_time("time", "1ms", 1),
    a_time("warmup", "0"),
    a_time("drain", "10ms"),
    {.name = "seed", .kind = Kind::whole, .fallback = "1", .highest = INT64_MAX},
    a_time("sample", "0"),
    a_size("memory", "8GiB", 1024 * 1024, int64_t{1} << 50),
});
inline constexpr auto cable = std::to_array<Key>({a_speed, a_length, a_flow_control, a_credit});

inline constexpr auto topology = std::to_array<Key>({
    a_part("star", Kind::map),
    a_part("chain", Kind::map),
    a_part("ring", Kind::map),
    a_part("leaf_spine", Kind::map),
    a_part("fat_tree", Kind::map),
});
inline constexpr Key a_trunk{.name = "trunk", .kind = Kind::map};
inline constexpr auto star = std::to_array<Key>({a_count("hosts", max_ports)});
inline constexpr auto chain =
    std::to_array<Key>({a_count("switches", most_switches), a_count("hosts", max_ports)});
inline constexpr auto ring = std::to_array<Key>({
    a_count("switches", most_switches),
    a_count("hosts", max_ports),
    {.name = "one_way", .kind = Kind::boolean, .fallback = "false"},
});
inline constexpr auto leaf_spine = std::to_array<Key>({
    a_count("leaves", most_switches - 1),
    a_count("spines", most_switches - 1),
    a_count("hosts", max_ports),
    a_trunk,
});
inline constexpr auto fat_tree = std::to_array<Key>({
    a_count("pods", most_switches),
    a_count("tors", most_switches),
    a_count("aggregations", most_switches),
    a_count("cores", most_switches),
    a_count("hosts", max_ports),
    a_trunk,
});

// Keys of a switch; config reads the sections with its settings.
inline constexpr auto forwardings =
    std::to_array<std::string_view>({"store_and_forward", "cut_through"});
inline constexpr Key a_forwarding{.name = "forwarding",
                                  .kind = Kind::choice,
                                  .fallback = "store_and_forward",
                                  .choices = forwardings};
inline constexpr Key a_latency{
    .name = "latency", .kind = Kind::time, .fallback = "0", .highest = 1000 * microsecond};
inline constexpr Key a_crossbar{
    .name = "crossbar", .kind = Kind::time, .fallback = "0", .highest = 1000 * microsecond};
inline constexpr auto ways = std::to_array<std::string_view>({"receiver", "flow"});
inline constexpr auto priority_counts = std::to_array<std::string_view>({"4", "8"});
inline constexpr auto of_switch = std::to_array<Key>({
    a_forwarding,
    a_latency,
    a_crossbar,
    {.name = "ways", .kind = Kind::choice, .fallback = "receiver", .choices = ways},
    {.name = "priorities", .kind = Kind::choice, .fallback = "8", .choices = priority_counts},
    a_part("defaults", Kind::map),
    a_part("buffer", Kind::map),
    a_part("fabric", Kind::map),
    a_part("csig", Kind::map),
});
inline constexpr auto switches = std::to_array<Key>({
    a_name("name"),
    a_part("ports", Kind::list, max_ports),
    a_part("pause_relay", Kind::list),
    a_forwarding,
    a_latency,
    a_part("defaults", Kind::map),
    a_part("buffer", Kind::map),
    a_part("fabric", Kind::map),
    a_part("csig", Kind::map),
});
inline constexpr auto hosts = std::to_array<Key>({
    a_name("name"),
    a_name("switch"),
    a_port,
    a_speed,
    a_length,
    a_flow_control,
    a_credit,
});
inline constexpr auto links = std::to_array<Key>({
    {.name = "between", .kind = Kind::list, .required = true},
    a_part("ports", Kind::list),
    a_speed,
    a_length,
    a_flow_control,
    a_credit,
    {.name = "one_way", .kind = Kind::boolean, .fallback = "false"},
});
inline constexpr auto rate_limits =
    std::to_array<std::string_view>({"none", "dcqcn", "window", "dctcp", "timely", "hpcc",
                                     "end_to_end_credit", "pulls", "csig", "explicit_rate"});
inline constexpr auto peers = std::to_array<Key>({
    {.name = "hosts", .kind = Kind::list, .required = true},
    {.name = "obeys", .kind = Kind::boolean, .fallback = "true"},
    {.name = "response", .kind = Kind::time, .highest = second},
    {.name = "tx_latency", .kind = Kind::time, .fallback = "0", .highest = 1000 * microsecond},
    {.name = "rx_latency", .kind = Kind::time, .fallback = "0", .highest = 1000 * microsecond},
    a_part("pauses", Kind::map),
    a_part("receive", Kind::map),
    {.name = "rate_control", .kind = Kind::choice, .fallback = "none", .choices = rate_limits},
    a_part("dcqcn", Kind::map),
    a_part("window", Kind::map),
    a_part("dctcp", Kind::map),
    a_part("timely", Kind::map),
    a_part("hpcc", Kind::map),
    a_part("end_to_end_credit", Kind::map),
    a_part("pulls", Kind::map),
    a_part("csig", Kind::map),
    a_part("explicit_rate", Kind::map),
    {.name = "ack_priority", .kind = Kind::whole, .fallback = "6", .highest = 7},
});
inline constexpr Key a_step(std::string_view name, std::string_view fallback) {
    return {.name = name,
            .kind = Kind::rate,
            .fallback = fallback,
            .lowest = 1'000'000,
            .highest = 1600 * giga};
}
inline constexpr Key a_share(std::string_view name, std::string_view fallback) {
    return {.name = name,
            .kind = Kind::probability,
            .fallback = fallback,
            .lowest = 1,
            .highest = 65536};
}
inline constexpr auto increases = std::to_array<std::string_view>({"paper", "timer"});
inline constexpr auto dcqcn = std::to_array<Key>({
    {.name = "increase", .kind = Kind::choice, .fallback = "paper", .choices = increases},
    a_time("cnp_interval", "50us"),
    {.name = "cnp_priority", .kind = Kind::whole, .fallback = "6", .highest = 7},
    a_time("merge", "0"),
    a_share("gain", "0.00390625"),
    a_time("alpha_timer", "55us", microsecond),
    a_time("timer", "55us", microsecond),
    a_size("byte_counter", "10000000B", 1024, 1'000'000'000'000),
    {.name = "fast_recovery", .kind = Kind::whole, .fallback = "5", .lowest = 1, .highest = 1000},
    a_step("additive", "40M"),
    a_step("hyper", "400M"),
    a_step("least", "40M"),
});
inline constexpr auto window = std::to_array<Key>({
    {.name = "bytes", .kind = Kind::size, .required = true, .lowest = 64, .highest = 1'000'000'000},
    {.name = "span", .kind = Kind::time, .fallback = "65536ns", .lowest = 4096, .highest = 65536},
});
inline constexpr auto dctcp = std::to_array<Key>({
    a_share("gain", "0.0625"),
    a_size("initial", "15420B", 64, 1'000'000'000),
    {.name = "slow_start", .kind = Kind::boolean, .fallback = "true"},
});
inline constexpr auto timely = std::to_array<Key>({
    a_size("segment", "16KiB", 64, 1'000'000'000),
    a_share("gain", "0.875"),
    a_share("decrease", "0.8"),
    a_time("low", "50us"),
    a_time("high", "500us", microsecond),
    a_time("rtt", "20us", 100),
    a_step("additive", "10M"),
    a_step("least", "10M"),
});
inline constexpr auto hpcc = std::to_array<Key>({
    {.name = "base_rtt", .kind = Kind::time, .fallback = "13us", .lowest = 500, .highest = second},
    a_share("utilization", "0.95"),
    {.name = "stages", .kind = Kind::whole, .fallback = "5", .highest = 1000},
    a_size("additive", "80B", 1, 1'000'000),
});
inline constexpr auto end_to_end_credit = std::to_array<Key>({
    {.name = "bytes", .kind = Kind::size, .required = true, .lowest = 64, .highest = 1'000'000'000},
});
inline constexpr auto pulls = std::to_array<Key>({
    a_size("initial", "15420B", 84, 1'000'000'000),
    a_time("timeout", "1ms", microsecond),
});
inline constexpr auto csig_forms = std::to_array<std::string_view>({"compact", "wide"});
inline constexpr auto csig_signals = std::to_array<std::string_view>({"delay", "depth"});
inline constexpr auto csig = std::to_array<Key>({
    {.name = "form", .kind = Kind::choice, .fallback = "compact", .choices = csig_forms},
    {.name = "signal", .kind = Kind::choice, .fallback = "delay", .choices = csig_signals},
    a_time("target", "10us", 100),
    a_size("additive", "1542B", 1, 1'000'000),
    a_share("decrease", "0.8"),
    a_share("most_decrease", "0.5"),
    a_size("initial", "15420B", 64, 1'000'000'000),
    a_size("least", "64B", 1, 1'000'000),
});
inline constexpr auto explicit_rate = std::to_array<Key>({
    a_share("share", "0.95"),
    a_time("memory", "100us", microsecond),
    a_step("least", "10M"),
    {.name = "initial", .kind = Kind::rate, .lowest = 1'000'000, .highest = 1600 * giga},
});
inline constexpr auto pauses = std::to_array<Key>({
    a_priority,
    a_time("at", "0"),
    a_time("for", "1ms", 1),
});

inline constexpr auto receive_memories =
    std::to_array<std::string_view>({"request", "response", "multicast"});
inline constexpr auto receive = std::to_array<Key>({
    {.name = "rate",
     .kind = Kind::rate,
     .required = true,
     .lowest = 1'000'000,
     .highest = 1600 * giga},
    {.name = "memory", .kind = Kind::choice, .fallback = "request", .choices = receive_memories},
    {.name = "high", .kind = Kind::size, .lowest = 64, .highest = 100'000'000},
    {.name = "low", .kind = Kind::size, .highest = 100'000'000},
    {.name = "buffer", .kind = Kind::size, .lowest = 64, .highest = 100'000'000},
});

inline constexpr int64_t longest_message = int64_t{1} << 40;
inline constexpr auto patterns =
    std::to_array<std::string_view>({"steady", "poisson", "bursts", "pulses", "bernoulli", "incast",
                                     "all_reduce", "trace", "transfers"});
inline constexpr auto flow_sizes =
    std::to_array<std::string_view>({"bytes", "websearch", "hadoop"});
// Formats of frames: `ethernet`, which has any length, and the presets of a switch.
inline constexpr auto formats = [] {
    std::array<std::string_view, preset_names.size() + 1> all{"ethernet"};
    std::ranges::copy(preset_names, all.begin() + 1);
    return all;
}();
inline constexpr auto transports =
    std::to_array<std::string_view>({"datagram", "go_back_n", "selective"});
inline constexpr auto flows = std::to_array<Key>({
    {.name = "name", .kind = Kind::name},
    {.name = "from", .kind = Kind::list},
    {.name = "to", .kind = Kind::list},
    a_priority,
    a_size("size", "1522B", 64, 9728),
    {.name = "size_to", .kind = Kind::size, .lowest = 64, .highest = 9728},
    {.name = "rate", .kind = Kind::rate, .lowest = 1'000'000, .highest = 1600 * giga},
    {.name = "pattern", .kind = Kind::choice, .fallback = "steady", .choices = patterns},
    a_time("on", "10us", 1),
    a_time("off", "10us"),
    a_size("bytes", "64KiB", 1, longest_message),
    {.name = "sizes", .kind = Kind::choice, .fallback = "bytes", .choices = flow_sizes},
    a_time("period", "3600s", 1),
    {.name = "rounds", .kind = Kind::whole, .fallback = "1", .lowest = 1, .highest = 1'000'000'000},
    {.name = "file", .kind = Kind::name},
    a_time("start", "0"),
    a_time("stop", "3600s", 1),
    {.name = "ecn", .kind = Kind::boolean, .fallback = "false"},
    {.name = "dscp", .kind = Kind::whole, .highest = 63},
    {.name = "format", .kind = Kind::choice, .fallback = "ethernet", .choices = formats},
    {.name = "payload", .kind = Kind::size, .fallback = "1344B", .highest = 1344},
    {.name = "tagged", .kind = Kind::boolean, .fallback = "true"},
    {.name = "traffic_class", .kind = Kind::whole, .fallback = "0", .highest = 255},
    {.name = "transport", .kind = Kind::choice, .fallback = "datagram", .choices = transports},
    a_time("timeout", "1ms", microsecond),
});

// Columns of a trace.
inline constexpr auto trace = std::to_array<Key>({
    {.name = "time", .kind = Kind::time, .required = true, .highest = longest_run},
    a_name("from"),
    a_name("to"),
    {.name = "bytes",
     .kind = Kind::whole,
     .required = true,
     .lowest = 1,
     .highest = longest_message},
    {.name = "priority", .kind = Kind::whole, .required = true, .highest = 7},
});

}  // namespace sluice::sim::keys
