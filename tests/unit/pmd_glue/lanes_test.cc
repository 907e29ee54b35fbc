// Ports of several queues: frames spread over them, and workers that share them.
#include <gtest/gtest.h>
#include <array>
#include <chrono>
#include <map>
#include <set>

#include "dataplane/ledger.h"
#include "pmd_glue/spread.h"
#include "pmd_glue/workers.h"
#include "tests/unit/pmd_glue/environment.h"

namespace sluice::pmd {
namespace {

using namespace std::chrono_literals;

constexpr uint32_t flows = 16;

TEST(Spread, KeepsAFlowInOneQueueAndUsesAll) {
    std::array<uint8_t, 14> octets{};
    std::set<uint16_t> used;
    for (uint8_t host = 0; host < 64; ++host) {
        octets[11] = host;
        const uint16_t queue = queue_for(octets, 3);
        octets[13] = host;  // no address
        EXPECT_EQ(queue_for(octets, 3), queue);
        EXPECT_LT(queue, 3);
        used.insert(queue);
    }
    EXPECT_EQ(used.size(), 3U);
    EXPECT_EQ(queue_for(std::span(octets).first(11), 3), 0);
    for (uint8_t host = 0; host < 64; ++host) {
        write_address(octets.data(), lldp_address);
        octets[11] = host;
        EXPECT_EQ(queue_for(octets, 3), 0);
    }
}

class LanesTest : public testing::Test {
  protected:
    void TearDown() override {
        EXPECT_EQ(pool_->available(), pool_->size()) << "buffers were lost";
    }
    std::unique_ptr<Port> open(const std::string& device, uint16_t lanes = 1) {
        auto port = Port::open({.name = device,
                                .device = parse_device(device).value(),
                                .rx_descriptors = 128,
                                .tx_descriptors = 128,
                                .lanes = lanes},
                               *pool_);
        if (!port) {
            ADD_FAILURE() << port.error().text();
            std::abort();
        }
        return std::move(*port);
    }
    // The next frame of each of `flows`, again and again. Returns how many were taken.
    std::size_t send(Port& port, std::size_t count) {
        std::vector<Frame> frames = make_frames(*pool_, count);
        for (std::size_t n = 0; n < count; ++n) {
            const auto number = static_cast<uint32_t>(sent_ + n);
            std::fill_n(frames[n].data, 60, uint8_t{0});
            write_address(frames[n].data, MacAddress{0x020000000099});
            write_address(frames[n].data + 6, MacAddress{0x020000000001U + number % flows});
            write_16(frames[n].data + 12, 0x88B5);
            write_16(frames[n].data + 14, static_cast<uint16_t>(number >> 16));
            write_16(frames[n].data + 16, static_cast<uint16_t>(number));
        }
        const std::size_t taken = port.bursts().transmit(frames);
        free_frames(*pool_, std::span(frames).subspan(taken));
        sent_ += taken;
        return taken;
    }
    // Receives by lane, and checks that each flow keeps its lane and its order.
    std::size_t receive(Port& port, uint16_t lane = 0) {
        std::array<Frame, max_burst> burst;
        const std::size_t count = port.bursts().receive(burst, lane);
        for (const Frame& frame : std::span(burst).first(count)) {
            const uint32_t number =
                uint32_t{read_16(frame.data + 14)} << 16 | read_16(frame.data + 16);
            const uint32_t flow = number % flows;
            const auto [first, is_new] = lane_of_.emplace(flow, lane);
            EXPECT_EQ(first->second, lane);
            EXPECT_EQ(number, is_new ? flow : last_[flow] + flows);
            last_[flow] = number;
        }
        free_frames(*pool_, std::span(burst).first(count));
        received_ += count;
        return count;
    }

