// Bursts in recordings that are written down here; property/recorder_property.cc has drawn ones.
#include "control/recorder/burst_finder.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice::control {
namespace {

constexpr PortIndex left_input = 0;
constexpr PortIndex right_input = 1;
constexpr PortIndex slow_output = 2;

// A recording of one worker, a call a sample or an entry of it.
struct Written {
    Written& sample(int64_t at, uint16_t looks_before = 1, bool shows_all = false) {
        RecordEntry entry = made(RecordKind::sample, at);
        entry.distance = entry.longest = static_cast<uint32_t>(at - last);
        entry.frames = looks_before;
        entry.came = shows_all ? 1 : 0;
        last = at;
        return add(entry);
    }
    Written& path(PortIndex input, uint32_t octets, uint16_t came = 0, uint16_t dropped = 0) {
        RecordEntry entry = made(RecordKind::path, last);
        entry.input = input;
        entry.octets = octets;
        entry.came = came;
        entry.dropped = dropped;
        entry.frames = static_cast<uint16_t>(octets / 100);
        entry.since = since;
        return add(entry);
    }
    Written& queue(uint32_t octets, bool is_paused = false) {
        RecordEntry entry = made(RecordKind::queue, last);
        entry.octets = octets;
        entry.is_paused = is_paused ? 1 : 0;
        return add(entry);
    }
    Written& xoff(PortIndex input) {
        RecordEntry entry = made(RecordKind::group, last);
        entry.input = input;
        entry.came = 1;
        entry.is_paused = 1;
        return add(entry);
    }
    [[nodiscard]] Recording recording() const {
        Recording made;
        made.begin = Nanos(0);
        made.end = Nanos(last);
        made.workers.push_back({entries, is_whole});
        made.port_of = {0, 1, 2};
        return made;
    }
    [[nodiscard]] std::vector<Burst> found(uint64_t least = 0) const {
        return find_bursts(recording(), least);
    }

    std::vector<RecordEntry> entries;
    bool is_whole = true;
    int64_t last = 0;
    uint32_t since = 0;

  private:
    static RecordEntry made(RecordKind kind, int64_t at) {
        RecordEntry entry{};
        entry.time = Nanos(at);
        entry.kind = kind;
        entry.output = slow_output;
        entry.priority = 3;
        return entry;
    }
    Written& add(const RecordEntry& entry) {
        entries.push_back(entry);
        return *this;
    }
};

TEST(BurstFinder, names_start_peak_end_and_who_fed_it) {
    Written record;
    record.sample(1000).path(left_input, 300, 3).queue(100);
    record.sample(2500).path(right_input, 500, 6).path(left_input, 200);
    record.sample(4000).path(right_input, 0).path(left_input, 0).queue(0);
    const auto bursts = record.found();
    ASSERT_EQ(bursts.size(), 1U);
    const Burst& burst = bursts.front();
    EXPECT_EQ(burst.output, slow_output);
    EXPECT_EQ(burst.priority, 3);
    EXPECT_EQ(burst.start, Nanos(1000));
    EXPECT_EQ(burst.since_before, Nanos(1000));
    EXPECT_EQ(burst.until_next, Nanos(1500));
    EXPECT_EQ(burst.end, Nanos(4000));
    EXPECT_EQ(burst.peak, 800U);
    EXPECT_EQ(burst.peak_at, Nanos(2500));
    EXPECT_FALSE(burst.is_older || burst.goes_on);
    ASSERT_EQ(burst.feeders.size(), 2U);
    EXPECT_EQ(burst.feeders[0].port, right_input);
    EXPECT_EQ(burst.feeders[0].came, 6U);
    EXPECT_EQ(burst.feeders[1].came, 3U);
    EXPECT_EQ(burst.came, 9U);
}

TEST(BurstFinder, says_what_of_a_burst_is_not_in_the_record) {
    Written record;
    record.is_whole = false;
    record.sample(1000).path(left_input, 300, 3);
    record.sample(2000, 0, true).path(left_input, 300);
    const auto bursts = record.found();
    ASSERT_EQ(bursts.size(), 1U);
    EXPECT_TRUE(bursts.front().is_older);
    EXPECT_TRUE(bursts.front().goes_on);
}

TEST(BurstFinder, a_burst_behind_a_sample_that_shows_all_has_its_start) {
    Written record;
    record.is_whole = false;
    record.sample(1000, 0, true).path(right_input, 0, 1);
    record.sample(2000).path(left_input, 300, 3);
    record.sample(3000).path(left_input, 0);
    const auto bursts = record.found();
    ASSERT_EQ(bursts.size(), 1U);
    EXPECT_FALSE(bursts.front().is_older);
}

TEST(BurstFinder, counts_of_arrivals_that_are_older_than_the_sample_before_what_waits) {
    Written record;
    record.since = 50'000;
    record.sample(1000).path(left_input, 300, 40);
    record.since = 1000;
    record.sample(2000).path(left_input, 500, 2);
    record.sample(3000).path(left_input, 0);
    EXPECT_EQ(record.found().at(0).came, 5U);
}

TEST(BurstFinder, an_xoff_is_of_the_queue_that_most_of_its_input_waits_for) {
    Written record;
    record.sample(1000).path(left_input, 300, 3).xoff(left_input);
    record.sample(2000).xoff(right_input);  // of which nothing waits here
    record.sample(3000).path(left_input, 0);
    const auto bursts = record.found();
    ASSERT_EQ(bursts.size(), 1U);
    EXPECT_EQ(bursts.front().xoffs, 1U);
    EXPECT_EQ(bursts.front().feeders.front().xoffs, 1U);
}

TEST(BurstFinder, adds_up_how_long_the_peer_paused_it) {
    Written record;
    record.sample(1000).queue(0, true);  // before anything waits
    record.sample(2000).path(left_input, 300, 3);
    record.sample(5000).queue(100, false);
    record.sample(6000).queue(200, true);
    record.sample(8000).path(left_input, 0).queue(0, true);
    const auto bursts = record.found();
    ASSERT_EQ(bursts.size(), 1U);
    EXPECT_EQ(bursts.front().paused, Nanos(3000 + 2000));
}

TEST(BurstFinder, leaves_out_what_is_shallow_and_costs_nothing) {
    Written record;
    record.sample(1000).path(left_input, 300, 3);
    record.sample(2000).path(left_input, 0);
    record.sample(3000).path(left_input, 0, 0, 2);  // dropped where nothing waits
    record.sample(4000).path(right_input, 5000, 50);
    record.sample(5000).path(right_input, 0);
    const auto bursts = record.found(1000);
    ASSERT_EQ(bursts.size(), 2U);
    EXPECT_EQ(bursts[0].start, bursts[0].end);
    EXPECT_EQ(bursts[0].dropped, 2U);
    EXPECT_EQ(bursts[1].peak, 5000U);
}

TEST(BurstFinder, an_empty_recording_has_none) { EXPECT_TRUE(Written().found().empty()); }

}  // namespace
}  // namespace sluice::control
