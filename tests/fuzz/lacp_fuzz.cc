// Whatever a frame of the slow protocols says: it is read inside its end, or not at all; what was
// read can be written and reads the same; and an aggregation that received it carries nothing by
// that one frame, still speaks, and forgets it.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "control/lacp/aggregator.h"
#include "tests/support/octets.h"

namespace {

using namespace sluice;

void require(bool holds) {
    if (!holds) std::abort();
}

void must_read_the_same(std::span<const uint8_t> pdu) {
    if (const auto lacpdu = lacp::read_lacpdu(pdu)) {
        const lacp::Octets frame = lacp::frame_of(*lacpdu, {1});
        require(lacp::read_lacpdu(std::span(frame).subspan(lacp::header_octets)) == lacpdu);
    }
    if (const auto marker = lacp::read_marker(pdu)) {
        const lacp::Octets frame = lacp::frame_of(*marker, {1});
        require(lacp::read_marker(std::span(frame).subspan(lacp::header_octets)) == marker);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const test::Fenced frame(std::span(data, size));
    if (size >= lacp::header_octets)
        must_read_the_same(frame.octets().subspan(lacp::header_octets));
    const std::array<MacAddress, max_ports> addresses{};
    lacp::Aggregator aggregator({.system = {0x0200'0000'00A0}}, 0b11, addresses);
    Nanos now(1'000'000'000);
    aggregator.set_link(0, true, BitsPerSecond(1), now);
    aggregator.receive(0, frame.octets(), now);
    for (int turn = 0; turn < 200; ++turn, now += Nanos(500'000'000)) {
        aggregator.advance(now);
        require((aggregator.sending() & ~aggregator.taking()) == 0);
        require((aggregator.taking() & ~aggregator.ports()) == 0);
        for (lacp::Aggregator::Member& member : aggregator.members()) {
            for (int frames = 0; const auto next = member.port.next_frame(now); ++frames) {
                require(frames < 4);
                member.port.sent(*next, true);
            }
        }
    }
    require(aggregator.members()[0].port.statistics().lacpdus_out > 0);
    require(aggregator.taking() == 0);
    require(!aggregator.members()[0].port.knows_partner());
    return 0;
}
