// Openapi: describes the HTTP server by a document of OpenAPI 3.1, from which programs make clients
// and pages. The nouns are those of show/nouns.h, so a new noun is included automatically.
//
// Bound: some 15 KB, made for each request. The document does not list the keys of answers;
// control/nouns.md does.
#pragma once

#include <string_view>

#include "control/show/json.h"

namespace sluice::control::http {

inline constexpr std::string_view openapi_path = "/api/openapi.json";

Json openapi();

}  // namespace sluice::control::http
