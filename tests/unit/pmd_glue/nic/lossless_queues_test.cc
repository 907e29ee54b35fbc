// Ports with a receive and a transmit queue for each priority: rings, and every row of the table
// that has them against a device that does as its driver's source says (test_nic.h).
#include "pmd_glue/nic/lossless_queues.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <map>

#include "pmd_glue/nic/driver_table.h"
#include "tests/unit/pmd_glue/environment.h"
#include "tests/unit/pmd_glue/nic/test_nic.h"

namespace sluice::pmd::nic {
namespace {

constexpr PrioritySet lossless = 0b0010'1000;  // 3 and 5

PortRequest request_of(const std::string& device, PrioritySet of = lossless) {
    return {.name = device,
            .device = parse_device(device).value(),
            .rx_descriptors = 128,
            .tx_descriptors = 128,
            .queues = {.by_nic = true, .lossless = of}};
}

class Cable {
  public:
    Cable(const std::string& near, const std::string& far, PrioritySet of = lossless)
        : near_(open(near, of)), far_(open(far, of)) {}
    ~Cable() {
        near_.reset();
        far_.reset();
        EXPECT_EQ(pool_->available(), pool_->size()) << "buffers were lost";
    }

    // Tagged frames of these priorities, from the near end. How many it took.
    std::size_t send(std::vector<Priority> priorities) {
        std::vector<Frame> frames = make_frames(*pool_, priorities.size());
        for (std::size_t n = 0; n < frames.size(); ++n) {
            std::fill_n(frames[n].data, 60, uint8_t{0});
            write_address(frames[n].data, MacAddress{0x020000000009});
            write_16(frames[n].data + 12, 0x8100);
            frames[n].data[14] = static_cast<uint8_t>(priorities[n] << 5);
            frames[n].priority = priorities[n];
        }
        const std::size_t taken = near_->bursts().transmit(frames);
        free_frames(*pool_, std::span(frames).subspan(taken));
        return taken;
    }
    // Sends until no more frames are taken.
    std::size_t fill(Priority priority) {
        std::size_t sent = 0;
        while (sent < 2000) {
            const std::size_t taken = send(std::vector<Priority>(20, priority));
            sent += taken;
            if (taken < 20) break;
        }
        return sent;
    }
    // Receives all frames of the far end, except in queues of `stopped`, and counts them by PCP.
    std::map<Priority, std::size_t> receive(PrioritySet stopped = 0) {
        std::map<Priority, std::size_t> seen;
        std::array<Frame, max_burst> burst;
        while (const std::size_t count = far_->bursts().receive_but(stopped, burst)) {
            for (const Frame& frame : std::span(burst).first(count)) ++seen[frame.data[14] >> 5];
            free_frames(*pool_, std::span(burst).first(count));
        }
        return seen;
    }
    [[nodiscard]] Port& near() { return *near_; }
    [[nodiscard]] Port& far() { return *far_; }
    [[nodiscard]] Pool& pool() { return *pool_; }

  private:
    std::unique_ptr<Port> open(const std::string& device, PrioritySet of) {
        auto port = Port::open(request_of(device, of), *pool_);
        if (!port) {
            ADD_FAILURE() << port.error().text();
            std::abort();
        }
        return std::move(*port);
    }

