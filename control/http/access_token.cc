#include "control/http/access_token.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>

#include "config/yaml/fault.h"
#include "config/yaml/text_file.h"
#include "control/http/tokens.h"

namespace sluice::control::http {

namespace {

bool is_letter_or_digit(char octet) {
    return (octet >= 'a' && octet <= 'z') || (octet >= 'A' && octet <= 'Z') ||
           (octet >= '0' && octet <= '9');
}

bool is_of_token(char octet) {
    return is_letter_or_digit(octet) || std::string_view("-._~+/=").find(octet) < 7;
}

int base64_digit(char octet) {
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t found = digits.find(octet);
    return found == std::string_view::npos ? -1 : static_cast<int>(found);
}

}  // namespace

std::optional<std::string> from_base64(std::string_view text) {
    while (text.ends_with('=')) text.remove_suffix(1);
    std::string octets;
    uint32_t bits = 0;
    unsigned count = 0;
    for (const char each : text) {
        const int digit = base64_digit(each);
        if (digit < 0) return std::nullopt;
        bits = (bits << 6) | static_cast<uint32_t>(digit);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        octets += static_cast<char>((bits >> count) & 0xFF);
    }
    return octets;
}

tl::expected<AccessToken, std::string> AccessToken::read(const std::string& path) {
    const auto refuse = [&](std::string_view why, std::string_view remedy) {
        return tl::unexpected(
            fmt::format("metrics.token_file: {}: {}; {}", config::escaped(path), why, remedy));
    };
    constexpr std::string_view another =
        "a secret alone in it, such as `openssl rand -hex 32` makes";
    auto text = config::read_text_file(path, longest + 2, config::FileKind::regular);
    if (!text) return refuse(text.error(), another);
    struct stat about {};
    if (stat(path.c_str(), &about) != 0 || (about.st_mode & (S_IROTH | S_IWOTH)) != 0) {
        return refuse("everybody on this machine may read it", "chmod o-rwx");
    }
    while (!text->empty() && (text->back() == '\n' || text->back() == '\r')) text->pop_back();
    if (text->size() < shortest || text->size() > longest) {
        return refuse(fmt::format("{} octets are not {} to {}", text->size(), shortest, longest),
                      another);
    }
    if (!std::ranges::all_of(*text, is_of_token)) {
        return refuse("other octets than letters, digits and - . _ ~ + / =", another);
    }
    return AccessToken(std::move(*text));
}

bool AccessToken::opens(std::string_view authorization) const {
    const std::string_view scheme = next_until(authorization, " ");
    const std::string_view credentials = trimmed(authorization);
    if (same_name(scheme, "bearer")) return is(credentials);
    if (!same_name(scheme, "basic")) return false;
    const auto pair = from_base64(credentials);
    const std::size_t colon = pair ? pair->find(':') : std::string::npos;
    return colon != std::string::npos && is(std::string_view(*pair).substr(colon + 1));
}

bool AccessToken::is(std::string_view other) const {
    if (other.size() != secret_.size()) return false;
    unsigned differs = 0;
    for (std::size_t at = 0; at < secret_.size(); ++at) {
        differs |= static_cast<unsigned>(static_cast<unsigned char>(secret_[at] ^ other[at]));
        // Keeps a compiler from returning at the first difference.
        asm volatile("" : "+r"(differs));
    }
    return differs == 0;
}

}  // namespace sluice::control::http
