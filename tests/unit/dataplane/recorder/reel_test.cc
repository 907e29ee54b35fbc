// What a worker keeps, sample by sample, and what it hands over around a trigger.
#include "dataplane/recorder/reel.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice {
namespace {

using namespace literals;

constexpr InputIndex recorded_input(0);
constexpr QueueKey recorded_queue{1, 3};

RecorderSettings every_cause() {
    RecorderSettings settings;
    settings.period = 1_us;
    settings.before = 10_us;
    settings.after = 5_us;
    settings.memory = 256_KiB;
    settings.depth = 4_KiB;
    settings.causes = 0x3F;
    return settings;
}

struct Tape {
    explicit Tape(const RecorderSettings& settings = every_cause(), unsigned workers = 1)
        : board(workers), reel(settings, board, 2, 2) {}

    // One sample: octets on the path, and frames that have come and were dropped so far.
    void sample(uint64_t octets, uint64_t came, uint64_t dropped = 0) {
        now += 1_us;
        ASSERT_TRUE(reel.is_due(only(recorded_input), now));
        reel.begin(now);
        reel.see(recorded_input, recorded_queue,
                 Reel::Path{octets, octets / 100, came, dropped, 0});
        reel.see_depth(recorded_queue, octets);
        reel.end();
    }
    [[nodiscard]] std::vector<RecordEntry> taken() const {
        std::vector<RecordEntry> entries;
        for (const auto span : reel.entries_of(*reel.finished())) {
            entries.insert(entries.end(), span.begin(), span.end());
        }
        return entries;
    }

