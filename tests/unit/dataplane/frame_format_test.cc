#include "dataplane/types/frame_format.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice {
namespace {

using enum Contradiction;

std::vector<Contradiction> found_in(const FrameFormat& format) {
    std::vector<Contradiction> found;
    for_each_contradiction(format, [&](Contradiction what) { found.push_back(what); });
    return found;
}
std::vector<Contradiction> with(std::size_t preset, void (*change)(FrameFormat&)) {
    FrameFormat format = presets[preset];
    change(format);
    return found_in(format);
}
using Found = std::vector<Contradiction>;

TEST(FrameFormat, PresetsAreSound) {
    for (const FrameFormat& preset : presets) EXPECT_EQ(found_in(preset), Found{});
}

TEST(FrameFormat, EachContradictionIsFound) {
    EXPECT_EQ(with(0, [](FrameFormat& f) { f.destination = {}, f.learns = false; }),
              Found{no_destination});
    EXPECT_EQ(with(0,
                   [](FrameFormat& f) {
                       f.destination = {0, 49}, f.source = {49, 40}, f.learns = false;
                   }),
              Found{destination_too_wide});
    EXPECT_EQ(with(2,
                   [](FrameFormat& f) {
                       f.destination = {24, 24}, f.learns = false;
                   }),
              Found{destination_too_wide});
    EXPECT_EQ(with(2,
                   [](FrameFormat& f) {
                       f.source = {72, 24}, f.learns = false;
                   }),
              Found{source_too_wide});
    EXPECT_EQ(with(2, [](FrameFormat& f) { f.traffic_class = {48, 9}; }), Found{class_too_wide});
    EXPECT_EQ(with(2, [](FrameFormat& f) { f.key_word = {0, 7}; }), Found{key_word_incomplete});
    EXPECT_EQ(with(2, [](FrameFormat& f) { f.key_word.mask = 0x7E; }), Found{key_word_incomplete});
    EXPECT_EQ(with(1,
                   [](FrameFormat& f) {
                       f.traffic_class = {}, f.key_word = {48, 8};
                   }),
              Found{key_word_unused});
    EXPECT_EQ(with(2, [](FrameFormat& f) { f.header = Bytes(13); }), Found{header_too_short});
    EXPECT_EQ(with(3, [](FrameFormat& f) { f.header = Bytes(65); }), Found{header_too_short});
    EXPECT_EQ(with(2,
                   [](FrameFormat& f) {
                       f.destination = {96, 16};
                   }),
              Found{destination_outside});
    EXPECT_EQ(with(3, [](FrameFormat& f) { f.source = {81, 16}; }), Found{source_outside});
    EXPECT_EQ(with(2, [](FrameFormat& f) { f.traffic_class = {112, 8}; }), Found{class_outside});
    EXPECT_EQ(with(3,
                   [](FrameFormat& f) {
                       f.traffic_class = {0, 8}, f.ecn = {}, f.key_word = {96, 8};
                   }),
              Found{key_word_outside});
    EXPECT_EQ(with(2, [](FrameFormat& f) { f.source = {24, 16}; }), Found{addresses_overlap});
    EXPECT_EQ(with(1, [](FrameFormat& f) { f.traffic_class = {56, 8}; }), Found{class_in_address});
    EXPECT_EQ(with(5, [](FrameFormat& f) { f.key_word = {48, 8}; }), Found{key_word_in_field});
    EXPECT_EQ(with(5, [](FrameFormat& f) { f.ecn = {96, 2}; }), Found{ecn_outside});
    EXPECT_EQ(with(5, [](FrameFormat& f) { f.flow_label = {88, 9}; }), Found{flow_label_outside});
    EXPECT_EQ(with(5, [](FrameFormat& f) { f.ttl = {96, 4}; }), Found{ttl_outside});
    EXPECT_EQ(with(5, [](FrameFormat& f) { f.ecn = {55, 2}; }), Found{ecn_incomplete});
    EXPECT_EQ(with(5, [](FrameFormat& f) { f.ecn = {54, 3}; }), Found{ecn_incomplete});
    EXPECT_EQ(with(5, [](FrameFormat& f) { f.ecn = {6, 2}; }), Found{ecn_in_field});
    EXPECT_EQ(with(5, [](FrameFormat& f) { f.ttl = {8, 9}; }), Found{ttl_incomplete});
    EXPECT_EQ(with(5, [](FrameFormat& f) { f.ttl = {8, 4, 7}; }), Found{ttl_incomplete});
    EXPECT_EQ(with(5, [](FrameFormat& f) { f.ttl = {52, 4}; }), Found{ttl_in_field});
    EXPECT_EQ(with(1, [](FrameFormat& f) { f.learns = true; }), Found{learns_what_nobody_asks});
    EXPECT_EQ(with(2, [](FrameFormat& f) { f.source.mask = 0xFFF; }),
              Found{learns_what_nobody_asks});
    EXPECT_EQ(with(3, [](FrameFormat& f) { f.ip = true; }), Found{ip_without_ether_type});
    EXPECT_EQ(with(3, [](FrameFormat& f) { f.key_word = {8, 8}; }), Found{taken_for_control});
}

TEST(FrameFormat, ALongerHeaderHasRoomForFieldsOnlyWithoutAnEtherType) {
    EXPECT_EQ(with(3, [](FrameFormat& f) { f.header = Bytes(20), f.source = {144, 16}; }), Found{});
    EXPECT_EQ(with(2, [](FrameFormat& f) { f.source = {144, 16}; }), Found{source_outside});
}

TEST(FrameFormat, AllContradictionsAreReportedAtOnce) {
    EXPECT_EQ(with(5,
                   [](FrameFormat& f) {
                       f.key_word.mask = 2;
                       f.source = {40, 16};
                       f.traffic_class = {32, 8};
                   }),
              (Found{key_word_incomplete, addresses_overlap, class_in_address}));
}

}  // namespace
}  // namespace sluice
