// MetricFamily: one metric as Prometheus names it (a metric family): its name, type, unit and help,
// and where its values are in the JSON of `sluice show`. `families()` returns all of them;
// metrics.md documents them. The families of counters in ../show/counter_rows.h are rows of that
// table.
//
// Names and units follow Prometheus: octets are called bytes, times are in seconds, shares are
// ratios from 0 to 1, and a value that never decreases is a counter.
// Bound: labels are ports, priorities, workers, drop reasons, DCBX features, VLANs and EVPN
// networks, as the configuration and the program name them, and nothing that a peer sends.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sluice::control::http {

enum class Type : uint8_t { counter, gauge, info, histogram };
// How the values of several rows with the same labels are combined.
enum class Combine : uint8_t { sum, max };

struct Label {
    std::string_view name;
    std::string_view key;  // name of the label's value in the row of JSON
};

struct MetricFamily {
    std::string_view name;  // the name without the suffix of its type, such as _total
    Type type = Type::gauge;
    std::string_view unit = {};  // last word of the name, such as bytes; empty: none
    std::string_view help = {};

    std::string_view noun = {};  // noun of nouns.h, or `totals` (site.h)
    std::string_view rows = {};  // JSON pointer from the noun to its rows; empty: the noun itself
    // JSON pointer from a row to the value. If the pointer leads to a list, the value is the list's
    // length. In a histogram the pointer leads to the sum, and the row also has `buckets`.
    std::string_view key = {};
    std::span<const Label> labels = {};
    double divisor = 1;              // 1e9 converts nanoseconds to seconds
    std::string_view equal_to = {};  // for a text: the value is 1 if the row has this text, else 0
    Combine combine = Combine::sum;
};

std::span<const MetricFamily> families();

}  // namespace sluice::control::http
