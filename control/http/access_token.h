// AccessToken: the secret that permits a client to read; it is kept in a file of its own.
//
// A program sends the token itself (`Authorization: Bearer TOKEN`, RFC 6750); a browser, which
// prompts for a name and a password, sends it as the password (Basic, RFC 7617), with any name.
// Bound: 16 to 256 octets of letters, digits and - . _ ~ + / =; a file that users other than its
// owner and group may read is refused. A comparison takes the same time however many octets match;
// only the length matters. Read once, at the start.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace sluice::control::http {

class AccessToken {
  public:
    static constexpr std::size_t shortest = 16;
    static constexpr std::size_t longest = 256;

    // Reads the token. An error describes what is wrong with the file and what is allowed.
    static tl::expected<AccessToken, std::string> read(const std::string& path);
    explicit AccessToken(std::string secret) : secret_(std::move(secret)) {}

    // Whether this value of the Authorization field has the token.
    [[nodiscard]] bool opens(std::string_view authorization) const;

  private:
    [[nodiscard]] bool is(std::string_view other) const;

    std::string secret_;
};

// Returns the decoded text; empty if the text is not base64 (RFC 4648).
std::optional<std::string> from_base64(std::string_view text);

}  // namespace sluice::control::http
