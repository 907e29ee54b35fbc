// Frames of control between a worker and the control thread: the reader gets whole frames, each
// once and in order, however late it looks, and the thread sanitizer has nothing to say.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>

#include "dataplane/ledger.h"
#include "dataplane/switch.h"
#include "tests/support/octets.h"
#include "tests/support/rig.h"

namespace sluice::property {
namespace {

using namespace literals;

class Sequence {
  public:
    // A frame of LLDP that holds its number over and over.
    test::Octets next() {
        test::Octets octets = test::octets_of(
            {.to = lldp_address, .ether_type = 0x88CC, .length = 60 + number_ % 1000});
        std::fill(octets.begin() + 14, octets.end(), static_cast<uint8_t>(number_));
        write_16(&octets[14], static_cast<uint16_t>(number_ >> 16));
        write_16(&octets[16], static_cast<uint16_t>(number_++));
        return octets;
    }
    void check(std::span<const uint8_t> octets) {
        const uint32_t number = uint32_t{read_16(&octets[14])} << 16 | read_16(&octets[16]);
        in_order_ &= number >= next_;
        whole_ &= octets.size() == 60 + number % 1000;
        for (const uint8_t octet : octets.subspan(18)) {
            whole_ &= octet == static_cast<uint8_t>(number);
        }
        next_ = number + 1;
        ++seen_;
    }
    void check_all_is_well() const {
        EXPECT_TRUE(in_order_);
        EXPECT_TRUE(whole_);
        EXPECT_GT(seen_, 100U);
    }
    [[nodiscard]] uint32_t seen() const { return seen_; }

  private:
    uint32_t number_ = 0;  // by who makes them
    uint32_t next_ = 0;    // the rest by who checks them
    uint32_t seen_ = 0;
    bool in_order_ = true;
    bool whole_ = true;
};

// A worker that receives LLDP and sends frames of control, in virtual time.
void work_for_control(Switch& dataplane, Sequence& received, Sequence& sent,
                      const std::atomic<bool>& stop) {
    std::minstd_rand random(3);
    for (Nanos now = 1_s; !stop.load(std::memory_order_acquire); now += 10_ms) {
        test::Octets octets = received.next();
        Frame frame{.handle = &octets,
                    .data = octets.data(),
                    .length = static_cast<uint16_t>(octets.size())};
        Released released;
        dataplane.shard_of(0).receive(0, std::span(&frame, 1), now, released);
        if (dataplane.shard(0).take_control_due() == 0) continue;
        for (auto due = dataplane.shard_of(0).control_frame(0); !due.empty();
             due = dataplane.shard_of(0).control_frame(0)) {
            if (random() % 4 == 0) {
                dataplane.shard_of(0).postpone_control(0);
                break;
            }
            sent.check(due);
            dataplane.shard_of(0).control_frame_sent(0);
        }
    }
}

TEST(ControlMail, PassesWholeFramesInOrderBothWays) {
    Switch dataplane(test::settings_of(2));
    dataplane.set_link(0, true);
    Sequence received;
    Sequence sent;
    std::atomic<bool> stop{false};
    std::thread worker([&] { work_for_control(dataplane, received, sent, stop); });
    uint64_t given = 0;
    test::Octets next = sent.next();
    while (received.seen() < 20'000 / THREADS_SHARE) {
        Mailbox& box = dataplane.received(0);
        if (const auto octets = box.front(); !octets.empty()) {
            received.check(octets);
            box.pop();
        }
        if (dataplane.send_for_control(0, next)) {
            next = sent.next();
            ++given;
        }
    }
    stop.store(true, std::memory_order_release);
    worker.join();
    received.check_all_is_well();
    sent.check_all_is_well();
    EXPECT_LE(given - sent.seen(), Mailbox::slots);
    EXPECT_EQ(dataplane.counters(0).generated.value(), sent.seen());
    EXPECT_TRUE(ledger_of(dataplane).balanced());
}

}  // namespace
}  // namespace sluice::property