    std::unique_ptr<Pool> pool_ = make_pool();
    std::size_t sent_ = 0;
    std::size_t received_ = 0;
    std::map<uint32_t, uint16_t> lane_of_;
    std::array<uint32_t, flows> last_{};
};

TEST_F(LanesTest, EachLaneHasQueuesOfItsOwn) {
    const auto sender = open("ring:lanes/a,queues=3,spread");
    const auto port = open("ring:lanes/b,queues=3", 2);
    for (int burst = 0; burst < 20; ++burst) {
        ASSERT_EQ(send(*sender, 32), 32U);
        while (receive(*port, 0) + receive(*port, 1) > 0) continue;
    }
    EXPECT_EQ(received_, 640U);
    std::array<int, 2> flows_of{};
    for (const auto& [flow, lane] : lane_of_) ++flows_of.at(lane);
    EXPECT_GT(flows_of[0], flows_of[1]);  // two queues of three
    EXPECT_GT(flows_of[1], 0);
}

TEST_F(LanesTest, WithoutASpreadAllGoesByTheFirstQueue) {
    const auto sender = open("ring:unspread/a,queues=2");
    const auto port = open("ring:unspread/b,queues=2", 2);
    send(*sender, 32);
    EXPECT_EQ(receive(*port, 1), 0U);
    EXPECT_EQ(receive(*port, 0), 32U);
}

// A full queue holds back later frames, so that none overtakes.
TEST_F(LanesTest, AFullQueueRefusesAndLosesNothing) {
    const auto sender = open("ring:fullqueue/a,queues=2,spread");
    const auto port = open("ring:fullqueue/b,queues=2", 2);
    while (send(*sender, 50) == 50) continue;
    EXPECT_LT(sent_, 254U);
    for (int round = 0; round < 50; ++round) {
        while (receive(*port, 1) + receive(*port, 0) > 0) continue;
        send(*sender, 50);
    }
    while (receive(*port, 1) + receive(*port, 0) > 0) continue;
    EXPECT_EQ(received_, sent_);
}

TEST_F(LanesTest, NeedAsManyQueues) {
    const PortRequest request{
        .name = "two", .device = parse_device("ring:two,queues=2").value(), .lanes = 3};
    const auto port = Port::open(request, *pool_);
    ASSERT_FALSE(port);
    EXPECT_EQ(port.error().what, "3 lanes have 2 queues");
    EXPECT_FALSE(check_lanes({.name = "one", .device = parse_device("ring:one").value()}));
}

TEST_F(LanesTest, BothEndsOfARingHaveAsManyQueues) {
    const auto port = open("ring:ends/a,queues=2");
    EXPECT_EQ(open_error("ring:ends/b", *pool_).what, "its other end has 2 queues");
}

// Port 0 has a lane of each worker, port 1 gets all; both workers run.
TEST_F(LanesTest, TwoWorkersReceiveFromOnePort) {
    constexpr std::size_t frames = 50'000;
    const Clock clock = Clock::calibrated();
    Settings settings;
    settings.ports.resize(2);
    settings.workers = 2;
    settings.lanes = {{.port = 0, .worker = 1}};
    settings.fdb.static_entries = {{.vlan = 1, .address = {0x020000000099}, .port = 1}};
    const auto sender = open("ring:fast/a,queues=2,spread");
    const auto fast = open("ring:fast/b,queues=2", 2);
    const auto out = open("ring:out/a");
    const auto receiver = open("ring:out/b");
    Switch fabric(settings);
    fabric.set_link(0, true);
    fabric.set_link(1, true);
    {
        Workers workers(fabric, settings, {fast.get(), out.get()}, {pool_.get()}, clock, {});
        workers.start(eal());
        const auto limit = std::chrono::steady_clock::now() + 60s;
        // Until all have come through: a worker that stops takes nothing more off its ring.
        while ((sent_ < frames || received_ < sent_) && std::chrono::steady_clock::now() < limit) {
            // No more on its way than buffers are for.
            if (sent_ < frames && sent_ - received_ < 1000) send(*sender, 32);
            receive(*receiver);
        }
        EXPECT_TRUE(workers.stop().empty());
        EXPECT_GT(workers.counters(0).received.value(), 0U);
        EXPECT_GT(workers.counters(1).received.value(), 0U);
        EXPECT_EQ(workers.counters(0).received.value() + workers.counters(1).received.value(),
                  sent_);
    }
    while (receive(*receiver) > 0) continue;
    EXPECT_EQ(received_, sent_);
    EXPECT_GE(received_, frames);
    EXPECT_EQ(fabric.counters(0).rx_frames.value() + fabric.counters(2).rx_frames.value(), sent_);
    EXPECT_TRUE(ledger_of(fabric).balanced());
}

}  // namespace
}  // namespace sluice::pmd
