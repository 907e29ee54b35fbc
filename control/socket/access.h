// Access: the rights of a client of the control socket, by the user and groups of the process that
// connected, as the kernel reports them (SO_PEERCRED, SO_PEERGROUPS).
//
// Without a group of readers, the mode of the socket's file decides: its owner and its group may do
// everything, and others cannot connect. With a group of readers any user may connect, and this
// code decides: root, the file's owner and its group may do everything, readers may `show`, and
// others are refused. The file's owner and group are read at each check, so `chgrp` takes effect.
// Bound: groups are read once for each client, however many it has.
// Not done here: membership in groups, which the machine's user database decides when a user logs
// in.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "control/socket/connection.h"

namespace sluice::control {

enum class Access : uint8_t { none, show, all };

struct ClientIdentity {
    uid_t user = 0;
    std::vector<gid_t> groups;  // all groups of the client, with the group of its process
};
// Returns the identity of the client that connected `socket`. Returns empty if the kernel does not
// report it.
std::optional<ClientIdentity> identity_of(int socket);

struct SocketFile {
    uid_t owner = 0;
    gid_t group = 0;
};
Access access_of(const ClientIdentity& client, const SocketFile& file, gid_t readers);

// Returns the group with this name or number, or an error that describes what is allowed.
tl::expected<gid_t, std::string> group_called(const std::string& name);

// Returns a function that answers `show` by `answer`, and refuses all other requests.
Answer answer_for_readers(Answer answer, const std::string& group);

}  // namespace sluice::control
