#include "tools/sluice/sim/cluster/digest.h"

#include <gtest/gtest.h>

namespace sluice::cli {
namespace {

TEST(Digest, DistinguishesParts) {
    EXPECT_EQ(Digest().add("a").add("bc").text(), Digest().add("a").add("bc").text());
    EXPECT_NE(Digest().add("a").add("bc").text(), Digest().add("ab").add("c").text());
    EXPECT_NE(Digest().add("").text(), Digest().text());
}

// FNV-1a of the length, eight octets from the least on, and the text, by Python:
//   h = 0xcbf29ce484222325
//   for octet in (1).to_bytes(8, "little") + b"a": h = (h ^ octet) * 0x100000001b3 % 2**64
TEST(Digest, IsTheSameEverywhere) { EXPECT_EQ(Digest().add("a").text(), "529a4ddc8ff56bbf"); }

TEST(Digest, OfNothingIsWhatFnv1aBeginsWith) { EXPECT_EQ(Digest().text(), "cbf29ce484222325"); }

}  // namespace
}  // namespace sluice::cli
