// What is said and what is answered, whatever text is in it:
//   same    what one program writes, the other reads as it was meant
//   tame    no octet of it is a command to a terminal, and an answer is one line
//   whole   of what is said on standard error a line is there whole and in its turn, or not at all
//           and counted, however its reader dawdles
#include <fcntl.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

#include "control/socket/reply.h"
#include "pmd_glue/standard_error.h"
#include "tests/property/draw.h"
#include "tools/sluice/json_text.h"
#include "tools/sluice/reply.h"

namespace sluice::property {
namespace {

using cli::Json;

// RFC 3629.
std::string utf_8(uint32_t point) {
    const auto tail = [&](int shift) { return static_cast<char>(0x80 | (point >> shift & 0x3F)); };
    if (point < 0x80) return {static_cast<char>(point)};
    if (point < 0x800) return {static_cast<char>(0xC0 | point >> 6), tail(0)};
    if (point < 0x10000) return {static_cast<char>(0xE0 | point >> 12), tail(6), tail(0)};
    return {static_cast<char>(0xF0 | point >> 18), tail(12), tail(6), tail(0)};
}

std::string draw_text() {
    std::string text;
    for (int letters = between<int>(0, 8); letters > 0; --letters) {
        const uint32_t point = one_of<uint32_t>(
            {between<uint32_t>(0, 0x7F), between<uint32_t>(0x7F, 0xA1), '"', '\\', 0x2028, 0xD7FF,
             0xE000, between<uint32_t>(0x100, 0xFFF), between<uint32_t>(0x10000, 0x10FFFF)});
        text += utf_8(point);
    }
    return text;
}

std::string draw_octets() {
    std::string octets;
    for (int left = between<int>(0, 30); left > 0; --left) octets += between<char>(-128, 127);
    return octets;
}

Json draw_value(int levels) {
    switch (between<int>(0, levels > 0 ? 6 : 4)) {
        case 0:
            return nullptr;
        case 1:
            return between<int>(0, 1) == 1;
        case 2:
            return between<int64_t>(-1'000'000'000'000, 1'000'000'000'000);
        case 3:
            return between<double>(-1000, 1000) / 7;
        case 4:
            return draw_text();
        case 5: {
            Json list = Json::array();
            for (int left = between<int>(0, 3); left > 0; --left) {
                list.push_back(draw_value(levels - 1));
            }
            return list;
        }
        default: {
            Json object = Json::object();
            for (int left = between<int>(0, 3); left > 0; --left) {
                object[draw_text()] = draw_value(levels - 1);
            }
            return object;
        }
    }
}

int levels_of(const Json& value) {
    int most = 0;
    for (const Json& each : value) {
        if (value.is_structured()) most = std::max(most, levels_of(each));
    }
    return value.is_structured() ? most + 1 : 0;
}

bool is_tame(const std::string& text, bool lines) {
    unsigned char before = 0;
    for (const char letter : text) {
        const auto octet = static_cast<unsigned char>(letter);
        if (octet == 0x7F || (octet < 0x20 && !(lines && octet == '\n'))) return false;
        if (before == 0xC2 && octet < 0xA0) return false;  // U+0080 to U+009F
        before = octet;
    }
    return true;
}

RC_GTEST_PROP(Text, IsTameJsonThatReadsTheSame, ()) {
    const Json value = draw_value(4);
    const int indent = between<int>(-1, 3);
    const std::string text = cli::json_text(value, indent);
    RC_ASSERT(is_tame(text, indent >= 0));
    RC_ASSERT(Json::parse(text) == value);
}

RC_GTEST_PROP(Text, OfAnyOctetsIsTameJson, ()) {
    const std::string text = cli::json_text(draw_octets(), -1);
    RC_ASSERT(is_tame(text, false));
    RC_ASSERT(Json::parse(text).is_string());
}

RC_GTEST_PROP(Text, OfAnAnswerIsOneLineThatTheClientReads, ()) {
    const Json value = draw_value(4);
    const std::string line = control::success(value);
    RC_ASSERT(line.find('\n') == std::string::npos);
    const auto reply = cli::read_reply(line);
    RC_ASSERT(reply.has_value() && reply->has_value());
    RC_ASSERT(**reply == value);
}

RC_GTEST_PROP(Text, OfARefusalIsOneLineThatTheClientReads, ()) {
    std::vector<std::string> errors;
    for (int left = between<int>(0, 3); left > 0; --left) errors.push_back(draw_text());
    const auto status = one_of({control::Status::failed, control::Status::wrong_input});
    const std::string line = control::refusal(status, errors);
    RC_ASSERT(line.find('\n') == std::string::npos);
    const auto reply = cli::read_reply(line);
    RC_ASSERT(reply.has_value() && !reply->has_value());
    RC_ASSERT(reply->error().status == static_cast<int>(status));
    RC_ASSERT(reply->error().lines == errors);
}

RC_GTEST_PROP(Text, ThatAnswersWithManyLevelsIsReadToABound, ()) {
    const auto levels = between<std::size_t>(0, 200);
    const std::string deep = std::string(levels, '[') + std::string(levels, ']');
    const auto reply = cli::read_reply(R"({"status": 0, "result": [)" + deep + "]}");
    if (reply && *reply) RC_ASSERT(levels_of(**reply) <= 32);
}

RC_GTEST_PROP(Text, OfAnyOctetsIsAReplyOrNone, ()) {
    const std::string octets =
        one_of<std::string>({"", R"({"status": 0, "result": )", R"({"status": 1, "errors": [)"}) +
        draw_octets() + one_of<std::string>({"", "}", "]}"});
    const auto reply = cli::read_reply(octets);
    if (!reply || *reply) return;
    RC_ASSERT(reply->error().status == 1 || reply->error().status == 2);
}

// A pipe of the least room, whose reader takes some of it now and then.
class Pipe {
  public:
    Pipe() {
        RC_ASSERT(::pipe2(ends_.data(), O_NONBLOCK) == 0);
        ::fcntl(ends_[1], F_SETPIPE_SZ, 4096);
    }
    ~Pipe() {
        ::close(ends_[0]);
        ::close(ends_[1]);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    void read(std::size_t most) {
        std::vector<char> room(most);
        const ssize_t got = ::read(ends_[0], room.data(), room.size());
        if (got > 0) heard.append(room.data(), static_cast<std::size_t>(got));
    }
    [[nodiscard]] int writer() const { return ends_[1]; }

    std::string heard;

  private:
    std::array<int, 2> ends_{-1, -1};
};

RC_GTEST_PROP(Text, OnStandardErrorIsThereWholeOrCounted, ()) {
    Pipe pipe;
    pmd::StandardError output(pipe.writer());
    std::string taken;
    uint64_t lost = 0;
    for (int step = between<int>(1, 60); step > 0; --step) {
        if (between<int>(0, 3) == 0) {
            pipe.read(between<std::size_t>(1, 5000));
            continue;
        }
        const std::string line = std::string(between<std::size_t>(0, 10'000), 'a') + '\n';
        const uint64_t before = output.lost();
        output.write(line);
        if (output.lost() == before) {
            taken += line;
        } else {
            ++lost;
        }
    }
    RC_ASSERT(output.lost() == lost);
    while (pipe.heard.size() < taken.size()) {
        const std::size_t before = pipe.heard.size();
        pipe.read(100'000);
        output.offer("");  // what is left of a line goes first
        pipe.read(100'000);
        if (pipe.heard.size() == before) break;
    }
    RC_ASSERT(pipe.heard == taken);
}

}  // namespace
}  // namespace sluice::property
