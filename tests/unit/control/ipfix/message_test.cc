// Messages of IPFIX octet by octet, as RFC 7011 draws them in clause 3.
#include "control/ipfix/message.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sluice::control::ipfix {
namespace {

using Octets = std::vector<uint8_t>;

constexpr Field time_of_sample{325, 8};
constexpr Field of_an_enterprise{5, 8, 0x0015'0022, true};

Octets finished(Message& message, uint32_t seconds = 0x65AB'CDEF, uint32_t sequence = 7) {
    const auto octets = message.finish(seconds, sequence);
    return {octets.begin(), octets.end()};
}

TEST(IpfixMessage, HasAHeaderASetOfTemplatesAndASetOfRecords) {
    Message message(9, 200);
    EXPECT_TRUE(message.empty());
    ASSERT_TRUE(message.add_template(256, std::vector{time_of_sample, of_an_enterprise}));
    const Octets record{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    ASSERT_TRUE(message.add_record(256, record));
    ASSERT_TRUE(message.add_record(256, record));
    EXPECT_EQ(message.records(), 2U);
    Octets wanted;
    for (const Octets& part : {
             Octets{0, 10, 0, 72},                     // version, length
             Octets{0x65, 0xAB, 0xCD, 0xEF},           // export time
             Octets{0, 0, 0, 7},                       // sequence number
             Octets{0, 0, 0, 9},                       // observation domain
             Octets{0, 2, 0, 20},                      // templates, length
             Octets{1, 0, 0, 2},                       // 256, two fields
             Octets{1, 0x45, 0, 8},                    // 325
             Octets{0x80, 5, 0, 8, 0, 0x15, 0, 0x22},  // 5 of an enterprise
             Octets{1, 0, 0, 36},                      // records of 256
         })
        wanted.insert(wanted.end(), part.begin(), part.end());
    for (int n = 0; n < 2; ++n) wanted.insert(wanted.end(), record.begin(), record.end());
    EXPECT_EQ(finished(message), wanted);
}

TEST(IpfixMessage, HasOptionsTemplatesWithTheirScope) {
    Message message(1, 100);
    ASSERT_TRUE(message.add_options_template(
        300, std::vector<Field>{{346, 4}, {303, 2}, {341, variable_length}}, 2));
    ASSERT_TRUE(message.add_record(300, Octets{0, 21, 0, 2, 0, 5, 1, 'x'}));
    Octets wanted;
    for (const Octets& part : {
             Octets{0, 10, 0, 50, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1},
             Octets{0, 3, 0, 22},          // options templates
             Octets{1, 0x2C, 0, 3, 0, 2},  // 300, three fields, two scopes
             Octets{1, 0x5A, 0, 4, 1, 0x2F, 0, 2, 1, 0x55, 0xFF, 0xFF},
             Octets{1, 0x2C, 0, 12, 0, 21, 0, 2, 0, 5, 1, 'x'},
         })
        wanted.insert(wanted.end(), part.begin(), part.end());
    EXPECT_EQ(finished(message, 1, 0), wanted);
}

TEST(IpfixMessage, ChangesSetsWithTheTemplate) {
    Message message(1, 100);
    for (const uint16_t id : {uint16_t{256}, uint16_t{257}, uint16_t{256}})
        ASSERT_TRUE(message.add_record(id, Octets{static_cast<uint8_t>(id)}));
    const Octets wanted{0, 10, 0, 31, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1,
                        1, 0,  0, 5,  0, 1, 1, 0, 5, 1, 1, 0, 0, 5, 0};
    EXPECT_EQ(finished(message, 1, 0), wanted);
}

TEST(IpfixMessage, IsNoLongerThanItMayBe) {
    Message message(1, 16 + 4 + 20);
    EXPECT_FALSE(message.add_record(256, Octets(21)));
    EXPECT_TRUE(message.empty());
    EXPECT_TRUE(message.add_record(256, Octets(10)));
    EXPECT_FALSE(message.add_record(257, Octets(7))) << "with the header of its set";
    EXPECT_TRUE(message.add_record(256, Octets(10)));
    EXPECT_FALSE(message.add_record(256, Octets(1)));
    EXPECT_EQ(message.records(), 2U);
    EXPECT_EQ(finished(message).size(), 40U);
    message.clear();
    EXPECT_TRUE(message.empty());
    EXPECT_EQ(message.records(), 0U);
    EXPECT_FALSE(message.add_template(256, std::vector<Field>(3, of_an_enterprise)));
    EXPECT_TRUE(message.add_template(256, std::vector<Field>(2, of_an_enterprise)));
}

}  // namespace
}  // namespace sluice::control::ipfix
