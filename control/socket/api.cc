#include "control/socket/api.h"

#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "control/socket/reply.h"

namespace sluice::control {

namespace {

sockaddr_un address_of(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    return address;
}

const sockaddr* generic(const sockaddr_un& address) {
    return reinterpret_cast<const sockaddr*>(&address);
}

std::string failure(const std::string& path, std::string_view what, std::string_view remedy) {
    return fmt::format("control.socket: {}: {}; {}", path, what, remedy);
}

void refuse(int client, std::string why) {
    const std::string reply = refusal(Status::failed, {std::move(why)}) + '\n';
    // Best effort: the reply fits an empty socket buffer; otherwise it is lost.
    [[maybe_unused]] const auto sent =
        send(client, reply.data(), reply.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

// Makes room for a socket at `path`. Returns why this is impossible; empty: there is room.
std::string clear_the_way(const std::string& path) {
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0) return {};
    if (!S_ISSOCK(status.st_mode)) {
        return failure(path, "is there and is no socket", "another path, or remove it");
    }
    if (Api::somebody_answers(path)) {
        return failure(path, "another sluiced answers there",
                       "stop it, or give this one another path");
    }
    unlink(path.c_str());
    return {};
}

}  // namespace

bool Api::somebody_answers(const std::string& path) {
    const int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const sockaddr_un address = address_of(path);
    // EAGAIN: the queue of the listening socket is full, so a daemon answers there.
    const bool answers = connect(probe, generic(address), sizeof address) == 0 || errno == EAGAIN;
    close(probe);
    return answers;
}

tl::expected<std::unique_ptr<Api>, std::string> Api::listen(Loop& loop, std::string path,
                                                            Answer answer,
                                                            std::function<bool()> make_room,
                                                            const std::string& readers) {
    std::optional<Readers> who;
    if (!readers.empty()) {
        const auto group = group_called(readers);
        if (!group) return tl::unexpected(group.error());
        who = Readers{.group = *group, .answer = answer_for_readers(answer, readers)};
    }
    if (std::string why = clear_the_way(path); !why.empty()) return tl::unexpected(why);
    const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const sockaddr_un address = address_of(path);
    // The mode is set by umask, because it has to be in effect before a client can connect.
    const mode_t before = umask(who ? 0111 : 0117);
    const bool bound = bind(listener, generic(address), sizeof address) == 0;
    const int reason = errno;
    umask(before);
    if (!bound || ::listen(listener, static_cast<int>(most_clients)) != 0) {
        close(listener);
        return tl::unexpected(failure(path, std::strerror(bound ? errno : reason),
                                      "a path in a directory that may be written to"));
    }
    return std::unique_ptr<Api>(new Api(loop, listener, std::move(path), std::move(answer),
                                        std::move(who), std::move(make_room)));
}

Api::Api(Loop& loop, int socket, std::string path, Answer answer, std::optional<Readers> readers,
         std::function<bool()> make_room)
    : socket_(socket),
      path_(std::move(path)),
      answer_(std::move(answer)),
      readers_(std::move(readers)),
      clients_(std::in_place, loop, idle_timeout, feed_period) {
    struct stat made {};
    if (lstat(path_.c_str(), &made) == 0) device_ = made.st_dev, inode_ = made.st_ino;
    const auto turn_away = [](int client) {
        refuse(
            client,
            "sluiced: no descriptor is left for it; try again, or raise LimitNOFILE (ulimit -n)");
    };
    acceptor_.emplace(loop, socket_, reserve,
                      Acceptor::Hooks{.came = [this](int client) { add(client); },
                                      .turn_away = turn_away,
                                      .make_room = std::move(make_room)});
}

Api::~Api() {
    clients_.reset();
    acceptor_.reset();
    // The order matters: as long as this socket answers, a successor does not replace the file.
    remove_file();
    close(socket_);
}

void Api::remove_file() const {
    struct stat there {};
    if (lstat(path_.c_str(), &there) != 0) return;
    if (there.st_dev == device_ && there.st_ino == inode_) unlink(path_.c_str());
}

// Returns the rights of a client. A client has no rights while the socket's file belongs to another
// daemon.
Access Api::access_of_client(int socket) const {
    if (!readers_) return Access::all;
    struct stat file {};
    const auto client = identity_of(socket);
    if (!client || lstat(path_.c_str(), &file) != 0) return Access::none;
    if (file.st_dev != device_ || file.st_ino != inode_) return Access::none;
    return access_of(*client, {.owner = file.st_uid, .group = file.st_gid}, readers_->group);
}

void Api::add(int socket) {
    const Access access = access_of_client(socket);
    if (access == Access::none) {
        refuse(socket,
               "sluiced: this user may not ask; as root, or in the socket's group, all is "
               "answered, and `show` to the group that control.readers names");
        close(socket);
        return;
    }
    if (clients_->count() >= most_clients) {
        refuse(socket, fmt::format("sluiced: serves {} clients already; close one of them, such as "
                                   "a `sluice top`",
                                   most_clients));
        close(socket);
        return;
    }
    if (access == Access::show) return add_reader(socket);
    clients_->add(socket, [&](std::function<void()> replied) {
        return std::make_unique<Connection>(socket, answer_, std::move(replied));
    });
}

// Limits the clients that may only `show`, so that connections are left for clients with all
// rights.
void Api::add_reader(int socket) {
    const auto connected = static_cast<std::size_t>(readers_->each.use_count()) - 1;
    if (connected >= most_readers) {
        refuse(socket,
               fmt::format("sluiced: serves {} readers already; close one of them", most_readers));
        close(socket);
        return;
    }
    clients_->add(socket, [&](std::function<void()> replied) {
        return std::make_unique<Connection>(
            socket, readers_->answer,
            [replied = std::move(replied), held = readers_->each] { replied(); });
    });
}

}  // namespace sluice::control
