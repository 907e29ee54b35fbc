// Access: what a client of the control socket may do, by the user and the groups with which it
// connected, as the kernel says (SO_PEERCRED, SO_PEERGROUPS).
//
// Where no group of readers is named, the mode of the socket's file says it all: its owner and its
// group do everything, and others do not get in. With one everybody may connect, and this tells
// apart: root, the file's owner and its group do everything, readers `show`, and others are turned
// away. The file's owner and group are those of the moment, so `chgrp` on it is obeyed.
// Bound: groups are read once for each client, however many it has.
// Not done here: who is in a group, which the machine's user database says when a client logs in.
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
    std::vector<gid_t> groups;  // all, with that of its process
};
// Of who connected `socket`. Nothing: the kernel does not say.
std::optional<ClientIdentity> identity_of(int socket);

struct SocketFile {
    uid_t owner = 0;
    gid_t group = 0;
};
Access access_of(const ClientIdentity& client, const SocketFile& file, gid_t readers);

// By its name, or its number. Failing, says what would be right.
tl::expected<gid_t, std::string> group_called(const std::string& name);

// Answers `show` as `answer` does, and refuses all else.
Answer answer_for_readers(Answer answer, const std::string& group);

}  // namespace sluice::control
