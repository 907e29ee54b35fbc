// Whatever a frame to the bridge group address says: it is read inside its end, or not at all; what
// was read can be written and reads the same; and a bridge that received it, by each of two ports,
// comes to rest, sends no more than it may, and has forgotten it a minute later.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "control/rstp/bridge.h"
#include "tests/support/octets.h"

namespace {

using namespace sluice;

void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const test::Fenced frame(std::span(data, size));
    if (const auto bpdu = rstp::read_bpdu(frame.octets())) {
        require(rstp::read_bpdu(rstp::frame_of(*bpdu, {1})) == bpdu);
    }
    Nanos now(1'000'000'000);
    rstp::Bridge bridge({.address = {0x0200'0000'00A0}, .times = {}});
    for (const PortIndex port : {PortIndex{0}, PortIndex{1}}) {
        bridge.set_port(port, {.edge = rstp::Edge::off}, now);
        bridge.set_link(port, true, now);
    }
    uint64_t sent = 0;
    const auto send = [&](PortIndex, const rstp::Bpdu& bpdu) {
        require(rstp::read_bpdu(rstp::frame_of(bpdu, {1})) == bpdu);
        ++sent;
        return true;
    };
    for (int turn = 0; turn < 20; ++turn, now += Nanos(100'000'000)) {
        bridge.receive(turn % 2 == 0 ? 0 : 1, frame.octets(), now);
        bridge.advance(now);
        bridge.transmit(now, send);
    }
    require(sent <= 2 * (6 + 1 + 2));
    // What it said of times is at most 256 s each: it holds for three of its hellos, and its
    // forward delays may have begun as it ran out.
    const int64_t longest = 5 * 256 + 120;
    for (int64_t second = 0; second < longest; ++second, now += Nanos(1'000'000'000)) {
        bridge.advance(now);
        bridge.transmit(now, send);
    }
    require(bridge.is_root());
    require(bridge.in_state(rstp::State::forwarding) == 0b11);
    return 0;
}
