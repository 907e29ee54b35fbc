// What must hold of any frame and any tunnel:
//   whole    what went in comes out as it was, whatever ECN it has
//   inside   of any beginning of it, and with any bit of it changed, nothing beyond its end is
//            read, and what is carried lies inside
//   one way  a changed bit of the headers that say so makes it another's, or refused
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "dataplane/tunnel/decapsulator.h"
#include "dataplane/tunnel/encapsulator.h"
#include "tests/property/draw.h"
#include "tests/support/octets.h"

namespace sluice::property {
namespace {

struct Drawn {
    Decapsulator there;
    test::Octets inner;
    test::Octets outer;
};

test::Octets draw_inner() {
    auto inner = *rc::gen::container<test::Octets>(between<std::size_t>(14, 300),
                                                   rc::gen::arbitrary<uint8_t>());
    if (between<int>(0, 3) != 0) {
        write_16(&inner[12], one_of<uint16_t>({0x0800, 0x86DD, 0x8100, 0x88A8, 0x8808}));
        if (inner.size() > 14) inner[14] = one_of<uint8_t>({0x45, 0x46, 0x60, 0x00});
    }
    return inner;
}

Drawn draw() {
    const MacAddress far{between<uint64_t>(0, 0x00FF'FFFF'FFFF)};
    const VxlanEnds ends{.own = {between<uint64_t>(0, 0x00FF'FFFF'FFFF)},
                         .local = {between<uint32_t>(1, UINT32_MAX)},
                         .remote = {between<uint32_t>(1, UINT32_MAX)},
                         .vni = between<uint32_t>(1, highest_vni)};
    Drawn drawn{.there = Decapsulator(far, ends.remote), .inner = draw_inner(), .outer = {}};
    drawn.there.add(ends.local, ends.vni);
    const Encapsulator here(ends, class_selectors, between<uint64_t>(0, UINT32_MAX));
    drawn.outer.resize(vxlan_octets);
    here.write(std::span<uint8_t, vxlan_octets>(drawn.outer.data(), vxlan_octets), drawn.inner,
               between<Priority>(0, 7), far);
    drawn.outer.insert(drawn.outer.end(), drawn.inner.begin(), drawn.inner.end());
    return drawn;
}

RC_GTEST_PROP(Tunnel, GivesBackWhatWentIn, ()) {
    Drawn drawn = draw();
    drawn.outer.resize(drawn.outer.size() + between<std::size_t>(0, 20));  // padding
    const Arrival arrival = drawn.there.look(drawn.outer);
    RC_ASSERT(arrival.kind == ArrivalKind::carried);
    const auto carried = std::span(drawn.outer).subspan(arrival.offset, arrival.length);
    RC_ASSERT(std::ranges::equal(carried, drawn.inner));
}

RC_GTEST_PROP(Tunnel, ReadsNothingBeyondAFrameThatIsCutOrChanged, ()) {
    Drawn drawn = draw();
    const auto octets = static_cast<int64_t>(drawn.outer.size());
    const auto bit = between<std::size_t>(0, octets * 8 - 1);
    if (between<int>(0, 1) == 0) drawn.outer[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
    drawn.outer.resize(between<std::size_t>(0, octets));
    test::Fenced frame(drawn.outer);
    const Arrival arrival = drawn.there.look(frame.to_write());
    RC_CLASSIFY(arrival.kind == ArrivalKind::refused, "refused");
    RC_ASSERT((arrival.kind == ArrivalKind::refused) == (arrival.why != Refusal::none));
    if (arrival.kind != ArrivalKind::carried) return;
    RC_ASSERT(arrival.length >= 14);
    RC_ASSERT(std::size_t{arrival.offset} + arrival.length <= drawn.outer.size());
}

RC_GTEST_PROP(Tunnel, TakesNoFrameWhoseHeadersWereChanged, ()) {
    Drawn drawn = draw();
    // All but the source MAC, the UDP source port and checksum, and what VXLAN reserves.
    const auto at = one_of<std::size_t>(
        {0, 5, 12, 14, 16, 17, 20, 21, 22, 23, 24, 25, 26, 29, 30, 33, 36, 37, 38, 39, 46, 47, 48});
    drawn.outer[at] ^= static_cast<uint8_t>(1U << between<int>(0, 7));
    RC_ASSERT(drawn.there.look(drawn.outer).kind != ArrivalKind::carried);
}

}  // namespace
}  // namespace sluice::property
