#include "control/http/access_token.h"

#include <gtest/gtest.h>

namespace sluice::control::http {
namespace {

TEST(AccessToken, opens_to_who_has_it_as_bearer_or_as_password) {
    const AccessToken token("0123456789abcdef");
    EXPECT_TRUE(token.opens("Bearer 0123456789abcdef"));
    EXPECT_TRUE(token.opens("bearer   0123456789abcdef "));
    EXPECT_TRUE(token.opens("Basic YTowMTIzNDU2Nzg5YWJjZGVm"));  // a:0123...
    EXPECT_TRUE(token.opens("BASIC OjAxMjM0NTY3ODlhYmNkZWY="));  // :0123...
    for (const char* other :
         {"", "Bearer", "Bearer ", "0123456789abcdef", "Bearer 0123456789abcdee",
          "Bearer 0123456789abcdef0", "Bearer 0123456789ABCDEF", "Basic 0123456789abcdef",
          "Basic MDEyMzQ1Njc4OWFiY2RlZjo=", "Basic MDEyMzQ1Njc4OWFiY2RlZg==", "Digest x"}) {
        EXPECT_FALSE(token.opens(other)) << other;
    }
}

// RFC 4648, 10.
TEST(AccessToken, reads_base64) {
    EXPECT_EQ(from_base64(""), "");
    EXPECT_EQ(from_base64("Zg=="), "f");
    EXPECT_EQ(from_base64("Zm8="), "fo");
    EXPECT_EQ(from_base64("Zm9v"), "foo");
    EXPECT_EQ(from_base64("Zm9vYg"), "foob");
    EXPECT_EQ(from_base64("Zm9vYmE="), "fooba");
    EXPECT_EQ(from_base64("Zm9vYmFy"), "foobar");
    EXPECT_EQ(from_base64("/+8="), "\xFF\xEF");
    EXPECT_EQ(from_base64("Zm9v YmFy"), std::nullopt);
    EXPECT_EQ(from_base64("Zm=v"), std::nullopt);
}

}  // namespace
}  // namespace sluice::control::http
