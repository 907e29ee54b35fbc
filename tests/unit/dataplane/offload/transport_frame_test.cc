#include "dataplane/offload/transport_frame.h"

#include <gtest/gtest.h>

#include "tests/support/segments.h"

namespace sluice::offload {
namespace {

using test::Octets;
using test::SegmentSpec;

std::optional<TransportFrame> read(const Octets& octets, Lengths lengths = Lengths::checked) {
    return read_transport_frame(octets, octets.size(), lengths);
}

TEST(TransportFrame, SaysWhereEachHeaderStarts) {
    const auto tcp = read(frame_of(SegmentSpec{}));
    ASSERT_TRUE(tcp);
    EXPECT_EQ(tcp->network, 14);
    EXPECT_EQ(tcp->transport, 34);
    EXPECT_EQ(tcp->payload, 66);
    const auto udp = read(frame_of(SegmentSpec{.is_ipv6 = true, .is_tcp = false, .tags = 2}));
    ASSERT_TRUE(udp);
    EXPECT_EQ(udp->network, 22);
    EXPECT_EQ(udp->payload, 70);
    EXPECT_FALSE(udp->is_tcp);
    EXPECT_EQ(read(frame_of(SegmentSpec{.ip_options = 8}))->transport, 42);
}

TEST(TransportFrame, IsNoFragment) {
    Octets octets = frame_of(SegmentSpec{});
    octets[20] = 0x20;
    EXPECT_FALSE(read(octets)) << "more follow";
    octets[20] = 0;
    octets[21] = 1;
    EXPECT_FALSE(read(octets)) << "an offset";
}

TEST(TransportFrame, HasTheLengthsThatItStates) {
    Octets octets = frame_of(SegmentSpec{.is_tcp = false});
    octets.push_back(0);
    EXPECT_FALSE(read(octets)) << "padding";
    EXPECT_TRUE(read(octets, Lengths::ignored));
    octets.pop_back();
    write_16(&octets[38], 107);
    EXPECT_FALSE(read(octets)) << "UDP's own length";
    Octets ipv6 = frame_of(SegmentSpec{.is_ipv6 = true});
    write_16(&ipv6[18], 131);
    EXPECT_FALSE(read(ipv6));
}

TEST(TransportFrame, IsReadInsideItsEnd) {
    for (const bool is_ipv6 : {false, true}) {
        const Octets whole = frame_of(SegmentSpec{.is_ipv6 = is_ipv6, .tags = 1, .payload = 0});
        for (std::size_t length = 0; length < whole.size(); ++length) {
            const test::Fenced cut{std::span(whole).first(length)};
            EXPECT_FALSE(read_transport_frame(cut.octets(), length, Lengths::ignored)) << length;
        }
    }
}

TEST(TransportFrame, HasHeadersOfTheirLeastLengths) {
    Octets octets = frame_of(SegmentSpec{});
    octets[14] = 0x44;
    EXPECT_FALSE(read(octets, Lengths::ignored)) << "IPv4";
    octets[14] = 0x45;
    octets[46] = 0x40;
    EXPECT_FALSE(read(octets)) << "TCP";
    octets[23] = 132;
    EXPECT_FALSE(read(octets)) << "SCTP";
}

}  // namespace
}  // namespace sluice::offload
