#include "control/state/checksum.h"

#include <fmt/format.h>

#include "dataplane/forward/hash.h"

namespace sluice::control {
namespace {

constexpr std::string_view checksum_key = R"({"checksum":")";
constexpr std::string_view checksum_end = R"(",)";
constexpr std::size_t checksum_digits = 16;

std::string sum_of(std::string_view rest) { return fmt::format("{:016x}", hash_of(rest, 0)); }

}  // namespace

std::string with_checksum(std::string_view json) {
    const std::string_view rest = json.substr(1);
    return fmt::format("{}{}{}{}", checksum_key, sum_of(rest), checksum_end, rest);
}

Checksum checksum_of(std::string_view json) {
    if (!json.starts_with(checksum_key)) return Checksum::missing;
    json.remove_prefix(checksum_key.size());
    if (json.size() < checksum_digits || !json.substr(checksum_digits).starts_with(checksum_end))
        return Checksum::wrong;
    const std::string_view rest = json.substr(checksum_digits + checksum_end.size());
    return json.substr(0, checksum_digits) == sum_of(rest) ? Checksum::right : Checksum::wrong;
}

}  // namespace sluice::control
