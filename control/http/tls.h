// Tls: HTTP through TLS 1.2 and 1.3 (RFC 8446), by OpenSSL and its defaults for a server.
//
// The certificate and its key are read once, at the start, with the privileges that the program has
// then. A handshake runs in the control loop, step by step as octets arrive; it costs some hundred
// microseconds with an elliptic key, about a millisecond with RSA.
// Bound: OpenSSL's memory of one connection, some 40 KiB, which it frees between records. No
// renegotiation, no session kept, no early data, no client certificates.
#pragma once

#include <memory>
#include <string>
#include <tl/expected.hpp>

#include "control/http/channel.h"

struct ssl_ctx_st;

namespace sluice::control::http {

class Tls {
  public:
    // Reads certificate and key. An error describes what is wrong with which file and what is
    // allowed.
    static tl::expected<std::shared_ptr<Tls>, std::string> load(const std::string& certificate,
                                                                const std::string& key);
    Tls(const Tls&) = delete;
    Tls& operator=(const Tls&) = delete;
    ~Tls();

    // Returns the server's end of a connection; the caller keeps the socket. Null: no memory.
    [[nodiscard]] std::unique_ptr<Channel> channel(int socket) const;

  private:
    explicit Tls(ssl_ctx_st* context) : context_(context) {}

    ssl_ctx_st* context_;
};

}  // namespace sluice::control::http
