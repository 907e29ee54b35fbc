#include "dataplane/threads/mailbox.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/support/octets.h"

namespace sluice {
namespace {

using test::Octets;

class MailboxTest : public testing::Test {
  protected:
    bool post(uint8_t name) { return box->post(Octets(60, name)); }
    // Takes a frame. Returns its first octet; '-': there is none.
    char take() {
        const auto octets = box->front();
        if (octets.empty()) return '-';
        const char name = static_cast<char>(octets[0]);
        EXPECT_EQ(octets.size(), 60U);
        box->pop();
        return name;
    }
    std::unique_ptr<Mailbox> box = std::make_unique<Mailbox>();
};

TEST_F(MailboxTest, GivesInOrderWhatItWasGiven) {
    EXPECT_EQ(take(), '-');
    EXPECT_TRUE(post('a'));
    EXPECT_TRUE(post('b'));
    EXPECT_EQ(take(), 'a');
    EXPECT_TRUE(post('c'));
    EXPECT_EQ(take(), 'b');
    EXPECT_EQ(take(), 'c');
    EXPECT_EQ(take(), '-');
}

TEST_F(MailboxTest, KeepsAFrameUntilItIsTaken) {
    post('a');
    EXPECT_EQ(box->front()[0], 'a');
    post('b');
    EXPECT_EQ(box->front()[0], 'a');
}

TEST_F(MailboxTest, RefusesWhatItHasNoRoomFor) {
    for (uint32_t n = 0; n < Mailbox::slots; ++n) EXPECT_TRUE(post('a'));
    EXPECT_FALSE(post('b'));
    EXPECT_EQ(take(), 'a');
    EXPECT_TRUE(post('c'));
}

TEST_F(MailboxTest, RefusesWhatIsTooLong) {
    EXPECT_FALSE(box->post(Octets(Mailbox::longest + 1)));
    EXPECT_TRUE(box->post(Octets(Mailbox::longest, 'a')));
    EXPECT_EQ(box->front().size(), Mailbox::longest);
}

}  // namespace
}  // namespace sluice
