#include "control/socket/access.h"

#include <fmt/format.h>
#include <grp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <system_error>
#include <utility>

#include "control/socket/reply.h"
#include "control/socket/request.h"

namespace sluice::control {

std::optional<ClientIdentity> identity_of(int socket) {
    ucred process{};
    socklen_t size = sizeof process;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &process, &size) != 0) return std::nullopt;
    ClientIdentity client{.user = process.uid, .groups = {}};
    // If the buffer is too small, getsockopt sets `octets` to the required length.
    socklen_t octets = 0;
    while (getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, client.groups.data(), &octets) != 0) {
        if (errno != ERANGE) return std::nullopt;
        client.groups.resize(octets / sizeof(gid_t));
    }
    client.groups.resize(octets / sizeof(gid_t));
    client.groups.push_back(process.gid);
    return client;
}

Access access_of(const ClientIdentity& client, const SocketFile& file, gid_t readers) {
    const auto is_in = [&](gid_t group) {
        return std::ranges::find(client.groups, group) != client.groups.end();
    };
    if (client.user == 0 || client.user == file.owner || is_in(file.group)) return Access::all;
    return is_in(readers) ? Access::show : Access::none;
}

tl::expected<gid_t, std::string> group_called(const std::string& name) {
    gid_t number = 0;
    const char* const end = name.data() + name.size();
    const auto read = std::from_chars(name.data(), end, number);
    if (read.ec == std::errc{} && read.ptr == end) return number;
    std::array<char, 65536> room{};  // room for the names of all members of the group
    group entry{};
    group* found = nullptr;
    const int error = getgrnam_r(name.c_str(), &entry, room.data(), room.size(), &found);
    if (found != nullptr) return found->gr_gid;
    return tl::unexpected(
        error == ERANGE
            ? fmt::format("control.readers: group {} has too many members; write its number", name)
            : fmt::format("control.readers: there is no group {}; make it by `groupadd --system "
                          "{}`, or name another",
                          name, name));
}

Answer answer_for_readers(Answer answer, const std::string& group) {
    return [answer = std::move(answer), group](std::string_view line, const Reply& reply) {
        const auto request = parse_request(line);
        if (!request || std::holds_alternative<ShowRequest>(*request)) return answer(line, reply);
        reply(refusal(Status::failed,
                      {fmt::format("sluiced: group {} (control.readers) may only use show; run "
                                   "this as root, or as a member of the socket's group",
                                   group)}));
    };
}

}  // namespace sluice::control
