// What must hold of any frame that is trimmed:
//   shorter   it gets shorter, keeps `size` octets and its headers, and is never cut again
//   the same  but for length, DSCP and checksum of its IP header it keeps its octets
//   sound     its IP header states what is left of it
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "dataplane/egress/dscp.h"
#include "dataplane/trim/cut_packet.h"
#include "dataplane/types/address.h"
#include "tests/property/draw.h"
#include "tests/support/segments.h"

namespace sluice::property {
namespace {

using test::Octets;
using test::SegmentSpec;

SegmentSpec draw_packet() {
    SegmentSpec spec;
    spec.is_ipv6 = between<int>(0, 1) == 1;
    spec.is_tcp = between<int>(0, 1) == 1;
    spec.tags = between<int>(0, 2);
    spec.ip_options = 4 * between<std::size_t>(0, 10);
    spec.payload = between<std::size_t>(0, 3000);
    return spec;
}

// Restores the fields of the IP header that trimming changes.
Octets as_it_came(Octets kept, const Octets& whole, const SegmentSpec& spec) {
    const std::size_t network = spec.network();
    const std::size_t length = network + (spec.is_ipv6 ? 4 : 2);
    write_16(&kept[network], read_16(&whole[network]));
    write_16(&kept[length], read_16(&whole[length]));
    if (!spec.is_ipv6) write_16(&kept[network + 10], read_16(&whole[network + 10]));
    return kept;
}

RC_GTEST_PROP(Trim, WhatIsLeftStatesWhatItIs, ()) {
    const SegmentSpec spec = draw_packet();
    const auto size = between<std::size_t>(0, 1500);
    const auto dscp = between<uint8_t>(0, 63);
    const auto ecn = between<uint8_t>(0, 3);
    Octets whole = test::frame_of(spec);
    const std::size_t network = spec.network();
    const unsigned ecn_shift = spec.is_ipv6 ? 4 : 0;
    whole[network + 1] = static_cast<uint8_t>(whole[network + 1] | ecn << ecn_shift);
    if (!spec.is_ipv6) {
        write_16(&whole[network + 10], 0);
        const auto header = std::span(whole).subspan(network, 20 + spec.ip_options);
        write_16(&whole[network + 10], static_cast<uint16_t>(~test::plain_sum(header)));
    }
    const std::size_t length = length_when_cut(whole, network, size);
    const std::size_t headers = spec.transport() + (spec.is_tcp ? 20 : 24);
    if (length == 0) {
        RC_ASSERT(whole.size() <= std::max(size, headers));
        return;
    }
    RC_ASSERT(length < whole.size());
    RC_ASSERT(length == std::max(size, headers));
    Octets kept(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    write_cut_headers(kept, network, dscp);
    RC_ASSERT(dscp_of(&kept[network]) == dscp);
    RC_ASSERT((kept[network + 1] >> ecn_shift & 3) == ecn);
    if (spec.is_ipv6) {
        RC_ASSERT(read_16(&kept[network + 4]) == length - network - 40);
    } else {
        const auto header = std::span(kept).subspan(network, 20 + spec.ip_options);
        RC_ASSERT(read_16(&kept[network + 2]) == length - network);
        RC_ASSERT(test::plain_sum(header) == 0xFFFF);
    }
    RC_ASSERT(as_it_came(kept, whole, spec) ==
              Octets(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)));
    RC_ASSERT(length_when_cut(kept, network, size) == 0);
}

}  // namespace
}  // namespace sluice::property
