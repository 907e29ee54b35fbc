// Checksum: computes and checks the checksum of a JSON object in text form. The checksum is the
// first key of the object, `{"checksum": "0123456789abcdef", ...}`, and covers all text after that
// key. The checksum detects any change within one octet, and all but one in 2^64 of other changes.
// It protects from accidents, such as failing disks, not from attacks.
#pragma once

#include <string>
#include <string_view>

namespace sluice::control {

// Returns the object with its checksum. The text `json` begins with a brace.
std::string with_checksum(std::string_view json);

enum class Checksum { missing, right, wrong };
Checksum checksum_of(std::string_view json);

}  // namespace sluice::control
