#include "config/yaml/origin.h"

#include <gtest/gtest.h>

#include <string>

namespace sluice::config {
namespace {

TEST(Origin, IsWhatABrowserWrites) {
    for (const char* right : {"http://192.0.2.1:9475", "http://192.0.2.1", "https://leaf1.example",
                              "https://leaf-1.example:80", "http://1.leaf", "http://leaf1.0xg",
                              "http://a.", "http://localhost:65535"}) {
        EXPECT_TRUE(is_origin(right)) << right;
    }
    EXPECT_TRUE(is_origin("http://" + std::string(253, 'a')));
}

// Texts that would spoil a policy, or that no browser sends.
TEST(Origin, IsNothingElse) {
    for (const char* wrong : {"",
                              "*",
                              "null",
                              "http://",
                              "http://:9475",
                              "192.0.2.1:9475",
                              "ftp://a",
                              "HTTP://a",
                              "http://Leaf1",
                              "http://a/",
                              "http://a:9475/",
                              "http://a:80",
                              "https://a:443",
                              "http://a:",
                              "http://a:0",
                              "http://a:65536",
                              "http://a:09",
                              "http://a:x",
                              "http://a b",
                              "http://a;b",
                              "http://a'",
                              "http://*.example",
                              "http://[::1]:9475",
                              "http://a..b",
                              "http://.a",
                              "http://-a",
                              "http://user@a",
                              "http://192.0.2.256:9475",
                              "http://leaf.1:9475",
                              "http://leaf.0x1f",
                              "http://leaf.0x",
                              "http://192.0.2.01",
                              "http://192.0.2.1.",
                              "http://127.1",
                              "http://1",
                              "http://192.0.2.1.2",
                              "http://a\r\nb"}) {
        EXPECT_FALSE(is_origin(wrong)) << wrong;
    }
    EXPECT_FALSE(is_origin("http://" + std::string(254, 'a')));
}

}  // namespace
}  // namespace sluice::config
