// Exposition: every metric family of metric_family.h with its values, as text for Prometheus:
// OpenMetrics 1.0 for a client that requests that media type, as Prometheus does; for other clients
// the older Prometheus text format 0.0.4, which `promtool check metrics` reads. The two differ in
// the names of counters in HELP and TYPE lines, and in the type of info metrics.
//
// Bound: up to three lines for each family and one for each combination of labels (metric_family.h
// bounds those). A family without a value still has its HELP and TYPE lines.
// Not done here: reading the values (show/snapshot.h), choosing the format for a client (site.h).
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "control/show/snapshot.h"

namespace sluice::control::http {

enum class TextFormat : uint8_t { openmetrics, text };

std::string_view content_type(TextFormat format);

// Returns the text. `show` returns the snapshot of a noun; it is called at most once for each noun.
std::string exposition(TextFormat format, const std::function<Json(std::string_view noun)>& show);

}  // namespace sluice::control::http
