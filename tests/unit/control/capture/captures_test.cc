#include "control/capture/captures.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/support/rig.h"

namespace sluice::control {
namespace {

using namespace std::chrono_literals;
using test::Rig;
using test::settings_of;

constexpr PortSet everywhere = ~PortSet{0};

CaptureOptions everything() {
    return {.wanted = {.received = everywhere, .sent = 0, .dropped = 0}, .filter = {}, .count = 0};
}

// Captures of a client that is always ready to receive.
class CapturesTest : public testing::Test {
  protected:
    std::unique_ptr<Feed> begin(CaptureOptions options) {
        auto feed = captures_.begin(
            std::move(options), [this](const CaptureCounts& counts) { ended_.push_back(counts); });
        EXPECT_TRUE(feed) << feed.error();
        return feed ? std::move(*feed) : nullptr;
    }
    // Returns the feed's next piece: lengths of frames, "counts C/F/L", "end C/F/L".
    std::string next_piece(Feed& feed) {
        CaptureStream stream;
        stream.append(feed.next(at_));
        std::string words;
        for (;;) {
            const CaptureStream::Message message = stream.next();
            if (const auto* frame = std::get_if<CaptureStream::Frame>(&message)) {
                words += std::to_string(frame->octets.size()) + " ";
                times_.push_back(frame->record.time.count());
            } else if (const auto* so_far = std::get_if<CaptureStream::Counts>(&message)) {
                const CaptureCounts& counts = so_far->counts;
                words += (so_far->last ? "end " : "counts ") + std::to_string(counts.captured) +
                         "/" + std::to_string(counts.filtered_out) + "/" +
                         std::to_string(counts.lost);
            } else {
                EXPECT_TRUE(std::holds_alternative<CaptureStream::Incomplete>(message));
                return words;
            }
        }
    }
    void receive(PortIndex port, std::size_t length, uint16_t ether_type = 0x88B5) {
        rig_.receive(port, "x", {.ether_type = ether_type, .length = length});
    }

    Rig rig_{settings_of(4, 2)};
    Captures captures_{rig_.dataplane, [this] { return rig_.now; }};
    Clock::time_point at_ = Clock::now();
    std::vector<CaptureCounts> ended_;
    std::vector<int64_t> times_;
};

TEST_F(CapturesTest, BeginsOnceEveryWorkerKnows) {
    const auto feed = begin(everything());
    EXPECT_EQ(next_piece(*feed), "");
    rig_.housekeep();
    EXPECT_EQ(next_piece(*feed), "counts 0/0/0");
    receive(0, 60);
    EXPECT_EQ(next_piece(*feed), "60 ");
}

TEST_F(CapturesTest, SendsItsCountsOnceASecond) {
    const auto feed = begin(everything());
    rig_.housekeep();
    EXPECT_EQ(next_piece(*feed), "counts 0/0/0");
    at_ += 999ms;
    EXPECT_EQ(next_piece(*feed), "");
    at_ += 1ms;
    EXPECT_EQ(next_piece(*feed), "counts 0/0/0");
}

// Frames of two workers, with the time of day.
TEST_F(CapturesTest, SendsFramesInTheOrderOfTime) {
    const auto feed = begin(everything());
    rig_.housekeep();
    next_piece(*feed);
    const auto before = std::chrono::system_clock::now().time_since_epoch();
    receive(1, 61);
    rig_.now += Nanos(1000);
    receive(0, 62);
    rig_.now += Nanos(1000);
    receive(1, 63);
    EXPECT_EQ(next_piece(*feed), "61 62 63 ");
    ASSERT_EQ(times_.size(), 3U);
    EXPECT_EQ(times_[1] - times_[0], 1000);
    EXPECT_EQ(times_[2] - times_[1], 1000);
    const auto now = std::chrono::nanoseconds(before).count();
    EXPECT_NEAR(static_cast<double>(times_[2]), static_cast<double>(now), 10e9);
}

TEST_F(CapturesTest, AFilterLooksAtWholeFramesWhateverTheSnaplen) {
    CaptureOptions options = everything();
    options.wanted.longest = 20;
    // ldh [100]; passes where that is 0, which a frame of 60 octets does not have.
    options.filter =
        CaptureFilter::of({{0x28, 0, 0, 100}, {0x15, 0, 1, 0}, {6, 0, 0, 1}, {6, 0, 0, 0}}).value();
    const auto feed = begin(std::move(options));
    rig_.housekeep();
    next_piece(*feed);
    receive(0, 60);
    receive(0, 200);
    at_ += 1s;
    EXPECT_EQ(next_piece(*feed), "20 counts 1/1/0");
}

TEST_F(CapturesTest, IsOverAfterSoManyFrames) {
    CaptureOptions options = everything();
    options.count = 2;
    auto feed = begin(std::move(options));
    rig_.housekeep();
    next_piece(*feed);
    for (const std::size_t length : {60U, 61U, 62U}) receive(0, length);
    EXPECT_FALSE(feed->is_over());
    EXPECT_EQ(next_piece(*feed), "60 61 end 2/0/0");
    EXPECT_TRUE(feed->is_over());
    EXPECT_EQ(next_piece(*feed), "");
    feed.reset();
    EXPECT_EQ(ended_, (std::vector<CaptureCounts>{{2, 0, 0}}));
}

TEST_F(CapturesTest, AClientThatWantsNoMoreGetsWhatThereIsAndTheEnd) {
    const auto feed = begin(everything());
    rig_.housekeep();
    next_piece(*feed);
    receive(0, 60);
    feed->finish();
    EXPECT_EQ(next_piece(*feed), "60 end 1/0/0");
    EXPECT_TRUE(feed->is_over());
}

TEST_F(CapturesTest, OneThatIsNotTakenLosesItsOwnAndNobodyElses) {
    const auto slow = begin(everything());
    const auto quick = begin(everything());
    rig_.housekeep();
    next_piece(*slow);
    next_piece(*quick);
    std::size_t taken = 0;
    constexpr std::size_t frames = 1000;
    for (std::size_t n = 0; n < frames; ++n) {
        receive(0, 1500);
        rig_.run();
        for (const char letter : next_piece(*quick)) taken += letter == ' ' ? 1 : 0;
    }
    EXPECT_EQ(taken, frames);
    EXPECT_EQ(rig_.dataplane.counters(1).tx_frames.value(), frames);
    at_ += 1s;
    const std::string words = next_piece(*slow);
    const std::string counts = words.substr(words.find("counts"));
    const std::size_t kept = CaptureRing::cells / 24;
    EXPECT_EQ(counts, "counts " + std::to_string(kept) + "/0/" + std::to_string(frames - kept));
}

TEST_F(CapturesTest, AreSoManyAtMost) {
    std::vector<std::unique_ptr<Feed>> feeds;
    for (std::size_t n = 0; n < Captures::most; ++n) feeds.push_back(begin(everything()));
    const auto more = captures_.begin(everything(), {});
    ASSERT_FALSE(more);
    EXPECT_EQ(more.error(), "capture: 4 are already running; end one of them");
    rig_.housekeep();
    feeds.pop_back();
    // A worker may still use the old capture.
    EXPECT_FALSE(captures_.begin(everything(), {}));
    rig_.housekeep();
    feeds.push_back(begin(everything()));
}

}  // namespace
}  // namespace sluice::control
