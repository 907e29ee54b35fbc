// Nulls: an answer of the switch with each of its values in turn being null, as a field is that
// there is none of.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace sluice {

// `visit(answer, which)`.
template <class Visit>
void for_each_null(const nlohmann::ordered_json& answer, Visit visit) {
    const auto values = answer.flatten();
    for (const auto& value : values.items()) {
        nlohmann::ordered_json changed = answer;
        changed[nlohmann::ordered_json::json_pointer(value.key())] = nullptr;
        visit(changed, value.key());
    }
}

}  // namespace sluice
