#include "control/lldp/text.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sluice::lldp {

namespace {

struct Character {
    uint32_t code = 0;
    std::size_t octets = 0;  // 0: not valid UTF-8
};

// Decodes the first character (RFC 3629): no overlong forms, no surrogates, nothing above U+10FFFF.
Character first_of(std::string_view text) {
    constexpr std::array<uint32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
    const auto octet = [&](std::size_t at) { return static_cast<uint8_t>(text[at]); };
    const uint8_t first = octet(0);
    if (first < 0x80) return {first, 1};
    const std::size_t octets = first >> 5 == 0b110     ? 2
                               : first >> 4 == 0b1110  ? 3
                               : first >> 3 == 0b11110 ? 4
                                                       : 0;
    if (octets == 0 || text.size() < octets) return {};
    uint32_t code = first & (0x7FU >> octets);
    for (std::size_t at = 1; at < octets; ++at) {
        if (octet(at) >> 6 != 0b10) return {};
        code = code << 6 | (octet(at) & 0x3FU);
    }
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (code < smallest[octets] || code > 0x10FFFF || surrogate) return {};
    return {code, octets};
}

bool is_printable(uint32_t code) {
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    const bool line_or_direction =
        (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
        (code >= 0x2060 && code <= 0x2069) || code == 0x061C || code == 0xFEFF;
    return !control && !line_or_direction;
}

std::string_view as_text(std::span<const uint8_t> octets) {
    return {reinterpret_cast<const char*>(octets.data()), octets.size()};
}

std::string in_hexadecimal(std::span<const uint8_t> octets) {
    return fmt::format("{:02x}", fmt::join(octets, ":"));
}

std::string network_address(uint8_t family, std::span<const uint8_t> octets) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    const bool ipv4 = family == ipv4_family && octets.size() == 4;
    const bool ipv6 = family == ipv6_family && octets.size() == 16;
    if (!ipv4 && !ipv6) return in_hexadecimal(octets);
    return ::inet_ntop(ipv4 ? AF_INET : AF_INET6, octets.data(), text.data(), text.size());
}

std::string id_text(std::span<const uint8_t> id, uint8_t mac, uint8_t network) {
    const std::span<const uint8_t> octets = id.subspan(1);
    if (id[0] == mac) return in_hexadecimal(octets);
    if (id[0] == network && octets.size() > 1) return network_address(octets[0], octets.subspan(1));
    return printable(as_text(octets));
}

template <std::size_t count>
std::string_view subtype_name(std::span<const uint8_t> id,
                              const std::array<std::string_view, count>& names) {
    return names[id[0] < count ? id[0] : 0];
}

}  // namespace

std::string printable(std::string_view text) {
    while (text.ends_with('\0')) text.remove_suffix(1);
    std::string result;
    while (!text.empty()) {
        const Character character = first_of(text);
        const std::size_t octets = character.octets == 0 ? 1 : character.octets;
        if (character.code == '\\' && character.octets == 1) {
            result += R"(\\)";  // otherwise a name could contain a false escape sequence
        } else if (character.octets != 0 && is_printable(character.code)) {
            result += text.substr(0, octets);
        } else {
            for (const char octet : text.substr(0, octets)) {
                result += fmt::format("\\x{:02X}", static_cast<uint8_t>(octet));
            }
        }
        text.remove_prefix(octets);
    }
    return result;
}

std::string chassis_text(std::span<const uint8_t> chassis_id) {
    return id_text(chassis_id, static_cast<uint8_t>(ChassisIdSubtype::mac_address),
                   static_cast<uint8_t>(ChassisIdSubtype::network_address));
}

std::string port_text(std::span<const uint8_t> port_id) {
    return id_text(port_id, static_cast<uint8_t>(PortIdSubtype::mac_address),
                   static_cast<uint8_t>(PortIdSubtype::network_address));
}

std::string_view chassis_id_subtype_name(std::span<const uint8_t> chassis_id) {
    return subtype_name(chassis_id, chassis_id_subtypes);
}

std::string_view port_id_subtype_name(std::span<const uint8_t> port_id) {
    return subtype_name(port_id, port_id_subtypes);
}

std::string address_text(const ManagementAddress& address) {
    return network_address(address.family, address.address);
}

}  // namespace sluice::lldp
