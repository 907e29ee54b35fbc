// The kernel's own rtnetlink, which anybody may ask.
#include "control/evpn/kernel_socket.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "control/evpn/messages.h"

namespace sluice::control::evpn {
namespace {

class EvpnKernelSocket : public testing::Test {
  protected:
    // Reads messages until that number is answered, and returns its error; collects the names of
    // links.
    std::optional<int> until_answered(uint32_t number) {
        std::optional<int> error;
        for (int turn = 0; turn < 1000 && !error; ++turn) {
            socket.take([&](std::span<const uint8_t> octets) {
                for (const Message& message : read_messages(octets)) {
                    if (const auto* const link = std::get_if<Link>(&message))
                        names += link->name + ' ';
                    const auto* const answer = std::get_if<Answer>(&message);
                    if (answer != nullptr && answer->number == number) error = answer->error;
                }
            });
            if (!error) ::poll(nullptr, 0, 1);
        }
        return error;
    }

    KernelSocket socket;
    std::string names = " ";
};

TEST_F(EvpnKernelSocket, ListsLinksEntriesAndNeighbours) {
    ASSERT_EQ(socket.why_not(), "");
    ASSERT_TRUE(socket.send(ask_for_links(7)));
    EXPECT_EQ(until_answered(7), 0);
    EXPECT_NE(names.find(" lo "), std::string::npos);
    ASSERT_TRUE(socket.send(ask_for_entries(8)));
    EXPECT_EQ(until_answered(8), 0);
    ASSERT_TRUE(socket.send(ask_for_neighbours(9)));
    EXPECT_EQ(until_answered(9), 0);
}

TEST_F(EvpnKernelSocket, ARefusalIsAnAnswer) {
    constexpr uint32_t nowhere = 0x7FFF'FFFE;
    ASSERT_TRUE(socket.send(add_to_bridge(7, nowhere, {0x0200'0000'0001}, false)));
    EXPECT_GT(until_answered(7).value_or(0), 0);
    ASSERT_TRUE(socket.send(add_neighbour(8, nowhere, {Ipv4Address{0xC000'0201}, {1}})));
    EXPECT_GT(until_answered(8).value_or(0), 0);
}

TEST_F(EvpnKernelSocket, WithNothingToSayItIsNotWaitedFor) {
    const Kernel::Taken taken = socket.take([](std::span<const uint8_t>) {});
    EXPECT_FALSE(taken.lost);
    EXPECT_FALSE(taken.more);
}

// The kernel refuses each request; its unread replies fill the socket's buffer.
TEST_F(EvpnKernelSocket, WhatTheKernelHasNoRoomForIsReported) {
    bool could = true;
    for (uint32_t number = 1; number < 200'000 && could; ++number) {
        could = socket.send(remove_from_bridge(number, 0x7FFF'FFFE, {0x0200'0000'0001}));
    }
    bool lost = false;
    for (bool more = true; more;) {
        const Kernel::Taken taken = socket.take([](std::span<const uint8_t>) {});
        lost |= taken.lost;
        more = taken.more;
    }
    EXPECT_TRUE(lost);
    ASSERT_TRUE(socket.send(ask_for_links(7)));
    EXPECT_EQ(until_answered(7), 0) << "it goes on";
}

TEST_F(EvpnKernelSocket, ATurnHasAnEnd) {
    for (uint32_t number = 1; number <= KernelSocket::most_a_turn + 1; ++number) {
        (void)socket.send(remove_from_bridge(number, 0x7FFF'FFFE, {0x0200'0000'0001}));
    }
    std::size_t datagrams = 0;
    const auto count = [&](std::span<const uint8_t>) { ++datagrams; };
    const bool all_fitted = socket.why_small().empty();
    const Kernel::Taken taken = socket.take(count);
    EXPECT_LE(datagrams, KernelSocket::most_a_turn);
    EXPECT_EQ(taken.more, all_fitted) << socket.why_small();
}

}  // namespace
}  // namespace sluice::control::evpn
