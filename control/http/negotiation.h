// Negotiation: which text format a client of /metrics gets, by its Accept field (RFC 9110 12.5.1).
//
// OpenMetrics 1.0.0 and Prometheus' text format 0.0.4 are offered. Each gets the quality of the
// most specific media range that matches it; types are compared without case, and a `version` has
// to be the offered one. With equal qualities OpenMetrics is sent if the client named it, otherwise
// text. If neither is acceptable, text is sent nevertheless, as the RFC allows.
// Bound: one pass over the field, which is no longer than a request head (`longest_head`).
// Parameters other than q and version are ignored; `escaping` would not change the names of these
// metrics.
#pragma once

#include <string_view>

#include "control/http/exposition.h"

namespace sluice::control::http {

TextFormat format_for(std::string_view accept);

}  // namespace sluice::control::http
