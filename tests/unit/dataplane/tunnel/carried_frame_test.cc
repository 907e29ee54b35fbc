#include "dataplane/tunnel/carried_frame.h"

#include <gtest/gtest.h>

#include "dataplane/retry/retry_shim.h"
#include "tests/support/encapsulated.h"
#include "tests/support/octets.h"

namespace sluice {
namespace {

using test::Octets;

// Addresses, then these and 40 octets whose first is `first`.
Octets frame_with(const Octets& types, uint8_t first) {
    Octets octets(12);
    octets.insert(octets.end(), types.begin(), types.end());
    octets.push_back(first);
    octets.resize(octets.size() + 39);
    return octets;
}

std::size_t offset(const std::string_view types, uint8_t first) {
    return network_offset_of(frame_with(test::hex(types), first));
}

TEST(NetworkOffset, IsBehindUpToTwoTags) {
    EXPECT_EQ(offset("0800", 0x45), 14U);
    EXPECT_EQ(offset("8100 0001 0800", 0x45), 18U);
    EXPECT_EQ(offset("88a8 0001 8100 0001 86dd", 0x60), 22U);
    EXPECT_EQ(offset("8100 0001 8100 0001 8100 0001 0800", 0x45), 0U);
}

TEST(NetworkOffset, IsOfAHeaderThatIsWholeAndSaysWhatItIs) {
    EXPECT_EQ(offset("88b5", 0x45), 0U);
    EXPECT_EQ(offset("0800", 0x60), 0U);
    EXPECT_EQ(offset("0800", 0x44), 0U);
    EXPECT_EQ(offset("0800", 0x4A), 14U);
    EXPECT_EQ(offset("0800", 0x4B), 0U) << "longer than the frame";
    EXPECT_EQ(offset("86dd", 0x45), 0U);
    Octets cut = frame_with(test::hex("86dd"), 0x60);
    EXPECT_EQ(network_offset_of(cut), 14U);
    cut.pop_back();
    EXPECT_EQ(network_offset_of(cut), 0U);
}

TEST(NetworkOffset, ReadsNothingBeyondAnEnd) {
    const Octets whole = frame_with(test::hex("88a8 0001 8100 0001 0800"), 0x45);
    for (std::size_t length = 0; length <= whole.size(); ++length) {
        const test::Fenced frame(std::span<const uint8_t>(whole).first(length));
        EXPECT_EQ(network_offset_of(frame.octets()), length < 42 ? 0U : 22U);
    }
}

TEST(CarriedFrame, LiesWhereItIsSaidAndIsAWholeHeaderAtLeast) {
    Octets octets(100);
    const Arrival arrival = take_out(octets, {86, 14}, EcnField::not_ect, 5);
    EXPECT_EQ(arrival.kind, ArrivalKind::carried);
    EXPECT_EQ(arrival.tunnel, 5);
    EXPECT_EQ(arrival.offset, 86);
    EXPECT_EQ(arrival.length, 14);
    EXPECT_EQ(take_out(octets, {87, 13}, EcnField::not_ect, 5).why, Refusal::inner_short);
}

// A datagram behind the header of retry.
Octets numbered(uint8_t tos, RetryKind kind = RetryKind::data) {
    Octets octets(retry_shim_octets);
    const Octets inner = test::datagram();
    octets.insert(octets.end(), inner.begin(), inner.end());
    octets[retry_shim_octets + 15] = tos;
    const bool has_frame = kind == RetryKind::data;
    write_retry_shim(std::span(octets).first<retry_shim_octets>(), {2},
                     {.kind = kind,
                      .session = 1,
                      .length = has_frame ? static_cast<uint16_t>(inner.size()) : uint16_t{0}});
    return octets;
}

TEST(CarriedFrame, OfRetryHasTheEcnOfTheFrameInIt) {
    for (uint8_t tos = 1; tos < 4; ++tos) {
        Octets octets = numbered(tos);
        const CarriedAt whole{0, octets.size()};
        EXPECT_EQ(take_out(octets, whole, EcnField::ce, 5).kind, ArrivalKind::carried);
        EXPECT_EQ(octets[retry_shim_octets + 15], 3);
        octets[retry_shim_octets + 15] = 0;
        EXPECT_EQ(take_out(octets, whole, EcnField::ce, 5).why, Refusal::ecn);
    }
}

TEST(CarriedFrame, OfRetryThatHasNoOtherInItIsLeftAlone) {
    for (const RetryKind kind : {RetryKind::begin, RetryKind::ack, RetryKind::nack}) {
        Octets octets = numbered(0, kind);
        const Octets before = octets;
        EXPECT_EQ(take_out(octets, {0, octets.size()}, EcnField::ce, 5).kind, ArrivalKind::carried);
        EXPECT_EQ(octets, before);
    }
    const Octets whole = numbered(2);
    for (std::size_t length = 14; length < whole.size(); ++length) {
        Octets cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
        const Octets before = cut;
        EXPECT_EQ(take_out(cut, {0, length}, EcnField::ce, 5).kind, ArrivalKind::carried);
        EXPECT_EQ(cut, before) << "it says that it is longer";
    }
}

}  // namespace
}  // namespace sluice
