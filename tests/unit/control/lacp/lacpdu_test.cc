#include "control/lacp/lacpdu.h"

#include <gtest/gtest.h>

#include "tests/support/octets.h"

namespace sluice::lacp {
namespace {

using test::hex;

const Lacpdu said{
    .actor = {.system_priority = 0x8000,
              .system = {0x0200'0000'00A1},
              .key = 0x0102,
              .port_priority = 0x00FF,
              .port = 0x0304,
              .state =
                  state_bits::activity | state_bits::aggregation | state_bits::synchronization},
    .partner = {.system_priority = 0x1234,
                .system = {0x0200'0000'00B1},
                .key = 0x0506,
                .port_priority = 0x0708,
                .port = 0x090A,
                .state = state_bits::timeout | state_bits::expired},
    .collector_max_delay = 0x0B0C,
};

Octets copy_of(std::span<const uint8_t> octets) { return {octets.begin(), octets.end()}; }
std::span<const uint8_t> pdu_of(const Octets& frame) { return std::span(frame).subspan(14); }

TEST(Lacpdu, IsWrittenAsTheStandardDrawsIt) {
    const Octets frame = frame_of(said, {0x0200'0000'0001});
    ASSERT_EQ(frame.size(), 124U);
    EXPECT_EQ(copy_of(std::span(frame).first(14)), hex("0180c2000002 020000000001 8809"));
    EXPECT_EQ(copy_of(pdu_of(frame).first(58)),
              hex("01 01"
                  "01 14 8000 0200000000a1 0102 00ff 0304 0d 000000"
                  "02 14 1234 0200000000b1 0506 0708 090a 82 000000"
                  "03 10 0b0c 000000000000000000000000"));
    for (const uint8_t octet : pdu_of(frame).subspan(58)) EXPECT_EQ(octet, 0);
}

TEST(Lacpdu, ReadsWhatWasWritten) {
    const Octets frame = frame_of(said, {1});
    EXPECT_EQ(kind_of(pdu_of(frame)), PduKind::lacp);
    EXPECT_EQ(read_lacpdu(pdu_of(frame)), said);
}

TEST(Lacpdu, OfALaterVersionReadsWhatVersion1Knows) {
    Octets frame = frame_of(said, {1});
    frame[15] = 2;
    frame[14 + 42] = 9;  // where version 1 has the collector's information
    Lacpdu expected = said;
    expected.collector_max_delay = 0;
    EXPECT_EQ(read_lacpdu(pdu_of(frame)), expected);
}

TEST(Lacpdu, IsRefusedWhereItsShapeIsAnother) {
    const Octets frame = frame_of(said, {1});
    // Subtype, version 0, type and length of the actor, of the partner.
    for (const std::size_t at : {0U, 1U, 2U, 3U, 22U, 23U}) {
        Octets damaged = frame;
        damaged[14 + at] = 0;
        EXPECT_EQ(read_lacpdu(pdu_of(damaged)), std::nullopt) << at;
    }
    for (std::size_t length = 0; length < pdu_octets; ++length) {
        EXPECT_EQ(read_lacpdu(pdu_of(frame).first(length)), std::nullopt) << length;
    }
}

TEST(Marker, IsReadAndAnsweredWithTheSameIdentity) {
    const Marker asked{.port = 7, .system = {0x0200'0000'00A1}, .transaction = 0x01020304};
    Octets frame = frame_of(asked, {1});
    EXPECT_EQ(copy_of(pdu_of(frame).first(18)), hex("02 01 01 10 0007 0200000000a1 01020304 0000"));
    EXPECT_EQ(kind_of(pdu_of(frame)), PduKind::marker);
    EXPECT_EQ(read_marker(pdu_of(frame)), asked);
    Marker response = asked;
    response.is_response = true;
    EXPECT_EQ(read_marker(pdu_of(frame_of(response, {1}))), response);
    frame[14 + 2] = 3;
    EXPECT_EQ(read_marker(pdu_of(frame)), std::nullopt);
}

TEST(SlowProtocols, OtherSubtypesAreForOthers) {
    EXPECT_EQ(kind_of(Octets{3, 1}), PduKind::unknown);  // OAM
    EXPECT_EQ(kind_of(Octets{}), PduKind::unknown);
}

}  // namespace
}  // namespace sluice::lacp
