#include "tools/sluice/json_text.h"

#include <fmt/format.h>

namespace sluice::cli {

std::string json_text(const nlohmann::ordered_json& value, int indent) {
    const std::string dumped =
        value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    std::string text;
    text.reserve(dumped.size());
    const auto octet = [&](std::size_t at) {
        return at < dumped.size() ? static_cast<unsigned char>(dumped[at]) : 0U;
    };
    // DEL and U+0080 to U+009F occur only within the strings of the JSON.
    for (std::size_t at = 0; at < dumped.size(); ++at) {
        if (octet(at) == 0x7F) {
            text += "\\u007f";
        } else if (octet(at) == 0xC2 && octet(at + 1) < 0xA0) {
            text += fmt::format("\\u{:04x}", octet(++at));  // C2 80 to C2 9F
        } else {
            text += dumped[at];
        }
    }
    return text;
}

}  // namespace sluice::cli
