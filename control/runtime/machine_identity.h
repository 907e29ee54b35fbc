// Machine identity: a number that is this switch's own and stays: of the machine's ID
// (machine-id(5), hashed for this use as systemd asks for) and of the socket that control listens
// on, since one machine may run several switches. A machine without that file, such as a container,
// has its host name in place of the ID.
// Not known: whether a machine was cloned with its ID; `systemd-machine-id-setup` makes another.
#pragma once

#include <cstdint>
#include <string_view>

namespace sluice::control {

uint64_t machine_identity(std::string_view socket);

}  // namespace sluice::control
