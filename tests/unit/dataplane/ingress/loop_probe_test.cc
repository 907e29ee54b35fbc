#include "dataplane/ingress/loop_probe.h"

#include <gtest/gtest.h>

#include "tests/support/octets.h"

namespace sluice {
namespace {

using test::hex;
using test::Octets;

constexpr LoopProbe probe{.sender = 0x8000'0200'0000'0001, .port = 5};

Octets written() {
    const auto octets = frame_of(probe, {0x0200'0000'0007});
    return {octets.begin(), octets.end()};
}

TEST(LoopProbe, IsWrittenAsItsHeaderDrawsIt) {
    Octets expected = hex("03534c4f4f50 020000000007 88b5 534c55494345 01 8000020000000001 0005");
    expected.resize(60);
    EXPECT_EQ(written(), expected);
    EXPECT_TRUE(loop_probe_address.is_group());
    EXPECT_FALSE(loop_probe_address.is_reserved());
}

TEST(LoopProbe, IsReadWithTagsOrWithout) {
    EXPECT_EQ(read_loop_probe(written()), probe);
    Octets tagged = written();
    const Octets tag = hex("8100 000a");
    for (int tags = 1; tags <= 3; ++tags) {
        tagged.insert(tagged.begin() + 12, tag.begin(), tag.end());
        EXPECT_EQ(read_loop_probe(tagged).has_value(), tags <= 2);
    }
}

TEST(LoopProbe, AnythingElseIsNone) {
    const std::size_t length = 14 + 7 + 8 + 2;
    for (std::size_t cut = 0; cut < length; ++cut) {
        const Octets whole = written();
        EXPECT_EQ(read_loop_probe(std::span(whole).first(cut)), std::nullopt) << cut;
    }
    for (const std::size_t at : {0U, 5U, 12U, 14U, 20U, 29U}) {
        Octets other = written();
        other[at] ^= 0x10;
        EXPECT_EQ(read_loop_probe(other), std::nullopt) << at;
    }
    Octets nobody = written();
    std::fill(nobody.begin() + 21, nobody.begin() + 29, 0);
    EXPECT_EQ(read_loop_probe(nobody), std::nullopt);
}

}  // namespace
}  // namespace sluice
