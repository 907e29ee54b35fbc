// Machine identity: a persistent number for this switch, computed from the machine's ID
// (machine-id(5), hashed for this use as systemd recommends) and the path of control's socket,
// since one machine may run several switches. On a machine without an ID, such as a container, the
// host name replaces the ID. Limit: a cloned machine has the same ID; `systemd-machine-id-setup`
// makes a new one.
#pragma once

#include <cstdint>
#include <string_view>

namespace sluice::control {

uint64_t machine_identity(std::string_view socket);

}  // namespace sluice::control
