// Api: the control socket: a local stream socket that answers one JSON request a line.
//
// Bound: `most_clients` at a time, and each a fixed memory (connection.h). Nobody is waited for:
// one that takes and sends nothing for `patience` is let go. Feeds are asked for more every
// `feeding_period` while there are any. The file is 0660 and goes when this
// goes, unless another has taken its place. One that a killed daemon left is replaced; one that
// somebody answers on is not, and we answer until our file is gone. Not kept apart: two that start
// in the same instant, where a killed one left its file.
// Not done here: what the requests mean.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "control/clients.h"
#include "control/connection.h"
#include "control/loop.h"

namespace sluice::control {

class Api {
  public:
    static constexpr std::size_t most_clients = 16;
    static constexpr std::chrono::seconds patience{30};
    static constexpr std::chrono::milliseconds feeding_period{5};

    // Failing, says what is wrong and what would be right.
    static tl::expected<std::unique_ptr<Api>, std::string> listen(Loop& loop, std::string path,
                                                                  Answer answer);
    Api(const Api&) = delete;
    Api& operator=(const Api&) = delete;
    ~Api();

  private:
    Api(Loop& loop, int socket, std::string path, Answer answer);
    void remove_file() const;
    void accept_one();

    int socket_;
    std::string path_;
    dev_t device_ = 0;  // of the file that we made there
    ino_t inode_ = 0;
    Answer answer_;
    Loop::SourcePointer arrivals_;
    std::optional<Clients<Connection>> clients_;
};

}  // namespace sluice::control
