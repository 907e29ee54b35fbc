// MetricFamily: one metric (of Prometheus, a metric family): what it is called, what it tells, and
// where in what `sluice show` says it is found. `families` are all there are; metrics.md is their
// page.
//
// Names and units are Prometheus': octets are bytes, times seconds, shares ratios from 0 to 1; what
// only grows is a counter.
// Bound of labels: ports, priorities, workers, reasons of drops, features of DCBX and networks of
// EVPN, all of them fixed when the switch starts; nothing that a frame or a peer says is a label.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sluice::control::http {

enum class Type : uint8_t { counter, gauge, info, histogram };
// What several rows with the same labels make together.
enum class Together : uint8_t { sum, most };

struct Label {
    std::string_view name;
    std::string_view key;  // of the row
};

struct MetricFamily {
    std::string_view name;  // without what its type appends
    Type type = Type::gauge;
    std::string_view unit = {};  // which the name ends with; or it has none
    std::string_view help = {};

    std::string_view noun = {};  // of nouns.h; or `totals` (site.h)
    std::string_view rows = {};  // a JSON pointer to them there; nothing: the noun itself
    std::string_view key = {};   // a JSON pointer to the value in a row; of a list, its length; of
                                 // a histogram, its sum, beside `buckets`
    std::span<const Label> labels = {};
    double per = 1;                // the value is divided by it
    std::string_view equals = {};  // the value is 1 where the text is this, else 0
    Together together = Together::sum;
};

std::span<const MetricFamily> families();

}  // namespace sluice::control::http
