// Reply: one line that answers a request: `{"status": 0, "result": ...}`, or
// `{"status": 1 or 2, "errors": [...]}` with one message for each error. The status is the exit
// status of `sluice`.
// Bound: always valid JSON on one line, whatever text it contains.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sluice::control {

enum class Status : uint8_t { done = 0, failed = 1, wrong_input = 2 };

inline std::string on_one_line(const nlohmann::ordered_json& reply) {
    return reply.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}
inline std::string success(nlohmann::ordered_json result) {
    return on_one_line({{"status", Status::done}, {"result", std::move(result)}});
}
inline std::string refusal(Status status, const std::vector<std::string>& errors) {
    return on_one_line({{"status", status}, {"errors", errors}});
}

}  // namespace sluice::control
