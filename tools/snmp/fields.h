// Fields: reads rows of `sluice show --json` without trusting their sender: a key that is missing,
// null or of another kind reads as empty or 0.
//
// Bound: texts are cut to 255 octets, the longest that the MIBs here know.
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
// An empty list where there is none.
const Json& list_at(const Json& row, const char* key);

// 02:00:00:00:00:01; the number of its 48 bits.
std::optional<uint64_t> parse_mac(std::string_view text);
std::string mac_octets(uint64_t address);
// 192.0.2.1 or 2001:db8::1 as 4 or 16 octets; none: it is no address.
std::optional<std::string> ip_octets(const std::string& text);
// Returns the original of a text that control/lldp/text.h has escaped.
std::string unescaped(std::string_view text);
// The same for a key of a row; the text is cut after unescaping, so that no escape is cut in two.
std::string unescaped_at(const Json& row, const char* key);

}  // namespace sluice::snmp
