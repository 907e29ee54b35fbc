#include "config/yaml/endpoint.h"

#include <gtest/gtest.h>

namespace sluice::config {
namespace {

TEST(Endpoint, IsAnAddressAndAPort) {
    const auto four = parse_endpoint("192.0.2.1:9475");
    ASSERT_TRUE(four);
    EXPECT_EQ(four->address, (std::vector<uint8_t>{192, 0, 2, 1}));
    EXPECT_EQ(four->port, 9475);
    EXPECT_EQ(to_text(*four), "192.0.2.1:9475");
    const auto six = parse_endpoint("[2001:db8::1]:65535");
    ASSERT_TRUE(six);
    EXPECT_EQ(six->address.size(), 16U);
    EXPECT_EQ(six->port, 65535);
    EXPECT_EQ(to_text(*six), "[2001:db8::1]:65535");
}

TEST(Endpoint, KnowsWhatOnlyThisMachineReaches) {
    for (const char* own : {"127.0.0.1:1", "127.9.9.9:1", "[::1]:1"}) {
        EXPECT_TRUE(parse_endpoint(own)->is_loopback()) << own;
    }
    for (const char* open : {"0.0.0.0:1", "[::]:1", "192.0.2.127:1", "[::1:1]:1"}) {
        EXPECT_FALSE(parse_endpoint(open)->is_loopback()) << open;
    }
}

TEST(Endpoint, IsNothingElse) {
    for (const char* wrong : {"",
                              ":",
                              "9475",
                              ":9475",
                              "127.0.0.1",
                              "127.0.0.1:",
                              "127.0.0.1:0",
                              "127.0.0.1:65536",
                              "127.0.0.1:80x",
                              "127.0.0.1:+80",
                              "127.0.0.1:080",
                              "127.0.0.1: 80",
                              "127.1:80",
                              "localhost:80",
                              "::1:80",
                              "[::1]",
                              "[::1]:",
                              "[127.0.0.1]:80",
                              "[]:80",
                              "[::1:80",
                              "[fe80::1%eth0]:80",
                              " 127.0.0.1:80"}) {
        EXPECT_FALSE(parse_endpoint(wrong)) << wrong;
    }
}

}  // namespace
}  // namespace sluice::config
