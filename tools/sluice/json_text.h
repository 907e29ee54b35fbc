// Json text: prints a value as JSON without terminal control characters.
//
// JSON requires escapes only for control characters below U+0020. DEL and U+0080 to U+009F, one of
// which starts terminal commands, are escaped here as well; programs read the same value.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace sluice::cli {

// `indent`: blanks for each level; -1: one line.
std::string json_text(const nlohmann::ordered_json& value, int indent);

}  // namespace sluice::cli
