#include "control/capture/capture_request.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "control/socket/request.h"

namespace sluice::control {
namespace {

tl::expected<CaptureRequest, std::string> parsed(const std::string& what) {
    const auto request = parse_request("{\"capture\": " + what + "}");
    if (!request) return tl::unexpected(request.error());
    return std::get<CaptureRequest>(*request);
}

TEST(CaptureRequest, NeedsPortsAndADirection) {
    const auto request = parsed(R"({"ports": ["p0", "p1"], "of": ["in", "drops"]})");
    ASSERT_TRUE(request);
    EXPECT_EQ(request->ports, (std::vector<std::string>{"p0", "p1"}));
    EXPECT_TRUE(request->received && request->dropped && !request->sent);
    EXPECT_EQ(request->priorities, 0xFF);
    EXPECT_EQ(request->snaplen, 65535);
    EXPECT_EQ(request->count, 0U);
    EXPECT_FALSE(request->filter.is_set());
    EXPECT_FALSE(parsed(R"({"ports": ["p0"]})"));
    EXPECT_FALSE(parsed(R"({"of": ["in"]})"));
    EXPECT_FALSE(parsed("true"));
}

TEST(CaptureRequest, HasEverythingElseAsWished) {
    const auto request = parsed(R"({"ports": ["p0"], "of": ["out"], "priorities": [3, 7],
        "snaplen": 128, "count": 10, "filter": [[6, 0, 0, 65535]]})");
    ASSERT_TRUE(request) << request.error();
    EXPECT_EQ(request->priorities, only_priority(3) | only_priority(7));
    EXPECT_EQ(request->snaplen, 128);
    EXPECT_EQ(request->count, 10U);
    EXPECT_TRUE(request->filter.is_set());
}

TEST(CaptureRequest, WhatIsWrongIsNamed) {
    const auto why = [](const std::string& with) {
        const auto request = parsed(R"({"ports": ["p0"], "of": ["in"], )" + with + "}");
        return request ? std::string() : request.error().substr(0, request.error().find(':'));
    };
    EXPECT_EQ(why(R"("ports": [])"), "capture.ports");
    EXPECT_EQ(why(R"("ports": [7])"), "capture.ports");
    EXPECT_EQ(why(R"("of": [])"), "capture.of");
    EXPECT_EQ(why(R"("of": ["up"])"), "capture.of");
    EXPECT_EQ(why(R"("priorities": [8])"), "capture.priorities");
    EXPECT_EQ(why(R"("priorities": [])"), "capture.priorities");
    EXPECT_EQ(why(R"("snaplen": 0)"), "capture.snaplen");
    EXPECT_EQ(why(R"("snaplen": 65536)"), "capture.snaplen");
    EXPECT_EQ(why(R"("count": 0)"), "capture.count");
    EXPECT_EQ(why(R"("color": 1)"), "capture");
    for (const char* const program :
         {"[]", "[[6, 0, 0]]", "[[65536, 0, 0, 0]]", "[[5, 0, 0, 9], [6, 0, 0, 0]]",
          "[[0, 0, 0, 0]]", "7", "[[6, 0, 0, -1]]"}) {
        EXPECT_EQ(why(std::string("\"filter\": ") + program), "capture.filter") << program;
    }
}

TEST(CaptureRequest, AFilterHasABound) {
    const auto with = [](std::size_t instructions) {
        std::string program;
        for (std::size_t n = 0; n < instructions; ++n) program += "[6,0,0,1],";
        program.pop_back();
        return parsed(R"({"ports": ["p0"], "of": ["in"], "filter": [)" + program + "]}")
            .has_value();
    };
    EXPECT_TRUE(with(512));
    EXPECT_FALSE(with(513));
}

}  // namespace
}  // namespace sluice::control
