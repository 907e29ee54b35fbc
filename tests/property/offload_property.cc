// What must hold of any frame and segment that a host leaves to a network card:
//   the same    what is cut is what segmentation in the plainest words makes of it (segments.h),
//               and a finished checksum is that of the same frame made whole
//   and back    what is cut from a segment joins into it again, octet by octet
//   in tunnels  of the host's own likewise
//   nothing     of frames that differ in any octet is joined what is not cut into them again
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "dataplane/offload/cut.h"
#include "dataplane/offload/finish.h"
#include "dataplane/offload/join.h"
#include "tests/property/draw.h"
#include "tests/support/host_tunnels.h"
#include "tests/support/segments.h"

namespace sluice::property {
namespace {

using test::CarrierSpec;
using test::Octets;
using test::SegmentSpec;

constexpr offload::Join::Kinds all_kinds{.tcp4 = true, .tcp6 = true, .udp = true};

SegmentSpec draw_segment() {
    SegmentSpec spec;
    spec.is_ipv6 = between<int>(0, 1) == 1;
    spec.is_tcp = between<int>(0, 1) == 1;
    spec.tags = between<int>(0, 2);
    spec.ip_options = 4 * between<std::size_t>(0, 10);
    spec.tcp_options = 4 * between<std::size_t>(0, 10);
    spec.flags = one_of<uint8_t>({0x10, 0x18, 0x11, 0x90, 0x50});
    spec.id = between<uint16_t>(0, 0xFFFF);
    spec.sequence = between<uint32_t>(0, 0xFFFFFFFF);
    spec.payload = between<std::size_t>(1, 6000);
    spec.first_octet = between<uint8_t>(0, 255);
    return spec;
}

std::vector<Octets> cut_up(const Octets& segment, const offload::Unfinished& left) {
    std::vector<Octets> frames;
    const auto cut = offload::Cut::of(segment, segment.size(), left);
    if (!cut) return frames;
    for (std::size_t number = 0; number < cut->frames(); ++number) {
        Octets& frame = frames.emplace_back(cut->header_octets() + cut->payload_octets(number));
        std::copy_n(&segment[cut->payload_at(number)], cut->payload_octets(number),
                    &frame[cut->header_octets()]);
        cut->write_headers(number, frame);
    }
    return frames;
}

// Joins from the first on; the segments, and single frames as they are.
std::vector<Octets> join_and_cut(const std::vector<Octets>& frames) {
    std::vector<Octets> out;
    for (std::size_t first = 0; first < frames.size();) {
        offload::Join join;
        std::size_t end = first + 1;
        if (join.start(frames[first], offload::Checksum::unknown, all_kinds)) {
            while (end < frames.size() && join.add(frames[end], offload::Checksum::unknown)) ++end;
        }
        if (end == first + 1) {
            out.push_back(frames[first]);
        } else {
            offload::Unfinished left;
            const auto headers = join.finish(left);
            Octets segment(headers.begin(), headers.end());
            for (std::size_t part = first; part < end; ++part) {
                const auto begin = frames[part].begin() + static_cast<long>(headers.size());
                segment.insert(segment.end(), begin, frames[part].end());
            }
            for (Octets& frame : cut_up(segment, left)) out.push_back(std::move(frame));
        }
        first = end;
    }
    return out;
}

CarrierSpec draw_carrier() {
    CarrierSpec spec;
    spec.kind = one_of<CarrierSpec::Kind>({CarrierSpec::vxlan, CarrierSpec::gre, CarrierSpec::ip});
    spec.is_ipv6 = between<int>(0, 1) == 1;
    spec.has_sum = between<int>(0, 1) == 1;
    spec.has_extension = between<int>(0, 1) == 1;
    return spec;
}

RC_GTEST_PROP(Offload, WhatIsCutIsWhatSegmentationMakes, ()) {
    const SegmentSpec spec = draw_segment();
    const auto segment_octets = between<uint16_t>(50, 3000);
    RC_ASSERT(cut_up(unfinished_frame_of(spec), left_of(spec, segment_octets)) ==
              test::segmented(spec, segment_octets));
}

RC_GTEST_PROP(Offload, WhatIsCutInATunnelIsWhatSegmentationMakes, ()) {
    SegmentSpec inner = draw_segment();
    inner.tags = between<int>(0, 1);
    CarrierSpec spec = draw_carrier();
    spec.has_key = between<int>(0, 1) == 1;
    spec.tags = between<int>(0, 2);
    spec.id = between<uint16_t>(0, 0xFFFF);
    const auto segment_octets = between<uint16_t>(50, 3000);
    RC_ASSERT(cut_up(unfinished_carried(spec, inner), left_of(spec, inner, segment_octets)) ==
              test::segmented(spec, inner, segment_octets));
}

RC_GTEST_PROP(Offload, AFinishedChecksumIsThatOfTheWholeFrame, ()) {
    const SegmentSpec spec = draw_segment();
    Octets octets = unfinished_frame_of(spec);
    RC_ASSERT(offload::finish_checksum(octets, left_of(spec, 0)));
    RC_ASSERT(test::plain_sum(std::span(octets).subspan(spec.transport()),
                              test::pseudo_sum(octets, spec)) == 0xFFFF);
}

// The unfinished checksum is found from the frame alone, and a finished frame stays as it is.
RC_GTEST_PROP(Offload, WhatWasLeftIsFoundOut, ()) {
    const SegmentSpec spec = draw_segment();
    Octets told = unfinished_frame_of(spec);
    RC_ASSERT(offload::finish_checksum(told, left_of(spec, 0)));
    Octets found = unfinished_frame_of(spec);
    const Octets before = found;
    if (offload::finish_if_left(found)) {
        RC_ASSERT(found == told);
    } else {  // by chance that sum is right
        RC_ASSERT(test::plain_sum(std::span(found).subspan(spec.transport()),
                                  test::pseudo_sum(found, spec)) == 0xFFFF);
        RC_ASSERT(found == before);
    }
    const Octets after = found;
    RC_ASSERT(!offload::finish_if_left(found));
    RC_ASSERT(found == after);
}

// In a tunnel the outer checksum was right for the finished frame.
RC_GTEST_PROP(Offload, WhatWasLeftInATunnelIsFoundOut, ()) {
    SegmentSpec inner = draw_segment();
    inner.tags = between<int>(0, 1);
    const CarrierSpec spec = draw_carrier();
    Octets found = unfinished_frame_of(spec, inner);
    const Octets before = found;
    const Octets whole = carried_frame_of(spec, frame_of(inner), inner, 0);
    const bool was_left = offload::finish_if_left(found);
    RC_ASSERT(found == (was_left ? whole : before));
    if (!was_left) {  // by chance that sum is right
        const Octets left = unfinished_frame_of(inner);
        RC_ASSERT(test::plain_sum(std::span(left).subspan(inner.transport()),
                                  test::pseudo_sum(left, inner)) == 0xFFFF);
    }
}

// Holds for frames with an octet changed anywhere, and for two frames that changed places.
RC_GTEST_PROP(Offload, WhatIsJoinedIsCutIntoTheSameFrames, ()) {
    auto frames = test::segmented(draw_segment(), between<std::size_t>(50, 3000));
    for (int changes = between<int>(0, 2); changes > 0; --changes) {
        Octets& frame = frames[between<std::size_t>(0, int64_t(frames.size()) - 1)];
        frame[between<std::size_t>(0, int64_t(frame.size()) - 1)] ^= between<uint8_t>(0, 255);
    }
    if (between<int>(0, 3) == 0) std::swap(frames.front(), frames.back());
    RC_ASSERT(join_and_cut(frames) == frames);
}

}  // namespace
}  // namespace sluice::property
