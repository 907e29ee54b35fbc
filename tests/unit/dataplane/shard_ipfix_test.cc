// What a shard samples for IPFIX at the end of a poll.
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "dataplane/ipfix/queue_sampler.h"
#include "tests/support/rig.h"

namespace sluice {
namespace {

using namespace literals;

TEST(ShardIpfix, samples_its_queues_and_groups) {
    Settings with = test::without_bypass(test::settings_of(2));
    with.ports[1].rate = BitsPerSecond(1'000'000);
    test::Rig rig(with);
    const auto sampler = std::make_unique<QueueSampler>(
        1_us, QueueSampler::Wanted{.queues = {{1, 3}}, .groups = {{0, 3}}}, 2, 64);
    rig.dataplane.sampler_slot(0).give(sampler.get());
    rig.poll();
    EXPECT_EQ(rig.dataplane.sampler_slot(0).taken(), sampler.get());
    test::FrameSpec spec{.to = test::station(1), .tag = test::Tag{.pcp = 3}};
    rig.receive(0, "abcdefgh", spec);
    for (int n = 0; n < 4; ++n, rig.now += 1_us) rig.poll();
    std::vector<uint64_t> last;
    sampler->take(
        [&](std::span<const uint64_t> words) { last.assign(words.begin(), words.end()); });
    EXPECT_GE(sampler->samples(), 3U);
    ASSERT_EQ(last.size(), 7U);
    const Ingress& from = std::as_const(rig.dataplane).ingress(0);
    const EgressQueue& egress = std::as_const(rig.dataplane).egress(1).queue(3);
    const QueueKey path{1, 3};
    EXPECT_EQ(last[1], from.dequeued(path) - egress.waiting());
    EXPECT_EQ(last[2], from.dropped(path));
    EXPECT_EQ(last[4], static_cast<uint64_t>((from.voq(1, 3).bytes() + egress.bytes()).count()));
    EXPECT_GT(last[4], 0U);
    rig.dataplane.sampler_slot(0).give(nullptr);
    rig.poll();
    EXPECT_EQ(rig.dataplane.sampler_slot(0).taken(), nullptr);
    rig.flush();
}

}  // namespace
}  // namespace sluice
