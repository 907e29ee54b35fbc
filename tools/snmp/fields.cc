#include "tools/snmp/fields.h"

#include <arpa/inet.h>

#include <array>
#include <charconv>

#include "config/yaml/values.h"

namespace sluice::snmp {

namespace {

const Json* find(const Json& row, const char* key) {
    if (!row.is_object()) return nullptr;
    const auto found = row.find(key);
    return found == row.end() ? nullptr : &*found;
}

std::string_view whole_text_at(const Json& row, const char* key) {
    const Json* value = find(row, key);
    if (value == nullptr || !value->is_string()) return {};
    return value->get_ref<const std::string&>();
}

}  // namespace

std::string text_at(const Json& row, const char* key) {
    return std::string(whole_text_at(row, key).substr(0, longest_text));
}

uint64_t number_at(const Json& row, const char* key) {
    const Json* value = find(row, key);
    if (value == nullptr || !value->is_number_integer()) return 0;
    const bool is_below_0 = !value->is_number_unsigned() && value->get<int64_t>() < 0;
    return is_below_0 ? 0 : value->get<uint64_t>();
}

bool truth_at(const Json& row, const char* key) {
    const Json* value = find(row, key);
    return value != nullptr && value->is_boolean() && value->get<bool>();
}

const Json& list_at(const Json& row, const char* key) {
    static const Json none = Json::array();
    const Json* value = find(row, key);
    return value != nullptr && value->is_array() ? *value : none;
}

std::optional<uint64_t> parse_mac(std::string_view text) {
    const auto address = config::parse_address(text);
    return address ? std::optional(static_cast<uint64_t>(*address)) : std::nullopt;
}

std::string mac_octets(uint64_t address) {
    std::string octets;
    for (int shift = 40; shift >= 0; shift -= 8) {
        octets += static_cast<char>(address >> shift & 0xFF);
    }
    return octets;
}

std::optional<std::string> ip_octets(const std::string& text) {
    for (const auto& [family, size] : {std::pair(AF_INET, 4U), std::pair(AF_INET6, 16U)}) {
        std::array<char, 16> octets{};
        if (inet_pton(family, text.c_str(), octets.data()) == 1) {
            return std::string(octets.data(), size);
        }
    }
    return std::nullopt;
}

std::string unescaped(std::string_view text) {
    std::string octets;
    while (!text.empty()) {
        std::size_t used = 1;
        char octet = text[0];
        unsigned number = 0;
        if (text.starts_with(R"(\\)")) {
            used = 2;
        } else if (text.starts_with(R"(\x)") && text.size() >= 4 &&
                   std::from_chars(&text[2], &text[2] + 2, number, 16).ptr == &text[2] + 2) {
            used = 4;
            octet = static_cast<char>(number);
        }
        octets += octet;
        text.remove_prefix(used);
    }
    return octets;
}

std::string unescaped_at(const Json& row, const char* key) {
    constexpr std::size_t longest_escape = 4;
    return unescaped(whole_text_at(row, key).substr(0, longest_escape * longest_text))
        .substr(0, longest_text);
}

}  // namespace sluice::snmp
