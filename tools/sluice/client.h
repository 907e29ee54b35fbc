// Client: one connection to sluiced, one request and its reply at a time.
//
// Bound: waits 10 s for a reply, and takes up to 64 MiB of one.
// The protocol is control/README.md's.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "tools/sluice/table.h"

namespace sluice::cli {

// The default of `control.socket`.
inline constexpr std::string_view default_socket = "/run/sluice/sluice.sock";

// What to tell the person, a line each, and what to exit with.
struct Failure {
    int status = 1;
    std::vector<std::string> lines;
};

class Client {
  public:
    static tl::expected<Client, Failure> connect(const std::string& path);
    Client(Client&& other) noexcept;
    Client& operator=(Client&&) = delete;
    ~Client();

    // The `result` of the reply.
    tl::expected<Json, Failure> ask(const Json& request);

  private:
    Client(int socket, std::string path) : socket_(socket), path_(std::move(path)) {}
    [[nodiscard]] tl::unexpected<Failure> lost(std::string_view what) const;

    int socket_;
    std::string path_;
    std::string received_;
};

}  // namespace sluice::cli
