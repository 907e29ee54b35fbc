// Api: the control socket, a local stream socket: one JSON request a line, answered by one JSON
// line.
//
// The socket's file has mode 0660; with a group of readers 0666, and access.h decides about rights.
// A file that a killed daemon left behind is replaced; if a process answers on the socket, starting
// fails. At the end the file is removed before the socket is closed, unless another daemon has
// replaced it by its own. Two daemons that start at the same instant, after a killed one left its
// file, are not detected. Bound: `most_clients` at a time, at most `most_readers` of them with the
// right to show only, each with a fixed amount of memory (connection.h). A client that neither
// takes nor sends anything for `idle_timeout` is disconnected; no call waits. Feeds are polled for
// their next piece every `feed_period`. Not done here: handling requests.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "control/loop.h"
#include "control/socket/acceptor.h"
#include "control/socket/access.h"
#include "control/socket/clients.h"
#include "control/socket/connection.h"

namespace sluice::control {

class Api {
  public:
    static constexpr std::size_t most_clients = 16;
    static constexpr std::size_t most_readers = 8;
    static constexpr unsigned reserve = 4;  // descriptors that stay free for devices and files
    static constexpr std::chrono::seconds idle_timeout{30};
    static constexpr std::chrono::milliseconds feed_period{5};

    // Listens at `path`. On failure returns what is wrong and what is allowed. `make_room` closes a
    // less important connection when no descriptor is left for a client, and returns false if there
    // is nothing to close. `readers`: a group that may show; empty: none.
    static tl::expected<std::unique_ptr<Api>, std::string> listen(
        Loop& loop, std::string path, Answer answer,
        std::function<bool()> make_room = [] { return false; }, const std::string& readers = {});
    // Whether a daemon answers on the socket at `path` now.
    static bool somebody_answers(const std::string& path);
    Api(const Api&) = delete;
    Api& operator=(const Api&) = delete;
    ~Api();

  private:
    struct Readers {
        gid_t group;
        Answer answer;
        std::shared_ptr<int> each = std::make_shared<int>(0);  // each connected reader holds a copy
    };

    Api(Loop& loop, int socket, std::string path, Answer answer, std::optional<Readers> readers,
        std::function<bool()> make_room);
    void remove_file() const;
    void add(int socket);
    void add_reader(int socket);
    [[nodiscard]] Access access_of_client(int socket) const;

    int socket_;
    std::string path_;
    dev_t device_ = 0;  // device of the file that this object made
    ino_t inode_ = 0;
    Answer answer_;
    std::optional<Readers> readers_;
    std::optional<Acceptor> acceptor_;
    std::optional<Clients<Connection>> clients_;
};

}  // namespace sluice::control
