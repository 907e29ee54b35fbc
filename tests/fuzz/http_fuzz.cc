// Whatever an HTTP client sends, and in whatever pieces it arrives: what is understood is a path
// with a query, every answer begins as one of HTTP's, and what is kept stays bounded.
//
// The first octet of the input is the size of the pieces.
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "control/http/access_token.h"
#include "control/http/connection.h"
#include "control/http/negotiation.h"
#include "tests/fuzz/promises.h"

namespace {

using namespace sluice::control::http;
using sluice::control::Clock;
using sluice::control::Feed;

class Twice : public Feed {
  public:
    std::string next(Clock::time_point) override { return said_++ < 2 ? "data: x\n\n" : ""; }

  private:
    int said_ = 0;
};

Response answer(const Request& request) {
    sluice::test::must(request.path.starts_with('/'), "a path begins with /");
    sluice::test::must(request.query.size() <= most_parameters, "a query is bounded");
    sluice::test::must((request.host + request.origin).find_first_of("\r\n") == std::string::npos,
                       "a field is one line");
    sluice::test::must(format_for(request.accept) == TextFormat::text ||
                           request.accept.find('/') != std::string::npos,
                       "nobody gets OpenMetrics who has not named it");
    static const AccessToken token("0123456789abcdef");
    sluice::test::must(!token.opens(request.authorization) ||
                           request.authorization.size() >= AccessToken::shortest,
                       "nobody is let in who has no token");
    if (request.path == "/feed") return {.feed = std::make_unique<Twice>()};
    return {.body = body_of("understood\n")};
}

// Reads what came, so that the connection is never held up.
std::string taken(int client) {
    std::string all;
    std::array<char, 4096> octets;
    ssize_t got = 0;
    while ((got = recv(client, octets.data(), octets.size(), MSG_DONTWAIT)) > 0) {
        all.append(octets.data(), static_cast<std::size_t>(got));
    }
    return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::size_t piece = 1 + std::size_t{data[0]} * 16;
    std::string_view rest(reinterpret_cast<const char*>(data + 1), size - 1);
    std::array<int, 2> ends{};
    sluice::test::must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0, "a pair of sockets");
    const Handler answered = answer;
    std::string said;
    {
        Connection connection(ends[1], answered);
        bool goes_on = true;
        while (goes_on && !rest.empty()) {
            const std::size_t length = std::min(piece, rest.size());
            const ssize_t sent = send(ends[0], rest.data(), length, MSG_DONTWAIT | MSG_NOSIGNAL);
            if (sent > 0) rest.remove_prefix(static_cast<std::size_t>(sent));
            goes_on = connection.proceed(Clock::now());
            said += taken(ends[0]);
        }
        shutdown(ends[0], SHUT_WR);
        while (goes_on) {
            goes_on = connection.proceed(Clock::now());
            said += taken(ends[0]);
        }
    }
    sluice::test::must(said.empty() || said.starts_with("HTTP/1.1 "), "an answer is HTTP's");
    close(ends[0]);
    return 0;
}
