// What a shard tells its recorder at the end of a poll.
#include <gtest/gtest.h>

#include <memory>

#include "dataplane/recorder/reel.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;

RecorderSettings recorded_by_hand() {
    RecorderSettings settings;
    settings.period = 1_us;
    settings.after = 5_us;
    settings.memory = 256_KiB;
    return settings;
}

TEST(ShardRecorder, tells_of_paths_queues_and_groups_and_takes_the_reel_back) {
    Settings with = test::without_bypass(test::settings_of(2));
    with.ports[1].rate = BitsPerSecond(1'000'000);
    test::Rig rig(with);
    const RecorderSettings settings = recorded_by_hand();
    TriggerBoard board(1);
    const auto reel = std::make_unique<Reel>(settings, board, 2, 2);
    rig.dataplane.reel_slot(0).give(reel.get());
    rig.poll();
    EXPECT_EQ(rig.dataplane.reel_slot(0).taken(), reel.get());
    for (int n = 0; n < 2; ++n, rig.now += 1_us) rig.poll();  // each path was looked at
    test::FrameSpec spec{.to = test::station(1), .tag = test::Tag{.pcp = 3}};
    rig.receive(0, "abcdefgh", spec);
    rig.poll();
    rig.now += 1_us;
    reel->want();
    for (int n = 0; n < 7; ++n, rig.now += 1_us) rig.poll();
    ASSERT_NE(reel->finished(), nullptr);
    uint64_t came = 0;
    uint64_t octets = 0;
    for (const auto span : reel->entries_of(*reel->finished())) {
        for (const RecordEntry& entry : span) {
            if (entry.kind == RecordKind::path) {
                EXPECT_EQ(entry.input, 0);
                EXPECT_EQ(entry.output, 1);
                EXPECT_EQ(entry.priority, 3);
                came += entry.came;
            }
            if (entry.kind == RecordKind::queue) octets = entry.octets;
        }
    }
    EXPECT_EQ(came, 8U);
    EXPECT_EQ(octets, static_cast<uint64_t>(rig.dataplane.egress(1).queue(3).bytes().count()));
    rig.dataplane.reel_slot(0).give(nullptr);
    rig.poll();
    EXPECT_EQ(rig.dataplane.reel_slot(0).taken(), nullptr);
    rig.flush();
}

}  // namespace
}  // namespace sluice
