// Fields: reads rows of `sluice show --json` without trusting their sender: a key that is missing,
// null or of another kind reads as empty or 0.
//
// Bound: texts are cut to 255 octets, the longest of the MIBs here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tools/common/table.h"

namespace sluice::snmp {

using cli::Json;

inline constexpr std::size_t longest_text = 255;

std::string text_at(const Json& row, const char* key);
uint64_t number_at(const Json& row, const char* key);
bool truth_at(const Json& row, const char* key);
// Returns an empty list if the key has none.
const Json& list_at(const Json& row, const char* key);

// Returns the 48 bits of an address such as 02:00:00:00:00:01.
std::optional<uint64_t> parse_mac(std::string_view text);
std::string mac_octets(uint64_t address);
// Returns an address such as 192.0.2.1 or 2001:db8::1 as 4 or 16 octets; nothing if the text is no
// address.
std::optional<std::string> ip_octets(const std::string& text);
// Returns the original of a text that control/lldp/text.h has escaped.
std::string unescaped(std::string_view text);
// Returns the original text of a key, cut after unescaping, so that no escape is cut in two.
std::string unescaped_at(const Json& row, const char* key);

}  // namespace sluice::snmp
