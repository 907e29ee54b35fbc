#include "dataplane/offload/host_tunnel.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "dataplane/offload/cut.h"
#include "tests/support/host_tunnels.h"

namespace sluice::offload {
namespace {

using test::CarrierSpec;
using test::Octets;
using test::SegmentSpec;

std::vector<Octets> cut_up(const Octets& segment, const Unfinished& left) {
    const auto cut = Cut::of(segment, segment.size(), left);
    std::vector<Octets> frames;
    for (std::size_t number = 0; cut && number < cut->frames(); ++number) {
        Octets& frame = frames.emplace_back(cut->header_octets() + cut->payload_octets(number));
        std::copy_n(&segment[cut->payload_at(number)], cut->payload_octets(number),
                    &frame[cut->header_octets()]);
        cut->write_headers(number, frame);
    }
    return frames;
}

std::vector<Octets> cut_up(const CarrierSpec& spec, const SegmentSpec& inner) {
    return cut_up(unfinished_carried(spec, inner), left_of(spec, inner, 1400));
}

// Checks each inner IP family in each outer one.
template <typename Check>
void in_all_families(CarrierSpec spec, Check check) {
    for (const bool outer : {false, true}) {
        for (const bool inner : {false, true}) {
            for (const bool is_tcp : {false, true}) {
                spec.is_ipv6 = outer;
                SCOPED_TRACE(testing::Message() << outer << inner << is_tcp);
                check(spec, SegmentSpec{.is_ipv6 = inner, .is_tcp = is_tcp, .payload = 5001});
            }
        }
    }
}

void is_cut_as_segmentation_does(const CarrierSpec& spec, const SegmentSpec& inner) {
    EXPECT_EQ(cut_up(spec, inner), segmented(spec, inner, 1400));
}

TEST(HostTunnel, FramesOfVxlanAreWhatSegmentationMakes) {
    for (const bool has_sum : {true, false}) {
        for (const int tags : {0, 1}) {
            in_all_families({.has_sum = has_sum, .tags = tags}, is_cut_as_segmentation_does);
        }
    }
}

TEST(HostTunnel, FramesOfGreAreWhatSegmentationMakes) {
    for (const bool has_sum : {true, false}) {
        for (const bool has_key : {true, false}) {
            in_all_families({.kind = CarrierSpec::gre, .has_sum = has_sum, .has_key = has_key},
                            is_cut_as_segmentation_does);
        }
    }
}

TEST(HostTunnel, PacketsInPacketsAreWhatSegmentationMakes) {
    for (const bool has_extension : {true, false}) {
        in_all_families({.kind = CarrierSpec::ip, .has_extension = has_extension},
                        is_cut_as_segmentation_does);
    }
}

TEST(HostTunnel, InnerOptionsAndTagsAreFound) {
    for (const std::size_t options : {4U, 40U}) {
        is_cut_as_segmentation_does({}, {.tags = 1, .ip_options = options, .payload = 5000});
    }
}

TEST(HostTunnel, WhatContradictsItselfIsNoSegment) {
    const CarrierSpec vxlan;
    const SegmentSpec inner{.payload = 3000};
    const auto refused = [&](const CarrierSpec& spec, auto change) {
        Octets segment = unfinished_carried(spec, inner);
        Unfinished left = left_of(spec, inner, 1400);
        change(segment, left);
        return cut_up(segment, left).empty();
    };
    EXPECT_FALSE(refused(vxlan, [](Octets&, Unfinished&) {}));
    EXPECT_TRUE(refused(vxlan, [](Octets&, Unfinished& left) { left.checksum_start += 2; }));
    EXPECT_TRUE(refused(vxlan, [](Octets&, Unfinished& left) { left.segments = Segments::tcp6; }));
    EXPECT_TRUE(refused(vxlan, [](Octets& segment, Unfinished& left) {
        segment[left.checksum_start - 18U] ^= 1;
    })) << "the inner length";
    EXPECT_TRUE(refused(vxlan, [](Octets& segment, Unfinished&) { segment[20] = 0x20; }))
        << "the first of several fragments";
    EXPECT_TRUE(refused(vxlan, [](Octets& segment, Unfinished&) { segment[23] = 6; }))
        << "carried by TCP";
    const CarrierSpec gre{.kind = CarrierSpec::gre};
    EXPECT_FALSE(refused(gre, [](Octets&, Unfinished&) {}));
    EXPECT_TRUE(refused(gre, [](Octets& segment, Unfinished&) { segment[34] |= 0x10; }))
        << "a sequence number";
}

TEST(HostTunnel, IsReadInsideItsEnd) {
    for (const auto kind : {CarrierSpec::vxlan, CarrierSpec::gre, CarrierSpec::ip}) {
        const CarrierSpec spec{
            .kind = kind, .is_ipv6 = true, .has_key = true, .has_extension = true};
        const SegmentSpec inner{.payload = 0};
        const Octets whole = unfinished_carried(spec, inner);
        const std::size_t start = left_of(spec, inner, 1400).checksum_start;
        for (std::size_t length = 0; length < whole.size(); ++length) {
            const test::Fenced cut{std::span(whole).first(length)};
            EXPECT_FALSE(read_host_tunnel(cut.octets(), whole.size(), start)) << length;
        }
        EXPECT_TRUE(read_host_tunnel(whole, whole.size(), start));
    }
}

}  // namespace
}  // namespace sluice::offload
