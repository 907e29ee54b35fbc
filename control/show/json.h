// Json: the type of answers to `show`. It keeps keys in the order in which they were added.
#pragma once

#include <nlohmann/json.hpp>

namespace sluice::control {

using Json = nlohmann::ordered_json;

}  // namespace sluice::control
