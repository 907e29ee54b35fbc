#include "dataplane/sflow/flow_sampling.h"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <vector>

namespace sluice {
namespace {

struct Sample {
    FlowRecord record;
    std::vector<uint8_t> octets;
};

// Bursts of frames of ascending octets, whatever becomes of them.
struct Sampled {
    explicit Sampled(uint32_t one_in, uint16_t header = 128)
        : sampling(std::make_unique<FlowSampling>(1, only(0) | only(1))) {
        sampling->configure(0, one_in, header);
        std::iota(octets.begin(), octets.end(), uint8_t{0});
    }
    std::vector<Frame> burst(std::size_t count, uint16_t length = 200) {
        std::vector<Frame> frames;
        for (std::size_t n = 0; n < count; ++n) {
            Frame frame{};
            frame.handle = &octets[n];  // any that differ
            frame.data = octets.data();
            frame.length = length;
            frame.vlan = 7;
            frame.priority = 3;
            frames.push_back(frame);
        }
        return frames;
    }
    void receive(std::size_t count, PortSet outputs = only(1)) {
        const auto frames = burst(count);
        const std::vector<Drop> of_headers(count, Drop::none);
        const std::vector<PortSet> to(count, outputs);
        if (sampling->choose(0, frames)) sampling->finish(0, frames, of_headers, to);
    }
    std::vector<Sample> taken() {
        std::vector<Sample> samples;
        sampling->take([&](const FlowRecord& record, std::span<const uint8_t> copy) {
            samples.push_back({record, {copy.begin(), copy.end()}});
        });
        return samples;
    }

    std::unique_ptr<FlowSampling> sampling;
    std::array<uint8_t, 256> octets{};
};

TEST(FlowSampling, IsOffUntilItIsConfigured) {
    Sampled at(0);
    EXPECT_FALSE(at.sampling->is_on(0));
    at.sampling->configure(0, 100, 128);
    EXPECT_TRUE(at.sampling->is_on(0));
    EXPECT_FALSE(at.sampling->is_on(1)) << "the other input";
    at.sampling->configure(0, 0, 128);
    EXPECT_FALSE(at.sampling->is_on(0));
}

TEST(FlowSampling, KeepsTheFirstOctetsAndWhatBecameOfTheFrame) {
    Sampled at(1, 100);
    at.receive(1, only(1) | only(5));
    const auto samples = at.taken();
    ASSERT_EQ(samples.size(), 1U);
    const FlowRecord& record = samples[0].record;
    EXPECT_EQ(record.outputs, only(1) | only(5));
    EXPECT_EQ(record.pool, 1U);
    EXPECT_EQ(record.one_in, 1U);
    EXPECT_EQ(record.length, 200);
    EXPECT_EQ(record.vlan, 7);
    EXPECT_EQ(record.priority, 3);
    EXPECT_EQ(record.input.number, 0);
    EXPECT_EQ(record.reason, Drop::none);
    EXPECT_TRUE(std::ranges::equal(samples[0].octets, std::span(at.octets).first(100)));
}

TEST(FlowSampling, AShortFrameIsKeptWhole) {
    Sampled at(1);
    const auto frames = at.burst(1, 60);
    ASSERT_TRUE(at.sampling->choose(0, frames));
    at.sampling->finish(0, frames, std::array{Drop::none}, std::array{only(1)});
    EXPECT_EQ(at.taken().at(0).octets.size(), 60U);
}

TEST(FlowSampling, HasTheFrameAsItCame) {
    Sampled at(1);
    auto frames = at.burst(1);
    ASSERT_TRUE(at.sampling->choose(0, frames));
    frames[0].data += 4;  // a tag that is taken off
    frames[0].length -= 4;
    frames[0].vlan |= 0x9000;
    at.sampling->finish(0, frames, std::array{Drop::none}, std::array{only(1)});
    const auto samples = at.taken();
    EXPECT_EQ(samples.at(0).record.length, 200);
    EXPECT_EQ(samples.at(0).record.vlan, 7);
    EXPECT_EQ(samples.at(0).octets.front(), 0);
}

TEST(FlowSampling, NotesWhyAFrameGoesNowhere) {
    Sampled at(1);
    const auto frames = at.burst(3);
    ASSERT_TRUE(at.sampling->choose(0, frames));
    at.sampling->dropped(frames[0], Drop::runt);
    at.sampling->refused(frames[1], 1, Drop::over_threshold);
    at.sampling->refused(frames[2], 1, Drop::over_threshold);
    at.sampling->finish(0, frames, std::array{Drop::runt, Drop::none, Drop::none},
                        std::array{PortSet{0}, only(1), only(1) | only(2)});
    const auto samples = at.taken();
    EXPECT_EQ(samples.at(0).record.reason, Drop::runt);
    EXPECT_EQ(samples.at(0).record.vlan, 0) << "its headers were not read";
    EXPECT_EQ(samples.at(1).record.reason, Drop::over_threshold);
    EXPECT_EQ(samples.at(1).record.outputs, PortSet{0});
    EXPECT_EQ(samples.at(2).record.reason, Drop::none) << "one copy went on";
    EXPECT_EQ(samples.at(2).record.outputs, only(2));
}

TEST(FlowSampling, PicksItsShareAndCountsAllThatItPickedFrom) {
    constexpr std::size_t bursts = 2000;
    constexpr std::size_t frames = bursts * 32;
    Sampled at(50);
    std::size_t count = 0;
    uint32_t pool = 0;
    for (std::size_t n = 0; n < bursts; ++n) {
        at.receive(32);
        for (const Sample& sample : at.taken()) {
            ++count;
            EXPECT_GT(sample.record.pool, pool);
            pool = sample.record.pool;
        }
    }
    EXPECT_NEAR(static_cast<double>(count), frames / 50.0, 150);
    EXPECT_GT(pool, frames - 1000);
    EXPECT_LE(pool, frames);
    EXPECT_EQ(at.sampling->lost(0), 0U);
}

TEST(FlowSampling, PoolGoesOnWhereItWasOff) {
    Sampled at(1);
    at.receive(5);
    at.sampling->configure(0, 0, 128);
    at.sampling->configure(0, 2, 128);
    for (int n = 0; n < 10; ++n) at.receive(1);
    const auto samples = at.taken();
    ASSERT_GT(samples.size(), 5U);
    EXPECT_GT(samples[5].record.pool, 5U);
    EXPECT_EQ(samples[5].record.one_in, 2U);
}

TEST(FlowSampling, WhatFindsNoRoomIsCountedAndNobodyWaits) {
    Sampled at(1);
    constexpr std::size_t cells_a_sample = 3;  // 32 octets of record and 128 of a header
    constexpr std::size_t room = FlowSampling::cells / cells_a_sample;
    for (std::size_t n = 0; n < room + 10; ++n) at.receive(1);
    EXPECT_EQ(at.sampling->lost(0), 10U);
    EXPECT_EQ(at.sampling->lost(1), 0U);
    EXPECT_EQ(at.taken().size(), room);
    at.receive(1);
    EXPECT_EQ(at.taken().at(0).record.pool, room + 11) << "the lost ones could have been sampled";
}

}  // namespace
}  // namespace sluice
