// Exposition: every family of metric_family.h as text for Prometheus: OpenMetrics 1.0 for who asks
// for it by name, as Prometheus does, and for others its older text format 0.0.4, which `promtool
// check metrics` reads. They differ in what counters and info are called where their type is told.
//
// Bound: a line a family and a combination of labels; a family without a value says
// only what it is.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "control/show/snapshot.h"

namespace sluice::control::http {

enum class Dialect : uint8_t { openmetrics, text };

std::string_view content_type(Dialect dialect);

// `look` says of a noun what there is; each is asked for once.
std::string exposition(Dialect dialect, const std::function<Json(std::string_view noun)>& look);

}  // namespace sluice::control::http
