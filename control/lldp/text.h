// Text: what neighbours say, as it may be shown. They are strangers: what they send is neither
// trusted to be text nor to be harmless on a terminal or in JSON.
//
// Kept is printable UTF-8. Control characters, those that turn the direction of writing, and octets
// that are no UTF-8 are shown as \xNN, so what comes out is valid UTF-8 and stays on its line.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "control/lldp/lldpdu.h"

namespace sluice::lldp {

std::string shown(std::string_view text);

// Ids with their kind in front; addresses as people write them, the rest as text.
std::string chassis_text(std::span<const uint8_t> chassis_id);
std::string port_text(std::span<const uint8_t> port_id);
std::string_view kind_of_chassis(std::span<const uint8_t> chassis_id);  // `mac_address`, ...
std::string_view kind_of_port(std::span<const uint8_t> port_id);
std::string address_text(const ManagementAddress& address);

}  // namespace sluice::lldp
