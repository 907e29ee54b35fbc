#include "pmd_glue/port.h"

#include <gtest/gtest.h>
#include <rte_mbuf.h>
#include <cstring>
#include <filesystem>
#include <numeric>

#include "tests/unit/pmd_glue/environment.h"

namespace sluice::pmd {
namespace {

class PortTest : public testing::Test {
  protected:
    void TearDown() override {
        EXPECT_EQ(pool_->available(), pool_->size()) << "buffers were lost";
    }
    std::size_t send(Port& port, std::size_t count, uint8_t first = 0) {
        const auto frames = make_frames(*pool_, count, first);
        const std::size_t sent = port.bursts().transmit(frames);
        free_frames(*pool_, std::span(frames).subspan(sent));
        return sent;
    }
    std::unique_ptr<Pool> pool_ = make_pool();
};

TEST_F(PortTest, WhatALoopSendsComesBack) {
    const auto port = open_port("ring:loop", *pool_);
    EXPECT_EQ(send(*port, 3, 7), 3U);
    EXPECT_EQ(receive_all(*port, *pool_), (std::vector{7, 8, 9}));
}

TEST_F(PortTest, TheEndsOfARingCross) {
    const auto a = open_port("ring:pair/a", *pool_);
    const auto b = open_port("ring:pair/b", *pool_);
    send(*a, 2, 1);
    send(*b, 3, 5);
    EXPECT_EQ(receive_all(*a, *pool_), (std::vector{5, 6, 7}));
    EXPECT_EQ(receive_all(*b, *pool_), (std::vector{1, 2}));
}

TEST_F(PortTest, AFullRingRefusesAndLosesNothing) {
    const auto port = open_port("ring:full", *pool_);
    std::size_t sent = 0;
    std::size_t now = 0;
    for (uint8_t first = 0; (now = send(*port, 50, first)) > 0;) {
        sent += now;
        first = static_cast<uint8_t>(first + now);
    }
    EXPECT_EQ(sent, 127U);  // 128 descriptors, of which a ring keeps one free
    std::vector<int> expected(127);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(receive_all(*port, *pool_), expected);
    EXPECT_EQ(send(*port, 50), 50U);
    receive_all(*port, *pool_);
}

// Makes a frame of as many full buffers as were given; each octet is its buffer's number.
Frame in_several(std::span<const Frame> frames) {
    rte_mbuf* first = nullptr;
    for (std::size_t n = 0; n < frames.size(); ++n) {
        auto* const buffer = static_cast<rte_mbuf*>(frames[n].handle);
        rte_pktmbuf_reset(buffer);
        const uint16_t room = rte_pktmbuf_tailroom(buffer);
        std::memset(rte_pktmbuf_append(buffer, room), static_cast<int>(n), room);
        if (n == 0) {
            first = buffer;
        } else {
            rte_pktmbuf_chain(first, buffer);
        }
    }
    Frame whole = frames[0];
    whole.length = first->data_len;
    return whole;
}

TEST_F(PortTest, WhatComesInSeveralBuffersIsJoined) {
    const auto port = open_port("ring:joined", *pool_);
    Frame sent = in_several(make_frames(*pool_, 2));
    auto* const first = static_cast<rte_mbuf*>(sent.handle);
    const uint16_t half = first->data_len / 2;
    first->data_len = half;
    first->next->data_len = half;
    first->pkt_len = 2U * half;
    ASSERT_EQ(port->bursts().transmit({&sent, 1}), 1U);
    std::array<Frame, 4> burst;
    ASSERT_EQ(port->bursts().receive(burst), 1U);
    EXPECT_EQ(burst[0].length, 2 * half);
    EXPECT_EQ(burst[0].data[half - 1], 0);
    EXPECT_EQ(burst[0].data[half], 1);
    free_frames(*pool_, std::span(burst).first(1));
}

TEST_F(PortTest, WhatIsLongerThanABufferComesLongerThanAnyPortsFrames) {
    const auto port = open_port("ring:long", *pool_);
    const Frame sent = in_several(make_frames(*pool_, 3));
    ASSERT_EQ(port->bursts().transmit({&sent, 1}), 1U);
    std::array<Frame, 4> burst;
    ASSERT_EQ(port->bursts().receive(burst), 1U);
    EXPECT_EQ(Bytes(burst[0].length), pool_->room());
    EXPECT_GT(Bytes(burst[0].length), frame_for_mtu(1500));
    free_frames(*pool_, std::span(burst).first(1));
}

TEST_F(PortTest, WhatARingHoldsIsFreedWithIt) {
    const auto port = open_port("ring:left", *pool_);
    send(*port, 10);
}

TEST_F(PortTest, AnEndIsOpenedOnce) {
    const auto port = open_port("ring:once/a", *pool_);
    EXPECT_EQ(open_error("ring:once/a", *pool_).what, "this end is open already");
    EXPECT_EQ(open_error("ring:once", *pool_).what, "its two ends are open already");
}

TEST_F(PortTest, ARingCanBeOpenedAgain) {
    for (int time = 0; time < 3; ++time) {
        const auto a = open_port("ring:again/a", *pool_);
        const auto b = open_port("ring:again/b", *pool_);
        send(*a, 1, 9);
        EXPECT_EQ(receive_all(*b, *pool_), std::vector{9});
    }
}

TEST_F(PortTest, AsManyOpenAsItSays) {
    std::vector<std::unique_ptr<Port>> all;
    while (all.size() < most_ports()) all.push_back(open_port("null:", *pool_));
    EXPECT_NE(open_error("null:", *pool_).what, "");
}

TEST_F(PortTest, NullSwallows) {
    const auto port = open_port("null:", *pool_);
    EXPECT_EQ(send(*port, 5), 5U);
    EXPECT_TRUE(receive_all(*port, *pool_).empty());
}

TEST_F(PortTest, ACaptureIsWrittenAndReadBack) {
    const auto file = std::filesystem::temp_directory_path() / "sluice-port-test.pcap";
    {
        const auto port = open_port("pcap:," + file.string(), *pool_);
        EXPECT_EQ(send(*port, 4, 20), 4U);
        EXPECT_TRUE(receive_all(*port, *pool_).empty());
    }
    {
        const auto port = open_port("pcap:" + file.string(), *pool_);
        EXPECT_EQ(receive_all(*port, *pool_), (std::vector{20, 21, 22, 23}));
    }
    std::filesystem::remove(file);
}

TEST_F(PortTest, AnyOtherDriverIsOpenedInItsOwnWords) {
    const auto port = open_port("vdev:net_null9,size=100,no-rx=0", *pool_);
    std::array<Frame, 4> burst;
    ASSERT_EQ(port->bursts().receive(burst), 4U);
    EXPECT_EQ(burst[3].length, 100);
    free_frames(*pool_, burst);
}

TEST_F(PortTest, ItIsUpAndHasAnAddress) {
    const auto port = open_port("ring:up", *pool_);
    EXPECT_TRUE(port->link().up);
    EXPECT_FALSE(port->link().vanished);
    EXPECT_EQ(port->link().speed.count(), 10'000'000'000);
    EXPECT_NE(port->address().bits, 0U);
    EXPECT_FALSE(port->address().is_group());
    EXPECT_EQ(port->abilities().are, Abilities{});
}

TEST_F(PortTest, WhatIsNotThereIsRefusedBeforeDpdkSeesIt) {
    const Error error = open_error("af_packet:nosuch0", *pool_);
    EXPECT_EQ(error.key, "af_packet:nosuch0");
    EXPECT_EQ(error.what, "there is no network interface `nosuch0`");
    EXPECT_NE(error.remedy.find("`ip link show`"), std::string::npos);
    EXPECT_EQ(open_error("vdev:net_nosuch0", *pool_).what.find("DPDK cannot open it"), 0U);
}

TEST_F(PortTest, FramesMustFitTheBuffers) {
    const auto port = Port::open(
        {.name = "p", .device = *parse_device("ring:fit"), .mtu = 9000, .address = std::nullopt},
        *pool_);
    ASSERT_FALSE(port.has_value());
    EXPECT_EQ(port.error().key, "p");
    EXPECT_NE(port.error().remedy.find("or less"), std::string::npos);
}

}  // namespace
}  // namespace sluice::pmd
