#include "control/rstp/bpdu.h"

#include <gtest/gtest.h>

#include "tests/support/octets.h"

namespace sluice::rstp {
namespace {

using test::hex;
using namespace sluice::literals;

constexpr MacAddress source{0x0200'0000'0001};
const PriorityVector vector_said{.root = bridge_id(4096, {0x0200'0000'00A1}),
                                 .cost = 20'000,
                                 .bridge = bridge_id(32768, {0x0200'0000'00B2}),
                                 .port = port_id(128, 3)};
const Times times_said{.message_age = 1_s, .max_age = 20_s, .hello = 2_s, .forward_delay = 15_s};

// 802.1D-2004 figure 9-3.
TEST(Bpdu, OfRstpIsWrittenAsTheStandardDrawsIt) {
    const Octets frame = frame_of({.kind = BpduKind::rst,
                                   .role = MessageRole::designated,
                                   .topology_change = true,
                                   .proposal = true,
                                   .learning = true,
                                   .priority = vector_said,
                                   .times = times_said},
                                  source);
    Octets expected =
        hex("0180c2000000 020000000001 0027 424203"
            "0000 02 02 1f"
            "1000 0200000000a1 00004e20 8000 0200000000b2 8003"
            "0100 1400 0200 0f00 00");
    expected.resize(60);
    EXPECT_EQ(frame, expected);
}

// Figure 9-1.
TEST(Bpdu, OfStpIsWrittenAsTheStandardDrawsIt) {
    const Octets frame = frame_of({.kind = BpduKind::configuration,
                                   .topology_change = true,
                                   .topology_change_ack = true,
                                   .priority = vector_said,
                                   .times = times_said},
                                  source);
    Octets expected =
        hex("0180c2000000 020000000001 0026 424203"
            "0000 00 00 81"
            "1000 0200000000a1 00004e20 8000 0200000000b2 8003"
            "0100 1400 0200 0f00");
    expected.resize(60);
    EXPECT_EQ(frame, expected);
}

// Figure 9-2.
TEST(Bpdu, OfATopologyChangeIsWrittenAsTheStandardDrawsIt) {
    Octets expected = hex("0180c2000000 020000000001 0007 424203 0000 00 80");
    expected.resize(60);
    EXPECT_EQ(frame_of({.kind = BpduKind::topology_change}, source), expected);
}

TEST(Bpdu, ReadsWhatWasWritten) {
    for (const MessageRole role :
         {MessageRole::alternate_or_backup, MessageRole::root, MessageRole::designated}) {
        const Bpdu rst{.kind = BpduKind::rst,
                       .role = role,
                       .forwarding = true,
                       .agreement = true,
                       .priority = vector_said,
                       .times = times_said};
        EXPECT_EQ(read_bpdu(frame_of(rst, source)), rst);
    }
    const Bpdu configuration{.kind = BpduKind::configuration,
                             .topology_change_ack = true,
                             .priority = vector_said,
                             .times = times_said};
    EXPECT_EQ(read_bpdu(frame_of(configuration, source)), configuration);
    const Bpdu tcn{.kind = BpduKind::topology_change};
    EXPECT_EQ(read_bpdu(frame_of(tcn, source)), tcn);
}

// 9.3.4: a longer BPDU, or one of a later version, is read as far as its fields are known.
TEST(Bpdu, OfMstpIsReadAsRstp) {
    Octets frame = frame_of({.priority = vector_said, .times = times_said}, source);
    frame.resize(14 + 3 + 102);
    frame[12] = 0;
    frame[13] = 3 + 102;
    frame[14 + 3 + 2] = 3;
    const auto read = read_bpdu(frame);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->kind, BpduKind::rst);
    EXPECT_EQ(read->priority, vector_said);
}

TEST(Bpdu, OfAnUnknownRoleIsReadAsOfADesignatedPort) {
    Octets frame = frame_of({.priority = vector_said, .times = times_said}, source);
    frame[14 + 3 + 4] = 0;
    const auto read = read_bpdu(frame);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->role, MessageRole::designated);
}

TEST(Bpdu, IsRefusedWhereItsShapeIsAnother) {
    const Octets rst = frame_of({.priority = vector_said, .times = times_said}, source);
    const auto with = [&](std::size_t at, uint8_t value) {
        Octets frame = rst;
        frame[at] = value;
        return frame;
    };
    ASSERT_TRUE(read_bpdu(rst));
    EXPECT_FALSE(read_bpdu(with(14, 0xAA))) << "LLC";
    EXPECT_FALSE(read_bpdu(with(17, 1))) << "protocol";
    EXPECT_FALSE(read_bpdu(with(19, 1))) << "an RST BPDU of version 1";
    EXPECT_FALSE(read_bpdu(with(20, 1))) << "type";
    EXPECT_FALSE(read_bpdu(with(13, 0x26))) << "an octet less than its type has";
    EXPECT_FALSE(read_bpdu(with(13, 0xFF))) << "longer than the frame";
    EXPECT_FALSE(read_bpdu(with(13, 2))) << "shorter than LLC";
    for (std::size_t length = 0; length < 14 + 3 + 36; ++length) {
        EXPECT_FALSE(read_bpdu(std::span(rst).first(length))) << length;
    }
}

}  // namespace
}  // namespace sluice::rstp
