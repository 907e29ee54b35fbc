#include "config/yaml/origin.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace sluice::config {

namespace {

constexpr std::size_t longest_name = 253;  // of DNS

bool is_host(std::string_view text) {
    const bool letters = std::ranges::all_of(text, [](char each) {
        return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') || each == '-' ||
               each == '.';
    });
    return letters && !text.empty() && text.size() <= longest_name && !text.starts_with('.') &&
           !text.starts_with('-') && text.find("..") == std::string_view::npos;
}

// One that is the scheme's own no browser writes.
bool is_port(std::string_view text, uint16_t usual) {
    uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    return error == std::errc() && end == text.data() + text.size() && !text.starts_with('0') &&
           port != usual;
}

}  // namespace

bool is_origin(std::string_view text) {
    constexpr std::string_view plain = "http://";
    constexpr std::string_view secure = "https://";
    const bool is_secure = text.starts_with(secure);
    if (!is_secure && !text.starts_with(plain)) return false;
    text.remove_prefix(is_secure ? secure.size() : plain.size());
    const std::size_t colon = std::min(text.find(':'), text.size());
    if (!is_host(text.substr(0, colon))) return false;
    return colon == text.size() || is_port(text.substr(colon + 1), is_secure ? 443 : 80);
}

}  // namespace sluice::config