    TriggerBoard board;
    Reel reel;
    Nanos now{1'000'000};
};

TEST(Reel, keeps_what_changed_and_how_far_samples_are_apart) {
    Tape tape;
    for (int idle = 0; idle < 3; ++idle) tape.sample(0, 0);
    tape.sample(500, 5);
    tape.sample(500, 5);
    tape.now += 7_us;
    tape.sample(0, 5);
    tape.reel.want();
    for (int n = 0; n < 6; ++n) tape.sample(0, 5);
    ASSERT_NE(tape.reel.finished(), nullptr);
    const auto entries = tape.taken();
    ASSERT_EQ(entries.size(), 4U);
    EXPECT_EQ(entries[0].kind, RecordKind::sample);
    EXPECT_EQ(entries[0].frames, 3U);  // looks that found nothing
    EXPECT_EQ(entries[0].distance, 1000U);
    EXPECT_EQ(entries[1].kind, RecordKind::path);
    EXPECT_EQ(entries[1].octets, 500U);
    EXPECT_EQ(entries[1].came, 5U);
    EXPECT_EQ(entries[2].distance, 8000U);
    EXPECT_EQ(entries[2].longest, 8000U);
    EXPECT_EQ(entries[2].frames, 1U);
    EXPECT_EQ(entries[3].octets, 0U);
}

TEST(Reel, goes_on_for_the_time_after_the_trigger_and_names_it) {
    Tape tape;
    tape.sample(0, 0);
    tape.sample(8192, 80);
    const Nanos at = tape.now;
    for (int n = 0; n < 4; ++n) tape.sample(100, 80);
    EXPECT_EQ(tape.reel.finished(), nullptr);
    tape.sample(100, 80);
    ASSERT_NE(tape.reel.finished(), nullptr);
    const Reel::Finished& part = *tape.reel.finished();
    ASSERT_TRUE(part.trigger);
    EXPECT_EQ(part.trigger->cause, RecordCause::depth);
    EXPECT_EQ(part.trigger->at, at);
    EXPECT_EQ(part.trigger->port, 1);
    EXPECT_EQ(part.trigger->priority, 3);
    EXPECT_EQ(part.trigger->value, 8192U);
    EXPECT_EQ(part.end, at + 5_us);
}

TEST(Reel, is_drawn_out_by_further_reasons_to_ten_times_that) {
    Tape tape;
    tape.sample(0, 0);
    tape.sample(8192, 80);
    const Nanos at = tape.now;
    while (tape.reel.finished() == nullptr) tape.sample(8192, 80);
    EXPECT_EQ(tape.reel.finished()->end, at + 50_us);
}

TEST(Reel, a_cause_that_is_not_asked_for_is_none) {
    RecorderSettings settings = every_cause();
    settings.causes = 1U << static_cast<unsigned>(RecordCause::drop);
    Tape tape(settings);
    tape.sample(0, 0);
    tape.sample(9000, 80);
    for (int n = 0; n < 100; ++n) tape.sample(9000, 80);
    EXPECT_EQ(tape.reel.finished(), nullptr);
    tape.sample(9000, 80, 2);
    for (int n = 0; n < 6; ++n) tape.sample(9000, 80, 2);
    ASSERT_NE(tape.reel.finished(), nullptr);
    EXPECT_EQ(tape.reel.finished()->trigger->cause, RecordCause::drop);
    EXPECT_EQ(tape.reel.finished()->trigger->value, 2U);
}

TEST(Reel, an_xoff_and_a_storm_are_reasons_as_they_begin) {
    Tape tape;
    const auto group = [&](bool pausing, uint64_t xoffs) {
        tape.now += 1_us;
        tape.reel.begin(tape.now);
        tape.reel.see(recorded_input, Priority{3}, Reel::Group{5000, 10, xoffs, pausing});
        tape.reel.end();
    };
    for (int n = 0; n < 3; ++n) group(false, 0);
    for (int n = 0; n < 6; ++n) group(true, 1);
    ASSERT_NE(tape.reel.finished(), nullptr);
    EXPECT_EQ(tape.reel.finished()->trigger->cause, RecordCause::xoff);
    tape.reel.give_back();
    for (int n = 0; n < 20; ++n) group(true, 1);
    EXPECT_EQ(tape.reel.finished(), nullptr);
    for (int n = 0; n < 7; ++n) {
        tape.now += 1_us;
        tape.reel.begin(tape.now);
        tape.reel.see_storms(1, only_priority(3));
        tape.reel.end();
    }
    ASSERT_NE(tape.reel.finished(), nullptr);
    EXPECT_EQ(tape.reel.finished()->trigger->cause, RecordCause::watchdog);
}

TEST(Reel, counts_samples_that_find_no_part_free_and_goes_on_once_there_is_one) {
    Tape tape;
    std::size_t parts = 0;
    for (int n = 0; n < 1000 && tape.reel.lost() == 0; ++n) {
        tape.reel.want();
        for (int more = 0; more < 7; ++more) tape.sample(0, 0);
    }
    EXPECT_GT(tape.reel.lost(), 0U);
    while (tape.reel.finished() != nullptr) {
        tape.reel.give_back();
        ++parts;
    }
    EXPECT_EQ(parts, RecorderSettings::parts);
    tape.sample(300, 3);
    const uint64_t lost = tape.reel.lost();
    for (int n = 0; n < 10; ++n) tape.sample(300, 3);
    EXPECT_EQ(tape.reel.lost(), lost);
    tape.reel.want();
    for (int n = 0; n < 7; ++n) tape.sample(300, 3);
    ASSERT_NE(tape.reel.finished(), nullptr);
    EXPECT_FALSE(tape.taken().empty());
}

TEST(Reel, what_is_left_of_a_ring_says_all_that_there_is) {
    Tape tape;
    tape.now += 1_us;
    tape.reel.begin(tape.now);
    tape.reel.see(recorded_input, QueueKey{0, 1}, Reel::Path{700, 7, 7, 0, 0});
    tape.reel.end();
    // Enough samples to overwrite the burst while it still waits.
    for (uint64_t n = 0; n < 5000; ++n) {
        tape.now += 1_us;
        tape.reel.begin(tape.now);
        tape.reel.see(recorded_input, QueueKey{0, 1}, Reel::Path{700, 7, 7, 0, 0});
        tape.reel.see(recorded_input, recorded_queue, Reel::Path{100 + n % 2, 1, n, 0, 0});
        tape.reel.end();
    }
    tape.reel.want();
    for (int n = 0; n < 7; ++n) tape.sample(100, 5000);
    ASSERT_NE(tape.reel.finished(), nullptr);
    bool is_there = false;
    for (const RecordEntry& entry : tape.taken()) {
        is_there |= entry.kind == RecordKind::path && entry.output == 0 && entry.octets == 700;
    }
    EXPECT_TRUE(is_there);
}

TEST(Reel, a_recording_is_of_all_workers_and_one_at_a_time) {
    const RecorderSettings settings = every_cause();
    TriggerBoard board(2);
    Reel first(settings, board, 2, 2);
    Reel second(settings, board, 2, 2);
    Nanos now{1'000'000};
    const auto sample = [&](Reel& reel) {
        reel.begin(now);
        reel.end();
    };
    first.want();
    for (int n = 0; n < 6; ++n, now += 1_us) sample(first);
    ASSERT_NE(first.finished(), nullptr);
    EXPECT_TRUE(TriggerBoard::is_recording(board.round()));
    first.want();
    sample(first);  // while the other samples
    EXPECT_TRUE(TriggerBoard::is_recording(board.round()));
    for (int n = 0; n < 6; ++n, now += 1_us) sample(second);
    EXPECT_FALSE(TriggerBoard::is_recording(board.round()));
    ASSERT_NE(second.finished(), nullptr);
    EXPECT_EQ(second.finished()->round, first.finished()->round);
    EXPECT_FALSE(second.finished()->trigger);
}

TEST(Reel, polls_that_are_left_out_are_not_lost_to_the_next_sample) {
    RecorderSettings settings = every_cause();
    settings.period = 10_us;
    Tape tape(settings);
    EXPECT_TRUE(tape.reel.is_due(0, tape.now));
    tape.reel.begin(tape.now);
    tape.reel.end();
    EXPECT_FALSE(tape.reel.is_due(0, tape.now + 1_us));
    EXPECT_TRUE(tape.reel.is_due(only(recorded_input), tape.now + 2_us));  // frames after none
    tape.reel.begin(tape.now + 2_us);
    tape.reel.end();
    EXPECT_FALSE(tape.reel.is_due(only(recorded_input), tape.now + 3_us));
    EXPECT_FALSE(tape.reel.is_due(0, tape.now + 4_us));
    EXPECT_TRUE(tape.reel.is_due(0, tape.now + 12_us));
    EXPECT_EQ(tape.reel.active(), only(recorded_input));
}

}  // namespace
}  // namespace sluice
