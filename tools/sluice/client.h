// Client: one connection to sluiced, one request and its reply at a time.
//
// Bound: waits 10 s for a reply, or for a time that the caller sets, and accepts up to 64 MiB of a
// reply, and 32 levels of nesting. The peer of the socket is not trusted: commands.h escapes its
// texts, and the peer cannot choose the exit status.
// control/README.md has the protocol.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "tools/sluice/reply.h"

namespace sluice::cli {

// The default of `control.socket`.
inline constexpr std::string_view default_socket = "/run/sluice/sluice.sock";

class Client {
  public:
    static constexpr std::chrono::milliseconds usual_patience{10'000};

    static tl::expected<Client, Failure> connect(
        const std::string& path, std::chrono::milliseconds patience = usual_patience);
    Client(Client&& other) noexcept;
    Client& operator=(Client&&) = delete;
    ~Client();

    // Extends the time limit of replies by `longer`, for requests that take time.
    void be_patient_for(std::chrono::seconds longer);
    // Returns the `result` of the reply, or why the request was refused.
    tl::expected<Json, Failure> ask(const Json& request);
    // Returns the next octets of a stream, if the last reply announces one; an empty text after a
    // signal.
    tl::expected<std::string, Failure> more();
    // Ends the requests. Outstanding replies can still be read.
    void say_no_more();

  private:
    Client(int socket, std::string path, std::chrono::milliseconds patience)
        : socket_(socket), path_(std::move(path)), patience_(patience) {}
    [[nodiscard]] tl::unexpected<Failure> lost(std::string_view what) const;

    int socket_;
    std::string path_;
    std::chrono::milliseconds patience_;
    std::string received_;
};

}  // namespace sluice::cli
