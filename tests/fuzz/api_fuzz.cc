// Whatever a client of the control socket sends, and in whatever pieces it arrives, each line gets
// one reply of one line that is JSON, and the memory kept for it stays bounded.
//
// The first octet of the input is the size of the pieces.
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "control/socket/connection.h"
#include "control/socket/reply.h"
#include "control/socket/request.h"

namespace {

using namespace sluice::control;

void require(bool holds) {
    if (!holds) std::abort();
}

void answer(std::string_view line, const Reply& reply) {
    const auto request = parse_request(line);
    const std::string text =
        request ? success("understood") : refusal(Status::wrong_input, {request.error()});
    require(text.find('\n') == std::string::npos && nlohmann::json::accept(text));
    reply(text);
}

// Reads what came, so that the connection is never held up.
void take_replies(int client) {
    std::array<char, 4096> octets;
    while (recv(client, octets.data(), octets.size(), MSG_DONTWAIT) > 0) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::size_t piece = 1 + std::size_t{data[0]} * 16;
    std::string_view rest(reinterpret_cast<const char*>(data + 1), size - 1);

    std::array<int, 2> ends{};
    require(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
    const Answer answered = answer;
    {
        Connection connection(ends[1], answered);
        bool goes_on = true;
        while (goes_on && !rest.empty()) {
            const std::size_t length = std::min(piece, rest.size());
            const ssize_t sent = send(ends[0], rest.data(), length, MSG_DONTWAIT | MSG_NOSIGNAL);
            if (sent > 0) rest.remove_prefix(static_cast<std::size_t>(sent));
            goes_on = connection.proceed();
            take_replies(ends[0]);
        }
        shutdown(ends[0], SHUT_WR);
        while (goes_on) {
            goes_on = connection.proceed();
            take_replies(ends[0]);
        }
    }
    close(ends[0]);
    return 0;
}
