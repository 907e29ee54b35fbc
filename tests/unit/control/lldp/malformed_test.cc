// A flood of frames that are damaged in every way: an agent outlives it and holds no more than it
// may.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <random>

#include "tests/unit/control/lldp/frames.h"

namespace sluice::lldp {
namespace {

using namespace literals;

constexpr int frames = 1'000'000 / FLOOD_SHARE;

Octets sound_frame() {
    Lldpdu lldpdu = lldpdu_of("chassis");
    lldpdu.system_name = "name";
    lldpdu.system_description = std::string(200, 'd');
    lldpdu.capabilities = Capabilities{bridge_capability, 0};
    lldpdu.management_addresses = {{.family = ipv4_family, .address = {192, 0, 2, 1}}};
    lldpdu.organisational = {{0x0080C2, 9, Octets(21)}, {0x001B21, 2, Octets(60)}};
    return frame_of(lldpdu);
}

Octets damaged(const Octets& sound, std::minstd_rand& random) {
    Octets octets = sound;
    for (auto times = random() % 3 + 1; times > 0; --times) {
        const std::size_t at = random() % octets.size();
        switch (random() % 4) {
            case 0:
                octets.resize(std::max<std::size_t>(at, 14));
                break;
            case 1:
                octets.insert(octets.begin() + static_cast<std::ptrdiff_t>(at),
                              static_cast<uint8_t>(random()));
                break;
            case 2:
                octets[at] ^= static_cast<uint8_t>(1U << random() % 8);
                break;
            default:
                octets[at] = static_cast<uint8_t>(random());
                break;
        }
    }
    return octets;
}

TEST(MalformedFrames, leave_an_agent_as_it_was) {
    AgentSettings settings;
    settings.local = lldpdu_of("us");
    Agent agent(settings);
    Nanos now = 1000_s;
    agent.set_link(true, now);
    const Octets sound = sound_frame();
    std::minstd_rand random(1);
    std::size_t held_early = 0;
    for (int n = 0; n < frames; ++n) {
        agent.receive(damaged(sound, random), now);
        ASSERT_LE(agent.neighbours().size(), destinations.size() * most_neighbours);
        now += 1_ms;
        if (n == frames / 10) held_early = ::mallinfo2().uordblks;
    }
    EXPECT_GT(agent.statistics().frames_discarded, static_cast<uint64_t>(frames) / 10);
    EXPECT_GT(agent.statistics().tlvs.unrecognized, 0U);
    EXPECT_GT(agent.statistics().tlvs.discarded, 0U);
    // The memory that four neighbours may differ by.
    EXPECT_LE(::mallinfo2().uordblks, held_early + 64 * 1024);

    agent.set_link(false, now);
    agent.set_link(true, now);
    EXPECT_EQ(agent.receive(sound, now).size(), 1U);
    EXPECT_TRUE(agent.next_frame(now));
}

}  // namespace
}  // namespace sluice::lldp
