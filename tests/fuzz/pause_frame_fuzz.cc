// Whatever a MAC control frame says: it is read inside its end, or not at all; what was read can be
// written and reads the same; a gate that received it opens again by itself; what it relays ends by
// itself too, and goes on there though the relay was down for a while; and nothing but a question
// is answered.
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

// Of a gate that relays what is even of its lossless priorities.
void relay(const PauseFrame& pause, PrioritySet lossless, BitsPerSecond speed) {
    constexpr Nanos now(1'000'000'000);
    PfcSettings pfc;
    pfc.lossless = lossless;
    pfc.relay = {.to = 1, .priorities = static_cast<PrioritySet>(lossless & 0x55), .probes = true};
    PauseGate gate;
    gate.configure(pfc, speed);
    RelayProbe& probe = *gate.relay().probe();
    probe.sent(now);  // its own question
    gate.receive(pause, now);
    const bool goes_on = pause.relays < pfc.relay.depth;
    require(!goes_on || (gate.paused(now) & pfc.relay.priorities) == 0);
    require(goes_on || gate.relay().to_pause(now) == 0);
    const PrioritySet held = gate.relay().to_pause(now);
    require((held & ~(pause.enabled & pfc.relay.priorities)) == 0);
    gate.use_relay(false, now);
    require(gate.relay().to_pause(now) == 0 && (gate.paused(now) & held) == held);
    gate.use_relay(true, now);
    require(gate.relay().to_pause(now) == held && (gate.paused(now) & held) == 0);
    require(gate.relay().to_pause(now + pause_time(Quanta(65535), speed)) == 0);
    require(!probe.is_due(now) || (pause.enabled == 0 && probe.words(now)[1] == 2));
    require(probe.answered() == 0 || probe.round_trips(now)->longest == Nanos(0));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const test::Fenced frame(std::span(data, size));
    const bool link_pause = size > 0 && (data[size - 1] & 1) != 0;
    const PauseRules rules{.peers = nullptr, .link_pause = link_pause};
    PauseFrame pause;
    if (read_pause_frame(frame.octets(), rules, pause) != Drop::none) return 0;

    if (!pause.whole_link) {
        std::array<uint8_t, pause_frame_octets> octets;
        write_pause_frame(octets, read_address(data + 6), pause);
        PauseFrame again;
        require(read_pause_frame(octets, rules, again) == Drop::none);
        require(again.enabled == pause.enabled && again.time == pause.time);
    }

    PauseGate gate;
    const BitsPerSecond speed(1'000'000'000);
    if (!pause.whole_link) relay(pause, data[size - 1], speed);
    PfcSettings pfc;
    pfc.lossless = data[size - 1];
    pfc.link_pause = link_pause;
    gate.configure(pfc, speed);
    const Nanos now(1'000'000'000);
    gate.receive(pause, now);
    const PrioritySet may_stop = pause.whole_link ? PrioritySet{0xFF} : pfc.lossless;
    require((gate.paused(now) & ~(pause.enabled & may_stop)) == 0);
    require(gate.paused(now + pause_time(Quanta(65535), speed)) == 0);
    return 0;
}
