#include "config/yaml/origin.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>

#include "config/yaml/endpoint.h"

namespace sluice::config {

namespace {

constexpr std::size_t longest_name = 253;  // the longest name of DNS

bool is_digits(std::string_view text) {
    return std::ranges::all_of(text, [](char each) { return each >= '0' && each <= '9'; });
}

bool is_hex(std::string_view text) {
    return text.starts_with("0x") && std::ranges::all_of(text.substr(2), [](char each) {
               return (each >= '0' && each <= '9') || (each >= 'a' && each <= 'f');
           });
}

// A browser interprets a name whose last part is a number as an IPv4 address (URL Standard, 3.5):
// the browser converts `127.1` to `127.0.0.1` and refuses invalid addresses. Only a complete
// address is sure to stay as it is written.
bool is_number_at_end(std::string_view text) {
    if (text.ends_with('.')) text.remove_suffix(1);
    const std::string_view last = text.substr(text.rfind('.') + 1);
    return is_digits(last) || is_hex(last);
}

bool is_host(std::string_view text) {
    if (is_number_at_end(text)) return !ip_address(std::string(text)).empty();
    const bool letters = std::ranges::all_of(text, [](char each) {
        return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') || each == '-' ||
               each == '.';
    });
    return letters && !text.empty() && text.size() <= longest_name && !text.starts_with('.') &&
           !text.starts_with('-') && text.find("..") == std::string_view::npos;
}

// The scheme's default port is refused, as browsers leave it out of the origin.
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
