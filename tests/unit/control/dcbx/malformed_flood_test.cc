// A million frames of TLVs that are nearly right, divided over an agent of each mode: it lives,
// holds no more memory than before, and reads the next good frame.
#include <gtest/gtest.h>
#include <malloc.h>

#include <random>

#include "control/dcbx/agent.h"
#include "tests/support/dcbx_golden.h"

namespace sluice::dcbx {
namespace {

constexpr int frames = 1'000'000 / FLOOD_SHARE;

using test::golden_tlv;

// 0 under a sanitizer, whose allocator does not report it.
std::size_t memory_in_use() { return mallinfo2().uordblks; }

std::vector<lldp::OrganisationalTlv> golden() {
    std::vector<lldp::OrganisationalTlv> tlvs;
    for (const char* name :
         {"ieee_congestion", "ieee_ets", "ieee_ets_eight", "ieee_recommendation", "ieee_pfc",
          "ieee_pfc_willing", "ieee_application", "ieee_application_vlan", "draft0409_classes",
          "draft0409_ets", "draft0409_recommendation", "draft0409_pfc", "draft0409_pfc_defended",
          "draft0409_application", "draft0409_congestion", "cee", "cee_control"}) {
        tlvs.push_back(golden_tlv(name));
    }
    return tlvs;
}

void damage(lldp::OrganisationalTlv& tlv, std::minstd_rand& random) {
    auto& payload = tlv.payload;
    switch (random() % 5) {
        case 0:
            payload.resize(random() % (payload.size() + 1));
            break;
        case 1:
            payload.resize(payload.size() + random() % (508 - payload.size()),
                           static_cast<uint8_t>(random()));
            break;
        case 2:
            tlv.subtype = static_cast<uint8_t>(random() % 20);
            break;
        default:
            if (!payload.empty()) {
                payload[random() % payload.size()] ^= static_cast<uint8_t>(1U << random() % 8);
            }
            break;
    }
}

class MalformedFlood : public testing::TestWithParam<Mode> {};
INSTANTIATE_TEST_SUITE_P(Each, MalformedFlood,
                         testing::Values(Mode::ieee, Mode::draft0409, Mode::cee, Mode::automatic));

TEST_P(MalformedFlood, LeavesTheAgentAliveAndItsMemoryAsItWas) {
    const auto good = golden();
    const bool cee = GetParam() == Mode::cee;
    const lldp::OrganisationalNeighbour sound{
        .source = {2},
        .tlvs = {golden_tlv(cee                             ? "cee"
                            : GetParam() == Mode::draft0409 ? "draft0409_pfc_defended"
                                                            : "ieee_pfc")}};
    Agent agent;
    agent.configure(GetParam(), {.address = {1}, .willing = {true, true, true, true}}, Nanos(0));
    const auto receive = [&](const lldp::OrganisationalNeighbour& from) {
        return agent.neighbours(std::span(&from, 1), Nanos(0));
    };
    receive(sound);
    const PrioritySet pfc = agent.operational().pfc;
    std::size_t before = 0;

    std::minstd_rand random(1);
    for (int n = 0; n < frames / 4; ++n) {
        lldp::OrganisationalNeighbour from{.source = {2}};
        for (auto count = random() % 4 + 1; count > 0; --count) {
            from.tlvs.push_back(good[random() % good.size()]);
            damage(from.tlvs.back(), random);
        }
        FaultCounters none;
        const auto answer = receive(from);
        read(agent.dialect(), answer, none);
        ASSERT_EQ(none.total(), 0U) << "what it sends is sound, whatever it heard";
        // After an eighth of the frames the heap has grown to its final size.
        if (n == frames / 8) before = memory_in_use();
    }
    EXPECT_GT(agent.faults().total(), 0U);
    receive(sound);
    EXPECT_EQ(agent.operational().pfc, pfc);
    EXPECT_LE(memory_in_use(), before + std::size_t{16} * 1024);
}

}  // namespace
}  // namespace sluice::dcbx
