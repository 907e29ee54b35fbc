// Whatever a MAC control frame says: it is read inside its end, or not at all; what was read can be
// written and reads the same; and a gate that heard it opens again by itself.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "dataplane/pfc/pause_frame.h"
#include "dataplane/pfc/pause_gate.h"
#include "tests/support/octets.h"

namespace {

using namespace sluice;

void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const test::Fenced frame(std::span(data, size));
    const auto pause = read_pause_frame(frame.octets());
    if (!pause) return 0;

    std::array<uint8_t, pause_frame_octets> octets;
    write_pause_frame(octets, read_address(data + 6), *pause);
    const auto again = read_pause_frame(octets);
    require(again && again->enabled == pause->enabled && again->time == pause->time);

    PauseGate gate;
    const BitsPerSecond speed(1'000'000'000);
    const PrioritySet honoured = data[size - 1];
    gate.configure(honoured, speed);
    const Nanos heard(1'000'000'000);
    gate.hear(*pause, heard);
    require((gate.paused(heard) & ~(pause->enabled & honoured)) == 0);
    require(gate.paused(heard + pause_time(Quanta(65535), speed)) == 0);
    return 0;
}
