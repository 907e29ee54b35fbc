// Json text: a value as JSON that no terminal obeys.
//
// JSON asks for an escape of the control characters below U+0020 only. DEL and those from U+0080 to
// U+009F, of which one begins a terminal's commands, are escaped here as well: programs read the
// same.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace sluice::cli {

// `indent`: of a level; -1: on one line.
std::string json_text(const nlohmann::ordered_json& value, int indent);

}  // namespace sluice::cli
