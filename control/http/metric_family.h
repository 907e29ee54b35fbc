// MetricFamily: one metric as Prometheus names it (a metric family): its name, type, unit and
// help, and where in the JSON of `sluice show` its values stand. `families()` returns all of them;
// metrics.md documents them. Those of counters that ../show/counter_rows.h has are rows there.
//
// Names and units follow Prometheus: octets are called bytes, times are in seconds, shares are
// ratios from 0 to 1, and what never decreases is a counter.
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
    std::string_view key;  // in the row of JSON
};

struct MetricFamily {
    std::string_view name;  // without the suffix of its type, such as _total
    Type type = Type::gauge;
    std::string_view unit = {};  // the last word of the name, such as bytes; empty: none
    std::string_view help = {};

    std::string_view noun = {};  // of nouns.h; or `totals` (site.h)
    std::string_view rows = {};  // JSON pointer from the noun to its rows; empty: the noun itself
    std::string_view key = {};   // JSON pointer from a row to the value; where it is a list, its
                                 // length counts; of a histogram, the sum, beside `buckets`
    std::span<const Label> labels = {};
    double divisor = 1;              // 1e9 makes seconds of nanoseconds
    std::string_view equal_to = {};  // for text: the value is 1 if it is this, else 0
    Combine combine = Combine::sum;
};

std::span<const MetricFamily> families();

}  // namespace sluice::control::http
