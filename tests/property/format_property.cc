// What must hold of any format that contradicts nothing, and of any octets:
//   inside   no octet beyond the frame's end is read
//   true     each field is the bits that the descriptor names, as a reader bit by bit finds them
//   named    a frame that ends before its header is a runt, one that no switch passes on expired
//   lowered  a TTL becomes one less, and no other bit another
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "dataplane/ingress/parse.h"
#include "tests/property/draw.h"
#include "tests/support/octets.h"

namespace sluice::property {
namespace {

using test::bits_of;

Field draw_field(int64_t bits, int64_t widest) {
    const auto width = between<uint16_t>(1, widest);
    return {between<uint16_t>(0, std::max<int64_t>(bits - width, 0)), width,
            between<uint64_t>(1, (int64_t{1} << width) - 1)};
}

Field whole(Field field) {
    field.mask = Field::all_bits;
    return field;
}

// Draws a preset with some of its fields moved; unchanged if that would be no valid format.
FrameFormat draw_format() {
    const FrameFormat& preset = presets[between<std::size_t>(0, presets.size() - 1)];
    FrameFormat format = preset;
    const int64_t widest = has_ids(format.family) ? id_bits(format.family) : 48;
    if (!format.ether_type) format.header = Bytes(between<int64_t>(12, 64));
    const int64_t bits = format.ether_type ? 96 : format.header.count() * 8;
    format.learns = false;
    if (between<int>(0, 1) == 0) format.destination = draw_field(bits, widest);
    if (between<int>(0, 1) == 0) format.source = draw_field(bits, widest);
    if (format.traffic_class.exists() && between<int>(0, 1) == 0) {
        format.traffic_class = draw_field(bits, 8);
    }
    if (format.key_word.exists() && between<int>(0, 3) == 0) {
        format.key_word.mask = one_of<uint64_t>({key_word_short_ids, key_word_group});
    }
    if (between<int>(0, 1) == 0) format.flow_label = draw_field(bits, 48);
    if (between<int>(0, 1) == 0) format.ttl = whole(draw_field(bits, 8));
    return is_sound(format) ? format : preset;
}

RC_GTEST_PROP(Format, ReadsItsFieldsAndNothingBeyondTheFrame, ()) {
    const FrameFormat format = draw_format();
    auto octets = *rc::gen::container<test::Octets>(between<std::size_t>(0, 90),
                                                    rc::gen::arbitrary<uint8_t>());
    if (octets.size() > 14 && between<int>(0, 2) == 0) {
        write_16(&octets[12], one_of<uint16_t>({0x8100, 0x88A8, 0x0800, 0x86DD}));
    }
    const test::Fenced frame(octets);
    Headers headers;
    const Drop verdict = parse(Format(format), frame.octets(), headers);
    control_of(frame.octets());
    if (Bytes(static_cast<int64_t>(octets.size())) < format.header) {
        RC_ASSERT(verdict == Drop::runt);
        return;
    }
    RC_CLASSIFY(verdict == Drop::none, "taken");
    RC_ASSERT(headers.source.bits == bits_of(octets, format.source));
    RC_ASSERT(headers.traffic_class == bits_of(octets, format.traffic_class));
    if ((format.key_word.significant() & key_word_short_ids) != 0 && format.key_word.exists()) {
        const bool short_ids = (bits_of(octets, format.key_word) & key_word_short_ids) != 0;
        const bool is_other = verdict == Drop::afh_gen2_32b || verdict == Drop::afh_gen2_16b;
        RC_ASSERT(is_other == (short_ids != has_short_ids(format.family)));
    }
    RC_ASSERT(Format(format).flow_label(octets.data()) == bits_of(octets, format.flow_label));
    if (format.ttl.exists()) {
        const uint64_t ttl = bits_of(octets, format.ttl);
        RC_ASSERT(verdict != Drop::ttl_expired || ttl <= 1);
        RC_ASSERT(verdict != Drop::none || ttl > 1);
        if (ttl > 0) {
            test::Octets lowered = octets;
            Format(format).ttl.lower(lowered.data());
            RC_ASSERT(bits_of(lowered, format.ttl) == ttl - 1);
            for (uint16_t bit = 0; bit < format.header.count() * 8; ++bit) {
                if (format.ttl.covers(bit)) continue;
                RC_ASSERT(bits_of(lowered, {bit, 1}) == bits_of(octets, {bit, 1}));
            }
        }
    }
    if (verdict != Drop::none) return;
    is_roce(frame.octets(), headers);
    constexpr uint64_t group = uint64_t{1} << 40;
    RC_ASSERT((headers.destination.bits | group) == (bits_of(octets, format.destination) | group));
}

}  // namespace
}  // namespace sluice::property
