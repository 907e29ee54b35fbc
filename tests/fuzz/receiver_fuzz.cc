// Whatever reaches the generator's station, nothing is read beyond a frame's end, every buffer goes
// back to its device, each frame is counted once, and no flow has more frames than came.
//
// The first octet says how the station is set. Then come records: an octet that says what happens
// between two polls, an octet of length, and as many octets of a frame.
#include <cstddef>
#include <cstdint>
#include <span>

#include "tests/fuzz/promises.h"
#include "tests/fuzz/records.h"
#include "tests/support/octets.h"
#include "tests/unit/gen/fake_link.h"
#include "tools/gen/receiver.h"

namespace {

using namespace sluice;
using namespace sluice::gen;
using test::must;

constexpr PortIndex ports = 3;

ReceiverSettings settings_from(uint8_t choice) {
    ReceiverSettings settings;
    settings.ports = ports;
    settings.run = choice >> 4;
    if ((choice & 1) != 0) settings.host = Rate::frames(1000);
    if ((choice & 2) != 0) settings.pauses = 0b0000'1001;
    return settings;
}

void read_alone(std::span<const uint8_t> octets) {
    const test::Fenced frame(octets);
    const auto probe = read_probe(frame.octets());
    must(!probe || octets.size() >= probe_octets, "a probe is no runt");
}

void check(const Receiver& receiver, uint64_t arrived) {
    uint64_t metered = 0;
    for (PortIndex sender = 0; sender < ports; ++sender) {
        for (Priority priority = 0; priority < max_priorities; ++priority) {
            const FlowMeter& flow = receiver.flow(sender, priority);
            metered += flow.delivered() + flow.duplicates();
        }
    }
    must(receiver.frames() == arrived, "each frame is counted once");
    must(metered == receiver.probes(), "each probe is of one flow");
    must(receiver.probes() + receiver.strays() + receiver.pause_frames_received() <= arrived,
         "a frame is a probe, a stray or a pause, or none of them");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    const std::span<const uint8_t> input(data, size);
    if (input.empty()) return 0;
    FakeLink link;
    uint64_t arrived = 0;
    {
        Nanos now(0);
        Receiver receiver(settings_from(input.front()), 0, link, now);
        const auto on_pause = [](const PauseFrame&) {};
        test::for_each_record(input.subspan(1), [&](uint8_t what, std::span<const uint8_t> octets) {
            read_alone(octets);
            link.arrivals.assign((what & 1) != 0 ? 32 : 1, Octets(octets.begin(), octets.end()));
            link.has_buffers = (what & 2) == 0;
            link.room = (what & 4) != 0 ? 0 : SIZE_MAX;
            now += Nanos(100'000 * (what >> 4));
            // A station whose backlog is full leaves frames on the device.
            arrived += receiver.poll(now, on_pause);
            link.arrivals.clear();
        });
        check(receiver, arrived);
    }
    must(link.outstanding == 0, "every buffer goes back");
    return 0;
}
