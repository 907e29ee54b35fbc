// Checksum: of a JSON object as text, as its first key, `{"checksum": "0123456789abcdef", ...}`; it
// is of all that follows the key. Any change within one octet is found, so any single bit; others
// but for one in 2^64. It keeps off accidents, such as disks that forget, and nobody's ill will.
#pragma once

#include <string>
#include <string_view>

namespace sluice::control {

// `json`: an object, whose text begins with a brace.
std::string with_checksum(std::string_view json);

enum class Checksum { missing, right, wrong };
Checksum checksum_of(std::string_view json);

}  // namespace sluice::control
