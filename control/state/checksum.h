// Checksum: the checksum of a JSON object in text form, as its first key, `{"checksum":
// "0123456789abcdef", ...}`. It covers all text after the key. It detects any change within one
// octet, and other changes except one in 2^64. It protects from accidents, such as failing disks,
// not from attacks.
#pragma once

#include <string>
#include <string_view>

namespace sluice::control {

// `json`: an object, whose text begins with a brace.
std::string with_checksum(std::string_view json);

enum class Checksum { missing, right, wrong };
Checksum checksum_of(std::string_view json);

}  // namespace sluice::control