    // An ixgbe has 128 queues at either end.
    std::unique_ptr<Pool> pool_ = make_pool(BufferLayout::packed, 16384);
    std::unique_ptr<Port> near_;
    std::unique_ptr<Port> far_;
};

using Counts = std::map<Priority, std::size_t>;

TEST(LosslessQueues, OfARingAreThoseOfTheirNumber) {
    Cable cable("ring:queues/a,queues=8", "ring:queues/b,queues=8");
    EXPECT_EQ(cable.send({0, 3, 3, 7, 0}), 5U);
    EXPECT_EQ(cable.receive(0b0000'1000), (Counts{{0, 2}, {7, 1}}));
    EXPECT_EQ(cable.receive(), (Counts{{3, 2}}));
    EXPECT_EQ(cable.near().abilities().are.pfc_rx, PauseAbility::hardware);
    EXPECT_EQ(cable.near().abilities().are.pfc_tx, PauseAbility::hardware);
    EXPECT_TRUE(cable.near().abilities().pfc_rx_why.empty());
    EXPECT_FALSE(cable.near().device_pauses()) << "there is no PFC";
}

TEST(LosslessQueues, AFullOneEndsABurstAndHoldsNoOther) {
    Cable cable("ring:full/a,queues=8", "ring:full/b,queues=8");
    EXPECT_EQ(cable.fill(3), 127U);
    EXPECT_EQ(cable.send({0, 0, 3, 0}), 2U) << "the third is refused";
    EXPECT_EQ(cable.send({0, 5}), 2U);
    EXPECT_EQ(cable.receive(), (Counts{{0, 3}, {3, 127}, {5, 1}}));
}

TEST(LosslessQueues, WhatTheSwitchMadeGoesByTheHighestLossyOne) {
    for (const auto& [of, queue] :
         {std::pair<PrioritySet, Priority>{lossless, 7}, {0b1100'1000, 5}, {0xFF, 0}}) {
        Cable cable("ring:made/a,queues=8", "ring:made/b,queues=8", of);
        cable.fill(3);
        Frame frame;
        ASSERT_TRUE(cable.pool().allocate(std::span(&frame, 1), 60));
        frame.data[14] = 0xE0;
        EXPECT_TRUE(cable.near().bursts().transmit_generated(frame));
        EXPECT_EQ(cable.receive(static_cast<PrioritySet>(~only_priority(queue))), (Counts{{7, 1}}));
        cable.receive();
    }
}

// Otherwise a queue that is always full would keep the others from being received.
TEST(LosslessQueues, OfEachTheFirstToBeAskedChanges) {
    const auto pool = make_pool();
    auto near = Port::open(request_of("ring:turns/a,queues=8"), *pool);
    auto far = Port::open(request_of("ring:turns/b,queues=8"), *pool);
    ASSERT_TRUE(near && far);
    for (const Priority priority : {Priority{0}, Priority{6}}) {
        std::vector<Frame> frames = make_frames(*pool, 60, priority);
        for (Frame& frame : frames) frame.priority = priority;
        ASSERT_EQ((*near)->bursts().transmit(frames), 60U);
    }
    std::array<Frame, 32> burst;
    for (const int turn : {1, 2}) {
        ASSERT_EQ((*far)->bursts().receive_but(0, burst), 32U) << turn;
        free_frames(*pool, burst);
    }
    EXPECT_EQ(receive_all(**near, *pool).size(), 0U);
    ASSERT_EQ((*far)->bursts().receive_but(0b0100'0000, burst), 28U) << "of both 32 have come";
    free_frames(*pool, std::span(burst).first(28));
    ASSERT_EQ((*far)->bursts().receive_but(0, burst), 28U);
    free_frames(*pool, std::span(burst).first(28));
}

Error refused(const PortRequest& request) {
    const auto pool = make_pool();
    const auto port = Port::open(request, *pool);
    EXPECT_FALSE(port);
    return port ? Error{} : port.error();
}

TEST(LosslessQueues, AreRefusedWhereTheyCannotBe) {
    EXPECT_EQ(refused(request_of("ring:x")).what,
              "pfc.by is nic, and it does not have a queue for each priority");
    EXPECT_EQ(refused(request_of("ring:x,queues=8,spread")).what,
              "pfc.by is nic, and its queues are spread over");
    EXPECT_EQ(refused(request_of("null:")).what,
              "pfc.by is nic, and it has no queue for each priority with PFC of its own");
    PortRequest lanes = request_of("ring:x,queues=8");
    lanes.lanes = 2;
    EXPECT_EQ(refused(lanes).what, "pfc.by is nic, and its queues are shared out among lanes");
    EXPECT_EQ(refused(request_of("vdev:net_igc_x,wire=w")).what,
              "pfc.by is nic, and its driver (net_igc) has no queue for each priority with PFC of "
              "its own");
    EXPECT_EQ(refused(request_of("vdev:net_virtio_x,wire=w")).remedy,
              "write pfc: {by: switch}, or see config/nics.md for devices that have");
}

TEST(LosslessQueues, OfAnIxgbeOnlyAn82599ObeysByPriority) {
    const DriverRow& row = row_of(ethdev_drivers(), "net_ixgbe");
    constexpr Release any{22, 11};
    EXPECT_FALSE(why_not(row, 0x10FB, any));
    EXPECT_TRUE(why_not(row, 0x1528, any)) << "X540";
    EXPECT_TRUE(why_not(row, 0x1563, any)) << "X550";
    EXPECT_FALSE(why_not(row_of(ethdev_drivers(), "net_i40e"), 0x1572, any));
}

TEST(LosslessQueues, OfAnIceAreOfALaterDpdk) {
    const DriverRow& row = row_of(ethdev_drivers(), "net_ice");
    EXPECT_EQ(why_not(row, 0x1592, {22, 11}),
              "its driver has queues with PFC of their own from DPDK 25.11 on, and this is 22.11");
    EXPECT_TRUE(why_not(row, 0x1592, {25, 3}));
    EXPECT_FALSE(why_not(row, 0x1592, {25, 11}));
    EXPECT_FALSE(why_not(row, 0x1592, {26, 3}));
}

// --- NICs -------------------------------------------------------------------------------------

class NicWithQueues : public testing::TestWithParam<test_nic::Class> {
  protected:
    [[nodiscard]] static std::string device(std::string_view end, const std::string& more = "") {
        return "vdev:" + std::string(GetParam().driver) + "_" + std::string(end) + ",wire=q" + more;
    }
};

TEST_P(NicWithQueues, GivesEachPriorityAQueue) {
    Cable cable(device("a"), device("b", ",end=b"));
    EXPECT_EQ(cable.send({0, 1, 2, 3, 4, 5, 6, 7}), 8U);
    EXPECT_EQ(cable.receive(0b0010'1011), (Counts{{2, 1}, {4, 1}, {6, 1}, {7, 1}}));
    EXPECT_EQ(cable.receive(0b0000'0010), (Counts{{0, 1}, {3, 1}, {5, 1}}));
    EXPECT_EQ(cable.receive(), (Counts{{1, 1}}));
    EXPECT_EQ(cable.near().abilities().are.pfc_rx, PauseAbility::unproven);
    EXPECT_EQ(cable.near().abilities().pfc_tx_why,
              "known from its driver's source, not yet observed");
    EXPECT_FALSE(cable.near().has_pause_queue());
}

TEST_P(NicWithQueues, HoldsBackWhatIsLosslessAndLosesNothingOfIt) {
    Cable cable(device("a"), device("b", ",end=b"));
    const std::size_t sent = cable.fill(3);
    EXPECT_LT(sent, 2000U) << "its peer paused it";
    EXPECT_EQ(cable.send({5, 5}), 2U) << "that priority alone";
    EXPECT_EQ(cable.receive(), (Counts{{3, sent}, {5, 2}}));
    EXPECT_EQ(cable.send({3}), 1U);
    EXPECT_EQ(cable.receive(), (Counts{{3, 1}}));
}

TEST_P(NicWithQueues, CountsWhatItPausedWhereItsDriverDoes) {
    Cable cable(device("a"), device("b", ",end=b"));
    EXPECT_EQ(cable.near().device_pauses().has_value(), GetParam().driver != "net_cn9k");
    if (!cable.near().device_pauses()) return;
    cable.fill(3);
    cable.fill(3);
    cable.receive();
    const PauseCountsOfPort near = *cable.near().device_pauses();
    const PauseCountsOfPort far = *cable.far().device_pauses();
    EXPECT_EQ(near[3].received, 1U);
    EXPECT_EQ(near[3].sent, 0U);
    EXPECT_EQ(far[3].sent, 1U);
    EXPECT_EQ(far[3].received + near[5].received + far[5].sent, 0U);
}

// The case in which the tests above can fail.
TEST_P(NicWithQueues, WouldLoseWithoutPfcOfItsOwn) {
    Cable cable(device("a", ",nopfc=yes"), device("b", ",end=b"));
    const std::size_t sent = cable.fill(3);
    EXPECT_LT(cable.receive()[3], sent);
}

std::vector<test_nic::Class> with_queues() {
    std::vector<test_nic::Class> found;
    std::ranges::copy_if(test_nic::classes(), std::back_inserter(found),
                         [](const auto& each) { return each.pfc != test_nic::Pfc::none; });
    return found;
}

INSTANTIATE_TEST_SUITE_P(Drivers, NicWithQueues, testing::ValuesIn(with_queues()),
                         [](const auto& each) { return std::string(each.param.driver); });

TEST(LosslessQueues, EveryRowThatHasThemHasItsTestNic) {
    for (const DriverRow& row : ethdev_drivers()) {
        const bool has = std::ranges::any_of(
            with_queues(), [&](const test_nic::Class& each) { return each.driver == row.name; });
        const bool is_hardware = row.queues != Queues::none && row.queues != Queues::plain;
        EXPECT_EQ(has, is_hardware) << row.name;
        EXPECT_EQ(row.queues_source.empty(), !is_hardware) << row.name;
    }
}

}  // namespace
}  // namespace sluice::pmd::nic
