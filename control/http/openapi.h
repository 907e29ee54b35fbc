// Openapi: what the HTTP server answers, as a document of OpenAPI 3.1, for programs that make
// clients and pages of it. The nouns are those of show/nouns.h, so a new one is in it by itself.
//
// Bound: some 15 KB, made anew for each who asks. It does not say which keys an answer has: that is
// in control/README.md.
#pragma once

#include <string_view>

#include "control/show/json.h"

namespace sluice::control::http {

inline constexpr std::string_view openapi_path = "/api/openapi.json";

Json openapi();

}  // namespace sluice::control::http
